// Claims about scattered points: names never touch, lines end at the axes.
#include "app/charts/scatter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

const ChartArea square{{0, 0}, {400, 300}};

bool touch(const PlacedName& a, const PlacedName& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

TEST(PlaceNames, NoneTouchesAnotherNorAPointNorLeavesTheArea) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> x(0, 400), y(0, 300), width(10, 120);
    for (int round = 0; round < 20; ++round) {
        std::vector<ImVec2> centres, extents;
        std::vector<float> radii(40, 4.0F);
        for (int i = 0; i < 40; ++i) {
            centres.emplace_back(x(random), y(random));
            extents.emplace_back(width(random), 14.0F);
        }
        const std::vector<PlacedName> names = place_names(centres, radii, extents, square, 4);
        EXPECT_GT(names.size(), 5u);
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_GE(names[i].min.x, 0);
            EXPECT_LE(names[i].max.x, 400);
            EXPECT_GE(names[i].min.y, 0);
            EXPECT_LE(names[i].max.y, 300);
            for (std::size_t k = i + 1; k < names.size(); ++k) EXPECT_FALSE(touch(names[i], names[k]));
            for (const ImVec2 point : centres) {
                const bool covered = point.x > names[i].min.x && point.x < names[i].max.x && point.y > names[i].min.y &&
                                     point.y < names[i].max.y;
                EXPECT_FALSE(covered);
            }
        }
    }
}

TEST(PlaceNames, KeepOffTheLineThatJoinsTheirPoints) {
    const std::vector<ImVec2> centres{{60, 100}, {160, 120}, {260, 130}}, extents(3, ImVec2(80, 14));
    const std::vector<float> radii(3, 4.0F);
    const std::vector<std::vector<ImVec2>> line{centres};
    const auto struck = [&](const PlacedName& name) { return !cut_line(centres, {name.min, name.max}).empty(); };
    EXPECT_TRUE(std::ranges::any_of(place_names(centres, radii, extents, square, 4), struck));
    const std::vector<PlacedName> names = place_names(centres, radii, extents, square, 4, line);
    EXPECT_EQ(names.size(), 3u);
    EXPECT_TRUE(std::ranges::none_of(names, struck));
}

// How far a name's box is from a point.
float away(const PlacedName& name, ImVec2 point) {
    return std::hypot(point.x - std::clamp(point.x, name.min.x, name.max.x),
                      point.y - std::clamp(point.y, name.min.y, name.max.y));
}

TEST(PlaceNames, EachStandsAtItsOwnPointAndAtNoOther) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> x(0, 8), y(0, 300), width(10, 120);
    for (int round = 0; round < 50; ++round) {
        std::vector<ImVec2> centres, extents;
        const std::vector<float> radii(40, 4.0F);
        for (int i = 0; i < 40; ++i) {
            centres.emplace_back(std::floor(x(random)) * 50, y(random));  // in columns, as years are
            extents.emplace_back(width(random), 14.0F);
        }
        for (const PlacedName& name : place_names(centres, radii, extents, square, 4))
            for (std::size_t i = 0; i < centres.size(); ++i) {
                const ImVec2 own = centres[static_cast<std::size_t>(name.point)];
                if (std::hypot(centres[i].x - own.x, centres[i].y - own.y) < 1) continue;
                EXPECT_GT(away(name, centres[i]), away(name, own)) << "round " << round << ", point " << name.point;
            }
    }
}

TEST(PlaceNames, TheFirstHasTheRoom) {
    const std::vector<ImVec2> centres{{200, 150}, {201, 150}}, extents{{60, 14}, {60, 14}};
    const std::vector<float> radii{4, 4};
    const std::vector<PlacedName> names = place_names(centres, radii, extents, square, 4);
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(names.front().point, 0);
}

TEST(CutLine, EndsAtTheEdges) {
    const std::vector<ImVec2> across{{-100, 150}, {500, 150}};
    const auto pieces = cut_line(across, square);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_FLOAT_EQ(pieces[0].front().x, 0);
    EXPECT_FLOAT_EQ(pieces[0].back().x, 400);
    const std::vector<ImVec2> outside{{-100, -10}, {500, -10}};
    EXPECT_TRUE(cut_line(outside, square).empty());
    const std::vector<ImVec2> roof{{50, 250}, {200, 100}, {350, 100}};
    ASSERT_EQ(cut_line(roof, square).size(), 1u);
    EXPECT_EQ(cut_line(roof, square)[0].size(), 3u);
    const std::vector<ImVec2> leaves{{100, 150}, {100, -50}, {300, -50}, {300, 150}};
    EXPECT_EQ(cut_line(leaves, square).size(), 2u);
}

TEST(ScatterChart, APointIsFoundBesideItToo) {
    test::Screen screen;
    screen.window = ImVec2(500, 500);
    std::vector<ScatterPoint> points(2);
    points[0].x = points[0].y = 1e3;
    points[1].x = points[1].y = 1e6;
    points[1].name = "large";
    std::optional<int> hovered, clicked;
    const auto draw = [&](const Ui& ui) {
        ScatterChart chart;
        chart.title = "Points";
        chart.x = chart.y = axis_over({1e3, 1e6}, true, AxisUnit::count);
        chart.points = points;
        const ChartResult result = scatter_chart(ui, "points", chart);
        hovered = result.hovered;
        if (result.clicked) clicked = result.clicked;
    };
    screen.frame(draw);
    const ImVec2 at = screen.middle_of("points.large");
    screen.press_at({at.x + 7, at.y}, draw);
    EXPECT_EQ(hovered, 1);
    EXPECT_EQ(clicked, 1);
    screen.hands.point({at.x + 60, at.y});
    screen.frames(2, draw);
    EXPECT_EQ(hovered, std::nullopt);
}

TEST(LineChart, TheNearestPointIsPointedAt) {
    test::Screen screen;
    screen.window = ImVec2(500, 500);
    std::vector<LinePoint> points;
    for (int i = 0; i < 5; ++i) {
        points.push_back({});
        points.back().x = i;
        points.back().y = i * i;
    }
    std::optional<int> hovered;
    const auto draw = [&](const Ui& ui) {
        LineChart chart;
        chart.title = "Line";
        chart.x = axis_over({0, 4}, false, AxisUnit::plain);
        chart.y = axis_over({0, 16}, false, AxisUnit::plain);
        chart.points = points;
        hovered = line_chart(ui, "line", chart).hovered;
    };
    screen.frame(draw);
    const ImVec2 at = screen.middle_of("line.3");
    screen.hands.point({at.x + 2, at.y + 6});
    screen.frames(2, draw);
    EXPECT_EQ(hovered, 3);
}

}  // namespace
}  // namespace headcount
