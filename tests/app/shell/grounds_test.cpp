// Claims about what is cleared instead of drawn.
#include "app/shell/grounds.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

constexpr ImU32 solid = IM_COL32(10, 20, 30, 255);

class Grounds : public testing::Test {
  protected:
    // Of what is drawn first on an empty screen of 400 by 300.
    std::optional<Ground> of(const std::function<void(ImDrawList&)>& draw) {
        ImGui::GetIO().DisplaySize = ImVec2(400, 300);
        ImGui::NewFrame();
        draw(*ImGui::GetBackgroundDrawList());
        test::Hands::render();
        const ImDrawData& data = *ImGui::GetDrawData();
        const ImDrawList& list = *data.CmdLists[0];
        return ground_at(data, list, list.CmdBuffer.front(), 0);
    }

    test::Screen screen;
};

TEST_F(Grounds, AreRectanglesOfOneColour) {
    const std::optional<Ground> ground =
        of([](ImDrawList& list) { list.AddRectFilled(ImVec2(10, 20), ImVec2(200, 150), solid); });
    ASSERT_TRUE(ground);
    EXPECT_EQ(ground->left, 10);
    EXPECT_EQ(ground->bottom, 150);
    EXPECT_EQ(ground->width, 190);
    EXPECT_EQ(ground->height, 130);
    EXPECT_FLOAT_EQ(ground->rgba[2], 30 / 255.0F);
}

TEST_F(Grounds, EndWhereTheyAreCut) {
    const std::optional<Ground> ground = of([](ImDrawList& list) {
        list.PushClipRect(ImVec2(50, 0), ImVec2(150, 100));
        list.AddRectFilled(ImVec2(10, 20), ImVec2(200, 150), solid);
        list.PopClipRect();
    });
    ASSERT_TRUE(ground);
    EXPECT_EQ(ground->left, 50);
    EXPECT_EQ(ground->bottom, 200);
    EXPECT_EQ(ground->width, 100);
    EXPECT_EQ(ground->height, 80);
}

TEST_F(Grounds, CoverWholePixelsAndWhatIsBelow) {
    const ImVec2 from(10, 20), to(200, 150);
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddRectFilled(from, to, IM_COL32(10, 20, 30, 254)); }));
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddRectFilled(ImVec2(10.5F, 20), to, solid); }));
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddRectFilled(from, to, solid, 6); })) << "round corners";
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddRectFilled(from, ImVec2(200, 24), solid); })) << "a line";
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddRectFilledMultiColor(from, to, solid, solid, solid, ~0U); }));
    EXPECT_FALSE(of([&](ImDrawList& list) { list.AddText(from, solid, "words"); }));
}

TEST(GroundsOfPanels, AreTakenOutWhileTheyAreClearedAndThenThereAgain) {
    test::ExploreStage stage;
    stage.frames(4);
    const ImDrawData& data = *ImGui::GetDrawData();
    const auto commands = [&] {
        std::vector<std::array<unsigned, 2>> all;
        for (int i = 0; i < data.CmdListsCount; ++i)
            for (const ImDrawCmd& each : data.CmdLists[i]->CmdBuffer) all.push_back({each.IdxOffset, each.ElemCount});
        return all;
    };
    const auto before = commands();
    int cleared = 0;
    {
        const ClearedGrounds grounds(data);
        for (int i = 0; i < data.CmdListsCount; ++i) {
            const auto& list = data.CmdLists[i]->CmdBuffer;
            cleared += list.front().UserCallback && list[1].IdxOffset == 6;
        }
    }
    EXPECT_GE(cleared, 5) << "the panels";
    EXPECT_EQ(commands(), before);
}

}  // namespace
}  // namespace headcount
