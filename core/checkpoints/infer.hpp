// What model a checkpoint without configuration holds, from its tensors' names and shapes.
#pragma once

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// A config.json for a safetensors or llama2.c file. What shapes do not tell is guessed, and each guess is a sentence in
// the array "_headcount_guesses": "head size 128 is a guess: ...". Errors where nothing known is recognized: no layers,
// no embedding, no attention.
Result<nlohmann::json> config_of_tensors(const Checkpoint& checkpoint);

}  // namespace headcount
