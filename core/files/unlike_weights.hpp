// Whether a model that was concluded from weights alone has the very tensors of these.
#pragma once

#include <string>

#include "core/arch/architecture.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// The first tensor that the weights have and the model has not, the other way round, or in another shape, in a clause:
// "blk.0.attn_k.bias is not counted"; empty where all are alike. More than can be compared (match_checkpoint) differ.
std::string first_difference(const Checkpoint& weights, const Architecture& arch);

// Of a model that was opened from such weights: that clause among what is carried, for a note on it.
void keep_difference(const std::string& difference, Architecture& arch);

// A sentence with it; empty of a model that has none.
std::string note_on_weights(const Architecture& arch);

}  // namespace headcount
