// Puts formulas together, and has the functions that they name.
#include "core/graph/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

namespace headcount {

Formula Formula::of(TensorIndex tensor) {
    Formula made(Kind::tensor, {});
    made.tensor = tensor;
    return made;
}

Formula Formula::of(const Function& function, Formula operand) {
    Formula made(Kind::function, {std::move(operand)});
    made.function = &function;
    return made;
}

bool Formula::is_scalar() const {
    switch (kind) {
        case Kind::number:
        case Kind::size:
        case Kind::slope:
        case Kind::layer_number: return true;
        case Kind::sum:
        case Kind::difference:
        case Kind::times:
        case Kind::over:
        case Kind::square:
        case Kind::root:
        case Kind::function: return std::ranges::all_of(operands, [](const Formula& each) { return each.is_scalar(); });
        default: return false;
    }
}

namespace {

Formula joined(Formula::Kind kind, Formula left, Formula right) {
    std::vector<Formula> both;
    both.push_back(std::move(left));
    both.push_back(std::move(right));
    return {kind, std::move(both)};
}

}  // namespace

Formula operator+(Formula left, Formula right) { return joined(Formula::Kind::sum, std::move(left), std::move(right)); }
Formula operator-(Formula left, Formula right) {
    return joined(Formula::Kind::difference, std::move(left), std::move(right));
}
Formula operator*(Formula left, Formula right) {
    return joined(Formula::Kind::times, std::move(left), std::move(right));
}
Formula operator/(Formula left, Formula right) {
    return joined(Formula::Kind::over, std::move(left), std::move(right));
}

namespace functions {

const Function sigmoid{"sigmoid", headcount::sigmoid, "1/(1+EXP(-$))"};
const Function tanh{"tanh", [](double x) { return std::tanh(x); }, "TANH($)"};
const Function softplus{"softplus", headcount::softplus, "MAX($,0)+LN(1+EXP(-ABS($)))"};
const Function exp{"exp", [](double x) { return std::exp(x); }, "EXP($)"};
const Function expm1{"expm1", [](double x) { return std::expm1(x); }, "EXP($)-1"};
const Function log{"log", [](double x) { return std::log(x); }, "LN($)"};
const Function floor{"floor", [](double x) { return std::floor(x); }, "INT($)"};
const Function bfloat16{"bf16", [](double x) { return double{as_bfloat16(static_cast<float>(x))}; }, ""};

}  // namespace functions

namespace {

constexpr std::string_view named(Activation activation) { return info(activation).function; }

const Function silu{named(Activation::silu), [](double x) { return x * sigmoid(x); }, "$/(1+EXP(-$))"};
const Function gelu{named(Activation::gelu), [](double x) { return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2; },
                    "$*NORMSDIST($)"};
const Function gelu_tanh{named(Activation::gelu_tanh),
                         [](double x) {
                             const double inside = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
                             return x * (1 + std::tanh(inside)) / 2;
                         },
                         "$*(1+TANH(SQRT(2/PI())*($+0.044715*$^3)))/2"};
const Function relu{named(Activation::relu), [](double x) { return std::max(x, 0.0); }, "MAX($,0)"};
const Function relu2{named(Activation::relu2), [](double x) { return x > 0 ? x * x : 0; }, "MAX($,0)^2"};
const Function quick_gelu{named(Activation::quick_gelu), [](double x) { return x * sigmoid(1.702 * x); },
                          "$/(1+EXP(-1.702*$))"};

}  // namespace

const Function* function_of(Activation activation) {
    switch (activation) {
        case Activation::silu: return &silu;
        case Activation::gelu: return &gelu;
        case Activation::gelu_tanh: return &gelu_tanh;
        case Activation::relu: return &relu;
        case Activation::relu2: return &relu2;
        case Activation::tanh: return &functions::tanh;
        case Activation::sigmoid: return &functions::sigmoid;
        case Activation::quick_gelu: return &quick_gelu;
        case Activation::xielu:
        case Activation::linear: break;
    }
    return nullptr;
}

std::string number_text(double value) {
    constexpr double largest_plain = 1e15;
    const bool whole = value == std::floor(value) && std::abs(value) < largest_plain;
    if (whole) return std::to_string(static_cast<std::int64_t>(value));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double deviations_above(double share) {
    double low = -40, high = 40;  // beyond which doubles tell nothing apart
    for (int halved = 0; halved < 100; ++halved) {
        const double middle = (low + high) / 2;
        (std::erfc(-middle / std::numbers::sqrt2) / 2 < share ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace headcount
