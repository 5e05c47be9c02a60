// Claims about heat maps: shares of values, colours that order them.
#include "app/charts/heat_map.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

TEST(HeatShares, GoFromTheLeastToTheGreatest) {
    const std::vector<std::optional<double>> values{10, std::nullopt, 20, 30};
    const auto shares = heat_shares(values);
    EXPECT_EQ(shares[0], 0.0);
    EXPECT_EQ(shares[1], std::nullopt);
    EXPECT_EQ(shares[2], 0.5);
    EXPECT_EQ(shares[3], 1.0);
}

TEST(HeatShares, AreAllTheSameOfEqualValues) {
    const std::vector<std::optional<double>> values{4, 4};
    for (const auto& share : heat_shares(values)) EXPECT_EQ(share, 0.5);
    EXPECT_TRUE(heat_shares({}).empty());
}

TEST(HeatColour, StandsOutMoreTheGreaterTheValueInBothThemes) {
    for (const Theme& theme : {dark_theme(), light_theme()}) {
        float before = 0;
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            const float now = contrast(heat_colour(theme, theme.text_high, share), theme.canvas);
            EXPECT_GT(now, before);
            before = now;
        }
    }
}

TEST(HeatMap, CellsTileTheGridAndRowZeroIsBelow) {
    test::Screen screen;
    screen.window = ImVec2(600, 500);
    const std::vector<std::string> columns{"1", "2", "3"}, rows{"10", "20"};
    const std::vector<std::optional<double>> values{1, 2, 3, 4, 5, std::nullopt};
    std::optional<int> clicked;
    const auto draw = [&](const Ui& ui) {
        HeatMap chart;
        chart.title = "Heat";
        chart.columns = columns;
        chart.rows = rows;
        chart.values = values;
        const ChartResult result = heat_map(ui, "heat", chart);
        if (result.clicked) clicked = result.clicked;
    };
    screen.press("heat.4", draw);
    EXPECT_EQ(clicked, 4);
    const NamedRect *first = screen.recorder.find("heat.0"), *right = screen.recorder.find("heat.1"),
                    *above = screen.recorder.find("heat.3");
    ASSERT_TRUE(first && right && above);
    EXPECT_EQ(first->max.x, right->min.x);
    EXPECT_EQ(above->max.y, first->min.y);
}

TEST(HeatMap, NothingIsDrawnOfNothing) {
    test::Screen screen;
    const std::vector<std::string> rows{"1"};
    screen.frames(2, [&](const Ui& ui) {
        HeatMap chart;
        heat_map(ui, "none", chart);
        chart.rows = rows;
        heat_map(ui, "rows", chart);
    });
    EXPECT_TRUE(screen.recorder.find("none"));
}

}  // namespace
}  // namespace headcount
