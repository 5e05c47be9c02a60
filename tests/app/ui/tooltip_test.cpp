// Claims about when tooltips come: after a short wait, and at once from one thing to the next.
#include "app/ui/tooltip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/ui/buttons.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

class TooltipTest : public ::testing::Test {
  protected:
    auto drawing() {
        return [](const Ui& ui) {
            button(ui, "first", {.label = "First", .tooltip = "What the first does"});
            button(ui, "second", {.label = "Second", .tooltip = "What the second does"});
        };
    }
    void rest_on(std::string_view name, int frames) {
        screen.hands.point(screen.middle_of(name));
        screen.frames(frames, drawing());
    }
    // The window under it is drawn in every frame.
    static bool shown() { return ImGui::GetDrawData()->CmdListsCount > 1; }

    static constexpr int wait = static_cast<int>(tooltip_wait * 60);  // frames of a test's clock
    test::Screen screen;
};

TEST_F(TooltipTest, ComesAfterAWait) {
    screen.frame(drawing());
    rest_on("first", wait - 2);
    EXPECT_FALSE(shown());
    EXPECT_TRUE(screen.memory.animating) << "somebody must draw the frame in which it comes";
    while (screen.memory.animating) screen.frame(drawing());
    EXPECT_TRUE(shown());
}

TEST_F(TooltipTest, ComesAtOnceFromOneThingToTheNext) {
    screen.frame(drawing());
    rest_on("first", wait + 6);
    ASSERT_TRUE(shown());
    rest_on("second", 3);
    EXPECT_TRUE(shown());
}

TEST_F(TooltipTest, ComesAtOnceAfterARestInWhichNothingWasDrawn) {
    screen.frame(drawing());
    rest_on("first", wait + 6);
    ImGui::GetIO().DeltaTime = 10;
    rest_on("second", 1);
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    while (screen.memory.animating) screen.frame(drawing());
    EXPECT_TRUE(shown());
}

TEST_F(TooltipTest, WaitsAgainAfterAPause) {
    screen.frame(drawing());
    rest_on("first", wait + 6);
    rest_on("nothing", wait + 6);
    EXPECT_FALSE(shown());
    rest_on("second", 3);
    EXPECT_FALSE(shown());
}

TEST_F(TooltipTest, DoesNotComeToAPointerThatPassesBy) {
    screen.frame(drawing());
    for (int i = 0; i < 10; ++i) {
        rest_on(i % 2 == 0 ? "first" : "second", wait / 2);
        EXPECT_FALSE(shown());
    }
}

TEST_F(TooltipTest, BreaksAFormulaThatIsTooLongForALine) {
    std::string formula = "2·d·V";
    for (int i = 0; i < 40; ++i) formula += " + L·2·d·h·d_h";
    const auto extent = [&] {
        ImVec2 min(1e9F, 1e9F), max(-1e9F, -1e9F);
        const ImDrawList& list = *ImGui::GetDrawData()->CmdLists[1];
        for (const ImDrawVert& vertex : list.VtxBuffer) {
            min = {std::min(min.x, vertex.pos.x), std::min(min.y, vertex.pos.y)};
            max = {std::max(max.x, vertex.pos.x), std::max(max.y, vertex.pos.y)};
        }
        return ImVec2(max.x - min.x, max.y - min.y);
    };
    const auto draw = [&](const Ui& ui) {
        show_tooltip(ui, {.title = "Parameters", .derivation = formula + "\n= 8,030,261,248"});
    };
    ImGui::GetIO().DisplaySize = ImVec2(1600, 1000);
    screen.frames(wait + 6, draw);
    ASSERT_TRUE(shown());
    EXPECT_LE(extent().x, 600);
    EXPECT_GE(extent().y, 8 * 13) << "title, six lines or more, the result";
}

}  // namespace
}  // namespace headcount
