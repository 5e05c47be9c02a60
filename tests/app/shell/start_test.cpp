// Claims about what the program starts with.
#include "app/shell/start.hpp"

#include <cstdlib>
#include <fstream>

#include "app/state/kept_file.hpp"
#include "app/state/storage.hpp"
#include "core/base/json_file.hpp"
#include "core/base/write_file.hpp"
#include "core/files/documents.hpp"
#include "core/files/open.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

class Started : public testing::Test {
  protected:
    Started() : home(std::filesystem::path(testing::TempDir()) / "headcount_start_test") {
        std::filesystem::remove_all(home);
        std::filesystem::create_directories(home / "headcount");
        setenv("XDG_STATE_HOME", home.c_str(), 1);
    }
    ~Started() override {
        unsetenv("XDG_STATE_HOME");
        std::filesystem::remove_all(home);
    }

    void leave(const Saved& saved) { ASSERT_TRUE(write_text(home / "headcount" / "document.json", saved_text(saved))); }

    static Saved light_gpt2() {
        Saved saved{document_of(*find_preset(test::all_presets(), "gpt2")), {}};
        saved.view.theme = ThemeChoice::light;
        return saved;
    }

    std::filesystem::path home;
};

TEST_F(Started, TheFirstTimeWithLlama27B) {
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-2-7b");
    EXPECT_EQ(start->session.view.notice.text, "");
    ASSERT_TRUE(start->seat);
    EXPECT_EQ(start->seat->file, home / "headcount" / "document.json");
}

TEST_F(Started, TheFirstTimeWithAWelcomeAndNeverInATestThatDoesNotAskForIt) {
    EXPECT_TRUE(start_where_left({})->session.view.welcome.open);
    WindowOptions options;
    options.report_ui = home / "report.json";
    EXPECT_FALSE(start_where_left(options)->session.view.welcome.open);
    options.welcome = true;
    EXPECT_TRUE(start_where_left(options)->session.view.welcome.open);
    EXPECT_FALSE(start_afresh(std::nullopt, ThemeChoice::dark)->view.welcome.open) << "for a picture";
}

TEST_F(Started, WithoutAWelcomeWhereSomethingWasLeft) {
    leave(light_gpt2());
    EXPECT_FALSE(start_where_left({})->session.view.welcome.open);
    WindowOptions options;
    options.welcome = true;
    EXPECT_TRUE(start_where_left(options)->session.view.welcome.open);
}

TEST_F(Started, WithTheWelcomeThatNobodyHasDismissed) {
    Saved saved = light_gpt2();
    saved.view.welcome.open = true;
    leave(saved);
    EXPECT_TRUE(start_where_left({})->session.view.welcome.open);
}

TEST_F(Started, AgainWithWhatWasLeft) {
    Saved saved = light_gpt2();
    saved.document.architecture.vocab = 54321;
    leave(saved);
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document, saved.document);
    EXPECT_EQ(start->session.view.theme, ThemeChoice::light);
    EXPECT_FALSE(start->session.history.can_undo());
}

// A view in which all that outlives the program is other than at a first start.
View changed_view() {
    View view;
    view.workspace = costs_view;
    view.theme = ThemeChoice::light;
    view.scale = 1.25F;
    view.reduced_motion = true;
    view.bottom_tab = BottomTab::memory;
    view.breakdown = BreakdownChart::bars;
    view.folder = "/tmp";
    view.recent = {"/tmp/a.json", "/tmp/b.json"};
    view.claim = {"claims", "205-b", 2};
    view.what_if.tab = WhatIfTab::solve;
    view.what_if.sweep.metric = Metric::memory;
    view.what_if.solve.wished[0] = "8B";
    view.costs.device = "h100";
    view.costs.phase = Phase::training;
    view.run.prompt = "The cat";
    view.run.sampling.top_k = 7;
    view.compare.split = CompareSplit::field;
    view.compare.tab = CompareTab::memory;
    view.window = WindowPlace{{{-200, 40}}, {{1300, 800}}, true};
    return view;
}

TEST_F(Started, AgainWithEveryPartOfTheViewThatOutlivesTheProgram) {
    const View left = changed_view(), fresh;
    leave({document_of(*find_preset(test::all_presets(), "gpt2")), left, TensorSubject{"embedding.weight"}});
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    const View& view = start->session.view;
    EXPECT_EQ(view.workspace, left.workspace);
    EXPECT_EQ(view.theme, left.theme);
    EXPECT_EQ(view.scale, left.scale);
    EXPECT_EQ(view.reduced_motion, left.reduced_motion);
    EXPECT_EQ(view.bottom_tab, left.bottom_tab);
    EXPECT_EQ(view.breakdown, left.breakdown);
    EXPECT_EQ(start->session.look.selection, Subject(TensorSubject{"embedding.weight"}));
    EXPECT_EQ(view.folder, left.folder);
    EXPECT_EQ(view.recent, left.recent);
    EXPECT_EQ(view.claim, left.claim);
    EXPECT_EQ(view.what_if, left.what_if);
    EXPECT_EQ(view.costs, left.costs);
    EXPECT_EQ(view.run, left.run);
    EXPECT_EQ(view.compare, left.compare);
    EXPECT_EQ(view.window, left.window);
    EXPECT_EQ(view.notice.text, "");
    EXPECT_NE(left.costs, fresh.costs) << "else the claim says nothing";
    EXPECT_NE(left.run, fresh.run);
    EXPECT_NE(left.what_if, fresh.what_if);
}

TEST_F(Started, ASecondWindowWithWhatTheFirstHasButBesideIt) {
    Saved saved = light_gpt2();
    saved.view.window = WindowPlace{{{100, 50}}, {{1300, 800}}, true};
    leave(saved);
    const auto first = start_where_left({}), second = start_where_left({});
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->seat->number, 1);
    EXPECT_EQ(first->session.view.window, saved.view.window);
    EXPECT_EQ(second->seat->number, 2);
    EXPECT_EQ(second->session.document, saved.document);
    ASSERT_TRUE(second->session.view.window);
    EXPECT_EQ(second->session.view.window->size, saved.view.window->size);
    EXPECT_NE(second->session.view.window->corner, saved.view.window->corner);
    EXPECT_FALSE(second->session.view.window->maximised) << "it would cover the first";
}

TEST_F(Started, WhereItWasThoughAnotherThatIsClosedWasThereToo) {
    Saved saved = light_gpt2();
    saved.view.window = WindowPlace{{{0, 0}}, {{1920, 1080}}, false};
    leave(saved);
    const std::filesystem::path file = home / "headcount" / "document.json";
    ASSERT_TRUE(write_text(file, text_of(with_part(*read_json(file), saved, 2, true))));
    const auto second = start_where_left({});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->seat->number, 2) << "the document that was changed last";
    EXPECT_EQ(second->session.view.window, saved.view.window) << "no other is open";
    const auto first = start_where_left({});
    ASSERT_TRUE(first);
    EXPECT_NE(first->session.view.window->corner, saved.view.window->corner) << "the second is there";
}

TEST_F(Started, ASecondWindowBesideTheFirstBeforeAnythingWasSaved) {
    const auto first = start_where_left({}), second = start_where_left({});
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(first->session.view.window);
    ASSERT_TRUE(second->session.view.window);
    EXPECT_TRUE(second->session.view.window->corner);
}

TEST_F(Started, AgainWithWhatPassesAsItIsAtAFirstStart) {
    Saved saved = light_gpt2();
    saved.view.manual = std::string(keys_page);
    saved.view.asking = true;
    saved.view.show.presenting = true;
    saved.view.show.tour = "1-what-is-in-a-transformer";
    saved.view.hidden = {TotalSubject{}};
    saved.view.task = FileTask::open;
    saved.view.notice = {"Copied d"};
    saved.view.workspace = "of another version";
    leave(saved);
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    View expected;
    expected.theme = ThemeChoice::light;
    EXPECT_EQ(start->session.view, expected);
}

TEST_F(Started, WithoutADamagedOtherModelAndWithASentenceAboutIt) {
    Saved saved = light_gpt2();
    const Preset* const other = find_preset(test::all_presets(), "llama-3-8b");
    saved.document.with = Compared{other->architecture, other->architecture, other->id, ""};
    std::string text = saved_text(saved);
    const std::size_t at = text.find("\"fields\"", text.find("\"compare\""));
    ASSERT_NE(at, std::string::npos);
    const std::filesystem::path file = home / "headcount" / "document.json";
    ASSERT_TRUE(write_text(file, text.replace(at, 8, "\"felder\"")));
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "gpt2");
    EXPECT_FALSE(start->session.document.with);
    EXPECT_EQ(start->session.view.theme, ThemeChoice::light);
    EXPECT_NE(start->session.view.notice.text.find("to compare with"), std::string::npos)
        << start->session.view.notice.text;
    EXPECT_TRUE(std::filesystem::exists(file)) << "what is restored is still kept";
    const auto aside = read_text(home / "headcount" / "document.damaged.json");
    ASSERT_TRUE(aside) << sentence(aside.error());
    EXPECT_EQ(*aside, text) << "nothing is lost";
}

TEST_F(Started, WithoutASelectionThatTheModelDoesNotHave) {
    Saved saved = light_gpt2();
    saved.selection = TensorSubject{"layer.feed_forward.gate.weight"};
    leave(saved);
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_TRUE(nothing(start->session.look.selection));
}

TEST_F(Started, ByNameWithThatAndNotWithWhatWasLeft) {
    leave(light_gpt2());
    WindowOptions options;
    options.document = document_of(*find_preset(test::all_presets(), "llama-3-8b"));
    options.theme = ThemeChoice::dark;
    const auto start = start_where_left(options);
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-3-8b");
    EXPECT_EQ(start->session.view.theme, ThemeChoice::dark);
}

TEST_F(Started, WithANoticeWhereTheSavedDocumentIsDamaged) {
    std::ofstream(home / "headcount" / "document.json") << "[1, 2";
    const auto start = start_where_left({});
    ASSERT_TRUE(start) << sentence(start.error());
    EXPECT_EQ(start->session.document.preset, "llama-2-7b");
    EXPECT_NE(start->session.view.notice.text.find("damaged"), std::string::npos);
}

TEST_F(Started, AfreshWhateverWasLeft) {
    leave(light_gpt2());
    const auto session = start_afresh(std::nullopt, ThemeChoice::dark);
    ASSERT_TRUE(session) << sentence(session.error());
    EXPECT_EQ(session->document.preset, "llama-2-7b");
    EXPECT_EQ(session->view.theme, ThemeChoice::dark);
}

// As in the window: the picture of a run of somebody's weights is not one of the model that ships.
TEST_F(Started, AfreshWithTheWeightsThatWereNamed) {
    const std::string folder = HEADCOUNT_ASSETS_DIR "/models/tiny-stories";
    const auto opened = open_architecture(folder, test::all_presets());
    ASSERT_TRUE(opened) << sentence(opened.error());
    const auto session = start_afresh(*document_of(*opened, folder, {}), ThemeChoice::dark);
    ASSERT_TRUE(session) << sentence(session.error());
    EXPECT_EQ(session->view.run.source, RunSource::file);
    EXPECT_EQ(start_afresh(std::nullopt, ThemeChoice::dark)->view.run.source, RunSource::shipped);
}

}  // namespace
}  // namespace headcount
