// Claims about the Costs view as a whole: three windows side by side, and what the report says of its figures.
#include <nlohmann/json.hpp>

#include "app/shell/ui_report.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

void open_costs(ExploreStage& stage) {
    headcount::apply(stage.session, Intents{ShowWorkspace{Workspace::costs}});
    stage.frames(4);
}

TEST(CostsSpace, HasSettingsMemoryAndArithmeticSideBySideAtEverySize) {
    for (const ImVec2 size : {ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)}) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("deepseek-v3", size);
        open_costs(stage);
        const NamedRect* const settings = stage.screen.recorder.find("panel.costs_settings");
        const NamedRect* const memory = stage.screen.recorder.find("panel.costs_memory");
        const NamedRect* const arithmetic = stage.screen.recorder.find("panel.costs_arithmetic");
        ASSERT_TRUE(settings && memory && arithmetic);
        EXPECT_EQ(settings->min.x, 0);
        EXPECT_EQ(settings->max.x + 1, memory->min.x);
        EXPECT_EQ(memory->max.x + 1, arithmetic->min.x);
        EXPECT_EQ(arithmetic->max.x, size.x);
        EXPECT_EQ(arithmetic->max.y, size.y);
        const NamedRect* const chart = stage.screen.recorder.find("costs.roofline");
        ASSERT_TRUE(chart);
        EXPECT_LE(chart->max.x, arithmetic->max.x);
        EXPECT_GE(chart->min.x, arithmetic->min.x);
    }
}

TEST(CostsSpace, ReportsItsFigures) {
    ExploreStage stage("llama-3-8b");
    const auto report = [&] {
        return nlohmann::json::parse(ui_report(stage.session, stage.screen.recorder, stage.screen.memory, {}));
    };
    stage.frames(2);
    EXPECT_TRUE(report()["costs"].is_null()) << "nobody has looked";
    open_costs(stage);
    const nlohmann::json costs = report()["costs"];
    EXPECT_EQ(costs["kv_cache_per_token"], 128 * 1024);
    EXPECT_EQ(costs["weights"], 2 * report()["total"].get<std::int64_t>());
    EXPECT_TRUE(costs["wrong"].is_null());
}

TEST(CostsSpace, FollowsEditsOfTheModel) {
    ExploreStage stage("llama-2-7b");
    open_costs(stage);
    Document document = stage.session.document;
    document.architecture = *with_field(document.architecture, Field::kv_heads, "8");
    headcount::apply(stage.session, Intents{Replace{document, Field::kv_heads, true}});
    stage.frames(2);
    EXPECT_EQ(stage.session.costs.shown->memory.cache_per_token.bytes, 128 * 1024);
}

}  // namespace
}  // namespace headcount
