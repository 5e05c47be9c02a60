// Claims about the Costs view as a whole: three windows side by side, and what the report says of its figures.
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

TEST(CostsSpace, HasSettingsMemoryAndArithmeticSideBySideAtEverySize) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("deepseek-v3", size);
        stage.show(costs_view);
        const NamedRect settings = stage.panel("costs_settings");
        const NamedRect memory = stage.panel("costs_memory");
        const NamedRect arithmetic = stage.panel("costs_arithmetic");
        EXPECT_EQ(settings.min.x, 0);
        EXPECT_EQ(settings.max.x + 1, memory.min.x);
        EXPECT_EQ(memory.max.x + 1, arithmetic.min.x);
        EXPECT_EQ(arithmetic.max.x, size.x);
        EXPECT_EQ(arithmetic.max.y, size.y);
        const NamedRect* const chart = stage.screen.recorder.find("costs.roofline");
        ASSERT_TRUE(chart);
        EXPECT_LE(chart->max.x, arithmetic.max.x);
        EXPECT_GE(chart->min.x, arithmetic.min.x);
    }
}

TEST(CostsSpace, ToAClassBarAndRoofHaveTheRoomOfAllElse) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        stage.show(costs_view);
        const NamedRect* const before = stage.screen.recorder.find("costs.roofline");
        ASSERT_TRUE(before);
        const float height = before->max.y - before->min.y;
        stage.ask({Present{true}});
        for (const char* gone : {"panel.costs_settings", "costs.devices", "costs.runs", "costs.where"})
            EXPECT_FALSE(stage.screen.recorder.find(gone)) << gone;
        const NamedRect memory = stage.panel("costs_memory"), arithmetic = stage.panel("costs_arithmetic");
        EXPECT_EQ(memory.min.x, 0);
        EXPECT_EQ(arithmetic.max.x, size.x);
        const NamedRect* const roof = stage.screen.recorder.find("costs.roofline");
        ASSERT_TRUE(roof && stage.screen.recorder.find("costs.bars"));
        EXPECT_GT(roof->max.y - roof->min.y, 1.5F * height);
        EXPECT_LE(roof->max.y, arithmetic.max.y);
        EXPECT_TRUE(stage.screen.recorder.find("costs.figure.total")) << "which the clicker comes to";
    }
}

TEST(CostsSpace, ToAClassTheCacheIsInSightAndWhatTheWeightsAreOnceTheyAreSteppedThrough) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-3.2-1b", size, dark_theme(), test::scale_for(size));
    test::add_tours(stage);
    stage.ask({StartTour{"7-a-state-that-does-not-grow"}, Present{true}, StepTour{1, true}});
    stage.frames(4);
    const Recorder& recorder = stage.screen.recorder;
    for (const auto& [name, panel] :
         {std::pair("costs.figure.cache", "costs_memory"), {"costs.roofline", "costs_arithmetic"}}) {
        ASSERT_TRUE(recorder.find(name)) << name;
        EXPECT_LE(recorder.find(name)->max.y, stage.panel(panel).max.y) << name;
    }
    EXPECT_FALSE(recorder.find("costs.figure.embedding"));
    stage.ask({PointOut{"embedding"}});
    EXPECT_TRUE(recorder.find("costs.figure.embedding"));
}

TEST(CostsSpace, ReportsItsFigures) {
    ExploreStage stage("llama-3-8b");
    stage.frames(2);
    EXPECT_TRUE(stage.report()["costs"].is_null()) << "nobody has looked";
    stage.show(costs_view);
    const nlohmann::json costs = stage.report()["costs"];
    EXPECT_EQ(costs["kv_cache_per_token"], 128 * 1024);
    EXPECT_EQ(costs["weights"], 2 * stage.report()["total"].get<std::int64_t>());
    EXPECT_TRUE(costs["wrong"].is_null());
}

TEST(CostsSpace, FollowsEditsOfTheModel) {
    ExploreStage stage("llama-2-7b");
    stage.show(costs_view);
    Document document = stage.session.document;
    document.architecture = *with_field(document.architecture, Field::kv_heads, "8");
    headcount::apply(stage.session, Intents{Replace{document, Field::kv_heads, true}});
    stage.frames(2);
    EXPECT_EQ(stage.session.costs.shown->memory.cache_per_token.bytes, 128 * 1024);
}

TEST(CostsSpace, SaysWhichPassOneTokenBehindOthersIs) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{ShowWorkspace{costs_view}, Hide{Field::norm_epsilon}});  // for a veil
    Document document = stage.session.document;
    document.input.cached = 2048;
    stage.ask({Replace{document}});
    EXPECT_NE(test::written(stage).find("prefill of 100 tokens, 2,048 cached"), std::string::npos);
    document.input.tokens = 1;
    stage.ask({Replace{document}});
    EXPECT_NE(test::written(stage).find("decoding step of 1 token, 2,048 cached"), std::string::npos);
}

TEST(CostsSpace, TheLegendOfTheRoofNamesOnlyWhatTheModelHas) {
    ExploreStage stage("mamba2-130m");
    headcount::apply(stage.session, Intents{ShowWorkspace{costs_view}, Hide{Field::norm_epsilon}});  // for a veil
    stage.frames(3);
    const std::string text = test::written(stage);
    EXPECT_NE(text.find("Recurrence"), std::string::npos);
    EXPECT_EQ(text.find("Feed-forward"), std::string::npos) << text;
}

}  // namespace
}  // namespace headcount
