// The floating-point numbers that weights are stored as, of sixteen bits and fewer, made into float32. All are exact.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace headcount {

// The bytes there, as files have them: the least significant first.
template <class T>
T number_at(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

inline float from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
inline float from_float16(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -small : small;
}

inline int byte_at(const std::byte* from) { return std::to_integer<int>(*from); }
inline float half_at(const std::byte* from) { return from_float16(number_at<std::uint16_t>(from)); }

// OFP8 E5M2: the upper half of a float16.
inline float from_e5m2(std::uint8_t bits) { return from_float16(static_cast<std::uint16_t>(bits << 8)); }

// OFP8 E4M3 (Micikevicius et al. 2022): no infinities; all ones are no number.
inline float from_e4m3(std::uint8_t bits) {
    const int exponent = (bits >> 3) & 15, fraction = bits & 7;
    const float sign = bits & 0x80 ? -1.0F : 1.0F;
    if (exponent == 15 && fraction == 7) return std::bit_cast<float>(0x7fc00000u);
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -9);
    return sign * std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
}

// OCP's E2M1, by its four bits, doubled so that it is whole.
inline constexpr std::array<int, 16> twice_e2m1{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// The same as it stands, of the lower four bits: 0 has a sign.
inline float from_e2m1(int bits) {
    const auto size = static_cast<float>(twice_e2m1[static_cast<std::size_t>(bits & 7)]) / 2;
    return bits & 8 ? -size : size;
}

// OCP's E8M0: a power of two, no sign, no zero; 255 is no number.
inline float from_e8m0(std::uint8_t bits) {
    return bits == 255 ? std::bit_cast<float>(0x7fc00000u) : std::ldexp(1.0F, bits - 127);
}

}  // namespace headcount
