// Claims about the list of views: one that is made here, and is named nowhere in the program, is a view like those that
// ship.
#include <nlohmann/json.hpp>

#include "app/cli/cli.hpp"
#include "app/state/open_link.hpp"
#include "app/state/saved_fields.hpp"
#include "app/ui/rich_text.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

// The view: how wide each layer is, as one line of text.
Intents draw_widths(const Ui& ui, const Session& session) {
    const std::string words = "d = " + std::to_string(session.derived.shown.architecture.dim);
    draw_text(*ImGui::GetWindowDrawList(), ui.fonts.body, ImGui::GetWindowPos(), ui.theme.text_high, words);
    return {};
}
Area draw_space(const PanelFrame& frame) {
    const ExploreLayout layout = explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0);
    const Area all{layout.architecture.min, layout.inspector.max};
    draw_panel(frame, {"widths", all, frame.ui.theme.panel}, draw_widths);
    return all;
}
void report_widths(const Session& session, nlohmann::ordered_json& report) {
    report["widths"] = session.view.workspace == "widths" ? session.derived.shown.architecture.dim : 0;
}
std::vector<Action> width_actions() {
    return {{"widths.double", "Double the width", {"J"}, [](const Session& session, float) -> std::optional<Intent> {
                 Document document = session.document;
                 document.architecture.dim *= 2;
                 if (session.view.workspace != "widths") return std::nullopt;
                 return Replace{std::move(document), Field::dim};
             }}};
}
constexpr ViewKind widths{.key = "widths",
                          .name = "Breadths",
                          .help = "How wide the layers are.",
                          .draw = draw_space,
                          .report = report_widths,
                          .actions = width_actions};

Views with_widths() {
    std::vector<ViewKind> kinds = shipped_views().kinds;
    kinds.push_back(widths);
    return views_of(std::move(kinds));
}

// A window with it.
class OwnView : public ::testing::Test {
  protected:
    OwnView() { stage.views = &views; }

    const Views views = with_widths();
    test::ExploreStage stage;
};

TEST_F(OwnView, HasATabThatShowsIt) {
    stage.frames(2);
    stage.click("topbar.view.8");
    stage.frames(2);
    EXPECT_EQ(stage.session.view.workspace, "widths");
    EXPECT_GT(stage.panel("widths").max.x, 1000);
    EXPECT_FALSE(stage.screen.recorder.find("panel.canvas"));
}

TEST_F(OwnView, HasAKeyAndItsOwnActions) {
    stage.control("9");
    EXPECT_EQ(stage.session.view.workspace, "widths");
    stage.type("j");
    EXPECT_EQ(stage.session.document.architecture.dim, 8192);
    stage.control("1");
    stage.type("j");
    EXPECT_EQ(stage.session.document.architecture.dim, 8192) << "it is the view's own";
}

TEST_F(OwnView, IsFoundInTheAskBar) {
    stage.ask({Ask{true}});
    stage.type("show breadths");
    stage.frames(2);
    stage.press(ImGuiKey_Enter);
    stage.frames(2);
    EXPECT_EQ(stage.session.view.workspace, "widths");
}

TEST_F(OwnView, IsReportedAndSavedAndRestored) {
    stage.show("widths");
    EXPECT_EQ(stage.report()["workspace"], "widths");
    EXPECT_EQ(stage.report()["widths"], 4096);
    const nlohmann::json saved = json_of(SavedView{stage.session.view, {}});
    EXPECT_EQ(value_from<SavedView>(saved).view.workspace, "widths");
}

TEST_F(OwnView, IsTakenFromTheCommandLine) {
    std::vector<std::string_view> words;
    for (const ViewKind& view : views.kinds) words.push_back(view.key);
    std::ostringstream out, err;
    const std::vector<std::string> asked{"render", "gpt2", "--view", "widths", "-o", "x.png"};
    const CommandLine line = parse_command_line(asked, out, err, words);
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(line)) << err.str();
    EXPECT_EQ(std::get<RenderOptions>(line).view, "widths");
}

TEST_F(OwnView, StandsBehindTheOneThatANewWindowShows) { EXPECT_EQ(View{}.workspace, views.kinds.front().key); }

TEST_F(OwnView, GivesWayToTheFirstWhereTheProgramHasItNot) {
    stage.show("widths");
    stage.views = &shipped_views();
    stage.frames(3);
    EXPECT_GT(stage.panel("canvas").max.x, 0);
}

TEST(ShippedViews, AreEachSaidByALink) {
    test::ExploreStage stage;
    for (const ViewKind& view : shipped_views().kinds) {
        stage.show(view.key);
        const Result<WrittenLink> link = link_of(stage.session);
        ASSERT_TRUE(link) << view.key;
        const Result<ReadLink> read = read_link(link->text, stage.session.presets);
        ASSERT_TRUE(read) << link->text;
        EXPECT_EQ(read->state.view.workspace, view.key) << link->text;
    }
}

}  // namespace
}  // namespace headcount
