// What goes through the model in one pass, and in which number format; and what it runs on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/arch/formats.hpp"

namespace headcount {

struct Input {
    std::int64_t tokens = 100;            // T: new tokens of each sequence in this pass, at least 1
    std::int64_t batch = 1;               // B: sequences side by side, at least 1
    std::int64_t cached = 0;              // P: tokens whose keys and values are already in the cache
    Formats precision = Precision::bf16;  // of the weights
    std::int64_t source = 100;            // S: tokens that an encoder beside the decoder reads, at least 1
    std::optional<Precision> cache = {};  // of keys and values; absent: as activations are computed

    // What its activations are computed in.
    Precision computed() const { return activation_precision(precision); }
    // What keys and values are kept in.
    Precision cached_in() const { return cache.value_or(computed()); }

    bool operator==(const Input&) const = default;
};

// Reading all tokens at once, behind those that the input has cached; making the last of all tokens behind the others;
// reading all of them forwards and backwards.
enum class Phase : std::uint8_t { prefill, decode, training };
inline constexpr std::array<std::string_view, 3> phase_words{"prefill", "decode", "train"};  // as they are typed
inline constexpr std::array<std::string_view, 3> phase_nouns{"prefill", "decode",
                                                             "training"};  // in sentences and files

struct Device {
    std::string id;                   // "rtx-4090"
    std::string name;                 // "NVIDIA GeForce RTX 4090"
    std::int64_t memory = 0;          // bytes that a program can use
    std::optional<double> bandwidth;  // bytes of memory a second; absent where it is not published
    // Operations a second of dense matrix products in 16 and 32 bits, and in what else the device multiplies by itself.
    std::optional<double> flops_16, flops_32;
    std::optional<double> flops_tf32 = {}, flops_fp8 = {}, flops_int8 = {}, flops_fp4 = {};
    bool alone = false;                // a whole computer: no model is divided among several
    std::optional<double> price = {};  // of an hour of it, as somebody says: none ships
    std::string source;

    bool operator==(const Device&) const = default;
};

// Its peak for weights of this format: its own where the device multiplies numbers of it, else that of 16 bits.
inline std::optional<double> peak_flops(const Device& device, const Precision& precision) {
    const auto own = [&](const std::optional<double>& peak) { return peak ? peak : device.flops_16; };
    switch (precision.numbers) {
        case Precision::fp32: return device.flops_32;
        case Precision::tf32: return device.flops_tf32 ? device.flops_tf32 : device.flops_32;
        case Precision::fp8:
        case Precision::fp8_e5m2:
        case Precision::fp8_tiles: return own(device.flops_fp8);
        case Precision::int8: return own(device.flops_int8);
        case Precision::mxfp4:
        case Precision::nvfp4: return own(device.flops_fp4);
        default: return device.flops_16;
    }
}

}  // namespace headcount
