// What somebody else's transformer has written of its activations: a file of tensors under names of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct TheirTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;  // outermost first
    double tolerance = 0;        // how far, of its size, the format that it is stored in and float32 sums may lead
    bool fused = false;          // a part of what one matrix makes of queries, keys and values
};

// Whether none of them has more digits than float16 or bfloat16 holds.
bool have_few_digits(std::span<const float> numbers);

// The floating-point tensors of a file of safetensors. Errors name the file and the tensor: one that holds a NaN, and
// where the first one is; more than fit into memory; none at all.
Result<std::vector<TheirTensor>> read_theirs(const std::filesystem::path& path);

// The ids of the tokens that it has read, each absent where the file does not say them: whole numbers in a row, under a
// name such as "input_ids" or "tokens"; where there are two, under a name with "decoder" those of the decoder, and the
// others the source that its encoder has read. Errors: the file cannot be read, an id is no id of a token.
struct TheirIds {
    std::optional<std::vector<std::int32_t>> ids, source;
};
Result<TheirIds> read_their_ids(const std::filesystem::path& path);

// Whether a file of safetensors holds activations and not weights, by its names: "logits", "hidden_states.3".
bool holds_activations(const std::filesystem::path& path);

}  // namespace headcount
