// Claims about panels that stay: nobody can tell, neither by looking nor by pressing.
#include "app/parts/panel_cache.hpp"

#include <set>

#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

// Everything in the frame's draw lists, byte by byte.
std::vector<unsigned char> drawn() {
    std::vector<unsigned char> bytes;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const auto append = [&bytes](const auto& buffer) {
            const auto* const first = reinterpret_cast<const unsigned char*>(buffer.Data);
            bytes.insert(bytes.end(), first, first + buffer.size_in_bytes());
        };
        append(data.CmdLists[i]->VtxBuffer);
        append(data.CmdLists[i]->IdxBuffer);
    }
    return bytes;
}

std::set<std::string> names(const Recorder& recorder) {
    std::set<std::string> names;
    for (const NamedRect& rect : recorder.all()) names.insert(rect.name);
    return names;
}

class PanelsThatStay : public testing::Test {
  protected:
    PanelsThatStay() { stage.cache = &cache; }

    PanelCache cache;
    ExploreStage stage;
};

TEST_F(PanelsThatStay, LookAsIfTheyHadBeenDrawn) {
    stage.frames(12);
    const auto kept = drawn();
    const auto kept_names = names(stage.screen.recorder);
    const auto kept_stops = stage.screen.memory.tab_stops;
    stage.cache = nullptr;
    stage.frames(3);
    EXPECT_TRUE(kept == drawn());
    EXPECT_EQ(kept_names, names(stage.screen.recorder));
    EXPECT_EQ(kept_stops, stage.screen.memory.tab_stops);
}

TEST_F(PanelsThatStay, AreDrawnAgainWhenTheDocumentChanges) {
    stage.frames(8);
    const auto before = drawn();
    stage.edit_width(4224);
    stage.frame();
    EXPECT_FALSE(before == drawn());
    stage.frames(8);
    const auto kept = drawn();
    stage.cache = nullptr;
    stage.frames(2);
    EXPECT_TRUE(kept == drawn());
}

TEST_F(PanelsThatStay, AnswerAPressThatComesWithThePointer) {
    stage.frames(8);
    stage.screen.hands.point(stage.screen.middle_of("breakdown.slice.feed_forward"));
    stage.screen.hands.button(true);
    stage.frame();
    stage.screen.hands.button(false);
    stage.frame();
    EXPECT_EQ(subject_key(stage.session.look.selection), "component.feed_forward");
}

TEST_F(PanelsThatStay, AnswerAPressInAPartThatScrolls) {
    stage.frames(8);
    stage.screen.hands.point(stage.screen.middle_of("architecture.layers.field"));
    stage.screen.hands.button(true);
    stage.frame();
    stage.screen.hands.button(false);
    stage.frames(2);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field is being typed in";
}

TEST_F(PanelsThatStay, AnswerTabAndLightUpWithTheRest) {
    stage.frames(8);
    stage.screen.hands.point(stage.screen.middle_of("breakdown.legend.attention"));
    stage.frames(2);
    EXPECT_EQ(subject_key(stage.session.look.hover), "component.attention");
    const auto lit = drawn();
    stage.screen.hands.point(ImVec2(-1000, -1000));
    stage.frames(8);
    EXPECT_TRUE(nothing(stage.session.look.hover));
    EXPECT_FALSE(lit == drawn());
    stage.press(ImGuiKey_Tab);
    EXPECT_TRUE(ImGui::GetIO().NavVisible || ImGui::GetIO().WantTextInput);
}

}  // namespace
}  // namespace headcount
