// The kernels against the plain loops that they stand for, in every size of tile and tail.
#include "core/runtime/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "tests/core/runtime/every_set.hpp"

namespace headcount {
namespace {

using kernels::multiply;

class Kernels : public testing_data::EverySet {};
INSTANTIATE_TEST_SUITE_P(EverySet, Kernels, testing_data::every_set(), testing_data::name_of_set);

std::vector<float> numbers(std::int64_t count, unsigned seed) {
    std::mt19937 draw(seed);
    std::uniform_real_distribution<float> between(-1, 1);
    std::vector<float> all(static_cast<std::size_t>(count));
    for (float& each : all) each = between(draw);
    return all;
}

// Whether rows × inner · inner × columns is what three loops make of it, from rows and from panels.
void expect_product(std::int64_t rows, std::int64_t inner, std::int64_t columns, bool in_panels, bool with_bias) {
    const std::int64_t wide = (columns + panel_columns - 1) / panel_columns * panel_columns;
    const std::vector<float> left = numbers(rows * inner, 1);
    const std::vector<float> bias = with_bias ? numbers(wide, 3) : std::vector<float>(static_cast<std::size_t>(wide));
    std::vector<float> right = numbers(inner * wide, 2);
    right.resize(right.size() + panel_columns);
    std::vector<float> out(static_cast<std::size_t>(rows * columns), NAN);
    kernels::Product product{.left = left.data(),
                             .left_step = inner,
                             .right = {right.data(), wide, 0},
                             .out = out.data(),
                             .out_step = columns,
                             .rows = rows,
                             .inner = inner,
                             .columns = columns,
                             .bias = with_bias ? bias.data() : nullptr,
                             .factor = 0.5f};
    if (in_panels) product.right = {right.data(), panel_columns, panel_columns * inner};
    multiply(product);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) {
            double sum = bias[static_cast<std::size_t>(column)];
            for (std::int64_t k = 0; k < inner; ++k) {
                const std::int64_t at = in_panels ? column / panel_columns * panel_columns * inner + k * panel_columns +
                                                        column % panel_columns
                                                  : k * wide + column;
                sum += double{left[static_cast<std::size_t>(row * inner + k)]} * right[static_cast<std::size_t>(at)];
            }
            ASSERT_NEAR(out[static_cast<std::size_t>(row * columns + column)], 0.5 * sum, 1e-4)
                << rows << " × " << inner << " × " << columns << " at " << row << ", " << column;
        }
}

TEST_P(Kernels, ProductsAreThoseOfThreeLoops) {
    for (const std::int64_t rows : {1, 2, 4, 13, 27})
        for (const std::int64_t inner : {0, 1, 7, 8, 513})
            for (const std::int64_t columns : {0, 1, 16, 17, 31, 48, 65})
                for (const bool in_panels : {false, true})
                    for (const bool with_bias : {false, true})
                        expect_product(rows, inner, columns, in_panels, with_bias);
}

TEST_P(Kernels, NormsByHand) {
    const float in[] = {3, -4, 0, 0, 0}, weight[] = {1, 2, 1, 1, 1}, bias[] = {0, 1, 0, 0, 0};
    float out[5];
    kernels::norm(in, out, {.columns = 5, .epsilon = 0, .weight = weight, .bias = nullptr});
    EXPECT_FLOAT_EQ(out[0], 3 / std::sqrt(5.0f));  // the root of the mean square of 3 and 4 among five
    EXPECT_FLOAT_EQ(out[1], -8 / std::sqrt(5.0f));
    const float other[] = {1, 3, 1, 3, 1, 3};
    float centred[6];
    kernels::norm(other, centred, {.columns = 6, .epsilon = 0, .centred = true});
    EXPECT_FLOAT_EQ(centred[0], -1);
    EXPECT_FLOAT_EQ(centred[5], 1);
    kernels::norm(in, out, {.columns = 5, .epsilon = 0, .weight = weight, .bias = bias, .offset = 1});
    EXPECT_FLOAT_EQ(out[1], -12 / std::sqrt(5.0f) + 1);  // Gemma's 1 + w
}

TEST_P(Kernels, SoftmaxSumsToOneAndASinkTakesItsShare) {
    for (const std::int64_t count : {1, 2, 15, 16, 17, 100}) {
        const std::vector<float> in = numbers(count, 5);
        std::vector<float> out(in.size());
        kernels::softmax(in.data(), out.data(), count, nullptr);
        double sum = 0, all = 0;
        for (const float each : in) all += std::exp(double{each});
        for (std::size_t i = 0; i < in.size(); ++i) {
            EXPECT_NEAR(out[i], std::exp(double{in[i]}) / all, 1e-6);
            sum += out[i];
        }
        EXPECT_NEAR(sum, 1, 1e-5);
        const float sink = 2;
        kernels::softmax(in.data(), out.data(), count, &sink);
        EXPECT_NEAR(out[0], std::exp(double{in[0]}) / (all + std::exp(2.0)), 1e-6);
    }
}

TEST_P(Kernels, ActivationFunctionsAreTheirFormulas) {
    std::vector<float> in;
    for (float x = -12; x <= 12; x += 0.037f) in.push_back(x);
    in.insert(in.end(), {-200, 200, 0});
    std::vector<float> out(in.size());
    const auto expect = [&](Activation function, double (*formula)(double)) {
        kernels::activate(function, in.data(), out.data(), static_cast<std::int64_t>(in.size()));
        for (std::size_t i = 0; i < in.size(); ++i)
            EXPECT_NEAR(out[i], formula(in[i]), 2e-6 * std::max(1.0f, std::fabs(in[i]))) << in[i];
    };
    expect(Activation::silu, [](double x) { return x / (1 + std::exp(-x)); });
    expect(Activation::gelu, [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); });
    expect(Activation::gelu_tanh, [](double x) {
        return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x)));
    });
    expect(Activation::relu, [](double x) { return x > 0 ? x : 0; });
    kernels::activate(Activation::relu2, in.data(), out.data(), static_cast<std::int64_t>(in.size()));
    EXPECT_FLOAT_EQ(out[in.size() - 2], 40000);
    EXPECT_FLOAT_EQ(out[0], 0);
}

TEST_P(Kernels, GatesByHand) {
    const float gate[] = {2, -1, 9}, up[] = {3, 3, -20};
    float out[3];
    kernels::gate(Activation::relu, gate, up, out, 3);
    EXPECT_FLOAT_EQ(out[0], 6);
    EXPECT_FLOAT_EQ(out[1], 0);
    kernels::clamped_gate({.alpha = 1.702, .limit = 7}, gate, up, out, 3);
    EXPECT_FLOAT_EQ(out[0], 2 / (1 + std::exp(-1.702f * 2)) * 4);
    EXPECT_FLOAT_EQ(out[2], 7 / (1 + std::exp(-1.702f * 7)) * -6);  // 9 clamped to 7, -20 to -7
    kernels::clamped_gate({.alpha = 1, .limit = 7, .added = 0}, gate, up, out, 3);
    EXPECT_FLOAT_EQ(out[0], 2 / (1 + std::exp(-2.0f)) * 3);
    EXPECT_FLOAT_EQ(out[2], 7 / (1 + std::exp(-7.0f)) * -7);
}

TEST_P(Kernels, PairsTurnAsHalvesAndAsNeighbours) {
    const float in[] = {1, 2, 3, 4}, cosines[] = {0, 1}, sines[] = {1, 0};
    float out[4];
    kernels::rotate(in, out, cosines, sines, 2, true);  // 1 and 3 by a quarter
    EXPECT_THAT(out, testing::ElementsAre(-3, 2, 1, 4));
    kernels::rotate(in, out, cosines, sines, 2, false);  // 1 and 2
    EXPECT_THAT(out, testing::ElementsAre(-2, 1, 3, 4));
}

TEST_P(Kernels, StatesFadeAreWrittenAndReadTokenByToken) {
    using Writing = kernels::StatePass::Writing;
    constexpr std::int64_t tokens = 3, inner = 5;
    for (const std::int64_t columns : {1, 7, 16, 40, 64, 70})
        for (const auto writing : {Writing::adds, Writing::adds_after, Writing::replaces, Writing::apart}) {
            const std::int64_t wide = whole_lines(columns);
            std::vector<float> state = numbers(inner * wide, 1), queries = numbers(tokens * inner, 2);
            std::vector<float> keys = numbers(tokens * inner, 3), values = numbers(tokens * columns, 4);
            std::vector<float> decays = numbers(tokens, 5), writes = numbers(tokens, 6);
            std::vector<float> erased = numbers(tokens * inner, 7), taken = numbers(tokens * inner, 8);
            std::vector<double> own(state.begin(), state.end());
            std::vector<float> out(values.size(), NAN);
            kernels::pass_state({.state = {state.data(), wide},
                                 .queries = {queries.data(), inner},
                                 .keys = {keys.data(), inner},
                                 .values = {values.data(), columns},
                                 .out = {out.data(), columns},
                                 .decays = {decays.data(), 1},
                                 .writes = {writes.data(), 1},
                                 .tokens = tokens,
                                 .inner = inner,
                                 .columns = columns,
                                 .erased = {erased.data(), inner},
                                 .taken = {taken.data(), inner},
                                 .writing = writing,
                                 .factor = 0.5f,
                                 .skip = 3});
            const auto at = [](const std::vector<float>& all, std::int64_t i) {
                return static_cast<double>(all[static_cast<std::size_t>(i)]);
            };
            for (std::int64_t t = 0; t < tokens; ++t)
                for (std::int64_t c = 0; c < columns; ++c) {
                    double found = 0, read = 0;
                    const auto cell = [&](std::int64_t i) -> double& {
                        return own[static_cast<std::size_t>(i * wide + c)];
                    };
                    double lost = 0;
                    for (std::int64_t i = 0; i < inner; ++i) {
                        found += at(keys, t * inner + i) * at(decays, t) * cell(i);
                        lost += at(erased, t * inner + i) * cell(i);
                    }
                    const double value = at(values, t * columns + c);
                    for (std::int64_t i = 0; i < inner; ++i) {
                        const double before = cell(i);
                        const double written = at(writes, t) * (writing == Writing::replaces ? value - found : value);
                        cell(i) = at(decays, t) * before + at(keys, t * inner + i) * written;
                        if (writing == Writing::apart) cell(i) -= at(taken, t * inner + i) * lost;
                        read += at(queries, t * inner + i) * (writing == Writing::adds_after ? before : cell(i));
                    }
                    EXPECT_NEAR(at(out, t * columns + c), read / 2 + 3 * value, 1e-5) << columns;
                }
            for (std::int64_t i = 0; i < inner; ++i)
                for (std::int64_t c = 0; c < columns; ++c)
                    EXPECT_NEAR(at(state, i * wide + c), own[static_cast<std::size_t>(i * wide + c)], 1e-5) << columns;
        }
}

TEST_P(Kernels, ConvolvesColumnsOverRows) {
    for (const std::int64_t columns : {1, 15, 16, 50}) {
        const std::vector<float> a = numbers(columns, 1), b = numbers(columns, 2), bias = numbers(columns, 3);
        const std::vector<float> weights = numbers(2 * columns, 4);
        const float* const rows[] = {a.data(), b.data()};
        std::vector<float> out(a.size());
        for (const float* added : {bias.data(), static_cast<const float*>(nullptr)}) {
            kernels::convolve({.rows = rows,
                               .weights = weights.data(),
                               .tokens = 2,
                               .weight_step = columns,
                               .columns = columns,
                               .bias = added},
                              out.data());
            for (std::size_t c = 0; c < out.size(); ++c)
                EXPECT_NEAR(out[c], a[c] * weights[c] + b[c] * weights[c + out.size()] + (added ? added[c] : 0), 1e-6);
        }
    }
}

TEST_P(Kernels, StepsAndDecaysByTheirFormulas) {
    const std::vector<float> in{-100, -3, 0, 0.5f, 2, 30}, bias{0, 1, 0, -1, 0.25f, 0}, rates{0, 1, -2, 3, 0.5f, 1};
    std::vector<float> out(in.size());
    const auto count = static_cast<std::int64_t>(in.size());
    kernels::time_steps(in.data(), bias.data(), 0, INFINITY, out.data(), count);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const double x = in[i] + bias[i];
        EXPECT_NEAR(out[i], std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))), 1e-6 * std::max(1.0, x));
    }
    kernels::time_steps(in.data(), bias.data(), 0.1f, 2, out.data(), count);
    EXPECT_FLOAT_EQ(out.front(), 0.1f);
    EXPECT_FLOAT_EQ(out.back(), 2);
    kernels::decay(out.data(), rates.data(), out.data(), count);
    EXPECT_NEAR(out.front(), std::exp(-0.1), 1e-6);
    EXPECT_NEAR(out.back(), std::exp(-2 * std::exp(1.0)), 1e-7);
}

TEST_P(Kernels, LengthsBecomeOne) {
    const std::vector<float> in = numbers(37, 1);
    std::vector<float> out(in.size());
    kernels::norm(in.data(), out.data(), {.columns = 37, .epsilon = 0, .of_sum = true});
    double square = 0;
    for (const float each : out) square += static_cast<double>(each) * each;
    EXPECT_NEAR(square, 1, 1e-6);
}

TEST_P(Kernels, SumsAddsClampsAndCaps) {
    for (const std::int64_t count : {1, 16, 63, 1000}) {
        const std::vector<float> a = numbers(count, 7), b = numbers(count, 8);
        double sum = 0;
        for (const float each : a) sum += each;
        EXPECT_NEAR(kernels::sum(a.data(), count), sum, 1e-4);
        std::vector<float> out(a.size());
        kernels::add(a.data(), b.data(), 3, out.data(), count);
        EXPECT_FLOAT_EQ(out.back(), a.back() + 3 * b.back());
        kernels::clamp(out.data(), count, 0.25f);
        EXPECT_LE(std::fabs(out.front()), 0.25f);
    }
    float values[] = {0, 100, -100, 1};
    kernels::soft_cap(values, 4, 30);
    EXPECT_NEAR(values[1], 30 * std::tanh(100 / 30.0), 1e-4);
    EXPECT_NEAR(values[3], 30 * std::tanh(1 / 30.0), 1e-6);
}

}  // namespace
}  // namespace headcount
