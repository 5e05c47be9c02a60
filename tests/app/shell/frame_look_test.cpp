// Claims about frames that need not be drawn: they look as the one before, to the last pixel.
#include "app/shell/frame_look.hpp"

#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

bool stays(FrameLook& look, ImU32 ground = 0) { return look.stays(*ImGui::GetDrawData(), ground); }

TEST(LookOfAFrame, StaysWhileNothingHappens) {
    test::ExploreStage stage;
    FrameLook look;
    stage.frames(12);
    EXPECT_FALSE(stays(look)) << "nothing was shown before";
    stage.frame();
    EXPECT_TRUE(stays(look));
    EXPECT_FALSE(stays(look, 1)) << "another ground";
    stage.show(costs_view);
    EXPECT_FALSE(stays(look, 1));
}

struct Painted {
    FrameLook& look;
    Drawing drawing;
};

TEST(LookOfAFrame, IsAlsoThatOfWhatCallbacksPaint) {
    const test::Screen screen;
    ImGui::GetIO().DisplaySize = ImVec2(400, 300);
    FrameLook look;
    Painted painted{look, {}};
    const auto frame_stays = [&] {
        ImGui::NewFrame();
        const auto paint = [](const ImDrawList*, const ImDrawCmd* command) {
            const Painted& what = *static_cast<const Painted*>(command->UserCallbackData);
            ASSERT_TRUE(what.look.reading());
            what.look.read(what.drawing);
        };
        ImGui::GetBackgroundDrawList()->AddCallback(paint, &painted);
        ImGui::GetBackgroundDrawList()->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
        test::Hands::render();
        return stays(look);
    };
    painted.drawing.add(Box{.max_x = 20, .max_y = 10});
    painted.drawing.values = {1, 2};
    EXPECT_FALSE(frame_stays());
    EXPECT_TRUE(frame_stays());
    painted.drawing.boxes[0].fill = 7;
    EXPECT_FALSE(frame_stays());
    EXPECT_TRUE(frame_stays());
    painted.drawing.values[1] = 3;
    EXPECT_FALSE(frame_stays());
    painted.drawing.area.max.x = 5;
    EXPECT_FALSE(frame_stays());
    painted.drawing.add(Line{});
    EXPECT_FALSE(frame_stays());
    EXPECT_TRUE(frame_stays());
    EXPECT_FALSE(look.reading());
}

}  // namespace
}  // namespace headcount
