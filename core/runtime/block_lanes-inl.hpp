// The bytes of one block, and those of the blocks of all outputs of a panel, seen alike. Included anew for each set,
// hence no #pragma once.
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

constexpr int across = panel_columns / lanes;  // vectors of a panel

// Whole numbers and floats, one an output of a panel, with the operators that single ones have.
struct WholeLanes {
    hn::Vec<Whole> of[across];
};
struct FloatLanes {
    Vector of[across];
};

// What `act` makes of each vector.
template <class Lanes, class Act>
HWY_INLINE Lanes each(const Act& act) {
    Lanes made;
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) made.of[v] = act(v);
    return made;
}

HWY_INLINE WholeLanes operator&(const WholeLanes& a, const WholeLanes& b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::And(a.of[v], b.of[v]); });
}
HWY_INLINE WholeLanes operator|(const WholeLanes& a, const WholeLanes& b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Or(a.of[v], b.of[v]); });
}
HWY_INLINE WholeLanes operator-(const WholeLanes& a, const WholeLanes& b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Sub(a.of[v], b.of[v]); });
}
HWY_INLINE WholeLanes operator&(const WholeLanes& a, int b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::And(a.of[v], hn::Set(Whole(), b)); });
}
HWY_INLINE WholeLanes operator^(const WholeLanes& a, int b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Xor(a.of[v], hn::Set(Whole(), b)); });
}
HWY_INLINE WholeLanes operator+(const WholeLanes& a, int b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Add(a.of[v], hn::Set(Whole(), b)); });
}
HWY_INLINE WholeLanes operator-(const WholeLanes& a, int b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Sub(a.of[v], hn::Set(Whole(), b)); });
}
HWY_INLINE WholeLanes operator*(const WholeLanes& a, int b) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::Mul(a.of[v], hn::Set(Whole(), b)); });
}
HWY_INLINE WholeLanes operator<<(const WholeLanes& a, int bits) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::ShiftLeftSame(a.of[v], bits); });
}
HWY_INLINE WholeLanes operator>>(const WholeLanes& a, int bits) {
    return each<WholeLanes>([&](int v) HWY_ATTR { return hn::ShiftRightSame(a.of[v], bits); });
}
HWY_INLINE FloatLanes operator*(const FloatLanes& a, const FloatLanes& b) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::Mul(a.of[v], b.of[v]); });
}
HWY_INLINE FloatLanes operator*(const FloatLanes& a, float b) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::Mul(a.of[v], hn::Set(Wide(), b)); });
}
HWY_INLINE FloatLanes operator+(const FloatLanes& a, const FloatLanes& b) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::Add(a.of[v], b.of[v]); });
}
HWY_INLINE FloatLanes operator-(const FloatLanes& a, const FloatLanes& b) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::Sub(a.of[v], b.of[v]); });
}

HWY_INLINE FloatLanes to_float(const WholeLanes& whole) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::ConvertTo(Wide(), whole.of[v]); });
}
HWY_INLINE float to_float(int whole) { return static_cast<float>(whole); }

// The number that has these bits.
HWY_INLINE FloatLanes as_float(const WholeLanes& bits) {
    return each<FloatLanes>([&](int v) HWY_ATTR { return hn::BitCast(Wide(), bits.of[v]); });
}
HWY_INLINE float as_float(int bits) { return std::bit_cast<float>(bits); }

// One of sixteen.
HWY_INLINE WholeLanes chosen(const std::array<int, 16>& all, const WholeLanes& which) {
    return each<WholeLanes>([&](int v) HWY_ATTR {
        if constexpr (lanes == 16)
            return hn::TableLookupLanes(hn::LoadU(Whole(), all.data()), hn::IndicesFromVec(Whole(), which.of[v]));
        else
            return hn::GatherIndex(Whole(), all.data(), which.of[v]);
    });
}
HWY_INLINE int chosen(const std::array<int, 16>& all, int which) { return all[static_cast<std::size_t>(which)]; }

// A block whose bytes lie `step` apart.
struct OneBlock {
    const std::byte* at = nullptr;
    Index step = 1;

    HWY_INLINE int byte(int n) const { return byte_at(at + n * step); }
    HWY_INLINE int signed_byte(int n) const { return number_at<std::int8_t>(at + n * step); }
    HWY_INLINE float half(int n) const { return from_float16(static_cast<std::uint16_t>(byte(n) | byte(n + 1) << 8)); }
    // The number whose upper bits these are.
    HWY_INLINE float upper_half(int n) const { return as_float(byte(n) << 16 | byte(n + 1) << 24); }
};

// Blocks of the outputs of a panel: their n-th bytes lie side by side.
struct Lanes {
    const std::byte* at = nullptr;

    HWY_INLINE WholeLanes byte(int n) const { return widened<std::uint8_t>(n); }
    HWY_INLINE WholeLanes signed_byte(int n) const { return widened<std::int8_t>(n); }
#if HWY_MAX_BYTES == 16 && !HWY_ARCH_ARM  // which have no step for it
    // A factor, in place of another bias of the exponent: exact. What is then this large was infinite, or no number.
    HWY_INLINE FloatLanes half(int n) const {
        const FloatLanes all = as_float(above_nothing(n) >> 3 & static_cast<int>(0x8fffe000)) * 0x1p112F;
        return each<FloatLanes>([&](int v) HWY_ATTR {
            const auto endless = hn::Ge(hn::Abs(all.of[v]), hn::Set(Wide(), 0x1p16F));
            return hn::Or(all.of[v], hn::IfThenElseZero(endless, hn::Set(Wide(), HUGE_VALF)));
        });
    }
#else
    HWY_INLINE FloatLanes half(int n) const {
        const WholeLanes bits = byte(n) | byte(n + 1) << 8;
        return each<FloatLanes>([&](int v) HWY_ATTR {
            const auto narrow = hn::DemoteTo(hn::Rebind<std::uint16_t, Wide>(), bits.of[v]);
            return hn::PromoteTo(Wide(), hn::BitCast(hn::Rebind<hwy::float16_t, Wide>(), narrow));
        });
    }
#endif
    HWY_INLINE FloatLanes upper_half(int n) const { return as_float(above_nothing(n)); }

  private:
#if HWY_MAX_BYTES == 16  // the n-th bytes are one vector, which is made four at once
    template <class Byte>
    HWY_INLINE hn::Vec<hn::ScalableTag<Byte>> bytes(int n) const {
        return hn::LoadU(hn::ScalableTag<Byte>(), reinterpret_cast<const Byte*>(at + n * panel_columns));
    }

    template <class Byte>
    HWY_INLINE WholeLanes widened(int n) const {
        const hn::Half<hn::ScalableTag<Byte>> upper;
        const hn::RepartitionToWide<hn::ScalableTag<Byte>> wider;
        const hn::Half<decltype(wider)> wider_upper;
        const auto all = bytes<Byte>(n);
        const auto first = hn::PromoteTo(wider, hn::LowerHalf(all)),
                   second = hn::PromoteTo(wider, hn::UpperHalf(upper, all));
        return {hn::PromoteTo(Whole(), hn::LowerHalf(first)), hn::PromoteTo(Whole(), hn::UpperHalf(wider_upper, first)),
                hn::PromoteTo(Whole(), hn::LowerHalf(second)),
                hn::PromoteTo(Whole(), hn::UpperHalf(wider_upper, second))};
    }

    // Bytes n and n + 1 as the upper two of a whole number's four.
    HWY_INLINE WholeLanes above_nothing(int n) const {
        const hn::ScalableTag<std::uint8_t> d;
        const hn::ScalableTag<std::uint16_t> wider;
        const auto lower = bytes<std::uint8_t>(n), upper = bytes<std::uint8_t>(n + 1);
        const auto first = hn::BitCast(wider, hn::InterleaveLower(d, lower, upper)),
                   second = hn::BitCast(wider, hn::InterleaveUpper(d, lower, upper)), zero = hn::Zero(wider);
        return {hn::BitCast(Whole(), hn::InterleaveLower(wider, zero, first)),
                hn::BitCast(Whole(), hn::InterleaveUpper(wider, zero, first)),
                hn::BitCast(Whole(), hn::InterleaveLower(wider, zero, second)),
                hn::BitCast(Whole(), hn::InterleaveUpper(wider, zero, second))};
    }
#else
    template <class Byte>
    HWY_INLINE WholeLanes widened(int n) const {
        return each<WholeLanes>([&](int v) HWY_ATTR {
            const auto* const some = reinterpret_cast<const Byte*>(at + n * panel_columns + v * lanes);
            return hn::PromoteTo(Whole(), hn::LoadU(hn::Rebind<Byte, Wide>(), some));
        });
    }

    HWY_INLINE WholeLanes above_nothing(int n) const { return byte(n) << 16 | byte(n + 1) << 24; }
#endif
};

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
