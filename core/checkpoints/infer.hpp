// What model a checkpoint holds, as a config.json: of one without configuration from its tensors' names and shapes, of
// GGUF from its metadata.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// A config.json for a safetensors or llama2.c file. What shapes do not tell is guessed, and each guess is a sentence in
// the array "_headcount_guesses": "head size 128 is a guess: ...". Errors where nothing known is recognized: no layers,
// no embedding, no attention.
Result<nlohmann::json> config_of_tensors(const Checkpoint& checkpoint);

// A GGUF file's metadata as the config.json of the model that it was made from. Sizes are those of the tensors where
// the two differ; what neither says is left to the model_type's default. What had to be guessed is a sentence in the
// array "_headcount_guesses". Errors: no language model, keys missing or of the wrong type, a number that differs
// between layers where config.json has one for all. They name the key; which file it is, is for the caller to say.
Result<nlohmann::json> config_of_gguf(const Checkpoint& gguf);

}  // namespace headcount
