// What somebody else's transformer has written of its activations: a file of tensors under names of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct TheirTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;  // outermost first
    double tolerance = 0;        // how far, of its size, the format that it is stored in and float32 sums may lead
};

// The floating-point tensors of a file of safetensors. Errors name the file and the tensor: one that holds a NaN, and
// where the first one is; more than fit into memory; none at all.
Result<std::vector<TheirTensor>> read_theirs(const std::filesystem::path& path);

}  // namespace headcount
