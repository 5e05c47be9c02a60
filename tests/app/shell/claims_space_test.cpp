// Claims about the Claims view as a whole: three windows, and a diagram that is not the document's.
#include "app/state/in_view.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

TEST(ClaimsSpace, HasListClaimAndDiagramSideBySideAtEverySize) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        stage.show(claims_view);
        const NamedRect list = stage.panel("claims");
        const NamedRect claim = stage.panel("claim");
        const NamedRect canvas = stage.panel("canvas");
        EXPECT_EQ(list.min.x, 0);
        EXPECT_EQ(list.max.x + 1, claim.min.x);
        EXPECT_EQ(claim.max.x + 1, canvas.min.x);
        EXPECT_EQ(canvas.max.x, size.x);
        EXPECT_EQ(canvas.max.y, size.y);
        EXPECT_GE(claim.max.x - claim.min.x, 360);
        EXPECT_GE(canvas.max.x - canvas.min.x, 400);
    }
}

TEST(ClaimsSpace, ToAClassTheListGivesWay) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        stage.show(claims_view);
        const NamedRect before = stage.panel("claim"), diagram = stage.panel("canvas");
        stage.ask({Present{true}});
        EXPECT_FALSE(stage.screen.recorder.find("panel.claims"));
        const NamedRect claim = stage.panel("claim"), canvas = stage.panel("canvas");
        EXPECT_EQ(claim.min.x, 0);
        EXPECT_GE(claim.max.x - claim.min.x, before.max.x - before.min.x);
        EXPECT_GT(canvas.max.x - canvas.min.x, diagram.max.x - diagram.min.x);
        EXPECT_EQ(canvas.max.x, size.x);
    }
}

TEST(ClaimsSpace, KeysSteerTheDiagramBesideAndNotTheDocuments) {
    ExploreStage stage;
    stage.show(claims_view);
    const Document before = stage.session.document;
    stage.type("p");
    stage.frames(2);
    EXPECT_TRUE(model_in_view(stage.session).look.tilted);
    EXPECT_FALSE(stage.session.look.tilted);
    stage.type("d");
    stage.frames(2);
    EXPECT_TRUE(decoding(model_in_view(stage.session).document.input));
    EXPECT_EQ(stage.session.document, before);
}

TEST(ClaimsSpace, IsReportedWithItsVerdictAndWhatIsLit) {
    ExploreStage stage;
    stage.show(claims_view);
    const auto report = stage.report();
    EXPECT_EQ(report["workspace"], "claims");
    EXPECT_EQ(report["claim"]["id"], "205-b");
    EXPECT_EQ(report["claim"]["verdict"], "wrong");
    EXPECT_EQ(report["claim"]["step"], 1);
    EXPECT_EQ(report["beside"]["name"], "LLaMA 7B");
    EXPECT_EQ(report["beside"]["selection"], "embedded");
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frame();
    const auto later = stage.report();
    EXPECT_TRUE(later["claim"].is_null());
    EXPECT_TRUE(later["beside"].is_null());
}

TEST(ClaimsSpace, IsNotDrawnAgainWhileNothingHappens) {
    PanelCache cache;
    ExploreStage stage;
    stage.cache = &cache;
    stage.show(claims_view);
    stage.frames(10);
    EXPECT_FALSE(stage.screen.memory.animating);
    EXPECT_TRUE(stage.intents.empty());
}

TEST(ClaimsSpace, ToAClassAllStepsOfAClaimAreInSight) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), 1.25F);
    stage.show(claims_view);
    stage.ask({Present{true}});
    const NamedRect panel = stage.panel("claim");
    for (int i = 0; i < 5; ++i) {
        const NamedRect* const step = stage.screen.recorder.find("claim.step." + std::to_string(i));
        ASSERT_TRUE(step) << i;
        EXPECT_GE(step->min.y, panel.min.y) << i;
        EXPECT_LE(step->max.y, panel.max.y) << i;
    }
    EXPECT_FALSE(stage.screen.recorder.find("claim.open")) << "which leads elsewhere";
}

}  // namespace
}  // namespace headcount
