// Claims about the Compare view as a whole: its windows, what is reported of it, and that it rests.
#include "app/diagram/view.hpp"
#include "tests/app/shell/presenter_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

void open_compare(ExploreStage& stage) {
    stage.ask({ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}});
}

TEST(CompareSpace, HasTwoEqualDiagramsTheSplitAndTheTablesAtEverySize) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        open_compare(stage);
        const auto panel = [&](const char* part) { return stage.panel(std::string("compare_") + part); };
        const NamedRect a = panel("diagram_a"), b = panel("diagram_b"), split = panel("split"), below = panel("tables");
        EXPECT_NEAR(a.max.x - a.min.x, b.max.x - b.min.x, 1);
        EXPECT_GE(a.max.x - a.min.x, 300);
        EXPECT_GE(a.max.y - a.min.y, 300);
        EXPECT_EQ(a.max.x + 1, b.min.x);
        EXPECT_EQ(b.max.x + 1, split.min.x);
        EXPECT_EQ(split.max.x, size.x);
        EXPECT_EQ(panel("head_a").max.y + 1, a.min.y);
        EXPECT_EQ(split.max.y + 1, below.min.y);
        EXPECT_EQ(below.max.y, size.y);
    }
}

TEST(CompareSpace, WhatTheDifferenceMeansIsWholeOrNotThereBeforeAClass) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
    test::add_tours(stage);
    stage.ask({StartTour{"4-from-llama-2-to-llama-3"}, Present{true}, StepTour{3, true},
               AtCompare{ShowInCompare{CompareShows::chart}}});
    stage.frames(4);
    ASSERT_TRUE(stage.screen.recorder.find("compare.figure.full_context"));
    const NamedRect* const said = stage.screen.recorder.find("compare.sentence");
    EXPECT_TRUE(!said || said->max.y <= stage.panel("compare_split").max.y);
    stage.ask({LeaveTour{}, Present{false}});
    open_compare(stage);
    EXPECT_TRUE(stage.screen.recorder.find("compare.sentence"));
}

TEST(CompareSpace, GivesItsPicturesOrItsChartTheWindowWhilePresenting) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
        open_compare(stage);
        stage.ask({Present{true}});
        for (const char* gone : {"panel.compare_tables", "compare.tab.changed", "compare.sum", "canvas.zoom.fit"})
            EXPECT_FALSE(stage.screen.recorder.find(gone)) << gone;
        for (const char* side : {"compare_diagram_a", "compare_diagram_b"}) EXPECT_EQ(stage.panel(side).max.y, size.y);
        const auto& canvas = *std::any_cast<CanvasView>(&stage.screen.memory.kept["canvas.compare"]);
        for (const char* shape : {"4096 × 4096", "4096 × 11008", "11008 × 4096"})
            EXPECT_TRUE(std::ranges::count(canvas.drawing.labels, shape, &PlacedLabel::text)) << shape;
        stage.click("compare.shows.1");
        stage.frames(3);
        EXPECT_EQ(stage.panel("compare_split").max.x, size.x);
        EXPECT_EQ(stage.panel("compare_split").max.y, size.y);
        const NamedRect* const sentence = stage.screen.recorder.find("compare.sentence");
        ASSERT_TRUE(stage.screen.recorder.find("compare.waterfall.embedding") && sentence);
        EXPECT_LE(sentence->max.y, size.y) << "nothing to be scrolled to";
    }
}

TEST(CompareSpace, GivesATourTheShapesOfBothModelsMatrices) {
    const ImVec2 size(1280, 720);
    for (const bool presents : {false, true}) {
        SCOPED_TRACE(presents ? "presented" : "in the window");
        ExploreStage stage("llama-2-7b", size, dark_theme(), presents ? test::scale_for(size) : 1);
        test::add_tours(stage);
        stage.ask({StartTour{"4-from-llama-2-to-llama-3"}, Present{presents}, StepTour{1, true}});
        std::vector<std::string> wide{"4096 × 11008", "4096 × 11008", "4096 × 11008", "4096 × 14336"};
        for (const std::string& of_a : wide) {
            stage.frames(4);
            SCOPED_TRACE(stage.session.view.show.step);
            for (const auto& [canvas, shape] :
                 {std::pair("canvas.compare", of_a), std::pair("canvas.compare.b", std::string("4096 × 14336"))}) {
                const auto& drawn = std::any_cast<CanvasView>(&stage.screen.memory.kept[canvas])->drawing.labels;
                EXPECT_EQ(std::ranges::count(drawn, shape, &PlacedLabel::text), 2) << canvas << " gate and up";
            }
            stage.ask({StepTour{1, true}});
        }
    }
}

TEST(CompareSpace, SaysToAClassWhichShapesChangeInTheStepThatIsShown) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), 1.25F);
    open_compare(stage);
    stage.ask({Present{true}, AtCompare{ShowInCompare{CompareShows::chart}}});
    EXPECT_TRUE(stage.screen.recorder.find("compare.sentence"));
    EXPECT_FALSE(stage.screen.recorder.find("compare.shape.0"));
    stage.ask({Select{Component::attention}});
    const NamedRect* const second = stage.screen.recorder.find("compare.shape.1");
    ASSERT_TRUE(second) << "keys and values";
    EXPECT_LE(second->max.y, size.y);
    EXPECT_FALSE(stage.screen.recorder.find("compare.shape.2"));
    stage.ask({Select{Component::norm}});
    EXPECT_FALSE(stage.screen.recorder.find("compare.shape.0")) << "nothing is another there";
    EXPECT_TRUE(stage.screen.recorder.find("compare.sentence"));
}

TEST(CompareSpace, KeepsItsChartWhereTheInterfaceIsAQuarterLarger) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), 1.25F);
    open_compare(stage);
    EXPECT_TRUE(stage.screen.recorder.find("compare.waterfall.embedding"));
}

TEST(CompareSpace, StepsAClickerFromChangedFieldToChangedField) {
    ExploreStage stage;
    open_compare(stage);
    stage.ask({AtCompare{SplitBy{CompareSplit::field}}, Present{true}});
    const std::vector<FieldDifference>& fields = stage.session.comparison.difference->fields;
    std::vector<Field> stepped;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        stage.press(ImGuiKey_PageDown);
        const auto* const field = std::get_if<Field>(&stage.session.look.selection);
        if (field && (stepped.empty() || stepped.back() != *field)) stepped.push_back(*field);
    }
    EXPECT_EQ(stepped, (std::vector{Field::kv_heads, Field::ffn_dim, Field::vocab}));
    stage.press(ImGuiKey_PageUp);
    EXPECT_EQ(stage.session.look.selection, Subject(Field::ffn_dim));
}

TEST(CompareSpace, IsReportedWithTheDifferenceByComponent) {
    ExploreStage stage;
    open_compare(stage);
    const auto report = stage.report();
    EXPECT_EQ(report["workspace"], "compare");
    EXPECT_EQ(report["total"], 6'738'415'616) << "A's";
    EXPECT_EQ(report["compare"]["total"], 8'030'261'248);
    EXPECT_EQ(report["compare"]["difference"], 1'291'845'632);
    EXPECT_EQ(report["compare"]["by_component"]["feed_forward"], 1'308'622'848);
    EXPECT_EQ(report["compare"]["fields"]["kv_heads"], 8);
    EXPECT_TRUE(report["beside"].is_null()) << "A is the user's own";
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frame();
    EXPECT_TRUE(stage.report()["compare"].is_null());
}

TEST(CompareSpace, IsNotDrawnAgainWhileNothingHappens) {
    PanelCache cache;
    ExploreStage stage;
    stage.cache = &cache;
    open_compare(stage);
    stage.frames(10);
    EXPECT_FALSE(stage.screen.memory.animating);
    EXPECT_TRUE(stage.intents.empty());
}

TEST(CompareSpace, WhatHasNoRoomBesideThePicturesTakesTheirPlaceWhenAskedFor) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), 1.5F);
    open_compare(stage);
    const auto has = [&](std::string_view name) { return stage.screen.recorder.find(name) != nullptr; };
    ASSERT_TRUE(has("panel.compare_diagram_a"));
    EXPECT_FALSE(has("compare.waterfall.embedding"));
    stage.click("compare.shows.1");
    stage.frames(3);
    EXPECT_FALSE(has("panel.compare_diagram_a"));
    EXPECT_TRUE(has("compare.waterfall.embedding"));
    EXPECT_EQ(stage.panel("compare_split").max.x, size.x);
    stage.click("compare.shows.2");
    stage.frames(3);
    EXPECT_FALSE(has("panel.compare_split"));
    EXPECT_TRUE(has("compare.table.row.layer.attention.key.weight"));
    stage.click("compare.shows.0");
    stage.frames(3);
    EXPECT_TRUE(has("panel.compare_diagram_b"));
    ExploreStage roomy("llama-2-7b", size);
    open_compare(roomy);
    EXPECT_FALSE(roomy.screen.recorder.find("compare.shows.0")) << "all have room";
}

}  // namespace
}  // namespace headcount
