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

const ImVec2 whole_display(1600, 1000), a_tooltip(200, 80);

bool lies_over(ImVec2 at, std::pair<ImVec2, ImVec2> box) {
    return at.x < box.second.x && box.first.x < at.x + a_tooltip.x && at.y < box.second.y &&
           box.first.y < at.y + a_tooltip.y;
}

TEST(TooltipCorner, IsBesideThePointerWhereNothingIsInTheWay) {
    const ImVec2 at = tooltip_corner({{300, 50}, {1300, 700}}, {500, 300}, a_tooltip, whole_display, 1);
    EXPECT_GT(at.x, 500);
    EXPECT_LT(at.x, 530);
    EXPECT_GT(at.y, 300);
    EXPECT_LT(at.y, 330);
}

TEST(TooltipCorner, CoversNothingThatIsToStayClearWhileThereIsAPlace) {
    // A chip, a line away from it, a column far below, and rows at its right: as a token lights them.
    const TooltipRoom room{{300, 50},
                           {1300, 700},
                           {{{310, 100}, {350, 120}},
                            {{350, 108}, {420, 112}},
                            {{560, 100}, {564, 650}},
                            {{420, 60}, {440, 90}},
                            {{600, 120}, {700, 124}}}};
    for (const ImVec2 pointer : {ImVec2(330, 110), ImVec2(562, 300), ImVec2(650, 122), ImVec2(430, 70)}) {
        const ImVec2 at = tooltip_corner(room, pointer, a_tooltip, whole_display, 1);
        for (const auto& box : room.clear)
            EXPECT_FALSE(lies_over(at, box)) << pointer.x << ": " << at.x << ", " << at.y;
        EXPECT_GE(at.x, room.min.x);
        EXPECT_LE(at.x + a_tooltip.x, room.max.x);
        EXPECT_GE(at.y, room.min.y);
        EXPECT_LE(at.y + a_tooltip.y, room.max.y);
    }
}

TEST(TooltipCorner, StaysInTheRoomAndOffThePointer) {
    const TooltipRoom room{{300, 50}, {800, 700}};
    for (const ImVec2 pointer : {ImVec2(790, 300), ImVec2(790, 690), ImVec2(305, 690), ImVec2(310, 55)}) {
        const ImVec2 at = tooltip_corner(room, pointer, a_tooltip, whole_display, 1);
        EXPECT_LE(at.x + a_tooltip.x, 800);
        EXPECT_LE(at.y + a_tooltip.y, 700);
        EXPECT_FALSE(lies_over(at, {pointer, pointer + ImVec2(1, 1)}));
    }
}

TEST(TooltipCorner, IsOnTheDisplayWhereTheRoomIsTooSmall) {
    const ImVec2 at = tooltip_corner({{0, 0}, {150, 60}}, {70, 30}, a_tooltip, whole_display, 1);
    EXPECT_GE(at.x, 0);
    EXPECT_GE(at.y, 0);
    // Of two beside each other, the right one's grows to the left.
    const ImVec2 right = tooltip_corner({{800, 0}, {950, 700}}, {870, 300}, a_tooltip, whole_display, 1);
    EXPECT_LE(right.x + a_tooltip.x, 950);
}

TEST_F(TooltipTest, IsAsLargeAsItsPlaceWasChosenFor) {
    const TooltipRoom room{{0, 0}, {1600, 1000}};
    const auto draw = [&](const Ui& ui) {
        show_tooltip(ui, {.title = "Queries",
                          .value = "409,600",
                          .derivation = "T·d_h = 100 × 4096\n= 409,600",
                          .remark = "What each token looks for, in words that are too long for one line of them.",
                          .room = &room});
    };
    ImGui::GetIO().DisplaySize = ImVec2(1600, 1000);
    screen.hands.point({400, 300});
    screen.frames(wait + 6, draw);
    ASSERT_TRUE(shown());
    const NamedRect* const chosen = screen.recorder.find("tooltip");
    ASSERT_TRUE(chosen);
    ImVec2 min(1e9F, 1e9F), max(-1e9F, -1e9F);
    for (const ImDrawVert& vertex : ImGui::GetDrawData()->CmdLists[1]->VtxBuffer) {
        min = {std::min(min.x, vertex.pos.x), std::min(min.y, vertex.pos.y)};
        max = {std::max(max.x, vertex.pos.x), std::max(max.y, vertex.pos.y)};
    }
    EXPECT_NEAR(min.x, chosen->min.x, 2);
    EXPECT_NEAR(min.y, chosen->min.y, 2);
    EXPECT_NEAR(max.x, chosen->max.x, 3);
    EXPECT_NEAR(max.y, chosen->max.y, 3);
}

}  // namespace
}  // namespace headcount
