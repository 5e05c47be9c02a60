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
    Enlarged() : ExploreStage("llama-2-7b", projector, dark_theme(), largest_scale(projector)) {}
    bool has(std::string_view name) const { return screen.recorder.find(name) != nullptr; }
    float height(std::string_view name) const { return (panel(name).max.y - panel(name).min.y) / screen.scale; }
};

TEST(Enlarged, TheTopBarKeepsItsViewsItsTotalAndItsMarks) {
    Enlarged stage;
    stage.frames(3);
    for (const char* part : {"view.0", "view.7", "ask", "total", "tours", "theme", "help", "file", "preset"})
        EXPECT_TRUE(stage.has(std::string("topbar.") + part)) << part;
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
