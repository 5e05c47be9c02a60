// Claims about the donut as data: arcs, picking; and about pressing it.
#include "app/charts/donut.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

constexpr float turn = 6.2831853F;

std::vector<DonutSlice> slices(std::initializer_list<double> fractions) {
    std::vector<DonutSlice> all;
    for (const double fraction : fractions) all.push_back({.fraction = fraction, .id = static_cast<int>(all.size())});
    return all;
}

TEST(DonutArcs, AreProportionalAndClose) {
    const auto arcs = donut_arcs(slices({0.5, 0.25, 0.25}), 0.01F);
    EXPECT_FLOAT_EQ(arcs[0].from, 0);
    EXPECT_NEAR(arcs[0].to, turn / 2, 1e-4);
    EXPECT_NEAR(arcs[1].to, turn * 0.75, 1e-4);
    EXPECT_NEAR(arcs[2].to, turn, 1e-4);
}

TEST(DonutArcs, ATinySliceIsVisibleAndTheRestStaysInProportion) {
    const auto arcs = donut_arcs(slices({0.6, 0.39996, 0.00004}), 0.05F);
    EXPECT_NEAR(arcs[2].to - arcs[2].from, 0.05F, 1e-5);
    EXPECT_NEAR(arcs[2].to, turn, 1e-4);
    EXPECT_NEAR((arcs[0].to - arcs[0].from) / (arcs[1].to - arcs[1].from), 0.6 / 0.39996, 1e-3);
}

TEST(DonutArcs, ManyTinySlicesNeverExceedTheCircle) {
    std::vector<DonutSlice> many(500, DonutSlice{.fraction = 0.001});
    many.push_back({.fraction = 0.5});
    const auto arcs = donut_arcs(many, 0.05F);
    EXPECT_LE(arcs.back().to, turn + 1e-3);
    for (const DonutArc arc : arcs) EXPECT_GT(arc.to, arc.from);
}

TEST(DonutArcs, NothingIsDrawnForNothing) {
    EXPECT_TRUE(donut_arcs({}, 0.05F).empty());
    const auto arcs = donut_arcs(slices({1.0, 0.0}), 0.05F);
    EXPECT_EQ(arcs[1].from, arcs[1].to);
    EXPECT_NEAR(arcs[0].to, turn, 1e-4);
}

TEST(OuterArcs, StayInsideTheirComponent) {
    auto outer = slices({0.3, 0.3, 0.2, 0.2});
    outer[0].component = outer[1].component = 0;
    outer[2].component = outer[3].component = 1;
    const auto inner = donut_arcs(slices({0.6, 0.4}), 0.01F);
    const auto arcs = outer_arcs(outer, inner, 0.01F);
    EXPECT_FLOAT_EQ(arcs[0].from, inner[0].from);
    EXPECT_NEAR(arcs[1].to, inner[0].to, 1e-4);
    EXPECT_NEAR(arcs[2].from, inner[1].from, 1e-4);
    EXPECT_NEAR(arcs[3].to, inner[1].to, 1e-4);
}

TEST(DonutPick, FindsEverySliceAtItsMiddle) {
    auto outer = slices({0.3, 0.3, 0.2, 0.2});
    outer[0].component = outer[1].component = 0;
    outer[2].component = outer[3].component = 1;
    const auto inner = donut_arcs(slices({0.6, 0.4}), 0.01F);
    const auto arcs = outer_arcs(outer, inner, 0.01F);
    const DonutRadii radii = donut_radii(100);
    const auto at = [&](float angle, float radius) {
        return donut_pick(ImVec2(200 + radius * std::sin(angle), 200 - radius * std::cos(angle)), ImVec2(200, 200),
                          radii, inner, arcs);
    };
    for (int i = 0; i < 4; ++i) {
        const auto index = static_cast<std::size_t>(i);
        EXPECT_EQ(at((arcs[index].from + arcs[index].to) / 2, 95), (DonutHit{true, i}));
    }
    for (int i = 0; i < 2; ++i) {
        const auto index = static_cast<std::size_t>(i);
        EXPECT_EQ(at((inner[index].from + inner[index].to) / 2, 75), (DonutHit{false, i}));
    }
    EXPECT_EQ(at(1, 20), std::nullopt) << "the hole";
    EXPECT_EQ(at(1, 130), std::nullopt) << "outside";
}

TEST(Donut, PressingASliceReportsItsId) {
    test::Screen screen;
    std::vector<DonutSlice> components = slices({0.7, 0.3});
    components[0].name = "feed_forward";
    components[1].name = "attention";
    std::vector<DonutSlice> tensors = slices({0.4, 0.3, 0.3});
    tensors[0].component = tensors[1].component = 0;
    tensors[2].component = 1;
    tensors[1].name = "up";
    std::optional<int> component, tensor;
    const auto draw = [&](const Ui& ui) {
        Donut chart;
        chart.components = components;
        chart.tensors = tensors;
        chart.selected_tensor = 1;
        chart.value = "6.74 B";
        const DonutResult result = donut(ui, "breakdown", chart);
        if (result.clicked_component) component = result.clicked_component;
        if (result.clicked_tensor) tensor = result.clicked_tensor;
    };
    screen.press("breakdown.slice.attention", draw);
    EXPECT_EQ(component, 1);
    EXPECT_EQ(tensor, std::nullopt);
    screen.press("breakdown.slice.up", draw);
    EXPECT_EQ(tensor, 1);
}

}  // namespace
}  // namespace headcount
