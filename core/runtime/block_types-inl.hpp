// How the numbers of a block are restored, type by type, as ggml-quants.c and ggml-common.h of llama.cpp lay them out:
// written once, for one block and for those of a panel at once. Included anew for each set, hence no
// #pragma once.
#if defined(HEADCOUNT_BLOCK_TYPES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_BLOCK_TYPES_INL
#undef HEADCOUNT_BLOCK_TYPES_INL
#else
#define HEADCOUNT_BLOCK_TYPES_INL
#endif

#include <array>
#include <string_view>

#include "core/runtime/block_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

// Each type says how many numbers and bytes a block has; what so many numbers one behind the other, a group, have in
// `common`; and which `whole` number the i-th of the g-th group is stored as. Where two groups are other bits of the
// same bytes, the second is `beside` groups behind the first. Four numbers from each fourth on are the same bits of
// four bytes, but of types that say `spread`. L is `OneBlock`, `Lanes` or, of whole numbers alone, `Fours`.

template <class L>
using Floats = decltype(L().half(0));
template <class L>
using Ints = decltype(L().byte(0));

// A scale, and what is taken off its product.
template <class L>
struct ScaleAndLess {
    Floats<L> scale, less;
};

template <class L>
HWY_INLINE Floats<L> times(const Floats<L>& scale, const Ints<L>& whole) {
    return scale * to_float(whole);
}
template <class L>
HWY_INLINE Floats<L> times(const ScaleAndLess<L>& own, const Ints<L>& whole) {
    return own.scale * to_float(whole) - own.less;
}

template <class Type, class L>
HWY_INLINE Floats<L> number(const L& block, const decltype(Type::common(block, 0))& own, int g, int i) {
    if constexpr (requires { Type::number(block, i); })
        return Type::number(block, i);
    else
        return times<L>(own, Type::whole(block, g, i));
}

// Of `group` numbers whose low halves of bytes stand before the high ones: the i-th.
template <class L>
HWY_INLINE Ints<L> nibble(const L& block, int first, int high, int i) {
    const Ints<L> both = block.byte(first + i);
    return high != 0 ? both >> 4 : both & 15;
}

// Bits of a byte, as many as `mask` has, from one place to another.
template <class Bits>
HWY_INLINE Bits moved(const Bits& byte, int from, int to, int mask) {
    const Bits there = from > to ? byte >> (from - to) : from < to ? byte << (to - from) : byte;
    return there & mask << to;
}

// Sixteen bits each; blocks of sixteen, since any number of them is one.
template <class L>
struct F16 {
    static constexpr std::string_view name = "F16";
    static constexpr int numbers = 16, group = 16, bytes = 32;
    static HWY_INLINE int common(const L&, int) { return 0; }
    static HWY_INLINE Floats<L> number(const L& block, int i) { return block.half(2 * i); }
};

template <class L>
struct BF16 {
    static constexpr std::string_view name = "BF16";
    static constexpr int numbers = 16, group = 16, bytes = 32;
    static HWY_INLINE int common(const L&, int) { return 0; }
    static HWY_INLINE Floats<L> number(const L& block, int i) { return block.upper_half(2 * i); }
};

template <class L>
struct Scaled {
    static HWY_INLINE Floats<L> common(const L& block, int) { return block.half(0); }
};

template <class L>
struct Q8_0 : Scaled<L> {
    static constexpr std::string_view name = "Q8_0";
    static constexpr int numbers = 32, group = 32, bytes = 34;
    static HWY_INLINE Ints<L> whole(const L& block, int, int i) { return block.signed_byte(2 + i); }
};

template <class L>
struct Q8_K {
    static constexpr std::string_view name = "Q8_K";
    static constexpr int numbers = 256, group = 256, bytes = 292;
    static HWY_INLINE Floats<L> common(const L& block, int) {
        return as_float(block.byte(0) | block.byte(1) << 8 | block.byte(2) << 16 | block.byte(3) << 24);
    }
    static HWY_INLINE Ints<L> whole(const L& block, int, int i) { return block.signed_byte(4 + i); }
};

template <class L>
struct Q4_0 : Scaled<L> {
    static constexpr std::string_view name = "Q4_0";
    static constexpr int numbers = 32, group = 16, bytes = 18, beside = 1;
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return nibble(block, 2, g, i) - 8; }
};

template <class L>
struct Q4_1 {
    static constexpr std::string_view name = "Q4_1";
    static constexpr int numbers = 32, group = 16, bytes = 20, beside = 1;
    static HWY_INLINE ScaleAndLess<L> common(const L& block, int) { return {block.half(0), block.half(2) * -1.0F}; }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return nibble(block, 4, g, i); }
};

// The fifth bits stand together, one behind the other.
template <class L>
HWY_INLINE Ints<L> of_five_bits(const L& block, int fifth, int g, int i) {
    return nibble(block, fifth + 4, g, i) | moved(block.byte(fifth + g * 2 + i / 8), i % 8, 4, 1);
}

template <class L>
struct Q5_0 : Scaled<L> {
    static constexpr std::string_view name = "Q5_0";
    static constexpr bool spread = true;
    static constexpr int numbers = 32, group = 16, bytes = 22, beside = 1;
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return of_five_bits(block, 2, g, i) - 16; }
};

template <class L>
struct Q5_1 {
    static constexpr std::string_view name = "Q5_1";
    static constexpr bool spread = true;
    static constexpr int numbers = 32, group = 16, bytes = 24, beside = 1;
    static HWY_INLINE ScaleAndLess<L> common(const L& block, int) { return {block.half(0), block.half(2) * -1.0F}; }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return of_five_bits(block, 4, g, i); }
};

// Of 256 numbers, two bits each: those of 128 are interleaved, 32 in the lowest bits of 32 bytes, the next 32 above.
template <class L>
HWY_INLINE Ints<L> of_two_bits(const L& block, int first, int sixteen, int i, int to = 0) {
    return moved(block.byte(first + sixteen / 8 * 32 + sixteen % 2 * 16 + i), sixteen % 8 / 2 * 2, to, 3);
}

template <class L>
struct Q2_K {
    static constexpr std::string_view name = "Q2_K";
    static constexpr int numbers = 256, group = 16, bytes = 84, beside = 2;
    static HWY_INLINE ScaleAndLess<L> common(const L& block, int g) {
        return {block.half(80) * to_float(block.byte(g) & 15), block.half(82) * to_float(block.byte(g) >> 4)};
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return of_two_bits(block, 16, g, i); }
};

// Scales of six bits: the lower four, then the upper two of four each.
template <class L>
struct Q3_K {
    static constexpr std::string_view name = "Q3_K";
    static constexpr int numbers = 256, group = 16, bytes = 110, beside = 2;
    static HWY_INLINE Floats<L> common(const L& block, int g) {
        const Ints<L> low = nibble(block, 96, g / 8, g % 8);
        const Ints<L> own = low | (block.byte(104 + g % 4) >> g / 4 * 2 & 3) << 4;
        return block.half(108) * to_float(own - 32);
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        const Ints<L> third = moved(block.byte(g % 2 * 16 + i), g / 2, 2, 1);
        return (of_two_bits(block, 32, g, i) | third) - 4;
    }
};

// Eight scales and eight least numbers of six bits each: the first four of both whole, in the lower bits of a byte, the
// others' lower bits in the last four bytes and their upper ones above the first.
template <class L>
HWY_INLINE ScaleAndLess<L> scale_and_least(const L& block, int g) {
    const Floats<L> scale = block.half(0), step = block.half(2);
    const Ints<L> first = block.byte(4 + g % 4), second = block.byte(8 + g % 4);
    if (g < 4) return {scale * to_float(first & 63), step * to_float(second & 63)};
    const Ints<L> both = block.byte(12 + g % 4);
    return {scale * to_float((both & 15) | first >> 6 << 4), step * to_float(both >> 4 | second >> 6 << 4)};
}

// Four bits each: 32 in the low halves of 32 bytes, the next 32 in their high halves.
template <class L>
struct Q4_K {
    static constexpr std::string_view name = "Q4_K";
    static constexpr int numbers = 256, group = 32, bytes = 144, beside = 1;
    static HWY_INLINE ScaleAndLess<L> common(const L& block, int g) { return scale_and_least(block, g); }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return nibble(block, 16 + g / 2 * 32, g % 2, i); }
};

template <class L>
struct Q5_K {
    static constexpr std::string_view name = "Q5_K";
    static constexpr int numbers = 256, group = 32, bytes = 176, beside = 1;
    static HWY_INLINE ScaleAndLess<L> common(const L& block, int g) { return scale_and_least(block, g); }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        const Ints<L> fifth = moved(block.byte(16 + i), g, 4, 1);
        return nibble(block, 48 + g / 2 * 32, g % 2, i) | fifth;
    }
};

template <class L>
struct Q6_K {
    static constexpr std::string_view name = "Q6_K";
    static constexpr int numbers = 256, group = 16, bytes = 210, beside = 4;
    static HWY_INLINE Floats<L> common(const L& block, int g) {
        return block.half(208) * to_float(block.signed_byte(192 + g));
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        const Ints<L> low = nibble(block, g / 8 * 64 + g % 4 * 16, g % 8 / 4, i);
        return (low | of_two_bits(block, 128, g, i, 4)) - 32;
    }
};

// Four bits choose one of these.
constexpr std::array<int, 16> uneven{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

template <class L>
struct IQ4_NL : Scaled<L> {
    static constexpr std::string_view name = "IQ4_NL";
    static constexpr int numbers = 32, group = 16, bytes = 18, beside = 1;
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return chosen(uneven, nibble(block, 2, g, i)); }
};

template <class L>
struct IQ4_XS {
    static constexpr std::string_view name = "IQ4_XS";
    static constexpr int numbers = 256, group = 16, bytes = 136, beside = 1;
    static HWY_INLINE Floats<L> common(const L& block, int g) {
        const Ints<L> low = nibble(block, 4, g / 2 % 2, g / 4), upper = block.byte(2 + g / 8) >> g / 2 % 4 * 2 & 3;
        return block.half(0) * to_float((low | upper << 4) - 32);
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        return chosen(uneven, nibble(block, 8 + g / 2 * 16, g % 2, i));
    }
};

template <class L>
struct TQ2_0 {
    static constexpr std::string_view name = "TQ2_0";
    static constexpr int numbers = 256, group = 16, bytes = 66, beside = 2;
    static HWY_INLINE Floats<L> common(const L& block, int) { return block.half(64); }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return of_two_bits(block, 0, g, i) - 1; }
};

// Five numbers of -1, 0 and 1 in a byte, which is their value in base 3 as a fraction of 256, so that the first comes
// to the top when it is multiplied by 3. The last four bytes have four.
template <class L>
struct TQ1_0 {
    static constexpr std::string_view name = "TQ1_0";
    static constexpr bool spread = true;
    static constexpr int numbers = 256, group = 16, bytes = 54;
    static constexpr std::array<int, 5> powers{1, 3, 9, 27, 81};
    static HWY_INLINE Floats<L> common(const L& block, int) { return block.half(52); }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        const int byte = g < 10 ? g % 2 * 16 + i : g < 15 ? 32 + i : 48 + i % 4;
        const int place = g < 10 ? g / 2 : g < 15 ? g - 10 : i / 4;
        const Ints<L> all = block.byte(byte) * powers[static_cast<std::size_t>(place)] & 255;
        return (all * 3 >> 8) - 1;
    }
};

// The scale is a power of two, made of two factors: it may itself be too small or too large for a float's exponent.
template <class L>
struct MXFP4 {
    static constexpr std::string_view name = "MXFP4";
    static constexpr int numbers = 32, group = 16, bytes = 17, beside = 1;
    static HWY_INLINE Floats<L> common(const L& block, int) {
        const Ints<L> all = block.byte(0), half = all >> 1;
        return as_float((half + 63) << 23) * as_float((all - half + 63) << 23);
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) { return chosen(twice_e2m1, nibble(block, 1, g, i)); }
};

// Four scales in E4M3 without a sign, each of 16 numbers; one of only ones is 0.
template <class L>
struct NVFP4 {
    static constexpr std::string_view name = "NVFP4";
    static constexpr int numbers = 64, group = 8, bytes = 36, beside = 1;
    static HWY_INLINE Floats<L> common(const L& block, int g) {
        const Ints<L> bits = block.byte(g / 2), some = ((bits ^ 127) + 255) >> 8;  // 1 of all others
        return as_float((bits & some * 127) << 20) * 0x1p119F;
    }
    static HWY_INLINE Ints<L> whole(const L& block, int g, int i) {
        return chosen(twice_e2m1, nibble(block, 4 + g / 2 * 8, g % 2, i));
    }
};

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
