// Rates and rules of thumb, against figures that are known.
#include "core/analysis/rates.hpp"

#include <gtest/gtest.h>

#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

TEST(Rates, TheRuleIsTwoOperationsAParameterForwardsAndSixInTraining) {
    EXPECT_EQ(operations_by_rule(1'000'000'000, 1, false), 2e9);
    EXPECT_EQ(operations_by_rule(1'000'000'000, 3, true), 18e9);
    // GPT-3 175B on 300 B tokens: 3.14e23 (Brown et al. 2020, table D.1).
    EXPECT_NEAR(operations_by_rule(174'600'000'000, 300e9, true), 3.14e23, 0.01e23);
}

TEST(Rates, OfNothingAreNothing) {
    EXPECT_EQ(intensity_of({}, 0), 0);
    EXPECT_EQ(tokens_per_second(100, 0), 0);
    EXPECT_EQ(percent_of(Parameters{}, Component::attention), 0);
}

TEST(Rates, TheRidgeIsWhereBothBoundsMeet) {
    const Roof roof{312e12, 1555e9};  // A100 40 GB
    EXPECT_NEAR(ridge_of(roof), 200.6, 0.1);
    const Flops flops{.causal = 400, .full = 600};
    EXPECT_EQ(intensity_of(flops, 2), 200);
    EXPECT_EQ(tokens_per_second(100, 0.5), 200);
}

}  // namespace
}  // namespace headcount
