// Claims about the whole view: every preset can be drawn in every size and theme, and nothing lies over anything else.
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

constexpr const char* all_panels[] = {"panel.top_bar", "panel.architecture", "panel.canvas",
                                      "panel.tables",  "panel.breakdown",    "panel.inspector"};

void expect_panels_in_place(const ExploreStage& stage, ImVec2 size) {
    for (const char* name : all_panels) {
        const NamedRect* rect = stage.screen.recorder.find(name);
        ASSERT_TRUE(rect) << name;
        EXPECT_TRUE(rect->min.x >= 0 && rect->min.y >= 0 && rect->max.x <= size.x && rect->max.y <= size.y) << name;
        for (const char* other : all_panels) {
            const NamedRect* beside = stage.screen.recorder.find(other);
            if (other == name || !beside) continue;
            const bool apart = rect->max.x <= beside->min.x || beside->max.x <= rect->min.x ||
                               rect->max.y <= beside->min.y || beside->max.y <= rect->min.y;
            EXPECT_TRUE(apart) << name << " and " << other;
        }
    }
}

TEST(Explore, DrawsEveryPresetInBothThemesAndThreeSizes) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)})
        for (const Theme& theme : {dark_theme(), light_theme()}) {
            ExploreStage stage("llama-2-7b", size, theme);
            for (const Preset& preset : test::all_presets()) {
                SCOPED_TRACE(preset.id);
                headcount::apply(stage.session, Intents{OpenPreset{preset.id}});
                stage.frames(3);
                expect_panels_in_place(stage, size);
                EXPECT_TRUE(stage.session.derived.current);
                EXPECT_EQ(stage.session.document.preset, preset.id) << "drawing alone changes nothing";
                EXPECT_FALSE(stage.effects.document_changed);
            }
        }
}

TEST(Explore, DrawsAtEveryScaleInTheSmallestWindow) {
    for (const float scale : {0.75F, 1.0F, 1.5F, 2.0F}) {
        const ImVec2 size = scale > 1 ? ImVec2(least_width * scale, least_height * scale) : ImVec2(960, 600);
        ExploreStage stage("llama-2-7b", size, dark_theme(), scale);
        stage.frames(3);
        expect_panels_in_place(stage, size);
    }
}

TEST(Explore, RowsOfTheInspectorAreAsWideBesideAScrollbarAsWithout) {
    const auto formula = [](float height) {
        ExploreStage stage("llama-2-7b", ImVec2(1600, height));
        stage.session.look.selection = TensorSubject{"layer.feed_forward.up.weight"};
        stage.frames(4);
        const NamedRect* const rect = stage.screen.recorder.find("inspector.formula");
        return rect ? std::pair(rect->min.x, rect->max.x) : std::pair(0.0F, 0.0F);
    };
    EXPECT_GT(formula(2400).second, 0);
    EXPECT_EQ(formula(700), formula(2400));
}

TEST(Explore, SettlesInAFewFrames) {
    ExploreStage stage;
    stage.frames(4);
    EXPECT_FALSE(stage.screen.memory.animating) << "a still view must let the program sleep";
    EXPECT_FALSE(stage.effects.document_changed || stage.effects.view_changed);
}

TEST(Explore, DrawsAnImpossibleModelWithTheLastGoodPicture) {
    ExploreStage stage;
    Document document = stage.session.document;
    document.architecture.layer.attention.heads = 30;
    headcount::apply(stage.session, Intents{Replace{document, Field::heads}});
    stage.frames(3);
    EXPECT_FALSE(stage.session.derived.current);
    EXPECT_EQ(stage.session.derived.shown.parameters.total, 6738415616);
    expect_panels_in_place(stage, {1600, 1000});
}

TEST(Explore, ANoticeOfAnyLengthIsShown) {
    ExploreStage stage;
    for (const char* word : {"x", "word ", "\xC3\xBC"}) {
        stage.session.view.notice = {};
        for (int i = 0; i < 100'000; ++i) stage.session.view.notice.text += word;
        stage.frames(2);
        const NamedRect* const notice = stage.screen.recorder.find("notice");
        ASSERT_NE(notice, nullptr);
        EXPECT_GE(notice->min.y, 0) << "all that is drawn of it is on the screen";
    }
}

TEST(Explore, AModelMayHaveANameOfAnyLength) {
    ExploreStage stage;
    stage.session.document.architecture.name = std::string(400'000, 'n');
    stage.session.document.base.name = "name " + stage.session.document.architecture.name;
    for (const ViewKind& view : shipped_views().kinds) stage.show(view.key);
}

TEST(Explore, SaysANoticeWithinTheCanvas) {
    ExploreStage stage("llama-2-7b", {1280, 720});
    stage.session.view.notice = {"The saved document could not be read (a long story). It was set aside as a file."};
    stage.frame();
    const NamedRect* notice = stage.screen.recorder.find("notice");
    const NamedRect* canvas = stage.screen.recorder.find("panel.canvas");
    ASSERT_TRUE(notice && canvas);
    EXPECT_GE(notice->min.x, canvas->min.x);
    EXPECT_LE(notice->max.x, canvas->max.x);
    EXPECT_LE(notice->max.y, canvas->max.y);
}

TEST(Explore, APressBesideTheHelpSheetClosesItAndPressesNothingBelow) {
    ExploreStage stage;
    stage.session.view.manual = std::string(keys_page);
    stage.frames(3);
    ASSERT_TRUE(stage.screen.recorder.find("panel.help"));
    const Architecture before = stage.session.document.architecture;
    stage.click("architecture.dim.track");
    EXPECT_FALSE(stage.session.view.manual);
    EXPECT_EQ(stage.session.document.architecture, before);
}

TEST(Explore, NothingHasTheKeyboardWhenTheHelpSheetHasClosed) {
    ExploreStage stage;
    stage.frames(2);
    stage.press("F1");
    stage.frames(2);
    stage.press(ImGuiKey_Escape);
    stage.frames(3);
    EXPECT_FALSE(stage.session.view.manual);
    EXPECT_FALSE(ImGui::GetIO().NavVisible);
    EXPECT_TRUE(nothing(stage.session.look.hover));
}

TEST(Explore, TabStaysInTheHelpSheet) {
    ExploreStage stage;
    stage.frames(2);
    const std::size_t below = stage.screen.memory.tab_stops.size();
    stage.session.view.manual = std::string(keys_page);
    stage.frames(2);
    EXPECT_LT(stage.screen.memory.tab_stops.size(), below);
}

}  // namespace
}  // namespace headcount
