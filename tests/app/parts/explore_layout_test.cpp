// Claims about where the panels stand.
#include "app/parts/explore_layout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace headcount {
namespace {

std::array<Area, 6> areas(const ExploreLayout& layout) {
    return {layout.top_bar, layout.architecture, layout.canvas, layout.tables, layout.breakdown, layout.inspector};
}

bool overlap(const Area& a, const Area& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

TEST(ExploreLayout, FollowsTheDesignAtItsSize) {
    const ExploreLayout layout = explore_layout({1600, 1000}, 1, 252);
    EXPECT_EQ(layout.top_bar.height(), 48);
    EXPECT_EQ(layout.architecture.width(), 300);
    EXPECT_EQ(layout.inspector.width(), 360);
    EXPECT_EQ(layout.tables.height(), 250);
    EXPECT_EQ(layout.breakdown.height(), 252);
}

TEST(ExploreLayout, GivesASmallWindowNarrowerSidesAndALargeOneWiderOnes) {
    const ExploreLayout small = explore_layout({1280, 720}, 1, 252), large = explore_layout({2560, 1440}, 1, 252);
    EXPECT_EQ(small.architecture.width(), 264);
    EXPECT_EQ(small.inspector.width(), 312);
    EXPECT_EQ(small.tables.height(), 190);
    EXPECT_EQ(large.architecture.width(), 360);
    EXPECT_EQ(large.inspector.width(), 440);
    EXPECT_EQ(large.tables.height(), 360);
}

TEST(ExploreLayout, PanelsNeverOverlapNorLeaveTheWindowHoweverSmallItIs) {
    for (const ImVec2 size : {ImVec2(100, 80), ImVec2(320, 240), ImVec2(960, 600), ImVec2(1280, 720),
                              ImVec2(1600, 1000), ImVec2(2560, 1440), ImVec2(8192, 8192)})
        for (const float scale : {0.75F, 1.0F, 1.1F, 2.0F, 4.0F}) {
            const auto all = areas(explore_layout(size, scale, 252 * scale));
            for (std::size_t i = 0; i < all.size(); ++i) {
                SCOPED_TRACE(testing::Message() << size.x << "x" << size.y << " at " << scale << ", panel " << i);
                const bool stays = i == 0 || i == 2 || (size.x >= 900 * scale && size.y >= 600 * scale);
                EXPECT_FALSE(stays && all[i].empty())
                    << "only what is around the diagram gives way, and only in a small window";
                EXPECT_GE(all[i].min.x, 0);
                EXPECT_GE(all[i].min.y, 0);
                EXPECT_LE(all[i].max.x, size.x);
                EXPECT_LE(all[i].max.y, size.y);
                EXPECT_EQ(all[i].min.x, std::floor(all[i].min.x));
                EXPECT_EQ(all[i].max.y, std::floor(all[i].max.y));
                for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(all[i], all[j])) << j;
            }
        }
}

TEST(ExploreLayout, InASmallWindowTheSidesGiveWayToTheDiagram) {
    const ExploreLayout low = explore_layout({480, 320}, 1, 252), narrow = explore_layout({720, 700}, 1, 252);
    for (const Area& area : {low.architecture, low.tables, low.breakdown, low.inspector}) EXPECT_TRUE(area.empty());
    EXPECT_EQ(low.canvas.width(), 480);
    EXPECT_EQ(low.canvas.max.y, 320);
    EXPECT_TRUE(narrow.inspector.empty());
    EXPECT_FALSE(narrow.architecture.empty());
    EXPECT_FALSE(narrow.tables.empty());
    EXPECT_EQ(narrow.canvas.max.x, 720);
}

TEST(ExploreLayout, LeavesOnePixelBetweenNeighbours) {
    const ExploreLayout layout = explore_layout({1600, 1000}, 1, 252);
    EXPECT_EQ(layout.canvas.min.x - layout.architecture.max.x, 1);
    EXPECT_EQ(layout.inspector.min.x - layout.canvas.max.x, 1);
    EXPECT_EQ(layout.canvas.min.y - layout.top_bar.max.y, 1);
    EXPECT_EQ(layout.tables.min.y - layout.canvas.max.y, 1);
    EXPECT_EQ(layout.inspector.min.y - layout.breakdown.max.y, 1);
}

TEST(ExploreLayout, TheScaleIsNotSoLargeThatTheCanvasHasNoRoom) {
    EXPECT_FLOAT_EQ(largest_scale({1280, 720}), 1.5F);
    EXPECT_FLOAT_EQ(largest_scale({1600, 1000}), 1.85F);
    EXPECT_FLOAT_EQ(largest_scale({2048, 1152}), 2.4F);
    EXPECT_FLOAT_EQ(largest_scale({2048, 600}), 1.25F);
    for (const auto& [size, scale] : {std::pair(ImVec2(1280, 720), 1.25F), {ImVec2(1600, 1000), 1.55F}}) {
        const ExploreLayout layout = explore_layout(size, scale, 252 * scale);
        EXPECT_GE(layout.canvas.width(), 360 * scale);
        EXPECT_GE(layout.canvas.height(), 400 * scale) << "the tables give way first";
        EXPECT_FALSE(layout.inspector.empty());
    }
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000)}) {
        const float scale = largest_scale(size);
        const ExploreLayout layout = explore_layout(size, scale, 252 * scale);
        EXPECT_GE(layout.canvas.width(), 360 * scale) << "what is right of it gives way";
        EXPECT_GE(layout.canvas.height(), 340 * scale) << "and the tables, too";
        EXPECT_FALSE(layout.architecture.empty());
    }
    EXPECT_FLOAT_EQ(largest_scale({320, 320}), 1) << "a tiny picture keeps its legible text";
}

TEST(ExploreLayout, ALongBreakdownLeavesTheInspectorItsPart) {
    const ExploreLayout layout = explore_layout({1280, 720}, 1, 5000);
    EXPECT_GT(layout.inspector.height(), 0.4F * 720);
}

}  // namespace
}  // namespace headcount
