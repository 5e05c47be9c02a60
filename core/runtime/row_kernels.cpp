// What is done to rows: norms, softmax, activation functions, sums. Compiled once for each instruction set; the best
// that the machine has is chosen at the first call.
#include <algorithm>
#include <cmath>

#include "core/runtime/kernels.hpp"
#include "core/runtime/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/runtime/row_kernels.cpp"
// The first compiles this file again for each set, and must come before the others.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "core/runtime/vectors-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headcount::kernels::HWY_NAMESPACE {
namespace {

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
        case Activation::silu: return act([](Vector x) HWY_ATTR { return hn::Mul(x, sigmoid(x)); });
        case Activation::gelu: return act([](Vector x) HWY_ATTR { return gelu_exact(x); });
        case Activation::gelu_tanh: return act([](Vector x) HWY_ATTR { return gelu_by_tangent(x); });
        case Activation::relu: return act([](Vector x) HWY_ATTR { return hn::Max(x, hn::Zero(Wide())); });
        case Activation::relu2:
            return act([](Vector x) HWY_ATTR {
                const Vector positive = hn::Max(x, hn::Zero(Wide()));
                return hn::Mul(positive, positive);
            });
        case Activation::tanh: return act([](Vector x) HWY_ATTR { return hn::Tanh(Wide(), x); });
        case Activation::sigmoid: return act([](Vector x) HWY_ATTR { return sigmoid(x); });
        case Activation::quick_gelu:
            return act([](Vector x) HWY_ATTR { return hn::Mul(x, sigmoid(hn::Mul(hn::Set(Wide(), 1.702f), x))); });
        case Activation::linear: return act([](Vector x) HWY_ATTR { return x; });
        case Activation::xielu:  // has trained numbers: Run::feed_forward
            break;
    }
}

void activate(Activation function, const float* in, float* out, Index count) {
    with_function(function, [&](const auto& apply) HWY_ATTR {
        map(in, in, out, count, [&](Vector x, Vector) HWY_ATTR { return apply(x); });
    });
}

// The same with the function's derivative.
template <class Act>
HWY_INLINE void with_slope(Activation function, const Act& act) {
    constexpr float root = 0.79788456080286536f, cubic = 0.044715f;  // of GELU by its tangent
    const auto swish = [](Vector x, float factor) HWY_ATTR {
        const Wide d;
        const Vector scaled = hn::Mul(hn::Set(d, factor), x), share = sigmoid(scaled);
        return hn::MulAdd(hn::Mul(share, scaled), hn::Sub(hn::Set(d, 1.0f), share), share);
    };
    switch (function) {
        case Activation::silu: return act([&](Vector x) HWY_ATTR { return swish(x, 1.0f); });
        case Activation::quick_gelu: return act([&](Vector x) HWY_ATTR { return swish(x, 1.702f); });
        case Activation::gelu:
            return act([](Vector x) HWY_ATTR {
                HWY_ALIGN float all[lanes];
                hn::Store(x, Wide(), all);
                for (float& each : all)
                    each = 0.5f * (1.0f + std::erf(each * 0.70710678118654752f)) +
                           each * 0.39894228040143268f * std::exp(-0.5f * each * each);
                return hn::Load(Wide(), all);
            });
        case Activation::gelu_tanh:
            return act([](Vector x) HWY_ATTR {
                const Wide d;
                const Vector one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f), square = hn::Mul(x, x);
                const Vector inner = hn::Mul(hn::Mul(hn::Set(d, root), x), hn::MulAdd(hn::Set(d, cubic), square, one));
                const Vector tangent = hn::Tanh(d, inner);
                const Vector rise = hn::Mul(hn::Set(d, root), hn::MulAdd(hn::Set(d, 3 * cubic), square, one));
                const Vector bend = hn::Mul(hn::Mul(x, rise), hn::NegMulAdd(tangent, tangent, one));
                return hn::Mul(half, hn::Add(hn::Add(one, tangent), bend));
            });
        case Activation::relu:
            return act([](Vector x) HWY_ATTR {
                const Wide d;
                return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), hn::Set(d, 1.0f));
            });
        case Activation::relu2:
            return act([](Vector x) HWY_ATTR {
                const Vector positive = hn::Max(x, hn::Zero(Wide()));
                return hn::Add(positive, positive);
            });
        case Activation::tanh:
            return act([](Vector x) HWY_ATTR {
                const Vector tangent = hn::Tanh(Wide(), x);
                return hn::NegMulAdd(tangent, tangent, hn::Set(Wide(), 1.0f));
            });
        case Activation::sigmoid:
            return act([](Vector x) HWY_ATTR {
                const Vector share = sigmoid(x);
                return hn::NegMulAdd(share, share, share);
            });
        case Activation::linear: return act([](Vector) HWY_ATTR { return hn::Set(Wide(), 1.0f); });
        case Activation::xielu:  // has trained numbers
            break;
    }
}

void activate_back(Activation function, const float* in, const float* slopes, float* out, Index count) {
    with_slope(function, [&](const auto& slope) HWY_ATTR {
        map(in, slopes, out, count, [&](Vector x, Vector back) HWY_ATTR { return hn::Mul(slope(x), back); });
    });
}

void gate(Activation function, const float* gates, const float* up, float* out, Index count) {
    with_function(function, [&](const auto& apply) HWY_ATTR {
        map(gates, up, out, count, [&](Vector g, Vector u) HWY_ATTR { return hn::Mul(apply(g), u); });
    });
}

void clamped_gate(const ClampedGate& rule, const float* gates, const float* up, float* out, Index count) {
    const Wide d;
    const auto alpha = static_cast<float>(rule.alpha), limit = static_cast<float>(rule.limit);
    const auto added = static_cast<float>(rule.added);
    map(gates, up, out, count, [&](Vector g, Vector u) HWY_ATTR {
        const Vector most = hn::Set(d, limit);
        g = hn::Min(g, most);
        u = hn::Min(hn::Max(u, hn::Set(d, -limit)), most);
        const Vector passed = hn::Mul(g, sigmoid(hn::Mul(hn::Set(d, alpha), g)));
        return hn::Mul(passed, hn::Add(u, hn::Set(d, added)));
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

void time_steps(const float* in, const float* bias, float least, float most, float* out, Index count) {
    const Wide d;
    map(in, bias ? bias : in, out, count, [&](Vector x, Vector b) HWY_ATTR {
        const Vector shifted = bias ? hn::Add(x, b) : x;
        const Vector rest = hn::Log1p(d, exponential(hn::Neg(hn::Abs(shifted))));
        const Vector soft = hn::Add(hn::Max(shifted, hn::Zero(d)), rest);
        return hn::Min(hn::Max(soft, hn::Set(d, least)), hn::Set(d, most));
    });
}

void decay(const float* in, const float* rates, float* out, Index count) {
    map(in, rates, out, count,
        [&](Vector x, Vector rate) HWY_ATTR { return exponential(hn::Neg(hn::Mul(exponential(rate), x))); });
}

void convolve(const ConvolvedRow& row, float* out) {
    const Wide d;
    for (Index column = 0; column < row.columns; column += lanes) {
        const Index some = row.columns - column;
        Vector sum = row.bias ? load_some(row.bias + column, some) : hn::Zero(d);
        for (Index token = 0; token < row.tokens; ++token)
            sum = hn::MulAdd(load_some(row.rows[token] + column, some),
                             load_some(row.weights + token * row.weight_step + column, some), sum);
        store_some(sum, out + column, some);
    }
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
    const float divisor = row.of_sum ? 1.0f : row.less_one ? columns - 1 : columns;
    const float mean_square = squares / divisor;
    const float root = row.unrooted          ? mean_square + row.epsilon
                       : row.epsilon_outside ? std::sqrt(mean_square) + row.epsilon
                       : row.epsilon_least   ? std::sqrt(std::max(mean_square, row.epsilon))
                                             : std::sqrt(mean_square + row.epsilon);
    const Vector factor = hn::Set(d, row.multiplied ? root : 1.0f / root),
                 taken = hn::Set(d, row.mean_kept ? 0.0f : mean);
    const Vector offset = hn::Set(d, row.offset);
    const float* weight = row.weight ? row.weight : in;
    map(in, weight, out, row.columns, [&](Vector x, Vector w) HWY_ATTR {
        const Vector rescaled = hn::Mul(hn::Sub(x, taken), factor);
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

HWY_EXPORT(norm);
HWY_EXPORT(softmax);
HWY_EXPORT(scale);
HWY_EXPORT(soft_cap);
HWY_EXPORT(clamp);
HWY_EXPORT(add);
HWY_EXPORT(activate);
HWY_EXPORT(activate_back);
HWY_EXPORT(gate);
HWY_EXPORT(clamped_gate);
HWY_EXPORT(rotate);
HWY_EXPORT(time_steps);
HWY_EXPORT(decay);
HWY_EXPORT(convolve);
HWY_EXPORT(sum);

void norm(const float* in, float* out, const NormRow& row) { HWY_DYNAMIC_DISPATCH(norm)(in, out, row); }
void softmax(const float* in, float* out, std::int64_t count, const float* sink) {
    HWY_DYNAMIC_DISPATCH(softmax)(in, out, count, sink);
}
void scale(float* values, std::int64_t count, float factor) { HWY_DYNAMIC_DISPATCH(scale)(values, count, factor); }
void soft_cap(float* values, std::int64_t count, float cap) { HWY_DYNAMIC_DISPATCH(soft_cap)(values, count, cap); }
void clamp(float* values, std::int64_t count, float limit) { HWY_DYNAMIC_DISPATCH(clamp)(values, count, limit); }
void add(const float* a, const float* b, float factor, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(add)(a, b, factor, out, count);
}
void activate(Activation function, const float* in, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(activate)(function, in, out, count);
}
void activate_back(Activation function, const float* in, const float* slopes, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(activate_back)(function, in, slopes, out, count);
}
void gate(Activation function, const float* gates, const float* up, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(gate)(function, gates, up, out, count);
}
void clamped_gate(const ClampedGate& rule, const float* gates, const float* up, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(clamped_gate)(rule, gates, up, out, count);
}
void rotate(const float* in, float* out, const float* cosines, const float* sines, std::int64_t pairs, bool halves) {
    HWY_DYNAMIC_DISPATCH(rotate)(in, out, cosines, sines, pairs, halves);
}
void time_steps(const float* in, const float* bias, float least, float most, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(time_steps)(in, bias, least, most, out, count);
}
void decay(const float* in, const float* rates, float* out, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(decay)(in, rates, out, count);
}
void convolve(const ConvolvedRow& row, float* out) { HWY_DYNAMIC_DISPATCH(convolve)(row, out); }
float sum(const float* values, std::int64_t count) { return HWY_DYNAMIC_DISPATCH(sum)(values, count); }

}  // namespace headcount::kernels
#endif
