// A head's state over a pass's tokens. Compiled once for each instruction set; the best that the machine has is chosen
// at the first call.
#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/runtime/state_kernels.cpp"
// The first compiles this file again for each set, and must come before the others.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "core/runtime/vectors-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

using Writing = StatePass::Writing;

// `across` vectors of the state's columns over one token. No column depends on another.
template <int across, Writing writing>
HWY_INLINE void one_token(const StatePass& p, Index token, Index column) {
    const Wide d;
    const float *query = p.queries.row(token), *key = p.keys.row(token), *value = p.values.row(token) + column;
    const float* const decays = p.decays.row(token);
    const Vector strength = hn::Set(d, *p.writes.row(token));
    float* const state = p.state.data + column;
    Vector values[across], written[across], read[across];
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) {
        values[v] = load_some(value + v * lanes, p.columns - column - v * lanes);
        written[v] = values[v];
        read[v] = hn::Zero(d);
    }
    Vector lost[across];
    const float *erased = nullptr, *taken = nullptr;
    if constexpr (writing == Writing::apart) erased = p.erased.row(token), taken = p.taken.row(token);
    if constexpr (writing == Writing::replaces || writing == Writing::apart) {
        for (Index i = 0; i < p.inner; ++i) {
            const Vector factor = hn::Set(d, writing == Writing::apart ? erased[i] : key[i] * decays[i * p.decay_step]);
            HWY_UNROLL(4)
            for (int v = 0; v < across; ++v)
                read[v] = hn::MulAdd(factor, hn::LoadU(d, state + i * p.state.step + v * lanes), read[v]);
        }
        HWY_UNROLL(4) for (int v = 0; v < across; ++v) {
            if constexpr (writing == Writing::apart)
                lost[v] = read[v];
            else
                written[v] = hn::Sub(values[v], read[v]);
            read[v] = hn::Zero(d);
        }
    }
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) written[v] = hn::Mul(strength, written[v]);
    for (Index i = 0; i < p.inner; ++i) {
        const Vector to = hn::Set(d, key[i]), from = hn::Set(d, query[i]), left = hn::Set(d, decays[i * p.decay_step]);
        HWY_UNROLL(4) for (int v = 0; v < across; ++v) {
            float* const cells = state + i * p.state.step + v * lanes;
            const Vector before = hn::LoadU(d, cells);
            Vector now = hn::MulAdd(to, written[v], hn::Mul(left, before));
            if constexpr (writing == Writing::apart) now = hn::NegMulAdd(hn::Set(d, taken[i]), lost[v], now);
            hn::StoreU(now, d, cells);
            read[v] = hn::MulAdd(from, writing == Writing::adds_after ? before : now, read[v]);
        }
    }
    const Vector factor = hn::Set(d, p.factor), skip = hn::Set(d, p.skip);
    float* const out = p.out.row(token) + column;
    HWY_UNROLL(4) for (int v = 0; v < across; ++v) {
        const Vector sum = hn::MulAdd(factor, read[v], hn::Mul(skip, values[v]));
        store_some(sum, out + v * lanes, p.columns - column - v * lanes);
    }
}

// All tokens over a few columns before the next ones: these columns of the state stay in the first cache.
template <int across, Writing writing>
HWY_INLINE void all_tokens(const StatePass& p, Index column) {
    for (Index token = 0; token < p.tokens; ++token) one_token<across, writing>(p, token, column);
}

template <Writing writing>
HWY_INLINE void all_columns(const StatePass& p) {
    Index column = 0;
    for (; column + 4 * lanes <= p.columns; column += 4 * lanes) all_tokens<4, writing>(p, column);
    for (; column < p.columns; column += lanes) all_tokens<1, writing>(p, column);
}

void pass_state(const StatePass& p) {
    if (p.writing == Writing::replaces) return all_columns<Writing::replaces>(p);
    if (p.writing == Writing::apart) return all_columns<Writing::apart>(p);
    if (p.writing == Writing::adds_after) return all_columns<Writing::adds_after>(p);
    all_columns<Writing::adds>(p);
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headcount::kernels {

HWY_EXPORT(pass_state);

void pass_state(const StatePass& pass) { HWY_DYNAMIC_DISPATCH(pass_state)(pass); }

}  // namespace headcount::kernels
#endif
