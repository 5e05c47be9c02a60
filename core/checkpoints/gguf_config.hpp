// A GGUF file's metadata as the config.json of the model that it was made from.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// Sizes are those of the tensors where the two differ; what neither says is left to the model_type's default. What had
// to be guessed is a sentence in the array "_headcount_guesses". Errors: no language model, keys missing or of the
// wrong type, a number that differs between layers where config.json has one for all. They name the key; which file it
// is, is for the caller to say.
Result<nlohmann::json> config_of_gguf(const Checkpoint& gguf);

}  // namespace headcount
