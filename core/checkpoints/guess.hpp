// Guesses at what names and shapes leave open: the kind of model, and how many heads share its projections.
#pragma once

#include <string>

#include "core/checkpoints/model_facts.hpp"
#include "core/checkpoints/tensor_index.hpp"

namespace headcount {

// Hugging Face's model_type; empty where no known family has such names. May add to `guesses`, where families share all
// their names.
std::string guess_type(const TensorIndex& tensors, std::vector<std::string>& guesses);

// Fills heads, kv_heads, head_dim and what else attention needs; says what was guessed.
void guess_heads(ModelFacts& facts, const TensorIndex& tensors);

}  // namespace headcount
