// What a model runs on: how much memory it has and how fast it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/arch/input.hpp"

namespace headcount {

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
