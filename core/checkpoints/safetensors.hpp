// Reads .safetensors files: the header, none of the weights.
// The format: https://huggingface.co/docs/safetensors, whose own reader's rules are kept.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// One file's bytes; `name` stands for it in errors and in Checkpoint::files. The tensors are in the header's order and
// fill the bytes after it without holes and without overlapping. The metadata is the header's __metadata__.
Result<Checkpoint> read_safetensors(std::span<const std::byte> bytes, const std::string& name);

}  // namespace headcount
