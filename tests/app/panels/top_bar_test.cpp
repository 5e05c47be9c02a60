// Claims about the top bar and the help sheet.
#include <imgui_internal.h>

#include "tests/app/panels/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

const ImVec2 wide(1600, 48), narrow(1280, 48);

TEST(TopBar, AModelIsChosenInTheMenuByItsName) {
    Workbench bench(draw_top_bar, "llama-2-7b", wide);
    bench.press("topbar.preset");
    bench.frames(2);
    ASSERT_TRUE(bench.has("topbar.preset.item.gpt2"));
    bench.press("topbar.preset.item.gpt2");
    ASSERT_EQ(bench.all<OpenPreset>().size(), 1U);
    EXPECT_EQ(bench.session.document.preset, "gpt2");
    EXPECT_EQ(bench.session.derived.shown.parameters.total, 124439808);
}

TEST(TopBar, PressingTheTotalSelectsItAndTheMarkCopiesIt) {
    Workbench bench(draw_top_bar, "llama-2-7b", wide);
    bench.point_at("topbar.total");
    EXPECT_EQ(subject_key(bench.session.view.hover), "total");
    bench.press("topbar.total");
    EXPECT_EQ(subject_key(bench.session.view.selection), "total");
    bench.press("topbar.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    EXPECT_EQ(bench.all<Copy>()[0].text, "6,738,415,616");
}

TEST(TopBar, TabGoesAlongItFromLeftToRight) {
    Workbench bench(draw_top_bar, "llama-2-7b", wide);
    bench.frames(2);
    float x = 0;
    for (int i = 0; i < 6; ++i) {  // model, view, total, copy, theme, help; undo and redo can do nothing yet
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
    Workbench bench(draw_top_bar, "llama-2-7b", wide);
    bench.press("topbar.theme");
    EXPECT_EQ(bench.session.view.theme, ThemeChoice::light);
    bench.press("topbar.theme");
    EXPECT_EQ(bench.session.view.theme, ThemeChoice::dark);
    bench.press("topbar.help");
    EXPECT_TRUE(bench.session.view.help);
}

TEST(TopBar, UndoAndRedoWorkOnlyWhereThereIsSomethingToUndo) {
    Workbench bench(draw_top_bar, "llama-2-7b", wide);
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

TEST(TopBar, NothingOverlapsInANarrowWindowHoweverLargeTheTotal) {
    Workbench bench(draw_top_bar, "llama-2-7b", narrow);
    Document edited = bench.session.document;
    edited.architecture.layers = 4000000000;
    headcount::apply(bench.session, Intents{Replace{edited, Field::layers, true}});
    bench.frames(2);
    const std::vector<std::string> order{"topbar.preset", "topbar.undo", "topbar.redo",  "topbar.view", "topbar.change",
                                         "topbar.total",  "topbar.copy", "topbar.theme", "topbar.help"};
    float right = 0;
    for (const std::string& name : order) {
        const NamedRect* const rect = bench.screen.recorder.find(name);
        if (!rect) continue;  // left out for want of room
        EXPECT_GE(rect->min.x, right) << name;
        right = rect->max.x;
    }
    EXPECT_LE(right, narrow.x);
    EXPECT_TRUE(bench.has("topbar.total"));
}

TEST(Help, FitsInASmallWindow) {
    Workbench bench(draw_help, "llama-2-7b", ImVec2(1056, 608));  // what the sheet leaves it at 1280x720
    const NamedRect* const sheet = bench.screen.recorder.find("help");
    ASSERT_TRUE(sheet);
    EXPECT_LE(sheet->max.y - sheet->min.y, 608);
}

TEST(Help, ItsMarkClosesIt) {
    Workbench bench(draw_help, "llama-2-7b", ImVec2(560, 900));
    bench.session.view.help = true;
    bench.frame();
    EXPECT_TRUE(bench.has("help"));
    bench.press("help.close");
    EXPECT_FALSE(bench.session.view.help);
}

}  // namespace
}  // namespace headcount
