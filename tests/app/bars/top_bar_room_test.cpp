// What of the top bar has room, however wide the window, the total and the interface are.
#include <imgui_internal.h>

#include "app/bars/panels.hpp"
#include "app/parts/words.hpp"
#include "app/ui/veil.hpp"
#include "tests/support/top_bar.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::session_of;
using test::Workbench;

const ImVec2 bar_of_1280(1280, 48);

TEST(TopBar, NothingOverlapsInANarrowWindowHoweverLargeTheTotal) {
    Workbench bench(test::draw_bar, "llama-2-7b", bar_of_1280);
    Document edited = bench.session.document;
    edited.architecture.layers = 4000000000;
    headcount::apply(bench.session, Intents{Replace{edited, Field::layers, true}});
    bench.frames(2);
    const std::vector<std::string> order{"topbar.preset", "topbar.undo",   "topbar.redo",  "topbar.view",
                                         "topbar.ask",    "topbar.change", "topbar.total", "topbar.tours",
                                         "topbar.theme",  "topbar.help"};
    float right = 0;
    for (const std::string& name : order) {
        const NamedRect* const rect = bench.screen.recorder.find(name);
        if (!rect) continue;  // left out for want of room
        EXPECT_GE(rect->min.x, right) << name;
        right = rect->max.x;
    }
    EXPECT_LE(right, bar_of_1280.x);
    EXPECT_TRUE(bench.has("topbar.total"));
}

// What stands in the bar, from left to right, does not overlap.
void expect_order(const Workbench& bench) {
    float right = 0;
    for (const char* name : {"topbar.preset", "topbar.unverified", "topbar.swap", "topbar.other", "topbar.file",
                             "topbar.undo", "topbar.redo", "topbar.view", "topbar.ask", "topbar.change", "topbar.total",
                             "topbar.tours", "topbar.copy", "topbar.theme", "topbar.help"}) {
        const NamedRect* const rect = bench.screen.recorder.find(name);
        if (!rect) continue;
        EXPECT_GE(rect->min.x, right) << name;
        right = rect->max.x;
    }
    EXPECT_LE(right, bench.screen.window.x);
}

TEST(TopBar, TheViewsStandAtOnePlaceWhateverIsShown) {
    for (const float width : {2560.0F, 1920.0F, 1600.0F, 1440.0F, 1280.0F, 1164.0F, test::least_bar}) {
        SCOPED_TRACE(width);
        Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(width, 48));
        bench.ask(ShowWorkspace{compare_view});
        bench.ask(AtCompare{CompareWithPreset{"llama-3-8b"}});
        bench.ask(AtDesk{OpenSheet{"1-one-head", {}}});
        std::optional<NamedRect> first;
        for (const ViewKind& view : shipped_views().kinds) {
            SCOPED_TRACE(view.key);
            bench.ask(ShowWorkspace{view.key});
            expect_order(bench);
            EXPECT_TRUE(bench.has("topbar.total"));
            const NamedRect* const views = bench.screen.recorder.find("topbar.view");
            ASSERT_TRUE(views);
            if (!first) first = *views;
            EXPECT_EQ(views->min.x, first->min.x);
            EXPECT_EQ(views->max.x, first->max.x);
        }
    }
}

TEST(TopBar, InALargerInterfaceTheViewsGiveWayToTheTotal) {
    Session session = session_of("llama-2-7b");
    headcount::apply(session, Intents{ShowWorkspace{compare_view}});
    headcount::apply(session, Intents{AtCompare{CompareWithPreset{"llama-3-8b"}}});
    for (const float scale : {1.1F, 1.25F, 1.5F}) {
        SCOPED_TRACE(scale);
        test::Screen screen(dark_theme(), scale);
        screen.window = ImVec2(1280, 48 * scale);
        for (int frame = 0; frame < 2; ++frame) screen.frame([&](const Ui& ui) { test::draw_bar(ui, session); });
        const NamedRect* const views = screen.recorder.find(scale < 1.4F ? "topbar.view" : "topbar.views");
        const NamedRect* const total = screen.recorder.find("topbar.total");
        ASSERT_TRUE(views && total);
        EXPECT_GE(total->min.x, views->max.x);
    }
}

TEST(TopBar, HasTheTotalHoweverLargeTheInterfaceIs) {
    for (const float width : {1080.0F, 1040.0F, 1000.0F, 960.0F, 920.0F, 880.0F, 800.0F}) {
        SCOPED_TRACE(width);
        Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(width, 48));
        expect_order(bench);
        EXPECT_TRUE(bench.has("topbar.total"));
        EXPECT_TRUE(bench.has("topbar.view") || bench.has("topbar.views"));
    }
}

TEST(TopBar, ABillionsTotalIsExactWhereverTheInterfaceIsLaidOutFor1280Pixels) {
    const Session session = session_of("llama-2-7b");
    for (const auto& [width, scale] : {std::pair(1280.0F, 1.0F), {1280.0F, 1.05F}, {1920.0F, 1.5F}}) {
        SCOPED_TRACE(scale);
        test::Screen screen(dark_theme(), scale);
        screen.window = ImVec2(width, 48 * scale);
        const std::string text = test::bar_text(screen, session);
        EXPECT_NE(text.find("6,738,415,616"), std::string::npos) << text;
        EXPECT_NE(text.find("Ask: "), std::string::npos) << "what can be asked: " << text;
    }
}

TEST(TopBar, ADifferenceIsExactAndBothModelsAreNamedWholeFrom1280PixelsOn) {
    Session session = session_of("llama-2-7b");
    headcount::apply(session, Intents{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
    for (const float width : {1280.0F, 1366.0F, 1440.0F, 1536.0F, 1600.0F, 1706.0F, 1920.0F}) {
        test::Screen screen;
        screen.window = ImVec2(width, 48);
        const std::string text = test::bar_text(screen, session);
        for (const char* const said : {"+1,291,845,632", "A  Llama 2 7B", "B  Llama 3 8B", "Ask"})
            EXPECT_NE(text.find(said), std::string::npos) << said << " in " << text << " of " << width;
    }
}

TEST(TopBar, TabsAreApartInAWindowOf1280Pixels) {
    Workbench bench(test::draw_bar, "llama-2-7b", bar_of_1280);
    const NamedRect* const explore = bench.screen.recorder.find("topbar.view.0");
    ASSERT_TRUE(explore);
    const float words = text_width(bench.screen.fonts.body_medium, "Explore");
    EXPECT_GE(explore->max.x - explore->min.x, words + 9) << "a blank is four pixels wide";
}

TEST(TopBar, ToursHaveTheirWordInAWindowOf1280Pixels) {
    float bare = 0;
    for (const float width : {test::least_bar, 1280.0F, 1440.0F, 1920.0F}) {
        SCOPED_TRACE(width);
        Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(width, 48));
        const NamedRect* const tours = bench.screen.recorder.find("topbar.tours");
        ASSERT_TRUE(tours);
        if (width == test::least_bar)
            bare = tours->max.x - tours->min.x;
        else
            EXPECT_GT(tours->max.x - tours->min.x, bare + 30);
        expect_order(bench);
    }
}

TEST(TopBar, TheMarkOfAnUnknownTypeLeavesTheViewsWhereTheyAre) {
    for (const float width : {1920.0F, 1600.0F, 1440.0F, 1280.0F, test::least_bar}) {
        SCOPED_TRACE(width);
        Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(width, 48));
        const float before = bench.screen.recorder.find("topbar.view")->min.x;
        const float total = bench.screen.recorder.find("topbar.total")->min.x;
        bench.session.derived.doubt = "This model_type is not known.";
        bench.frame();
        EXPECT_TRUE(bench.has("topbar.unverified"));
        EXPECT_EQ(bench.screen.recorder.find("topbar.view")->min.x, before);
        EXPECT_LT(bench.screen.recorder.find("topbar.total")->min.x, total) << "it keeps its room, behind a sign";
        expect_order(bench);
    }
}

}  // namespace
}  // namespace headcount
