// Sums of whole numbers of at most eight bits times a left side, four products in one step, where the processor has
// that step (VNNI, and VBMI to bring what belongs together side by side). Included anew for each set, hence no #pragma
// once.
#if defined(HEADCOUNT_BYTE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_BYTE_SUMS_INL
#undef HEADCOUNT_BYTE_SUMS_INL
#else
#define HEADCOUNT_BYTE_SUMS_INL
#endif

#include <array>
#include <cmath>
#include <vector>

#include "core/runtime/block_lanes-inl.hpp"

#undef HEADCOUNT_SUMS_BYTES
#define HEADCOUNT_SUMS_BYTES (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#if HEADCOUNT_SUMS_BYTES

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

using Byte = hn::ScalableTag<std::uint8_t>;
using Pair = hn::ScalableTag<std::uint16_t>;
static_assert(panel_columns == lanes);

bool sums_bytes() {
    static const bool can = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi");
    return can;
}

// Four bytes of all outputs of a panel, those of an output side by side.
struct FourBytes {
    hn::Vec<Byte> of;
};

HWY_INLINE hn::Vec<Byte> same_byte(int byte) { return hn::Set(Byte(), static_cast<std::uint8_t>(byte)); }
HWY_INLINE FourBytes operator&(const FourBytes& a, int b) { return {hn::And(a.of, same_byte(b))}; }
HWY_INLINE FourBytes operator^(const FourBytes& a, int b) { return {hn::Xor(a.of, same_byte(b))}; }
HWY_INLINE FourBytes operator|(const FourBytes& a, const FourBytes& b) { return {hn::Or(a.of, b.of)}; }
HWY_INLINE FourBytes operator-(const FourBytes& a, int b) { return {hn::Sub(a.of, same_byte(b))}; }
HWY_INLINE FourBytes operator>>(const FourBytes& a, int bits) {
    return FourBytes{hn::BitCast(Byte(), hn::ShiftRightSame(hn::BitCast(Pair(), a.of), bits))} & 255 >> bits;
}
HWY_INLINE FourBytes operator<<(const FourBytes& a, int bits) {
    return FourBytes{hn::BitCast(Byte(), hn::ShiftLeftSame(hn::BitCast(Pair(), a.of), bits))} & (255 << bits & 255);
}
HWY_INLINE FourBytes chosen(const std::array<int, 16>& all, const FourBytes& which) {
    HWY_ALIGN std::uint8_t bytes[16];
    for (std::size_t i = 0; i < 16; ++i) bytes[i] = static_cast<std::uint8_t>(all[i]);
    return {hn::TableLookupBytes(hn::LoadDup128(Byte(), bytes), which.of)};
}

// Where in four rows of a panel the bytes of each output are.
struct FourRows {
    alignas(64) std::uint8_t at[4 * panel_columns];
};
constexpr FourRows four_rows = [] {
    FourRows made{};
    for (int i = 0; i < 4 * panel_columns; ++i) made.at[i] = static_cast<std::uint8_t>(i % 4 * panel_columns + i / 4);
    return made;
}();

// Blocks of the outputs of a panel, as `Lanes`: bytes n to n + 3 at once. Not every version of Highway has names for
// what is written in assembly here and below.
struct Fours {
    const std::byte* at = nullptr;

    HWY_INLINE FourBytes byte(int n) const {
        const auto rows = hn::LoadU(Byte(), reinterpret_cast<const std::uint8_t*>(at + n * panel_columns));
        const auto where = hn::Load(Byte(), four_rows.at);
        __m512i made;
        asm("vpermb %1, %2, %0" : "=v"(made) : "v"(rows.raw), "v"(where.raw));
        return {{made}};
    }
    HWY_INLINE FourBytes signed_byte(int n) const { return byte(n); }
    FloatLanes half(int n) const;  // of scales, which Lanes reads
};

// A left side: each number as a whole number of its group's units, in digits to the base of 256 from the lowest. Three
// are nearly as exact as floats of the size of the group's largest.
constexpr int digits = 3;
struct InDigits {
    struct Group {
        float unit, sum;            // of all its numbers
        std::int32_t sums[digits];  // of all its digits
    };
    std::vector<std::int8_t> of[digits];
    std::vector<Group> groups;
};

// Of a machine that does not sum bytes there are no groups, nor where units are no measure: of numbers that are not
// finite or too small, and where many are so much smaller than the group's largest that they would be rounded away.
InDigits in_digits(const float* left, Index count, int group) {
    constexpr int bits = 22;
    constexpr float least = 0x1p-100F, small = 0x1p-9F;  // the first's unit has an inverse
    const Wide d;
    const hn::Rebind<std::int8_t, Wide> narrow;
    InDigits made;
    if (!sums_bytes()) return made;
    for (auto& each : made.of) each.resize(static_cast<std::size_t>(count));
    for (Index first = 0; first < count; first += group) {
        Vector most = hn::Zero(d), sum = most;
        for (Index i = first; i < first + group; i += lanes) {
            const Vector numbers = hn::LoadU(d, left + i);
            most = hn::Max(most, hn::Abs(numbers));
            sum = hn::Add(sum, numbers);
        }
        const float all = hn::GetLane(hn::SumOfLanes(d, sum)), largest = hn::GetLane(hn::MaxOfLanes(d, most));
        if (!std::isfinite(all) || (largest > 0 && largest < least)) return {};
        int exponent = 0;
        std::frexp(largest, &exponent);
        const Vector units = hn::Set(d, std::ldexp(1.0F, bits - exponent));
        std::size_t many = 0;
        hn::Vec<Whole> sums[digits] = {hn::Zero(Whole()), hn::Zero(Whole()), hn::Zero(Whole())};
        for (Index i = first; i < first + group; i += lanes) {
            const Vector numbers = hn::LoadU(d, left + i), sizes = hn::Abs(numbers);
            many += hn::CountTrue(d, hn::And(hn::Gt(sizes, hn::Zero(d)), hn::Lt(sizes, hn::Set(d, small * largest))));
            auto rest = hn::NearestInt(hn::Mul(numbers, units));
            HWY_UNROLL(3) for (int j = 0; j < digits; ++j) {
                const auto digit = hn::ShiftRight<24>(hn::ShiftLeft<24>(rest));  // -128 to 127
                rest = hn::ShiftRight<8>(hn::Sub(rest, digit));
                sums[j] = hn::Add(sums[j], digit);
                hn::StoreU(hn::DemoteTo(narrow, digit), narrow, &made.of[j][static_cast<std::size_t>(i)]);
            }
        }
        if (4 * many > static_cast<std::size_t>(group)) return {};
        InDigits::Group of{.unit = std::ldexp(1.0F, exponent - bits), .sum = all, .sums = {}};
        for (int j = 0; j < digits; ++j) of.sums[j] = hn::GetLane(hn::SumOfLanes(Whole(), sums[j]));
        made.groups.push_back(of);
    }
    return made;
}

// sum + Σ of four products each, of unsigned bytes and signed ones, which are the same four for each sum.
HWY_INLINE hn::Vec<Whole> add_four(hn::Vec<Whole> sum, const FourBytes& a, const std::int8_t* b) {
    using Four = std::int8_t[4];
    __m512i made = sum.raw;
    asm volatile("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(made) : "v"(a.of.raw), "m"(*reinterpret_cast<const Four*>(b)));
    return {made};
}

// What the left side, from its number `from`, and the whole numbers of a group, `read` four by four, come to. Those
// that may be negative are multiplied as 128 more than they are.
template <int group, bool positive, class Read>
HWY_INLINE FloatLanes sum_of_bytes(const InDigits& left, Index from, const InDigits::Group& own, const Read& read) {
    constexpr int more = positive ? 0 : 128;
    hn::Vec<Whole> sums[digits];
    HWY_UNROLL(3) for (int j = 0; j < digits; ++j) sums[j] = hn::Set(Whole(), -more * own.sums[j]);
    HWY_UNROLL(8) for (int i = 0; i < group; i += 4) {
        FourBytes whole = read(i);
        if constexpr (more != 0) whole = whole ^ more;
        HWY_UNROLL(3)
        for (int j = 0; j < digits; ++j) sums[j] = add_four(sums[j], whole, left.of[j].data() + from + i);
    }
    const Vector base = hn::Set(Wide(), 256.0F);
    Vector all = hn::ConvertTo(Wide(), sums[digits - 1]);
    HWY_UNROLL(3)
    for (int j = digits - 2; j >= 0; --j) all = hn::MulAdd(all, base, hn::ConvertTo(Wide(), sums[j]));
    return {{hn::Mul(all, hn::Set(Wide(), own.unit))}};
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
