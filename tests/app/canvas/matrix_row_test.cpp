// Claims about matrices beside each other: one scale, products that meet at a corner, and what gives way.
#include "app/canvas/matrix_row.hpp"

#include <gtest/gtest.h>

#include <array>
#include <tuple>

namespace headcount {
namespace {

MatrixSize matrix(MatrixSpot spot, double rows, double columns, std::vector<Point> words = {{40, 18}}) {
    return {.spot = spot, .rows = rows, .columns = columns, .words = std::move(words)};
}

// (100, 4096) · (4096, 11008).
std::array<MatrixSize, 3> product(const std::vector<Point>& words = {{40, 18}}) {
    return {matrix(MatrixSpot::alone, 100, 4096, words), matrix(MatrixSpot::right, 4096, 11008, words),
            matrix(MatrixSpot::result, 100, 11008, words)};
}

TEST(MatrixRow, AProductMeetsAtACorner) {
    const std::array sizes = product();
    const MatrixRow row = place_matrices(sizes, {.from = {10, 20}, .width = 400, .height = 300});
    const auto& [left, right, made] = std::tie(row.matrices[0].area, row.matrices[1].area, row.matrices[2].area);
    EXPECT_EQ(left.min.y, made.min.y);
    EXPECT_EQ(left.height(), made.height());
    EXPECT_EQ(right.min.x, made.min.x);
    EXPECT_EQ(right.width(), made.width());
    EXPECT_LE(right.max.y, made.min.y);
    EXPECT_LE(left.max.x, made.min.x);
    EXPECT_NEAR(left.width() / right.height(), 1, 0.02) << "what is summed over is as long in both";
    EXPECT_EQ(left.min.x, 10);
    EXPECT_LE(made.max.x, 410);
    EXPECT_TRUE(row.thickened) << "100 rows of 0.03 pixels";
}

TEST(MatrixRow, NothingLeavesTheRoomAndTheRoomIsUsed) {
    for (const auto& [width, height] : {std::pair(300.0F, 1000.0F), {1000.0F, 200.0F}, {600.0F, 600.0F}}) {
        const std::array sizes = product();
        const MatrixRow row = place_matrices(sizes, {.width = width, .height = height});
        EXPECT_LE(row.height, height);
        EXPECT_LE(row.matrices[2].area.max.x, width);
        EXPECT_TRUE(row.height > height - 4 || row.matrices[2].area.max.x > width - 4) << width << " × " << height;
    }
}

TEST(MatrixRow, WordsGiveWayButNeverTheName) {
    const std::vector<Point> words{{200, 18}, {90, 18}, {20, 18}};
    const std::array sizes = product(words);
    EXPECT_EQ(place_matrices(sizes, {.width = 500}).words, 0U);
    EXPECT_EQ(place_matrices(sizes, {.width = 300}).words, 1U);
    EXPECT_EQ(place_matrices(sizes, {.width = 100}).words, 2U);
    const MatrixRow least = place_matrices(sizes, {.width = 30});
    EXPECT_EQ(least.words, 2U) << "the name stays where there is no room for it either";
    EXPECT_LE(least.matrices[1].area.width(), 30);
}

TEST(MatrixRow, WhatDoesNotFitGoesOnBelowRightOfTheLeftFactor) {
    std::vector<MatrixSize> sizes{matrix(MatrixSpot::alone, 10, 100)};
    for (int i = 0; i < 3; ++i) {
        sizes.push_back(matrix(MatrixSpot::right, 100, 100));
        sizes.push_back(matrix(MatrixSpot::bias, 1, 100));
        sizes.push_back(matrix(MatrixSpot::result, 10, 100));
    }
    const MatrixRow all = place_matrices(sizes, {.width = 500, .wrapped = 1});
    EXPECT_EQ(all.matrices[3].area.min.y, all.matrices[9].area.min.y);
    const MatrixRow rows = place_matrices(sizes, {.width = 300, .wrapped = 1});
    EXPECT_GE(rows.cell, 1);
    EXPECT_EQ(rows.matrices[0].area.min.y, rows.matrices[3].area.min.y);
    EXPECT_GT(rows.matrices[7].area.min.y, rows.matrices[3].area.max.y);
    EXPECT_GE(rows.matrices[7].area.min.x, rows.matrices[0].area.max.x);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            EXPECT_FALSE(rows.matrices[i].area.overlaps(rows.matrices[other].area)) << i << " and " << other;
}

TEST(MatrixRow, TheCornerHasTheRoomThatIsAskedFor) {
    const std::array sizes = product();
    const MatrixRow row = place_matrices(sizes, {.width = 600, .corner = {200, 150}});
    ASSERT_TRUE(row.corner);
    EXPECT_GE(row.corner->width(), 200);
    EXPECT_GE(row.corner->height(), 150);
    for (const MatrixRow::Placed& each : row.matrices) EXPECT_FALSE(each.area.overlaps(*row.corner));
}

}  // namespace
}  // namespace headcount
