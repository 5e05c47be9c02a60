// The bytes of one block, and those of the blocks of as many outputs as a vector has lanes, seen alike. Included anew
// for each set, hence no #pragma once.
#if defined(HEADCOUNT_BLOCK_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_BLOCK_LANES_INL
#undef HEADCOUNT_BLOCK_LANES_INL
#else
#define HEADCOUNT_BLOCK_LANES_INL
#endif

#include <array>
#include <bit>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/number_bits.hpp"
#include "core/runtime/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

using Whole = hn::RebindToSigned<Wide>;

// Whole numbers and floats, one a lane, with the operators that single ones have.
struct WholeLanes {
    hn::Vec<Whole> of;
};
struct FloatLanes {
    Vector of;
};

HWY_INLINE WholeLanes operator&(WholeLanes a, WholeLanes b) {
    return {hn::And(a.of, b.of)};
}
HWY_INLINE WholeLanes operator|(WholeLanes a, WholeLanes b) {
    return {hn::Or(a.of, b.of)};
}
HWY_INLINE WholeLanes operator-(WholeLanes a, WholeLanes b) {
    return {hn::Sub(a.of, b.of)};
}
HWY_INLINE WholeLanes operator&(WholeLanes a, int b) {
    return {hn::And(a.of, hn::Set(Whole(), b))};
}
HWY_INLINE WholeLanes operator^(WholeLanes a, int b) {
    return {hn::Xor(a.of, hn::Set(Whole(), b))};
}
HWY_INLINE WholeLanes operator+(WholeLanes a, int b) {
    return {hn::Add(a.of, hn::Set(Whole(), b))};
}
HWY_INLINE WholeLanes operator-(WholeLanes a, int b) {
    return {hn::Sub(a.of, hn::Set(Whole(), b))};
}
HWY_INLINE WholeLanes operator*(WholeLanes a, int b) {
    return {hn::Mul(a.of, hn::Set(Whole(), b))};
}
HWY_INLINE WholeLanes operator<<(WholeLanes a, int bits) {
    return {hn::ShiftLeftSame(a.of, bits)};
}
HWY_INLINE WholeLanes operator>>(WholeLanes a, int bits) {
    return {hn::ShiftRightSame(a.of, bits)};
}
HWY_INLINE FloatLanes operator*(FloatLanes a, FloatLanes b) {
    return {hn::Mul(a.of, b.of)};
}
HWY_INLINE FloatLanes operator*(FloatLanes a, float b) {
    return {hn::Mul(a.of, hn::Set(Wide(), b))};
}
HWY_INLINE FloatLanes operator+(FloatLanes a, FloatLanes b) {
    return {hn::Add(a.of, b.of)};
}
HWY_INLINE FloatLanes operator-(FloatLanes a, FloatLanes b) {
    return {hn::Sub(a.of, b.of)};
}

HWY_INLINE FloatLanes to_float(WholeLanes whole) {
    return {hn::ConvertTo(Wide(), whole.of)};
}
HWY_INLINE float to_float(int whole) {
    return static_cast<float>(whole);
}

// The number that has these bits.
HWY_INLINE FloatLanes as_float(WholeLanes bits) {
    return {hn::BitCast(Wide(), bits.of)};
}
HWY_INLINE float as_float(int bits) {
    return std::bit_cast<float>(bits);
}

// One of sixteen.
HWY_INLINE WholeLanes chosen(const std::array<int, 16>& all, WholeLanes which) {
    if constexpr (lanes == 16)
        return {hn::TableLookupLanes(hn::LoadU(Whole(), all.data()), hn::IndicesFromVec(Whole(), which.of))};
    else
        return {hn::GatherIndex(Whole(), all.data(), which.of)};
}
HWY_INLINE int chosen(const std::array<int, 16>& all, int which) {
    return all[static_cast<std::size_t>(which)];
}

// A block whose bytes lie `step` apart.
struct OneBlock {
    const std::byte* at = nullptr;
    Index step = 1;

    HWY_INLINE int byte(int n) const { return byte_at(at + n * step); }
    HWY_INLINE int signed_byte(int n) const { return number_at<std::int8_t>(at + n * step); }
    HWY_INLINE float half(int n) const { return from_float16(static_cast<std::uint16_t>(byte(n) | byte(n + 1) << 8)); }
};

// Blocks of so many outputs of a panel: each one's n-th bytes lie side by side.
struct Lanes {
    const std::byte* at = nullptr;

    HWY_INLINE WholeLanes byte(int n) const { return {hn::PromoteTo(Whole(), bytes<std::uint8_t>(n))}; }
    HWY_INLINE WholeLanes signed_byte(int n) const { return {hn::PromoteTo(Whole(), bytes<std::int8_t>(n))}; }
    HWY_INLINE FloatLanes half(int n) const {
        const WholeLanes bits = byte(n) | byte(n + 1) << 8;
        const auto narrow = hn::DemoteTo(hn::Rebind<std::uint16_t, Wide>(), bits.of);
        return {hn::PromoteTo(Wide(), hn::BitCast(hn::Rebind<hwy::float16_t, Wide>(), narrow))};
    }

  private:
    template <class Byte>
    HWY_INLINE hn::Vec<hn::Rebind<Byte, Wide>> bytes(int n) const {
        return hn::LoadU(hn::Rebind<Byte, Wide>(), reinterpret_cast<const Byte*>(at + n * panel_columns));
    }
};

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
