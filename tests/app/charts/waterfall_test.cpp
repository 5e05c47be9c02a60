// Claims about the waterfall: it leads from one total to the other, step by step.
#include "app/charts/waterfall.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

const std::vector<double> llama{394'264'576, 394'264'576, -805'306'368, 1'308'622'848, 0};

TEST(Waterfall, EachStepBeginsWhereTheOneBeforeEndedAndTheLastMeetsTheTotal) {
    const WaterfallPlan plan = waterfall_plan(6'738'415'616, 8'030'261'248, llama);
    ASSERT_EQ(plan.steps.size(), 5u);
    EXPECT_EQ(plan.steps.front().from, 6'738'415'616);
    for (std::size_t i = 1; i < plan.steps.size(); ++i) EXPECT_EQ(plan.steps[i].from, plan.steps[i - 1].to);
    EXPECT_EQ(plan.steps.back().to, 8'030'261'248);
}

TEST(Waterfall, TheAxisIsBrokenWhereTheStepsAreSmallBesideTheTotals) {
    const WaterfallPlan close = waterfall_plan(6'738'415'616, 8'030'261'248, llama);
    EXPECT_TRUE(close.broken);
    EXPECT_GT(close.axis.from, 5e9);
    EXPECT_LT(close.axis.from, 6.738e9);
    const std::vector<double> tenfold{9e9};
    const WaterfallPlan far = waterfall_plan(1e9, 1e10, tenfold);
    EXPECT_FALSE(far.broken);
    EXPECT_EQ(far.axis.from, 0);
}

TEST(Waterfall, EveryEndLiesOnTheAxisWhateverTheChanges) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> change(-2e9, 2e9);
    for (int i = 0; i < 300; ++i) {
        std::vector<double> changes(static_cast<std::size_t>(i % 9));
        double to = 5e9;
        for (double& each : changes) to += each = change(random);
        const WaterfallPlan plan = waterfall_plan(5e9, to, changes);
        EXPECT_LT(plan.axis.from, plan.axis.to);
        for (const WaterfallBar& bar : plan.steps) {
            EXPECT_GE(plan.axis.position(bar.from), -1e-9);
            EXPECT_LE(plan.axis.position(bar.to), 1 + 1e-9);
        }
        if (!plan.broken) {
            EXPECT_LE(plan.axis.from, 0);
        }
    }
}

TEST(Waterfall, TwoEqualTotalsAreStillDrawn) {
    const WaterfallPlan plan = waterfall_plan(7e9, 7e9, {});
    EXPECT_LT(plan.axis.from, plan.axis.to);
    EXPECT_TRUE(plan.steps.empty());
    const WaterfallPlan nothing = waterfall_plan(0, 0, {});
    EXPECT_LT(nothing.axis.from, nothing.axis.to);
}

TEST(Waterfall, PressingARowReportsIt) {
    test::Screen screen;
    screen.window = ImVec2(500, 700);
    std::vector<WaterfallStep> steps;
    for (const double change : llama) {
        steps.push_back({});
        steps.back().label = "Step";
        steps.back().formula = "d · ΔV";
        steps.back().change = change;
        steps.back().text = "+1";
        steps.back().name = "step" + std::to_string(steps.size());
    }
    std::optional<int> clicked;
    const auto draw = [&](const Ui& ui) {
        Waterfall chart;
        chart.title = "Difference";
        chart.from_label = "A";
        chart.to_label = "B";
        chart.from = 6'738'415'616;
        chart.to = 8'030'261'248;
        chart.steps = steps;
        const ChartResult result = waterfall(ui, "difference", chart);
        if (result.clicked) clicked = result.clicked;
    };
    screen.press("difference.step4", draw);
    EXPECT_EQ(clicked, 3);
}

TEST(Waterfall, TheGroundOfARowLiesBelowTheWordsOfTheOneAbove) {
    test::Screen screen;
    screen.window = ImVec2(500, 400);
    std::vector<WaterfallStep> steps(2);
    for (WaterfallStep& step : steps) {
        step.formula = "2 · L · d · Δh_kv";
        step.change = 10;
        step.text = "+10";
    }
    steps[0].label = "Upper";
    steps[1].label = "Lower";
    steps[1].selected = true;
    std::size_t words = 0, ground = 0;
    screen.frames(2, [&](const Ui& ui) {
        Waterfall chart;
        chart.from_label = "A";
        chart.to_label = "B";
        chart.from = 100;
        chart.to = 120;
        chart.steps = steps;
        chart.row_height = 33;
        waterfall(ui, "difference", chart);
        // The first vertex of each; the axis, above, has the words' colour too.
        words = ground = 0;
        const ImDrawList& list = *ImGui::GetWindowDrawList();
        for (int i = list.VtxBuffer.Size; i-- > 0;) {
            const ImDrawVert& vertex = list.VtxBuffer[i];
            if (vertex.col == selected_tint(ui.theme)) ground = static_cast<std::size_t>(i);
            if (vertex.col == ui.theme.text_low && vertex.pos.y > 50) words = static_cast<std::size_t>(i);
        }
    });
    ASSERT_GT(ground, 0U);
    ASSERT_GT(words, 0U);
    EXPECT_LT(ground, words);
}

}  // namespace
}  // namespace headcount
