// Claims about the overview strip: 32 layers look like 32 times one layer.
#include "app/charts/strip.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

std::vector<StripPart> model(std::int64_t layers) {
    return {{.size = 100, .id = 1, .name = "embedding"},
            {.size = 200, .id = 2, .repeat = layers, .group = 0, .name = "attention"},
            {.size = 400, .id = 3, .repeat = layers, .group = 0, .name = "feed_forward"},
            {.size = 100, .id = 4, .name = "output"}};
}

TEST(StripRuns, EveryLayerIsDrawnAsWideAsTheFirst) {
    const auto parts = model(32);
    const auto runs = strip_runs(parts, 900);
    ASSERT_EQ(runs.size(), 2u + 2 * 32);
    const double scale = 900.0 / (200 + 32 * 600);
    for (const StripRun& run : runs) {
        if (run.part == 1) {
            EXPECT_NEAR(run.to - run.from, 200 * scale, 0.01);
        }
    }
    EXPECT_NEAR(runs.front().to, 100 * scale, 0.01);
    EXPECT_FLOAT_EQ(runs.back().to, 900);
    EXPECT_EQ(runs[2].layer, 0);
    EXPECT_EQ(runs[3].layer, 1);
}

TEST(StripRuns, ThinLayersMergeIntoOneBand) {
    const auto runs = strip_runs(model(1000), 900);
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_TRUE(runs[1].merged);
    EXPECT_NEAR(runs[1].to - runs[1].from, 900.0 * 600'000 / 600'200, 0.1);
}

TEST(StripRuns, TheCostIsBoundHoweverManyLayers) {
    for (const std::int64_t layers : {1, 10, 100, 449, 450, 1000, 100'000, 1'000'000'000})
        EXPECT_LE(strip_runs(model(layers), 900).size(), 2u + 900);
}

TEST(StripRuns, NothingForNothing) {
    EXPECT_TRUE(strip_runs({}, 900).empty());
    EXPECT_TRUE(strip_runs(model(3), 0).empty());
    const std::vector<StripPart> empty(3);
    EXPECT_TRUE(strip_runs(empty, 100).empty());
}

TEST(StripPlace, FindsPartAndLayer) {
    const auto parts = model(2);  // 100, 200 400, 200 400, 100: 1400 in all
    const float width = 1400;
    EXPECT_EQ(strip_place(parts, width, 50), (StripPlace{0, 0}));
    EXPECT_EQ(strip_place(parts, width, 150), (StripPlace{1, 0}));
    EXPECT_EQ(strip_place(parts, width, 350), (StripPlace{2, 0}));
    EXPECT_EQ(strip_place(parts, width, 750), (StripPlace{1, 1}));
    EXPECT_EQ(strip_place(parts, width, 1200), (StripPlace{2, 1}));
    EXPECT_EQ(strip_place(parts, width, 1350), (StripPlace{3, 0}));
    EXPECT_EQ(strip_place(parts, width, -1), std::nullopt);
    EXPECT_EQ(strip_place(parts, width, 1400), std::nullopt);
}

TEST(StripPlace, FindsALayerInAMergedBand) {
    const auto parts = model(1000);
    const auto hit = strip_place(parts, 900, 450);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(static_cast<double>(hit->layer), 500, 2);
}

TEST(Strip, PressingAPartReportsIt) {
    test::Screen screen;
    const auto parts = model(8);
    std::optional<StripHit> clicked;
    const auto draw = [&](const Ui& ui) {
        Strip chart;
        chart.parts = parts;
        chart.selected = StripHit{3, 2};
        if (const auto result = strip(ui, "overview", chart); result.clicked) clicked = result.clicked;
    };
    screen.press("overview.part.attention", draw);
    EXPECT_EQ(clicked, (StripHit{2, 0}));
}

}  // namespace
}  // namespace headcount
