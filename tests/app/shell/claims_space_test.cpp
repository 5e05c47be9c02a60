// Claims about the Claims view as a whole: three windows, and a diagram that is not the document's.
#include <nlohmann/json.hpp>

#include "app/shell/ui_report.hpp"
#include "app/state/side_model.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

void open_claims(ExploreStage& stage) {
    headcount::apply(stage.session, Intents{ShowWorkspace{Workspace::claims}});
    stage.frames(4);
}

TEST(ClaimsSpace, HasListClaimAndDiagramSideBySideAtEverySize) {
    for (const ImVec2 size : {ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)}) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        open_claims(stage);
        const NamedRect* const list = stage.screen.recorder.find("panel.claims");
        const NamedRect* const claim = stage.screen.recorder.find("panel.claim");
        const NamedRect* const canvas = stage.screen.recorder.find("panel.canvas");
        ASSERT_TRUE(list && claim && canvas);
        EXPECT_EQ(list->min.x, 0);
        EXPECT_EQ(list->max.x + 1, claim->min.x);
        EXPECT_EQ(claim->max.x + 1, canvas->min.x);
        EXPECT_EQ(canvas->max.x, size.x);
        EXPECT_EQ(canvas->max.y, size.y);
        EXPECT_GE(claim->max.x - claim->min.x, 360);
        EXPECT_GE(canvas->max.x - canvas->min.x, 400);
    }
}

TEST(ClaimsSpace, KeysSteerTheDiagramBesideAndNotTheDocuments) {
    ExploreStage stage;
    open_claims(stage);
    const Document before = stage.session.document;
    stage.type("p");
    stage.frames(2);
    EXPECT_TRUE(on_screen(stage.session).view.tilted);
    EXPECT_FALSE(stage.session.view.tilted);
    stage.type("d");
    stage.frames(2);
    EXPECT_TRUE(decoding(on_screen(stage.session).document));
    EXPECT_EQ(stage.session.document, before);
}

TEST(ClaimsSpace, IsReportedWithItsVerdictAndWhatIsLit) {
    ExploreStage stage;
    open_claims(stage);
    const auto report = nlohmann::json::parse(ui_report(stage.session, stage.screen.recorder, stage.screen.memory, {}));
    EXPECT_EQ(report["workspace"], "claims");
    EXPECT_EQ(report["claim"]["id"], "205-b");
    EXPECT_EQ(report["claim"]["verdict"], "wrong");
    EXPECT_EQ(report["claim"]["step"], 1);
    EXPECT_EQ(report["beside"]["name"], "LLaMA 7B");
    EXPECT_EQ(report["beside"]["selection"], "embedded");
    headcount::apply(stage.session, Intents{ShowWorkspace{Workspace::explore}});
    stage.frame();
    const auto later = nlohmann::json::parse(ui_report(stage.session, stage.screen.recorder, stage.screen.memory, {}));
    EXPECT_TRUE(later["claim"].is_null());
    EXPECT_TRUE(later["beside"].is_null());
}

TEST(ClaimsSpace, IsNotDrawnAgainWhileNothingHappens) {
    PanelCache cache;
    ExploreStage stage;
    stage.cache = &cache;
    open_claims(stage);
    stage.frames(10);
    EXPECT_FALSE(stage.screen.memory.animating);
    EXPECT_TRUE(stage.intents.empty());
}

}  // namespace
}  // namespace headcount
