// What goes through the model in one pass, and in which number format; and what it runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
    std::int64_t source = 100;  // S: tokens that an encoder beside the decoder reads, at least 1

    bool operator==(const Input&) const = default;
};

struct Device {
    std::string id;                            // "rtx-4090"
    std::string name;                          // "NVIDIA GeForce RTX 4090"
    std::int64_t memory = 0;                   // bytes that a program can use
    std::optional<double> bandwidth;           // bytes of memory a second; absent where it is not published
    std::optional<double> flops_16, flops_32;  // operations a second of dense matrix products in 16 and 32 bits
    std::string source;

    bool operator==(const Device&) const = default;
};

// Its peak for numbers of this format. What is stored in fewer bits is multiplied in 16.
inline std::optional<double> peak_flops(const Device& device, Precision precision) {
    return precision == Precision::fp32 ? device.flops_32 : device.flops_16;
}

}  // namespace headcount
