// Whole numbers of a few bits beside a scale: as ggml-quants.c and ggml-common.h of llama.cpp lay them out.
#include "core/runtime/ggml_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/runtime/number_bits.hpp"

namespace headcount {
namespace {

// The i-th of two halves of each of `bytes` bytes: all low halves, then all high ones.
int nibble(const std::byte* bytes, int count, int i) {
    return i < count ? byte_at(bytes + i) & 15 : byte_at(bytes + i - count) >> 4;
}

void q8_0(const std::byte* block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(number_at<std::int8_t>(block + 2 + i));
}

void q8_k(const std::byte* block, float* out) {
    const float scale = number_at<float>(block);
    for (int i = 0; i < 256; ++i) out[i] = scale * static_cast<float>(number_at<std::int8_t>(block + 4 + i));
}

void q4_0(const std::byte* block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(nibble(block + 2, 16, i) - 8);
}

void q4_1(const std::byte* block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(nibble(block + 4, 16, i)) + least;
}

// The fifth bits stand together, one behind the other.
int of_five_bits(const std::byte* fifth, const std::byte* others, int i) {
    return nibble(others, 16, i) | static_cast<int>(number_at<std::uint32_t>(fifth) >> i & 1) << 4;
}

void q5_0(const std::byte* block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(of_five_bits(block + 2, block + 6, i) - 16);
}

void q5_1(const std::byte* block, float* out) {
    const float scale = half_at(block), least = half_at(block + 2);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(of_five_bits(block + 4, block + 8, i)) + least;
}

// Of 256 numbers, two bits each: those of 128 are interleaved, 32 in the lowest bits of 32 bytes, the next 32 above.
int of_two_bits(const std::byte* bytes, int i) {
    return byte_at(bytes + i / 128 * 32 + i % 32) >> i % 128 / 32 * 2 & 3;
}

void q2_k(const std::byte* block, float* out) {
    const float scale = half_at(block + 80), step = half_at(block + 82);
    for (int i = 0; i < 256; ++i) {
        const int both = byte_at(block + i / 16);
        out[i] = scale * static_cast<float>(both & 15) * static_cast<float>(of_two_bits(block + 16, i)) -
                 step * static_cast<float>(both >> 4);
    }
}

void q3_k(const std::byte* block, float* out) {
    const std::byte* const scales = block + 96;  // of six bits: the lower four, then the upper two of four each
    const float scale = half_at(block + 108);
    for (int i = 0; i < 256; ++i) {
        const int group = i / 16;
        const int own = nibble(scales, 8, group) | (byte_at(scales + 8 + group % 4) >> group / 4 * 2 & 3) << 4;
        const bool third = byte_at(block + i % 32) >> i / 32 & 1;
        out[i] =
            scale * static_cast<float>(own - 32) * static_cast<float>(of_two_bits(block + 32, i) - (third ? 0 : 4));
    }
}

// Eight scales and eight least numbers of six bits each: the first four of both whole, in the lower bits of a byte, the
// others' lower bits in the last four bytes and their upper ones above the first.
struct ScaleAndLeast {
    int scale, least;
};
ScaleAndLeast scale_and_least(const std::byte* packed, int group) {
    const int at = group % 4, first = byte_at(packed + at), second = byte_at(packed + 4 + at);
    if (group < 4) return {first & 63, second & 63};
    const int both = byte_at(packed + 8 + at);
    return {(both & 15) | (first >> 6) << 4, both >> 4 | (second >> 6) << 4};
}

// Of 256 numbers, four bits each: 32 in the low halves of 32 bytes, the next 32 in their high halves.
int of_four_bits(const std::byte* bytes, int i) {
    return nibble(bytes + i / 64 * 32, 32, i % 64);
}

void q4_k(const std::byte* block, float* out) {
    const float scale = half_at(block), step = half_at(block + 2);
    for (int group = 0; group < 8; ++group) {
        const ScaleAndLeast own = scale_and_least(block + 4, group);
        const float times = scale * static_cast<float>(own.scale), least = step * static_cast<float>(own.least);
        for (int i = group * 32; i < group * 32 + 32; ++i)
            out[i] = times * static_cast<float>(of_four_bits(block + 16, i)) - least;
    }
}

void q5_k(const std::byte* block, float* out) {
    const float scale = half_at(block), step = half_at(block + 2);
    for (int group = 0; group < 8; ++group) {
        const ScaleAndLeast own = scale_and_least(block + 4, group);
        const float times = scale * static_cast<float>(own.scale), least = step * static_cast<float>(own.least);
        for (int i = group * 32; i < group * 32 + 32; ++i) {
            const int fifth = byte_at(block + 16 + i % 32) >> group & 1;
            out[i] = times * static_cast<float>(of_four_bits(block + 48, i) | fifth << 4) - least;
        }
    }
}

void q6_k(const std::byte* block, float* out) {
    const float scale = half_at(block + 208);
    for (int i = 0; i < 256; ++i) {
        const int low = nibble(block + i / 128 * 64, 64, i % 128);
        const int number = low | of_two_bits(block + 128, i) << 4;
        out[i] =
            scale * static_cast<float>(number_at<std::int8_t>(block + 192 + i / 16)) * static_cast<float>(number - 32);
    }
}

// Four bits choose one of these.
constexpr std::array<int, 16> uneven{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

void iq4_nl(const std::byte* block, float* out) {
    const float scale = half_at(block);
    for (int i = 0; i < 32; ++i)
        out[i] = scale * static_cast<float>(uneven[static_cast<std::size_t>(nibble(block + 2, 16, i))]);
}

void iq4_xs(const std::byte* block, float* out) {
    const float scale = half_at(block);
    const int upper = number_at<std::uint16_t>(block + 2);
    for (int group = 0; group < 8; ++group) {
        const int low = byte_at(block + 4 + group / 2) >> group % 2 * 4 & 15;
        const float times = scale * static_cast<float>((low | (upper >> group * 2 & 3) << 4) - 32);
        for (int i = 0; i < 32; ++i)
            out[group * 32 + i] =
                times * static_cast<float>(uneven[static_cast<std::size_t>(nibble(block + 8 + group * 16, 16, i))]);
    }
}

// Five numbers of -1, 0 and 1 in a byte, which is their value in base 3 as a fraction of 256, so that the first comes
// to the top when it is multiplied by 3.
int of_base_three(const std::byte* from, int place) {
    constexpr std::array<int, 5> powers{1, 3, 9, 27, 81};
    return ((byte_at(from) * powers[static_cast<std::size_t>(place)] & 255) * 3 >> 8) - 1;
}

void tq1_0(const std::byte* block, float* out) {
    const float scale = half_at(block + 52);
    const auto put = [&](int byte, int place) {
        *out++ = scale * static_cast<float>(of_base_three(block + byte, place));
    };
    for (const auto [begin, end, places] : {std::array{0, 32, 5}, std::array{32, 48, 5}, std::array{48, 52, 4}})
        for (int place = 0; place < places; ++place)
            for (int byte = begin; byte < end; ++byte) put(byte, place);
}

void tq2_0(const std::byte* block, float* out) {
    const float scale = half_at(block + 64);
    for (int i = 0; i < 256; ++i) out[i] = scale * static_cast<float>(of_two_bits(block, i) - 1);
}

void mxfp4(const std::byte* block, float* out) {
    const float scale = std::ldexp(1.0F, byte_at(block) - 128);
    for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(twice_e2m1(nibble(block + 1, 16, i)));
}

// Four scales without a sign, each of 16 numbers.
void nvfp4(const std::byte* block, float* out) {
    for (int i = 0; i < 64; ++i) {
        const auto bits = number_at<std::uint8_t>(block + i / 16);
        const float scale = bits == 0x7f ? 0 : from_e4m3(bits & 0x7f) / 2;
        out[i] = scale * static_cast<float>(twice_e2m1(nibble(block + 4 + i / 16 * 8, 8, i % 16)));
    }
}

struct Named {
    std::string_view type;
    UnpackBlock unpack;
};
constexpr std::array plain{
    Named{"Q8_0", q8_0},     Named{"Q8_K", q8_k},   Named{"Q6_K", q6_k},   Named{"Q5_K", q5_k},
    Named{"Q5_1", q5_1},     Named{"Q5_0", q5_0},   Named{"Q4_K", q4_k},   Named{"Q4_1", q4_1},
    Named{"Q4_0", q4_0},     Named{"Q3_K", q3_k},   Named{"Q2_K", q2_k},   Named{"IQ4_NL", iq4_nl},
    Named{"IQ4_XS", iq4_xs}, Named{"TQ2_0", tq2_0}, Named{"TQ1_0", tq1_0}, Named{"MXFP4", mxfp4},
    Named{"NVFP4", nvfp4},
};

}  // namespace

UnpackBlock ggml_unpacking(std::string_view type) {
    const auto found = std::ranges::find(plain, type, &Named::type);
    return found != plain.end() ? found->unpack : codebook_unpacking(type);
}

}  // namespace headcount
