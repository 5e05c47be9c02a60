// The types of ggml's tensors by their number in GGUF: how many elements a block has, and how many bytes.
#pragma once

#include <cstdint>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// ggml.h, enum ggml_type; sizes as in ggml-common.h. Errors name the types that ggml has removed, and the highest
// number that is known.
Result<StorageType> ggml_type(std::uint32_t number);

}  // namespace headcount
