// Claims about the top bar and the help sheet.
#include "tests/support/top_bar.hpp"

#include <imgui_internal.h>

#include "app/bars/panels.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/veil.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::session_of;
using test::Workbench;

const ImVec2 wide(1600, 48), narrow(1280, 48);

TEST(TopBar, AModelIsChosenInTheMenuByItsName) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.press("topbar.preset");
    bench.frames(2);
    EXPECT_TRUE(bench.has("topbar.preset.item.llama-2-7b")) << "the list is scrolled to the model that is open";
    bench.screen.hands.text("gpt2");
    bench.frames(2);
    ASSERT_TRUE(bench.has("topbar.preset.item.gpt2"));
    EXPECT_FALSE(bench.has("topbar.preset.item.llama-2-7b"));
    bench.press("topbar.preset.item.gpt2");
    ASSERT_EQ(bench.all<OpenPreset>().size(), 1U);
    EXPECT_EQ(bench.session.derived.shown.parameters.total, 124439808);
}

TEST(TopBar, ATotalThatIsNotOfTheNumbersTypedIsMarked) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.frame();
    EXPECT_FALSE(bench.has("topbar.provisional"));
    for (const auto& [field, text] : {std::pair(&Architecture::vocab, 0), std::pair(&Architecture::dim, 0)}) {
        Document document = bench.session.document;
        document.architecture.*field = text;
        headcount::apply(bench.session, Intents{Replace{document, std::nullopt, true}});
        bench.frame();
        EXPECT_TRUE(bench.has("topbar.provisional"));
        headcount::apply(bench.session, Intents{Undo{}});
        bench.frame();
        EXPECT_FALSE(bench.has("topbar.provisional"));
    }
}

TEST(TopBar, AModelIsFoundByNameIdFamilyYearSizeSortOrAuthor) {
    const std::array<std::array<const char*, 2>, 11> found{{{"llama 3.1 405", "llama-3.1-405b"},
                                                            {"qwen2.5-7b", "qwen2.5-7b"},
                                                            {"deepseek v3", "deepseek-v3"},
                                                            {"2019 124m", "gpt2"},
                                                            {"46.7b", "mixtral-8x7b"},
                                                            {"gpt-oss 20", "gpt-oss-20b"},
                                                            {"bert base unc", "bert-base-uncased"},
                                                            {"vaswani", "transformer-base"},
                                                            {"whisper", "whisper-tiny"},
                                                            {"mamba 2.8", "mamba-2.8b"},
                                                            {"hybrid 9b", "bamba-9b"}}};
    for (const auto& [typed, id] : found) {
        SCOPED_TRACE(typed);
        Workbench bench(test::draw_bar, "llama-2-7b", wide);
        bench.press("topbar.preset");
        bench.frames(2);
        bench.screen.hands.text(typed);
        bench.frames(2);
        EXPECT_TRUE(bench.has(std::string("topbar.preset.item.") + id));
    }
}

TEST(TopBar, ASizeFindsNoModelOfAnother) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.press("topbar.preset");
    bench.frames(2);
    bench.screen.hands.text("qwen 7b");
    bench.frames(2);
    EXPECT_TRUE(bench.has("topbar.preset.item.qwen2.5-7b"));
    for (const char* id : {"qwen2.5-72b", "qwen1.5-moe-a2.7b", "qwen3-1.7b"})
        EXPECT_FALSE(bench.has(std::string("topbar.preset.item.") + id)) << id;
}

TEST(TopBar, ArrowKeysAndEnterChooseInALongMenu) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    const auto stroke = [&](ImGuiKey key) {
        bench.screen.hands.key(key, true);
        bench.frame();
        bench.screen.hands.key(key, false);
        bench.frames(2);
    };
    bench.press("topbar.preset");
    bench.frames(2);
    const std::vector<Preset>& presets = test::all_presets();
    const auto at = static_cast<std::size_t>(find_preset(presets, "llama-2-7b") - presets.data());
    for (int i = 0; i < 20; ++i) stroke(ImGuiKey_DownArrow);
    const std::string wanted = presets[at + 20].id;
    EXPECT_TRUE(bench.has("topbar.preset.item." + wanted)) << "it is scrolled into sight";
    stroke(ImGuiKey_Enter);
    EXPECT_EQ(bench.session.document.preset, wanted);
}

TEST(TopBar, AModelOfAnUnknownTypeIsMarked) {
    Workbench bench(test::draw_bar, "llama-2-7b", narrow);
    EXPECT_FALSE(bench.has("topbar.unverified"));
    bench.session.derived.doubt = "This model_type is not known.";
    bench.frame();
    ASSERT_TRUE(bench.has("topbar.unverified"));
    const NamedRect mark = *bench.screen.recorder.find("topbar.unverified");
    EXPECT_GE(mark.min.x, bench.screen.recorder.find("topbar.preset")->max.x);
    EXPECT_LE(mark.max.x, bench.screen.recorder.find("topbar.undo")->min.x);
}

TEST(TopBar, ADoubtIsOfTheModelThatIsNamed) {
    Workbench bench(test::draw_bar, "llama-2-7b", narrow);
    bench.ask(ShowWorkspace{train_view});
    ASSERT_TRUE(shows_another(bench.session));
    bench.session.derived.doubt = "This model_type is not known.";
    bench.frame();
    EXPECT_FALSE(bench.has("topbar.unverified")) << "the model that learns is no such";
}

TEST(TopBar, SaysHowManyParametersATokenUses) {
    EXPECT_EQ(active_text(session_of("mixtral-8x7b").derived.shown.parameters), "12.9 B active");
    EXPECT_EQ(active_text(session_of("llama-2-7b").derived.shown.parameters), "");
}

TEST(TopBar, PressingTheTotalSelectsItAndTheMarkCopiesIt) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.point_at("topbar.total");
    EXPECT_EQ(subject_key(bench.session.look.hover), "total");
    bench.press("topbar.total");
    EXPECT_EQ(subject_key(bench.session.look.selection), "total");
    bench.press("topbar.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    EXPECT_EQ(bench.all<Copy>()[0].text, "6,738,415,616");
}

// What the bar says in words, in a window so wide that nothing is left out.
std::string words_in_bar(const Session& session) {
    test::Screen screen;
    screen.window = ImVec2(1920, 48);
    return test::bar_text(screen, session);
}

TEST(TopBar, NamesTheModelThatIsOnTheScreenInEveryView) {
    Session session = session_of("gpt2");
    headcount::apply(session, Intents{AtDesk{OpenSheet{"1-one-head", {}}}});
    for (const auto& [view, name, total] : {std::tuple(explore_view, "GPT-2 small", "124,439,808"),
                                            {costs_view, "GPT-2 small", "124,439,808"},
                                            {what_if_view, "GPT-2 small", "124,439,808"},
                                            {compare_view, "A  GPT-2", ""},
                                            {run_view, "Tiny stories", "656,512"},
                                            {worksheet_view, "LLaMA 7B", "6,738,415,616"}}) {
        SCOPED_TRACE(view);
        headcount::apply(session, Intents{ShowWorkspace{view}});
        const std::string text = words_in_bar(session);
        EXPECT_NE(text.find(name), std::string::npos) << text;
        EXPECT_NE(text.find(total), std::string::npos) << text;
        const bool own = std::string_view(name).find("GPT-2") != std::string_view::npos;
        EXPECT_EQ(text.find("GPT-2") != std::string::npos, own) << "one name alone: " << text;
    }
}

TEST(TopBar, TheMenuLeadsBackToOnesOwnModelFromAnother) {
    Workbench bench(test::draw_bar, "gpt2", wide);
    bench.press("topbar.preset");
    bench.frames(2);
    EXPECT_FALSE(bench.has("topbar.preset.item.own")) << "it is on the screen";
    bench.screen.hands.key(ImGuiKey_Escape, true);
    bench.frame();
    bench.screen.hands.key(ImGuiKey_Escape, false);
    bench.frames(2);
    bench.ask(AtDesk{OpenSheet{"1-one-head", {}}});
    bench.ask(ShowWorkspace{worksheet_view});
    bench.press("topbar.preset");
    bench.frames(2);
    bench.screen.hands.text("yours");
    bench.frames(2);
    bench.press("topbar.preset.item.own");
    EXPECT_EQ(bench.session.view.workspace, explore_view);
    EXPECT_EQ(bench.session.document.preset, "gpt2");
}

TEST(TopBar, AModelChosenBesideALessonIsShown) {
    Workbench bench(test::draw_bar, "gpt2", wide);
    bench.ask(AtDesk{OpenSheet{"1-one-head", {}}});
    bench.ask(ShowWorkspace{worksheet_view});
    bench.press("topbar.preset");
    bench.frames(2);
    bench.screen.hands.text("llama 2 7b");
    bench.frames(2);
    bench.press("topbar.preset.item.llama-2-7b");
    EXPECT_EQ(bench.session.view.workspace, explore_view);
    EXPECT_EQ(bench.session.document.preset, "llama-2-7b");
}

TEST(TopBar, AskingIsAFieldWithWordsInEveryView) {
    for (const float width : {2560.0F, 1920.0F, 1600.0F, 1440.0F, 1280.0F, test::least_bar}) {
        SCOPED_TRACE(width);
        Workbench bench(test::draw_bar, "llama-2-7b", ImVec2(width, 48));
        for (const ViewKind& view : shipped_views().kinds) {
            SCOPED_TRACE(view.key);
            bench.ask(ShowWorkspace{view.key});
            const NamedRect* const field = bench.screen.recorder.find("topbar.ask");
            ASSERT_TRUE(field);
            EXPECT_GE(field->max.x - field->min.x, text_width(bench.screen.fonts.body, "Ask") + 30);
        }
    }
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.press("topbar.ask");
    EXPECT_TRUE(bench.session.view.asking);
    EXPECT_NE(words_in_bar(session_of("llama-2-7b")).find("Ask: queries, kv cache 8k, compare ..."), std::string::npos);
}

TEST(TopBar, TabGoesAlongItFromLeftToRight) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.frames(2);
    float x = 0;
    for (int i = 0; i < 8;
         ++i) {  // model, view, ask, total, tours, copy, theme, help; undo and redo can do nothing yet
        bench.screen.hands.key(ImGuiKey_Tab, true);
        bench.frames(2);
        bench.screen.hands.key(ImGuiKey_Tab, false);
        bench.frames(2);
        const ImRect& focused = ImGui::GetCurrentContext()->NavWindow->NavRectRel[0];
        EXPECT_GT(focused.Min.x, x) << "stop " << i;
        x = focused.Min.x;
    }
}

TEST(TopBar, ThemeAndHelpAreOnePressAway) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.press("topbar.theme");
    EXPECT_EQ(bench.session.view.theme, ThemeChoice::light);
    bench.press("topbar.theme");
    EXPECT_EQ(bench.session.view.theme, ThemeChoice::dark);
    bench.press("topbar.help");
    EXPECT_TRUE(bench.session.view.manual);
}

TEST(TopBar, UndoAndRedoWorkOnlyWhereThereIsSomethingToUndo) {
    Workbench bench(test::draw_bar, "llama-2-7b", wide);
    bench.press("topbar.undo");
    EXPECT_TRUE(bench.intents.empty() || bench.all<Undo>().empty());
    Document edited = bench.session.document;
    edited.architecture.layers = 40;
    headcount::apply(bench.session, Intents{Replace{edited, Field::layers, true}});
    bench.frame();
    EXPECT_TRUE(bench.has("topbar.change"));
    bench.press("topbar.undo");
    EXPECT_EQ(bench.session.document.architecture.layers, 32);
    bench.press("topbar.redo");
    EXPECT_EQ(bench.session.document.architecture.layers, 40);
}

}  // namespace
}  // namespace headcount
