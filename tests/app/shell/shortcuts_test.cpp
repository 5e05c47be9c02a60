// Claims about the keys, pressed in the whole view.
#include <set>

#include "app/shell/frame.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

constexpr std::int64_t llama_2_7b = 6738415616;

std::int64_t total(const ExploreStage& stage) { return stage.session.derived.shown.parameters.total; }

TEST(Shortcuts, UndoAndRedoStepThroughEdits) {
    ExploreStage stage;
    stage.edit_width(4224);
    const std::int64_t edited = total(stage);
    ASSERT_NE(edited, llama_2_7b);
    stage.control(ImGuiKey_Z);
    EXPECT_EQ(total(stage), llama_2_7b);
    stage.control(ImGuiKey_Z, true);
    EXPECT_EQ(total(stage), edited);
    stage.control(ImGuiKey_Z);
    stage.control(ImGuiKey_Y);
    EXPECT_EQ(total(stage), edited);
}

TEST(Shortcuts, RefusedTextIsTakenBackBeforeAnEditIsUndone) {
    const auto with_refused_text = [](ExploreStage& stage) {
        stage.edit_width(4224);
        stage.frames(2);
        stage.click("architecture.vocab.field");
        stage.type("0");
        stage.press(ImGuiKey_Enter);
        stage.frames(3);
        ASSERT_EQ(stage.screen.memory.rejected.size(), 1U);
        ASSERT_NE(stage.screen.recorder.find("architecture.vocab.error"), nullptr);
    };
    const auto says = [](const ExploreStage& stage) {
        return stage.screen.recorder.find("architecture.vocab.error") != nullptr;
    };
    {
        ExploreStage stage;
        with_refused_text(stage);
        const std::int64_t edited = total(stage);
        stage.control(ImGuiKey_Z);
        stage.frames(2);
        EXPECT_FALSE(says(stage));
        EXPECT_EQ(total(stage), edited);
        stage.control(ImGuiKey_Z);
        EXPECT_EQ(total(stage), llama_2_7b);
    }
    {
        ExploreStage stage;
        with_refused_text(stage);
        headcount::apply(stage.session, Intents{Select{Field::layers}, GoTo{{"layer.attention"}}});
        stage.frames(60);
        stage.press(ImGuiKey_Escape);
        stage.frames(60);
        EXPECT_FALSE(says(stage));
        EXPECT_EQ(subject_key(stage.session.look.selection), "field.layers") << "the next Esc lets go of it";
        EXPECT_EQ(stage.session.look.here.id, "layer.attention") << "and goes up";
    }
    {
        ExploreStage stage;
        with_refused_text(stage);
        stage.screen.hands.point(ImVec2(-1000, -1000));  // away from the field, which has the keyboard
        for (const bool down : {false, true, false}) {
            stage.screen.hands.button(down);
            stage.frame();
        }
        stage.edit_width(4352);
        stage.frames(3);
        ASSERT_TRUE(says(stage));
        ASSERT_NE(stage.screen.recorder.find("canvas.ribbon"), nullptr);
        stage.press(ImGuiKey_Escape);
        stage.frames(2);
        EXPECT_FALSE(says(stage));
        EXPECT_NE(stage.screen.recorder.find("canvas.ribbon"), nullptr) << "the next Esc takes that away";
    }
}

TEST(Shortcuts, RefusedTextGoesWithAPresetThatIsChosenAlsoTheSameOne) {
    ExploreStage stage;
    stage.frames(2);
    stage.click("architecture.vocab.field");
    stage.type("abc");
    stage.press(ImGuiKey_Enter);
    stage.frames(3);
    ASSERT_NE(stage.screen.recorder.find("architecture.vocab.error"), nullptr);
    stage.click("topbar.preset");
    stage.frames(3);
    stage.click("topbar.preset.item.llama-2-7b");
    stage.frames(3);
    EXPECT_EQ(stage.screen.recorder.find("architecture.vocab.error"), nullptr);
    EXPECT_TRUE(stage.screen.memory.rejected.empty());
}

TEST(Shortcuts, NothingOfTheModelIsUndoneWhereItIsNotOnTheScreen) {
    for (const std::string_view workspace : {worksheet_view, claims_view}) {
        ExploreStage stage;
        stage.edit_width(4224);
        const std::int64_t edited = total(stage);
        headcount::apply(stage.session, Intents{ShowWorkspace{workspace}});
        stage.frames(2);
        stage.control(ImGuiKey_Z);
        EXPECT_EQ(total(stage), edited);
        EXPECT_EQ(stage.session.view.notice.text, "Undo is for the model: it is in Explore");
        headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}, Undo{}});
        headcount::apply(stage.session, Intents{ShowWorkspace{workspace}});
        stage.frames(2);
        stage.control(ImGuiKey_Y);
        EXPECT_EQ(total(stage), llama_2_7b);
    }
}

TEST(Shortcuts, TheSheetSaysHowOneGetsOutAndOnBeforeAClass) {
    const auto meaning = [](const std::string& key) {
        for (const Action& action : shipped_views().actions)
            if (!action.keys.empty() && action.keys.front() == key) return action.name;
        return std::string();
    };
    for (const char* words : {"end presenting", "a tour"})
        EXPECT_NE(meaning("Esc").find(words), std::string::npos) << words;
}

TEST(Shortcuts, OneScaleStepAPress) {
    ExploreStage stage;
    stage.control("+");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 1.1F);
    stage.control("-");
    stage.control("-");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 0.9F);
    stage.control("0");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 1);
}

TEST(Shortcuts, TheScaleEndsWhereItsStepsEnd) {
    EXPECT_FLOAT_EQ(next_scale(2, 1), 2);
    EXPECT_FLOAT_EQ(next_scale(0.75F, -1), 0.75F);
    EXPECT_FLOAT_EQ(next_scale(1.3F, 1), 1.5F);
    EXPECT_FLOAT_EQ(next_scale(1.3F, -1), 1.25F);
}

TEST(Shortcuts, NoLargerScaleThanTheWindowHasRoomForAndANoticeSaysSo) {
    ExploreStage stage;
    stage.most = 1.4F;
    stage.session.view.scale = 1.25F;
    stage.control("+");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 1.5F) << "a step that is seen in part";
    EXPECT_EQ(stage.session.view.notice.text, "This window has room for an interface of 140 %, and for no larger one");
    stage.session.view.notice = {};
    stage.control("+");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 1.5F);
    EXPECT_EQ(stage.session.view.notice.text, "This window has room for an interface of 140 %, and for no larger one");
    stage.session.view.notice = {};
    stage.session.view.scale = 2;
    stage.control("-");
    EXPECT_FLOAT_EQ(stage.session.view.scale, 1.25F) << "the next below what is seen";
    EXPECT_EQ(stage.session.view.notice.text, "") << "there is room for that";
}

TEST(Shortcuts, MReducesMotionAndSaysSo) {
    ExploreStage stage;
    stage.type("m");
    EXPECT_TRUE(stage.session.view.reduced_motion);
    EXPECT_EQ(stage.session.view.notice.text, "Motion is reduced");
    stage.type("m");
    EXPECT_FALSE(stage.session.view.reduced_motion);
}

TEST(Shortcuts, TTogglesTheThemeUnlessAFieldIsTypedIn) {
    ExploreStage stage;
    stage.type("t");
    EXPECT_EQ(stage.session.view.theme, ThemeChoice::light);
    stage.type("T");
    EXPECT_EQ(stage.session.view.theme, ThemeChoice::dark);
    stage.frame();
    stage.click("architecture.dim.field");
    stage.frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    stage.type("t");
    EXPECT_EQ(stage.session.view.theme, ThemeChoice::dark);
}

TEST(Shortcuts, ControlAndADigitGoToTheViewOfThatPlace) {
    ExploreStage stage;
    const std::vector<ViewKind>& views = shipped_views().kinds;
    for (std::size_t i = views.size(); i-- > 0;) {
        stage.control(std::to_string(i + 1));
        EXPECT_EQ(stage.session.view.workspace, views[i].key);
    }
}

TEST(Shortcuts, HelpOpensAndCloses) {
    ExploreStage stage;
    stage.press("F1");
    EXPECT_TRUE(stage.session.view.manual);
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(stage.session.view.manual);
    stage.type("?");
    EXPECT_EQ(stage.session.view.manual, ManualPlace(std::string(keys_page)));
    stage.press("F1");
    EXPECT_EQ(stage.session.view.manual, ManualPlace(PageOfView{})) << "from page to page";
    stage.press("F1");
    EXPECT_FALSE(stage.session.view.manual);
}

TEST(Shortcuts, EscapeClosesTheHelpBeforeItLetsGoOfTheSelection) {
    ExploreStage stage;
    stage.session.look.selection = Component::attention;
    stage.session.view.manual = std::string(keys_page);
    stage.frames(2);
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(nothing(stage.session.look.selection));
    stage.press(ImGuiKey_Escape);
    EXPECT_TRUE(nothing(stage.session.look.selection));
}

TEST(Shortcuts, EscapeClosesAMenuAndKeepsTheSelection) {
    ExploreStage stage;
    stage.session.look.selection = Component::attention;
    stage.frames(2);
    stage.click("topbar.preset");
    stage.frames(2);
    ASSERT_TRUE(stage.screen.recorder.find("topbar.preset.item.llama-3-8b"));
    stage.press(ImGuiKey_Escape);
    stage.frame();
    EXPECT_FALSE(stage.screen.recorder.find("topbar.preset.item.llama-3-8b"));
    EXPECT_FALSE(nothing(stage.session.look.selection));
}

TEST(Shortcuts, CopyTakesTheSelectedNumberOrTheTotal) {
    ExploreStage stage;
    stage.frame();
    stage.control(ImGuiKey_C);
    ASSERT_TRUE(stage.effects.clipboard);
    EXPECT_EQ(*stage.effects.clipboard, "6,738,415,616");
    stage.session.look.selection = Component::norm;
    stage.control(ImGuiKey_C);
    EXPECT_EQ(stage.effects.clipboard.value_or(""), "266,240");
    stage.session.look.selection = TensorSubject{"layer.feed_forward.up.weight"};
    stage.control(ImGuiKey_C);
    EXPECT_EQ(stage.effects.clipboard.value_or(""), "45,088,768");
    stage.session.look.selection = Field::layers;
    stage.control(ImGuiKey_C);
    EXPECT_EQ(stage.effects.clipboard.value_or(""), "32");
}

TEST(Shortcuts, CopyDoesNotAddToWhatATableCopies) {
    ExploreStage stage;
    stage.frame();
    stage.screen.hands.control(true);
    stage.screen.hands.key(ImGuiKey_C, true);
    ImGui::NewFrame();
    const Views& views = shipped_views();
    EXPECT_EQ(pressed_shortcuts(views, stage.session, {}).size(), 1U);
    EXPECT_TRUE(pressed_shortcuts(views, stage.session, Intents{Copy{"a,b", "the table (CSV)"}}).empty());
    ImGui::EndFrame();
}

bool of_a_view(const Action& action) {
    return std::ranges::any_of(shipped_views().kinds, [&](const ViewKind& kind) {
        return action.id.starts_with(std::string(kind.key) + ".");
    });
}

TEST(Shortcuts, EveryActionHasItsWordsAndItsKeysForItself) {
    std::set<std::string_view> ids, names;
    std::set<std::pair<std::string, std::string>> keys;  // views may have the same one, each while it is shown
    for (const Action& action : shipped_views().actions) {
        EXPECT_TRUE(ids.insert(action.id).second) << action.id;
        EXPECT_FALSE(action.name.empty());
        EXPECT_TRUE(names.insert(action.name).second) << action.name;
        for (const std::string& each : action.keys)
            EXPECT_TRUE(keys.emplace(each, of_a_view(action) ? action.id.substr(0, action.id.find('.')) : "").second)
                << each;
    }
}

}  // namespace
}  // namespace headcount
