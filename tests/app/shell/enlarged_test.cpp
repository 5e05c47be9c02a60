// Claims about a projector's window whose interface is made as large as it has room for: what stands around gives way
// to what is looked at, and nothing is drawn over something else.
#include "app/parts/explore_layout.hpp"
#include "app/state/train/runner.hpp"
#include "tests/app/shell/explore_stage.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

const ImVec2 projector(1280, 720);

struct Enlarged : test::ExploreStage {
    explicit Enlarged(float scale = 1.25F) : ExploreStage("llama-2-7b", projector, dark_theme(), scale) {}
    bool has(std::string_view name) const { return screen.recorder.find(name) != nullptr; }
    float height(std::string_view name) const { return (panel(name).max.y - panel(name).min.y) / screen.scale; }
};

TEST(Enlarged, TheTopBarKeepsItsViewsItsTotalAndItsMarks) {
    Enlarged stage;
    stage.frames(3);
    for (const char* part : {"view.0", "view.7", "ask", "total", "tours", "theme", "help", "file", "preset"})
        EXPECT_TRUE(stage.has(std::string("topbar.") + part)) << part;
}

TEST(Enlarged, AtTheLargestTheViewsAreInAMenuThatNamesTheOneOnTheScreen) {
    Enlarged stage(largest_scale(projector));
    stage.ask({ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}, ShowWorkspace{costs_view}});
    stage.frames(3);
    std::vector<NamedRect> parts;
    for (const char* part : {"preset", "file", "views", "ask", "total", "tours", "theme", "help"}) {
        const NamedRect* const rect = stage.screen.recorder.find(std::string("topbar.") + part);
        ASSERT_TRUE(rect) << part;
        EXPECT_TRUE(parts.empty() || rect->min.x >= parts.back().max.x) << part;
        parts.push_back(*rect);
    }
    EXPECT_LE(parts.back().max.x, projector.x);
    EXPECT_FALSE(stage.has("topbar.view"));
    stage.click("topbar.views");
    stage.frames(2);
    stage.click("topbar.views.1");
    stage.frames(3);
    EXPECT_EQ(stage.session.view.workspace, compare_view);
    EXPECT_TRUE(stage.has("topbar.other"));
    EXPECT_EQ(stage.screen.recorder.find("topbar.views")->min.x, parts[2].min.x);
}

TEST(Enlarged, AQuestionInOnesOwnWordsHasItsButtonsApartAndItsPictureRoom) {
    Enlarged stage(1.5F);
    stage.ask({ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{"1-one-head", {}}}, AtDesk{ShowQuestion{1}}});
    stage.frames(4);
    std::vector<NamedRect> parts;
    for (const char* part : {"compare", "start_over", "score"}) {
        const NamedRect* const rect = stage.screen.recorder.find(std::string("worksheet.") + part);
        ASSERT_TRUE(rect) << part;
        for (const NamedRect& other : parts) EXPECT_TRUE(test::apart(*rect, other)) << part << ", " << other.name;
        EXPECT_LE(rect->max.x, stage.panel("worksheet_question").max.x) << part;
        parts.push_back(*rect);
    }
    stage.panel("worksheet_diagram");
    EXPECT_FALSE(stage.has("canvas.no_room"));
}

TEST(Enlarged, AtTheLargestWhatMayFollowStandsBelowThePrompt) {
    Enlarged stage(largest_scale(projector));
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.frames(4);
    const NamedRect prompt = stage.panel("run_settings"), answers = stage.panel("run_answers");
    EXPECT_GE(answers.min.y, prompt.max.y);
    EXPECT_EQ(answers.min.x, prompt.min.x);
    EXPECT_LE(answers.max.x, stage.panel("run_shown").min.x);
    EXPECT_LE(answers.max.y, projector.y);
    EXPECT_TRUE(stage.has("run.next.0"));
}

TEST(Enlarged, AtTheLargestTheLossKeepsItsRoom) {
    Enlarged stage(largest_scale(projector));
    stage.session.view.train.settings.task.letters = 2;
    stage.show(train_view);
    finish_training(stage.session);
    stage.frames(4);
    EXPECT_FALSE(stage.has("panel.train_weights"));
    EXPECT_GE(stage.height("train_curves"), 170);
    EXPECT_LE(stage.panel("train_heads").max.y, projector.y);
}

TEST(Enlarged, WhatIsBelowGivesWayToDiagramsAndWords) {
    Enlarged stage;
    stage.frames(3);
    EXPECT_FALSE(stage.has("panel.tables"));
    EXPECT_GE(stage.height("canvas"), 400);
    stage.ask({ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
    EXPECT_FALSE(stage.has("panel.compare_tables"));
    EXPECT_GE(stage.height("compare_diagram_a"), 400);
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.frames(4);
    EXPECT_FALSE(stage.has("panel.run_layers"));
    EXPECT_TRUE(stage.has("panel.run_answers"));
    EXPECT_GE(stage.height("run_shown"), 300);
}

TEST(Enlarged, NoNameOfAMatrixThatLearnsRunsIntoTheNext) {
    Enlarged stage;
    stage.session.view.train.settings.task.letters = 2;
    stage.show(train_view);
    finish_training(stage.session);
    stage.session.training.runner->step();
    finish_training(stage.session);
    stage.frames(4);
    std::vector<NamedRect> names;
    for (const NamedRect& each : stage.screen.recorder.all())
        if (each.name.starts_with("train.name.")) names.push_back(each);
    ASSERT_GE(names.size(), 4U);
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(test::apart(names[i], names[j])) << names[i].name;
}

}  // namespace
}  // namespace headcount
