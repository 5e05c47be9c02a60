// What goes through the model in one pass, and in which number format.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace headcount {

enum class Precision { fp32, bf16, fp16, int8, int4 };

struct PrecisionInfo {
    Precision precision;
    std::string_view key;
    std::int64_t bits;  // of one number
};
std::span<const PrecisionInfo> precisions();
const PrecisionInfo& info(Precision precision);

struct Input {
    std::int64_t tokens = 100;  // T: new tokens of each sequence in this pass, at least 1
    std::int64_t batch = 1;     // B: sequences side by side, at least 1
    std::int64_t cached = 0;    // P: tokens whose keys and values are already in the cache
    Precision precision = Precision::bf16;

    bool operator==(const Input&) const = default;
};

}  // namespace headcount
