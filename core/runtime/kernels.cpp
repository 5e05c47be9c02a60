// The kernels, compiled once for each instruction set; the best that the machine has is chosen at the first call.
#include "core/runtime/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/runtime/matrix_view.hpp"

// Vectors whose size is not known when they are compiled cannot stand in arrays, and the tiles below are arrays; what
// the other sets would bring over those that stay is little.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/runtime/kernels.cpp"
// The first compiles this file again for each set, and must come before the others.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<float>;
using Vector = hn::Vec<Wide>;
using Index = std::int64_t;

constexpr Index lanes = HWY_LANES(float);
static_assert(panel_columns % lanes == 0);

// A tile's results stay in registers: 32 of them with AVX-512 and NEON, else 16.
constexpr bool avx512 = lanes == 16;
constexpr int tile_rows = avx512 ? 12 : 6;
constexpr int tile_vectors = HWY_ARCH_ARM_A64 ? 4 : 2;
constexpr Index deep = 512;  // of the inner dimension at once, so that a tile's left side stays in the first cache

// Whether the set can leave out lanes: then nothing behind the last is touched.
constexpr bool masks = HWY_ARCH_X86 && lanes >= 8;  // AVX2 and up

HWY_INLINE Vector load_some(const float* from, Index count) {
    const Wide d;
    if (count >= lanes) return hn::LoadU(d, from);
    if constexpr (masks) return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
    HWY_ALIGN float all[lanes] = {};
    std::memcpy(all, from, static_cast<std::size_t>(count) * sizeof(float));
    return hn::Load(d, all);
}

HWY_INLINE void store_some(Vector values, float* to, Index count) {
    const Wide d;
    if (count >= lanes) return hn::StoreU(values, d, to);
    if constexpr (masks) return hn::BlendedStore(values, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
    HWY_ALIGN float all[lanes];
    hn::Store(values, d, all);
    std::memcpy(to, all, static_cast<std::size_t>(count) * sizeof(float));
}

HWY_INLINE const float* right_at(const Right& right, Index column) {
    if (right.panel_step == 0) return right.data + column;
    return right.data + column / panel_columns * right.panel_step + column % panel_columns;
}

// Rows [row, row + rows) and `vectors` vectors of columns, over [from, to) of the inner dimension.
template <int rows, int vectors>
HWY_INLINE void tile(const Product& p, Index row, Index column, Index from, Index to) {
    const Wide d;
    Vector sums[rows][vectors];
    const float* right[vectors];
    HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) {
        const Index at = column + v * lanes;
        right[v] = right_at(p.right, at) + from * p.right.row_step;
        HWY_UNROLL(12) for (int r = 0; r < rows; ++r) {
            if (from > 0) {
                sums[r][v] = load_some(p.out + (row + r) * p.out_step + at, p.columns - at);
            } else {
                sums[r][v] = p.bias ? hn::LoadU(d, p.bias + at) : hn::Zero(d);
            }
        }
    }
    const float* left = p.left + row * p.left_step;
    const Index right_step = p.right.row_step, left_step = p.left_step;
    Index right_place = 0;
    for (Index k = from; k < to; ++k, right_place += right_step) {
        Vector values[vectors];
        HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) values[v] = hn::LoadU(d, right[v] + right_place);
        HWY_UNROLL(12) for (int r = 0; r < rows; ++r) {
            const Vector factor = hn::Set(d, left[r * left_step + k]);
            HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
        }
    }
    HWY_UNROLL(12) for (int r = 0; r < rows; ++r) HWY_UNROLL(4) for (int v = 0; v < vectors; ++v) {
        const Index at = column + v * lanes;
        if (to == p.inner && p.factor != 1) sums[r][v] = hn::Mul(sums[r][v], hn::Set(d, p.factor));
        store_some(sums[r][v], p.out + (row + r) * p.out_step + at, p.columns - at);
    }
}

template <int rows, int vectors>
HWY_INLINE Index tiles_of(const Product& p, Index row, Index column, Index from, Index to) {
    for (; row + rows <= p.rows; row += rows) tile<rows, vectors>(p, row, column, from, to);
    return row;
}

template <int vectors>
void all_rows(const Product& p, Index column, Index from, Index to) {
    Index row = tiles_of<tile_rows, vectors>(p, 0, column, from, to);
    row = tiles_of<4, vectors>(p, row, column, from, to);
    row = tiles_of<2, vectors>(p, row, column, from, to);
    tiles_of<1, vectors>(p, row, column, from, to);
}

// One row: each number of the right side is used once, so all that counts is to read it without a pause.
template <int vectors>
HWY_INLINE void one_row(const Product& p, Index column) {
    const Wide d;
    Vector even[vectors], odd[vectors];
    const float* right[vectors];
    HWY_UNROLL(8) for (int v = 0; v < vectors; ++v) {
        right[v] = right_at(p.right, column + v * lanes);
        even[v] = p.bias ? hn::LoadU(d, p.bias + column + v * lanes) : hn::Zero(d);
        odd[v] = hn::Zero(d);
    }
    const Index step = p.right.row_step;
    Index k = 0, place = 0;
    for (; k + 2 <= p.inner; k += 2, place += 2 * step) {
        const Vector first = hn::Set(d, p.left[k]), second = hn::Set(d, p.left[k + 1]);
        HWY_UNROLL(8) for (int v = 0; v < vectors; ++v) {
            even[v] = hn::MulAdd(first, hn::LoadU(d, right[v] + place), even[v]);
            odd[v] = hn::MulAdd(second, hn::LoadU(d, right[v] + place + step), odd[v]);
        }
    }
    if (k < p.inner) {
        const Vector last = hn::Set(d, p.left[k]);
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v) even[v] = hn::MulAdd(last, hn::LoadU(d, right[v] + place), even[v]);
    }
    HWY_UNROLL(8) for (int v = 0; v < vectors; ++v) {
        const Index at = column + v * lanes;
        store_some(hn::Mul(hn::Add(even[v], odd[v]), hn::Set(d, p.factor)), p.out + at, p.columns - at);
    }
}

void multiply_row(const Product& p) {
    constexpr int vectors = 4;
    Index column = 0;
    for (; column + vectors * lanes <= p.columns; column += vectors * lanes) one_row<vectors>(p, column);
    for (; column < p.columns; column += lanes) one_row<1>(p, column);
}

void multiply_rows(const Product& p) {
    for (Index from = 0; from < p.inner || from == 0; from += deep) {
        const Index to = std::min(from + deep, p.inner);
        Index column = 0;
        for (; column + tile_vectors * lanes <= p.columns; column += tile_vectors * lanes)
            all_rows<tile_vectors>(p, column, from, to);
        for (; column < p.columns; column += lanes) all_rows<1>(p, column, from, to);
    }
}

void multiply(const Product& p) {
    if (p.rows == 1) return multiply_row(p);
    multiply_rows(p);
}

// out[i] = function(a[i], b[i]), the last few through a whole vector of their own.
template <class Function>
HWY_INLINE void map(const float* a, const float* b, float* out, Index count, const Function& function) {
    const Wide d;
    Index i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(function(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
    if (i < count) store_some(function(load_some(a + i, count - i), load_some(b + i, count - i)), out + i, count - i);
}

HWY_INLINE Vector exponential(Vector x) {
    const Wide d;
    return hn::Exp(d, hn::Min(hn::Max(x, hn::Set(d, -87.3f)), hn::Set(d, 88.0f)));
}

HWY_INLINE Vector sigmoid(Vector x) {
    const Vector one = hn::Set(Wide(), 1.0f);
    return hn::Div(one, hn::Add(one, exponential(hn::Neg(x))));
}

HWY_INLINE Vector gelu_exact(Vector x) {
    HWY_ALIGN float all[lanes];
    hn::Store(x, Wide(), all);
    for (float& each : all) each = 0.5f * each * (1.0f + std::erf(each * 0.70710678118654752f));
    return hn::Load(Wide(), all);
}

HWY_INLINE Vector gelu_by_tangent(Vector x) {
    const Wide d;
    const Vector cubed = hn::Mul(hn::Mul(x, x), x);
    const Vector inner = hn::Mul(hn::Set(d, 0.79788456080286536f), hn::MulAdd(hn::Set(d, 0.044715f), cubed, x));
    return hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), hn::Add(hn::Set(d, 1.0f), hn::Tanh(d, inner)));
}

// Calls `act` with the function as something that can be called.
template <class Act>
HWY_INLINE void with_function(Activation function, const Act& act) {
    switch (function) {
        case Activation::silu:
            return act([](Vector x) HWY_ATTR { return hn::Mul(x, sigmoid(x)); });
        case Activation::gelu:
            return act([](Vector x) HWY_ATTR { return gelu_exact(x); });
        case Activation::gelu_tanh:
            return act([](Vector x) HWY_ATTR { return gelu_by_tangent(x); });
        case Activation::relu:
            return act([](Vector x) HWY_ATTR { return hn::Max(x, hn::Zero(Wide())); });
        case Activation::relu2:
            return act([](Vector x) HWY_ATTR {
                const Vector positive = hn::Max(x, hn::Zero(Wide()));
                return hn::Mul(positive, positive);
            });
    }
}

void activate(Activation function, const float* in, float* out, Index count) {
    with_function(function, [&](const auto& apply) HWY_ATTR {
        map(in, in, out, count, [&](Vector x, Vector) HWY_ATTR { return apply(x); });
    });
}

void gate(Activation function, const float* gates, const float* up, float* out, Index count) {
    with_function(function, [&](const auto& apply) HWY_ATTR {
        map(gates, up, out, count, [&](Vector g, Vector u) HWY_ATTR { return hn::Mul(apply(g), u); });
    });
}

void clamped_gate(float alpha, float limit, const float* gates, const float* up, float* out, Index count) {
    const Wide d;
    map(gates, up, out, count, [&](Vector g, Vector u) HWY_ATTR {
        const Vector most = hn::Set(d, limit);
        g = hn::Min(g, most);
        u = hn::Min(hn::Max(u, hn::Set(d, -limit)), most);
        const Vector passed = hn::Mul(g, sigmoid(hn::Mul(hn::Set(d, alpha), g)));
        return hn::Mul(passed, hn::Add(u, hn::Set(d, 1.0f)));
    });
}

void scale(float* values, Index count, float factor) {
    map(values, values, values, count, [&](Vector x, Vector) HWY_ATTR { return hn::Mul(x, hn::Set(Wide(), factor)); });
}

void soft_cap(float* values, Index count, float cap) {
    const Wide d;
    map(values, values, values, count,
        [&](Vector x, Vector) HWY_ATTR { return hn::Mul(hn::Set(d, cap), hn::Tanh(d, hn::Div(x, hn::Set(d, cap)))); });
}

void clamp(float* values, Index count, float limit) {
    const Wide d;
    map(values, values, values, count,
        [&](Vector x, Vector) HWY_ATTR { return hn::Min(hn::Max(x, hn::Set(d, -limit)), hn::Set(d, limit)); });
}

void add(const float* a, const float* b, float factor, float* out, Index count) {
    map(a, b, out, count, [&](Vector x, Vector y) HWY_ATTR { return hn::MulAdd(hn::Set(Wide(), factor), y, x); });
}

// The sum of function(x) over all.
template <class Function>
HWY_INLINE float sum_of(const float* in, Index count, const Function& function) {
    const Wide d;
    Vector first = hn::Zero(d), second = hn::Zero(d), third = hn::Zero(d), fourth = hn::Zero(d);
    Index i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        first = hn::Add(first, function(hn::LoadU(d, in + i)));
        second = hn::Add(second, function(hn::LoadU(d, in + i + lanes)));
        third = hn::Add(third, function(hn::LoadU(d, in + i + 2 * lanes)));
        fourth = hn::Add(fourth, function(hn::LoadU(d, in + i + 3 * lanes)));
    }
    for (; i + lanes <= count; i += lanes) first = hn::Add(first, function(hn::LoadU(d, in + i)));
    if (i < count) {
        const Vector there = hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(count - i)),
                                                function(load_some(in + i, count - i)));
        first = hn::Add(first, there);
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(first, second), hn::Add(third, fourth))));
}

void norm(const float* in, float* out, const NormRow& row) {
    const Wide d;
    const auto columns = static_cast<float>(row.columns);
    const float mean = row.centred ? sum_of(in, row.columns, [](Vector x) HWY_ATTR { return x; }) / columns : 0.0f;
    const Vector middle = hn::Set(d, mean);
    const float squares = sum_of(in, row.columns, [&](Vector x) HWY_ATTR {
        const Vector apart = hn::Sub(x, middle);
        return hn::Mul(apart, apart);
    });
    const Vector factor = hn::Set(d, 1.0f / std::sqrt(squares / columns + row.epsilon));
    const Vector offset = hn::Set(d, row.offset);
    const float* weight = row.weight ? row.weight : in;
    map(in, weight, out, row.columns, [&](Vector x, Vector w) HWY_ATTR {
        const Vector rescaled = hn::Mul(hn::Sub(x, middle), factor);
        return row.weight ? hn::Mul(rescaled, hn::Add(w, offset)) : rescaled;
    });
    if (row.bias) add(out, row.bias, 1, out, row.columns);
}

void softmax(const float* in, float* out, Index count, const float* sink) {
    const Wide d;
    Vector most = hn::Set(d, sink ? *sink : in[0]);
    Index i = 0;
    for (; i + lanes <= count; i += lanes) most = hn::Max(most, hn::LoadU(d, in + i));
    float largest = hn::GetLane(hn::MaxOfLanes(d, most));
    for (; i < count; ++i) largest = std::max(largest, in[i]);
    const Vector shift = hn::Set(d, largest);
    map(in, in, out, count, [&](Vector x, Vector) HWY_ATTR { return exponential(hn::Sub(x, shift)); });
    float total = sum_of(out, count, [](Vector x) HWY_ATTR { return x; });
    if (sink) total += std::exp(*sink - largest);
    scale(out, count, 1.0f / total);
}

void rotate(const float* in, float* out, const float* cosines, const float* sines, Index pairs, bool halves) {
    const Index step = halves ? 1 : 2, apart = halves ? pairs : 1;
    for (Index i = 0; i < pairs; ++i) {
        const float a = in[i * step], b = in[i * step + apart];
        out[i * step] = a * cosines[i] - b * sines[i];
        out[i * step + apart] = b * cosines[i] + a * sines[i];
    }
}

float sum(const float* values, Index count) {
    return sum_of(values, count, [](Vector x) HWY_ATTR { return x; });
}

}  // namespace
}  // namespace headcount::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headcount::kernels {

HWY_EXPORT(multiply);
HWY_EXPORT(norm);
HWY_EXPORT(softmax);
HWY_EXPORT(scale);
HWY_EXPORT(soft_cap);
HWY_EXPORT(clamp);
HWY_EXPORT(add);
HWY_EXPORT(activate);
HWY_EXPORT(gate);
HWY_EXPORT(clamped_gate);
HWY_EXPORT(rotate);
HWY_EXPORT(sum);

std::string_view instruction_set() {
    const std::int64_t best = hwy::SupportedTargets() & HWY_TARGETS;
    return hwy::TargetName(best & -best);  // the lowest bit is the best set
}
void multiply(const Product& product) {
    HWY_DYNAMIC_DISPATCH(multiply)(product);
}
void norm(const float* in, float* out, const NormRow& row) {
    HWY_DYNAMIC_DISPATCH(norm)(in, out, row);
}
void softmax(const float* in, float* out, std::int64_t count, const float* sink) {
    HWY_DYNAMIC_DISPATCH(softmax)(in, out, count, sink);
}
void scale(float* values, std::int64_t count, float factor) {
    HWY_DYNAMIC_DISPATCH(scale)(values, count, factor);
}
void soft_cap(float* values, std::int64_t count, float cap) {
    HWY_DYNAMIC_DISPATCH(soft_cap)(values, count, cap);
}
void clamp(float* values, std::int64_t count, float limit) {
    HWY_DYNAMIC_DISPATCH(clamp)(values, count, limit);
}
void add(const float* a, const float* b, float factor, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(add)(a, b, factor, out, count);
}
void activate(Activation function, const float* in, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(activate)(function, in, out, count);
}
void gate(Activation function, const float* gates, const float* up, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(gate)(function, gates, up, out, count);
}
void clamped_gate(float alpha, float limit, const float* gates, const float* up, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(clamped_gate)(alpha, limit, gates, up, out, count);
}
void rotate(const float* in, float* out, const float* cosines, const float* sines, std::int64_t pairs, bool halves) {
    HWY_DYNAMIC_DISPATCH(rotate)(in, out, cosines, sines, pairs, halves);
}
float sum(const float* values, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(sum)(values, count);
}

}  // namespace headcount::kernels
#endif
