// Claims about bars: lengths in proportion from one zero line; and about pointing at them.
#include "app/charts/bars.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

std::vector<Bar> bars_of(std::initializer_list<double> values) {
    std::vector<Bar> bars;
    for (const double value : values) {
        bars.push_back({});
        bars.back().label = "bar " + std::to_string(bars.size());
        bars.back().value = value;
        bars.back().text = std::to_string(static_cast<int>(value));
    }
    return bars;
}

TEST(BarSpans, AreProportionalFromOneZeroLine) {
    float zero = 0;
    const std::vector<BarSpan> spans = bar_spans(bars_of({300, -100, 150}), 400, &zero);
    EXPECT_FLOAT_EQ(zero, 100);
    EXPECT_FLOAT_EQ(spans[0].from, 100);
    EXPECT_FLOAT_EQ(spans[0].to, 400);
    EXPECT_FLOAT_EQ(spans[1].from, 0);
    EXPECT_FLOAT_EQ(spans[1].to, 100);
    EXPECT_FLOAT_EQ(spans[2].to, 250);
}

TEST(BarSpans, BeginAtTheLeftWhereNothingIsNegative) {
    float zero = -1;
    const std::vector<BarSpan> spans = bar_spans(bars_of({1, 4}), 100, &zero);
    EXPECT_EQ(zero, 0);
    EXPECT_FLOAT_EQ(spans[0].to, 25);
    EXPECT_FLOAT_EQ(spans[1].to, 100);
}

TEST(BarSpans, WhatIsSomethingIsSeenAndWhatIsNothingIsNot) {
    const std::vector<BarSpan> spans = bar_spans(bars_of({1e12, 1, 0, -1}), 200);
    EXPECT_GE(spans[1].to - spans[1].from, 1);
    EXPECT_EQ(spans[2].to, spans[2].from);
    EXPECT_GE(spans[3].to - spans[3].from, 1);
    for (const BarSpan& span : spans) {
        EXPECT_GE(span.from, 0);
        EXPECT_LE(span.to, 200);
    }
    for (const BarSpan& span : bar_spans(bars_of({0, 0}), 200)) EXPECT_EQ(span.from, span.to);
}

TEST(BarChart, IsPointedAtByTheMouseAndByTheArrowKeys) {
    test::Screen screen;
    const std::vector<Bar> bars = bars_of({5, 3, -2});
    std::optional<int> hovered, clicked;
    const auto draw = [&](const Ui& ui) {
        BarChart chart;
        chart.title = "Bars";
        chart.bars = bars;
        const ChartResult result = bar_chart(ui, "bars", chart);
        hovered = result.hovered;
        if (result.clicked) clicked = result.clicked;
    };
    screen.press("bars.1", draw);
    EXPECT_EQ(hovered, 1);
    EXPECT_EQ(clicked, 1);
    screen.hands.point({-50, -50});
    clicked.reset();
    screen.key(ImGuiKey_Tab, draw);
    screen.key(ImGuiKey_DownArrow, draw);
    EXPECT_EQ(hovered, 2);
    screen.key(ImGuiKey_UpArrow, draw);
    screen.key(ImGuiKey_UpArrow, draw);
    EXPECT_EQ(hovered, 0);
    screen.key(ImGuiKey_Space, draw);
    EXPECT_EQ(clicked, 0);
}

}  // namespace
}  // namespace headcount
