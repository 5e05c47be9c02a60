// The sums of a product of one row. Included anew for each set, hence no #pragma once.
#if defined(HEADCOUNT_ROW_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_ROW_SUMS_INL
#undef HEADCOUNT_ROW_SUMS_INL
#else
#define HEADCOUNT_ROW_SUMS_INL
#endif

#include <algorithm>
#include <cstring>

#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

// Each number of the right side is used once, so all that counts is to read it without a pause: of each vector of
// columns, the sums of every fourth row of the right side by themselves, so that none waits for the one before; of
// every second, where they would fill more than half of the registers.
constexpr int registers = lanes == 16 || HWY_ARCH_ARM_A64 ? 32 : 16;
template <int across>
constexpr int apart = std::clamp(registers / 2 / across, 1, 4);
template <int across>
using RowSums = Vector[apart<across>][across];

template <int across>
HWY_INLINE void start(const Product& p, Index column, RowSums<across>& sums) {
    const Wide d;
    HWY_UNROLL(16) for (int v = 0; v < across; ++v) {
        sums[0][v] = p.bias ? hn::LoadU(d, p.bias + column + v * lanes) : hn::Zero(d);
        HWY_UNROLL(4) for (int s = 1; s < apart<across>; ++s) sums[s][v] = hn::Zero(d);
        if (p.out_is_far) __builtin_prefetch(p.out + column + v * lanes, 1);
    }
}

// Where not all columns are there, the sums go by way of memory: a call among them would cost WebAssembly's compilers
// the registers that they are in.
template <int across>
HWY_INLINE void finish(const Product& p, Index column, RowSums<across>& sums) {
    const Wide d;
    HWY_UNROLL(16) for (int v = 0; v < across; ++v) {
        HWY_UNROLL(2)
        for (int half = apart<across> / 2; half > 0; half /= 2)
            HWY_UNROLL(2) for (int s = 0; s < half; ++s) sums[s][v] = hn::Add(sums[s][v], sums[s + half][v]);
        sums[0][v] = hn::Mul(sums[0][v], hn::Set(d, p.factor));
    }
    float* const out = p.out + column;
    const Index columns = p.columns - column;
    if (columns >= across * lanes) {
        HWY_UNROLL(16) for (int v = 0; v < across; ++v) hn::StoreU(sums[0][v], d, out + v * lanes);
        return;
    }
    if constexpr (masks) {
        HWY_UNROLL(16)
        for (int v = 0; v < across; ++v)
            if (v * lanes < columns) store_some(sums[0][v], out + v * lanes, columns - v * lanes);
        return;
    }
    HWY_ALIGN float all[across * lanes];
    HWY_UNROLL(16) for (int v = 0; v < across; ++v) hn::Store(sums[0][v], d, all + v * lanes);
    std::memcpy(out, all, static_cast<std::size_t>(columns) * sizeof(float));
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
