// Claims about what all charts share: keys, the menu, CSV, SVG, the legend.
#include "app/charts/chart.hpp"

#include <gtest/gtest.h>

#include "app/charts/bars.hpp"
#include "app/charts/pen.hpp"
#include "app/ui/made_for.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

std::vector<ChartTarget> grid() {
    std::vector<ChartTarget> targets;
    for (int i = 0; i < 9; ++i) {
        const ImVec2 min(static_cast<float>(i % 3) * 50, static_cast<float>(i / 3) * 50);
        targets.push_back({min, {min.x + 40, min.y + 40}, {}});
    }
    return targets;
}

TEST(NextTarget, IsTheNeighbourInThatDirection) {
    const std::vector<ChartTarget> targets = grid();
    EXPECT_EQ(next_target(targets, 4, {1, 0}), 5);
    EXPECT_EQ(next_target(targets, 4, {-1, 0}), 3);
    EXPECT_EQ(next_target(targets, 4, {0, -1}), 1);
    EXPECT_EQ(next_target(targets, 4, {0, 1}), 7);
    EXPECT_EQ(next_target(targets, 5, {1, 0}), 5);
    EXPECT_EQ(next_target(targets, 77, {1, 0}), 0);
    EXPECT_EQ(next_target({}, 0, {1, 0}), -1);
}

TEST(ChartCsv, QuotesWhatMustBeQuoted) {
    EXPECT_EQ(chart_csv({{"name", "value"}, {{"a, b", "1"}, {"say \"x\"", "2"}}}),
              "name,value\r\n\"a, b\",1\r\n\"say \"\"x\"\"\",2\r\n");
    EXPECT_EQ(chart_number(6'738'415'616), "6738415616");
    EXPECT_EQ(chart_number(0.25), "0.25");
    EXPECT_EQ(chart_number(-3), "-3");
}

TEST(NextTarget, GoesThroughWhatLiesInOnePlace) {
    std::vector<ChartTarget> targets = grid();
    targets.push_back(targets[4]);
    EXPECT_EQ(next_target(targets, 4, {1, 0}), 9);
    EXPECT_EQ(next_target(targets, 9, {1, 0}), 5);
    EXPECT_EQ(next_target(targets, 9, {-1, 0}), 4);
    EXPECT_EQ(next_target(targets, 4, {-1, 0}), 3);
}

TEST(NextTarget, PassesByWhatIsEmpty) {
    std::vector<ChartTarget> targets = grid();
    targets[5].max = targets[5].min;
    EXPECT_EQ(next_target(targets, 4, {1, 0}), 2) << "aslant: the one on the right has no extent";
    targets[0].max = targets[0].min;
    EXPECT_EQ(next_target(targets, 77, {1, 0}), 1) << "the first that is there";
    for (ChartTarget& target : targets) target.max = target.min;
    EXPECT_EQ(next_target(targets, 77, {1, 0}), -1);
}

struct Menu {
    test::Screen screen;
    std::vector<Bar> bars;
    std::optional<ChartAsked> asked;
    std::string of;

    Menu() {
        bars.resize(2);
        bars[0].label = "Width <d>";
        bars[0].symbol = "d_ff";
        bars[0].value = 1024;
        bars[0].text = "1,024";
        bars[1].value = -1;
    }
    auto draw() {
        return [this](const Ui& ui) {
            const MadeFor made_for(ui, [this] { return of; });
            BarChart chart;
            chart.title = "A & B";
            chart.bars = bars;
            ChartResult result = bar_chart(ui, "bars", chart);
            if (result.asked) asked = std::move(result.asked);
        };
    }
    void choose(std::string_view entry) {
        screen.frames(2, draw());
        screen.hands.point(screen.middle_of("bars"));
        screen.frame(draw());
        right(true);
        screen.frame(draw());
        right(false);
        screen.frames(3, draw());
        screen.press(entry, draw());
        screen.frames(2, draw());
    }
    static void right(bool down) {
#if IMGUI_VERSION_NUM >= 18700
        ImGui::GetIO().AddMouseButtonEvent(1, down);
#else
        ImGui::GetIO().MouseDown[1] = down;
#endif
    }
};

TEST(ChartMenu, GivesTheNumbers) {
    Menu menu;
    menu.choose("menu.0");
    ASSERT_TRUE(menu.asked);
    EXPECT_EQ(menu.asked->what, ChartAsked::What::copy_csv);
    EXPECT_EQ(menu.asked->text, "name,value\r\nWidth <d>,1024\r\n,-1\r\n");
}

TEST(ChartMenu, GivesADocumentOfWhatIsDrawn) {
    Menu menu;
    menu.choose("menu.2");
    ASSERT_TRUE(menu.asked);
    EXPECT_EQ(menu.asked->what, ChartAsked::What::save_svg);
    const std::string& svg = menu.asked->text;
    EXPECT_TRUE(svg.starts_with("<?xml"));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("<title>A &amp; B</title>"), svg.npos);
    EXPECT_NE(svg.find("Width &lt;d&gt;"), svg.npos);
    EXPECT_NE(svg.find(">d<tspan"), svg.npos);
    EXPECT_NE(svg.find("1,024"), svg.npos);
    EXPECT_EQ(svg.find("nan"), svg.npos);
}

TEST(ChartMenu, SaysWhatTheChartIsOfInWhatIsSaved) {
    const std::string words = "Llama 2 7B: T = 8 tokens";
    const auto chosen = [&](std::string_view entry) {
        Menu menu;
        menu.of = words;
        menu.choose(entry);
        return menu.asked ? menu.asked->text : "";
    };
    EXPECT_EQ(chosen("menu.0"), "# " + words + "\r\nname,value\r\nWidth <d>,1024\r\n,-1\r\n");
    EXPECT_NE(chosen("menu.2").find(words), std::string::npos);
}

TEST(ChartMenu, APictureIsOfThatChart) {
    Menu menu;
    menu.choose("menu.3");
    ASSERT_TRUE(menu.asked);
    EXPECT_EQ(menu.asked->what, ChartAsked::What::save_png);
    EXPECT_EQ(menu.asked->pixels, 1);
    EXPECT_TRUE(menu.asked->ground);
    EXPECT_TRUE(menu.asked->text.empty());
}

TEST(ChartMenu, APictureMayBeFinerAndWithoutItsGround) {
    Menu menu;
    menu.choose("menu.8");
    ASSERT_TRUE(menu.asked);
    EXPECT_EQ(menu.asked->what, ChartAsked::What::save_png);
    EXPECT_EQ(menu.asked->pixels, 4);
    EXPECT_FALSE(menu.asked->ground);
    // Who asks for the chart of that menu gets it in a list of its own.
    UiMemory::Slide& slide = menu.screen.memory.slide;
    slide.chart = menu.asked->chart;
    menu.screen.frame(menu.draw());
    ASSERT_TRUE(slide.list);
    EXPECT_GT(slide.list->VtxBuffer.Size, 8) << "two bars and their words";
    EXPECT_LT(slide.min.x, slide.max.x);
    slide = {.chart = menu.asked->chart + 1};
    menu.screen.frame(menu.draw());
    EXPECT_FALSE(slide.list);
}

TEST(ChartLegend, GoesOnInANewLineWhereOneIsFull) {
    test::Screen screen;
    screen.frame([](const Ui& ui) {
        const std::vector<ChartSeries> series{{"Weights", 1}, {"KV cache", 2}, {"Activations", 3}};
        const float wide = draw_chart_legend(ui, nullptr, series, {0, 0}, 2000);
        const float narrow = draw_chart_legend(ui, nullptr, series, {0, 0}, 60);
        EXPECT_FLOAT_EQ(narrow, 3 * wide);
        EXPECT_EQ(draw_chart_legend(ui, nullptr, {}, {0, 0}, 60), 0);
    });
}

TEST(Pen, AStrokeMayHaveAsManyPointsAsASweep) {
    test::Screen screen;
    std::vector<ImVec2> points;
    for (int i = 0; i < 20'000; ++i) points.emplace_back(static_cast<float>(i) / 100, static_cast<float>(i % 100));
    screen.frame([&](const Ui&) {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (const float width : {1.0F, 1.5F, 4.0F}) ListPen(list).strokes(points, IM_COL32_WHITE, width);
        EXPECT_GT(list.VtxBuffer.Size, 3 * 2 * 20'000);
    });
}

}  // namespace
}  // namespace headcount
