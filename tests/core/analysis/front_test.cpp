// The front of answers to a wish.
#include <gtest/gtest.h>

#include <vector>

#include "core/analysis/solve.hpp"

namespace headcount {
namespace {

TEST(Front, OfSeveralAtOnePointTheNearestStandsForAll) {
    Wish wish;
    wish.shown = {Metric::cache, Metric::total};
    constexpr std::size_t many = 40;  // more than are sorted by insertion, which would leave them in order
    const std::vector<Answer> alike(many, Answer{.values = {}, .figures = {7, 7}});
    EXPECT_EQ(front_of(wish, alike, 0, 1), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace headcount
