// The sums of a product of one row. Included anew for each set, hence no #pragma once.
#if defined(HEADCOUNT_ROW_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADCOUNT_ROW_SUMS_INL
#undef HEADCOUNT_ROW_SUMS_INL
#else
#define HEADCOUNT_ROW_SUMS_INL
#endif

#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

// Each number of the right side is used once, so all that counts is to read it without a pause: of each vector of
// columns, the sums of every fourth row of the right side by themselves, so that none waits for the one before.
constexpr int apart = 4;
template <int across>
using RowSums = Vector[apart][across];

template <int across>
HWY_INLINE void start(const Product& p, Index column, RowSums<across>& sums) {
    const Wide d;
    HWY_UNROLL(16) for (int v = 0; v < across; ++v) {
        sums[0][v] = p.bias ? hn::LoadU(d, p.bias + column + v * lanes) : hn::Zero(d);
        HWY_UNROLL(4) for (int s = 1; s < apart; ++s) sums[s][v] = hn::Zero(d);
        if (p.out_is_far) __builtin_prefetch(p.out + column + v * lanes, 1);
    }
}

template <int across>
HWY_INLINE void finish(const Product& p, Index column, const RowSums<across>& sums) {
    const Wide d;
    HWY_UNROLL(16) for (int v = 0; v < across; ++v) {
        const Index at = column + v * lanes;
        const Vector sum = hn::Add(hn::Add(sums[0][v], sums[2][v]), hn::Add(sums[1][v], sums[3][v]));
        if (at < p.columns) store_some(hn::Mul(sum, hn::Set(d, p.factor)), p.out + at, p.columns - at);
    }
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
