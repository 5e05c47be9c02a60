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

Formula Formula::of(std::string_view name, double (*apply)(double), Formula operand) {
    Formula made(Kind::function, {std::move(operand)});
    made.name = name;
    made.apply = apply;
    return made;
}

bool Formula::is_scalar() const {
    switch (kind) {
        case Kind::number:
        case Kind::size:
        case Kind::slope:
        case Kind::layer_number:
            return true;
        case Kind::sum:
        case Kind::difference:
        case Kind::times:
        case Kind::over:
        case Kind::square:
        case Kind::root:
        case Kind::function:
            return std::all_of(operands.begin(), operands.end(), [](const Formula& each) { return each.is_scalar(); });
        default:
            return false;
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

Formula operator+(Formula left, Formula right) {
    return joined(Formula::Kind::sum, std::move(left), std::move(right));
}
Formula operator-(Formula left, Formula right) {
    return joined(Formula::Kind::difference, std::move(left), std::move(right));
}
Formula operator*(Formula left, Formula right) {
    return joined(Formula::Kind::times, std::move(left), std::move(right));
}
Formula operator/(Formula left, Formula right) {
    return joined(Formula::Kind::over, std::move(left), std::move(right));
}

double activated(Activation function, double x) {
    switch (function) {
        case Activation::silu:
            return x / (1 + std::exp(-x));
        case Activation::gelu:
            return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2;
        case Activation::gelu_tanh:
            return x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))) / 2;
        case Activation::relu:
            return std::max(x, 0.0);
        case Activation::relu2:
            return x > 0 ? x * x : 0;
        case Activation::tanh:
            return std::tanh(x);
        case Activation::sigmoid:
            return sigmoid(x);
        case Activation::quick_gelu:
            return x * sigmoid(1.702 * x);
        case Activation::xielu:  // has trained numbers: the equation of its node says it
        case Activation::linear:
            break;
    }
    return x;
}

std::string number_text(double value) {
    constexpr double largest_plain = 1e15;
    const bool whole = value == std::floor(value) && std::abs(value) < largest_plain;
    if (whole) return std::to_string(static_cast<std::int64_t>(value));
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

}  // namespace headcount
