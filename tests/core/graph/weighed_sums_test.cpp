// A mean whose weights are exponentials is right however large their exponents are.
#include "core/graph/weighed_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace headcount {
namespace {

struct Token {
    float key, value;
};

// Sums of exponentials as they are, in numbers that hold them.
double mean_by_hand(const std::vector<Token>& tokens, double fades) {
    long double values = 0, weights = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto later = static_cast<long double>(tokens.size() - 1 - i);
        const long double weight = std::exp(static_cast<long double>(tokens[i].key) - later * fades);
        values += weight * static_cast<long double>(tokens[i].value);
        weights += weight;
    }
    return static_cast<double>(values / weights);
}

float mean_of(const std::vector<Token>& tokens, float fades) {
    WeighedSums<float> sums;
    for (const Token& each : tokens) sums.add(each.key, each.value, fades);
    return sums.values / sums.weights;
}

TEST(WeighedSums, AreThoseOfTheExponentials) {
    const std::vector<Token> tokens{{0.3f, 1}, {-2, 5}, {1.5f, -3}, {0, 2}};
    EXPECT_NEAR(mean_of(tokens, 0.4f), mean_by_hand(tokens, 0.4f), 1e-6);
}

TEST(WeighedSums, HoldWhatNoExponentialDoes) {
    EXPECT_FLOAT_EQ(mean_of({{1000, 2}, {1000, 4}}, 0), 3) << "e^1000 is no float";
    EXPECT_FLOAT_EQ(mean_of({{-1000, 2}, {-1000, 4}}, 0), 3) << "e^(-1000) is 0";
    EXPECT_FLOAT_EQ(mean_of({{-1000, 7}}, 3), 7);
    EXPECT_FLOAT_EQ(mean_of({{900, 2}, {-900, 4}}, 1), 2);
}

TEST(WeighedSums, AreLeftAsTheyAreByAMeanWithOneMore) {
    WeighedSums<float> sums;
    EXPECT_FLOAT_EQ(sums.mean_with(-500, 6), 6) << "the first alone";
    sums.add(0, 2, 0.5f);
    EXPECT_FLOAT_EQ(sums.mean_with(0, 4), 3);
    EXPECT_FLOAT_EQ(sums.values / sums.weights, 2);
}

}  // namespace
}  // namespace headcount
