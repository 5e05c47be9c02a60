// Claims about maps of rows: known vectors come out along known directions, and rows that nothing trained are found.
#include "core/runtime/row_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/runtime/token_rows.hpp"

namespace headcount {
namespace {

struct Rows {
    std::int64_t columns = 0;
    std::vector<float> numbers = {};

    MatrixView view() const {
        const auto rows = static_cast<std::int64_t>(numbers.size()) / columns;
        return {.data = numbers.data(), .rows = rows, .columns = columns, .row_step = columns};
    }
    void add(std::vector<float> row) { numbers.insert(numbers.end(), row.begin(), row.end()); }
};

RowMap map_of(const Rows& rows) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < rows.view().rows; ++i) all.push_back(i);
    PrincipalAxes axes(rows.view(), all);
    while (!axes.pass()) continue;
    return axes.map();
}

// Four points on each of three directions at right angles, of which none is an axis: 3, 2 and 1 from their mean.
Rows three_directions() {
    Rows rows{.columns = 5};
    const float r = 1 / std::sqrt(2.0F);
    const std::vector<std::vector<float>> directions{{r, r, 0, 0, 0}, {r, -r, 0, 0, 0}, {0, 0, 0.6F, 0.8F, 0}};
    for (std::size_t i = 0; i < directions.size(); ++i)
        for (const float sign : {1.0F, -1.0F}) {
            std::vector<float> row{10, 20, 30, 40, 50};
            for (std::size_t j = 0; j < row.size(); ++j) row[j] += sign * static_cast<float>(3 - i) * directions[i][j];
            rows.add(row);
        }
    return rows;
}

TEST(RowMap, KnownVectorsHaveKnownComponents) {
    const RowMap map = map_of(three_directions());
    EXPECT_NEAR(map.shares[0], 9.0 / 14, 1e-5);
    EXPECT_NEAR(map.shares[1], 4.0 / 14, 1e-5);
    ASSERT_EQ(map.points.size(), 6U);
    EXPECT_NEAR(map.points[0][0], 3, 1e-3) << "a component points to where its greatest number is above 0";
    EXPECT_NEAR(map.points[0][1], 0, 1e-3);
    EXPECT_NEAR(map.points[1][0], -3, 1e-3);
    EXPECT_NEAR(std::abs(map.points[2][1]), 2, 1e-3);
    EXPECT_NEAR(map.points[3][1], -map.points[2][1], 1e-3);
    EXPECT_NEAR(map.points[4][0], 0, 1e-3);
    EXPECT_NEAR(map.points[4][1], 0, 1e-3);
}

TEST(RowMap, FewRowsAndEqualOnesHaveOneToo) {
    Rows same{.columns = 2};
    for (int i = 0; i < 3; ++i) same.add({1, 2});
    const RowMap flat = map_of(same);
    EXPECT_EQ(flat.shares[0], 0);
    EXPECT_EQ(flat.points[2][0], 0);
    Rows line{.columns = 2};
    line.add({0, 0});
    line.add({3, 4});
    const RowMap along = map_of(line);
    EXPECT_NEAR(along.shares[0], 1, 1e-6);
    EXPECT_NEAR(along.points[1][0], 2.5, 1e-5);
}

TEST(RowMap, APassThatIsStoppedCountsAsNotBegun) {
    const Rows rows = three_directions();
    PrincipalAxes axes(rows.view(), {0, 1, 2, 3, 4, 5});
    const std::atomic<bool> stop{true};
    EXPECT_FALSE(axes.pass({{}, &stop}));
    EXPECT_EQ(axes.passes(), 0);
    while (!axes.pass()) continue;
    EXPECT_NEAR(axes.map().shares[0], 9.0 / 14, 1e-5);
}

TEST(TokenRows, TheNearestPointTheSameWayHoweverLongTheyAre) {
    Rows rows{.columns = 2};
    for (const auto& row : std::vector<std::vector<float>>{{1, 0}, {100, 1}, {0, 1}, {-1, 0}, {0, 0}, {3, 4}})
        rows.add(row);
    const std::vector<NearRow> near = nearest_rows(rows.view(), 0, 6, 3);
    ASSERT_EQ(near.size(), 3U);
    EXPECT_EQ(near[0].row, 1);
    EXPECT_NEAR(near[0].cosine, 100 / std::sqrt(10001.0), 1e-9);
    EXPECT_EQ(near[1].row, 5);
    EXPECT_NEAR(near[1].cosine, 0.6, 1e-7);
    EXPECT_EQ(near[2].row, 2);
    EXPECT_EQ(near[2].cosine, 0);
    EXPECT_EQ(nearest_rows(rows.view(), 0, 3, 9).size(), 2U) << "of the first three";
}

TEST(TokenRows, WhatLiesWithTheReferencesWasNeverTrained) {
    Rows rows{.columns = 3};
    for (int i = 0; i < 8; ++i) rows.add({5 + 0.1F * static_cast<float>(i % 2), 0.1F * static_cast<float>(i % 3), 0});
    rows.add({2, 0, 0});
    const std::vector<std::int32_t> references{0, 1, 2, 3, 4};
    const auto found = trained_rows(rows.view(), references);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->untrained(6));
    EXPECT_FALSE(found->untrained(8));
    EXPECT_EQ(found->count_untrained(), 8);
    EXPECT_EQ(found->references, 5);
    EXPECT_FALSE(trained_rows(rows.view(), std::span(references).first(3))) << "too few to measure by";
}

}  // namespace
}  // namespace headcount
