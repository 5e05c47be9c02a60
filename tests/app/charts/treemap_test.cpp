// Claims about treemaps: areas in proportion, covering the rectangle, none over another.
#include "app/charts/treemap.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

double size_of(const ChartArea& area) {
    return static_cast<double>(area.max.x - area.min.x) * static_cast<double>(area.max.y - area.min.y);
}

bool overlap(const ChartArea& a, const ChartArea& b) {
    constexpr float slack = 0.01F;
    return a.min.x + slack < b.max.x && b.min.x + slack < a.max.x && a.min.y + slack < b.max.y &&
           b.min.y + slack < a.max.y;
}

const ChartArea whole{{10, 20}, {410, 320}};

std::vector<ChartArea> squarified(const std::vector<double>& values) {
    std::vector<Tile> tiles(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) tiles[i].value = values[i];
    return tile_areas(tiles, whole);
}

TEST(Squarified, AreasAreProportionalAndTileTheRectangle) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> value(0.01, 100);
    for (int round = 0; round < 40; ++round) {
        std::vector<double> values(static_cast<std::size_t>(1 + round));
        double sum = 0;
        for (double& each : values) sum += each = value(random);
        const std::vector<ChartArea> areas = squarified(values);
        double covered = 0;
        for (std::size_t i = 0; i < areas.size(); ++i) {
            EXPECT_NEAR(size_of(areas[i]), values[i] / sum * size_of(whole), 0.05 * size_of(areas[i]) + 0.5);
            EXPECT_GE(areas[i].min.x, whole.min.x - 0.01F);
            EXPECT_LE(areas[i].max.x, whole.max.x + 0.01F);
            EXPECT_GE(areas[i].min.y, whole.min.y - 0.01F);
            EXPECT_LE(areas[i].max.y, whole.max.y + 0.01F);
            for (std::size_t k = i + 1; k < areas.size(); ++k) EXPECT_FALSE(overlap(areas[i], areas[k]));
            covered += size_of(areas[i]);
        }
        EXPECT_NEAR(covered, size_of(whole), 1);
    }
}

TEST(Squarified, AFewEqualValuesAreNearlySquares) {
    const std::vector<double> values(12, 1.0);
    for (const ChartArea& area : squarified(values)) {
        const float ratio = (area.max.x - area.min.x) / (area.max.y - area.min.y);
        EXPECT_GT(ratio, 0.5F);
        EXPECT_LT(ratio, 2.0F);
    }
}

TEST(Squarified, WhatIsNothingHasNoArea) {
    const std::vector<double> values{3, 0, -1, std::numeric_limits<double>::quiet_NaN()};
    const std::vector<ChartArea> areas = squarified(values);
    EXPECT_NEAR(size_of(areas[0]), size_of(whole), 1);
    for (std::size_t i = 1; i < areas.size(); ++i) EXPECT_EQ(size_of(areas[i]), 0);
    const std::vector<double> nothing(3, 0.0);
    for (const ChartArea& area : squarified(nothing)) EXPECT_EQ(size_of(area), 0);
    EXPECT_TRUE(squarified({}).empty());
}

TEST(TileAreas, AGroupsTilesLieTogether) {
    std::vector<Tile> tiles(6);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i].value = static_cast<double>(i + 1);
        tiles[i].group = i < 3 ? 0 : 1;
    }
    const std::vector<ChartArea> areas = tile_areas(tiles, whole);
    // Each group covers a rectangle: the box around its tiles is as large as they are.
    for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
        ChartArea box = areas[first];
        double sum = 0;
        for (std::size_t i = first; i < first + 3; ++i) {
            box.min = {std::min(box.min.x, areas[i].min.x), std::min(box.min.y, areas[i].min.y)};
            box.max = {std::max(box.max.x, areas[i].max.x), std::max(box.max.y, areas[i].max.y)};
            sum += size_of(areas[i]);
        }
        EXPECT_NEAR(size_of(box), sum, 1);
    }
}

TEST(Treemap, PressingATileReportsIt) {
    test::Screen screen;
    std::vector<Tile> tiles(3);
    tiles[0].value = 5;
    tiles[1].value = 3;
    tiles[2].name = "small";
    tiles[2].value = 1;
    std::optional<int> clicked;
    screen.press("map.small", [&](const Ui& ui) {
        Treemap chart;
        chart.title = "Map";
        chart.tiles = tiles;
        const ChartResult result = treemap(ui, "map", chart);
        if (result.clicked) clicked = result.clicked;
    });
    EXPECT_EQ(clicked, 2);
}

}  // namespace
}  // namespace headcount
