// Matrices that quantizers store as numbers of a few bits, and beside them scales, zero points and groups, restored to
// float32: whole numbers of GPTQ, AWQ, compressed-tensors and bitsandbytes, floating-point ones of eight and four bits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// What a configuration says of how numbers were quantized that the files themselves do not.
struct Quantization {
    std::array<std::int64_t, 2> tile{128, 128};  // outputs and inputs that share a scale of 8-bit floating point
    bool zeros_less_one = true;                  // GPTQ: zero points are stored as one less than they are
};
// Its "quantization_config": "weight_block_size" and "checkpoint_format".
Quantization quantization_of(const Carried& configuration);

// The files' tensors.
struct StoredParts {
    std::function<const CheckpointTensor*(const std::string& name)> find;          // null where there is none
    std::function<Result<std::vector<std::byte>>(const CheckpointTensor&)> bytes;  // all of them
};

// The numbers of the matrix of this name and shape, (out, in), or of a stack of experts, (experts, in, out), in the
// order of the published tensor; each is the product that the quantizer's own code makes in float32. Nothing where no
// tensor of the files is a quantized form of it. Fails where one is and its parts do not go together, or numbers have
// bits that are not read (GPTQ of three).
Result<std::optional<std::vector<float>>> restored_numbers(const StoredParts& files, const Quantization& quantization,
                                                           const std::string& name,
                                                           const std::vector<std::int64_t>& shape);

}  // namespace headcount
