// Claims about the first minute: the card over Explore, what it leads to, and that it goes for good.
#include "app/parts/actions.hpp"
#include "app/state/storage.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::apart;
using test::ExploreStage;

struct WelcomeStage : ExploreStage {
    explicit WelcomeStage(ImVec2 size = ImVec2(1600, 1000), float scale = 1)
        : ExploreStage("llama-2-7b", size, dark_theme(), scale) {
        session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
        ask({ShowWelcome{}});
    }
    bool has(std::string_view name) const { return screen.recorder.find(name) != nullptr; }
};

TEST(Welcome, IsNotThereUnlessAskedFor) {
    ExploreStage stage;
    stage.frames(3);
    EXPECT_FALSE(stage.screen.recorder.find("panel.welcome"));
    EXPECT_FALSE(stage.screen.recorder.find("welcome.pin.field"));
}

TEST(Welcome, LeavesTheDiagramFreeInEveryWindow) {
    for (const ImVec2 size : test::window_sizes)
        for (const float scale : {1.0F, largest_scale(size)}) {
            SCOPED_TRACE(testing::Message() << size.x << "x" << size.y << " at " << scale);
            WelcomeStage stage(size, scale);
            const NamedRect card = stage.panel("welcome"), canvas = stage.panel("canvas");
            EXPECT_GE(card.min.y, canvas.max.y);
            for (const char* part : {"tour", "worksheet", "design", "run", "dismiss", "trials"}) {
                const NamedRect* const rect = stage.screen.recorder.find(std::string("welcome.") + part);
                if (!rect && size.y / scale < 560 && part == std::string_view("trials")) continue;  // the pins say them
                ASSERT_TRUE(rect) << part;
                EXPECT_GE(rect->min.x, card.min.x);
                EXPECT_LE(rect->max.x, card.max.x);
                EXPECT_GE(rect->min.y, card.min.y);
                EXPECT_LE(rect->max.y, card.max.y);
            }
            for (const char* pin : {"field", "zoom", "number"})
                EXPECT_TRUE(stage.has(std::string("welcome.pin.") + pin)) << pin;
        }
}

TEST(Welcome, OnePressTakesItAwayForGood) {
    WelcomeStage stage;
    stage.click("welcome.dismiss");
    stage.frames(2);
    EXPECT_FALSE(stage.has("panel.welcome"));
    EXPECT_FALSE(stage.session.view.welcome.open);
    const Result<Saved> saved = saved_from_text(saved_text({stage.session.document, stage.session.view}), "document");
    ASSERT_TRUE(saved);
    EXPECT_FALSE(saved->view.welcome.open);
}

TEST(Welcome, IsThereAgainWhereNobodyHasDismissedIt) {
    const WelcomeStage stage;
    const Result<Saved> saved = saved_from_text(saved_text({stage.session.document, stage.session.view}), "document");
    ASSERT_TRUE(saved);
    EXPECT_TRUE(saved->view.welcome.open);
}

TEST(Welcome, EscTakesItAwayAfterWhatIsSelected) {
    WelcomeStage stage;
    stage.ask({Select{Field::dim}});
    stage.press(ImGuiKey_Escape);
    EXPECT_TRUE(stage.session.view.welcome.open);
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(stage.session.view.welcome.open);
}

TEST(Welcome, LeadsIntoATourAWorksheetARunAndToTheFields) {
    const auto pressed = [](const char* way) {
        auto stage = std::make_unique<WelcomeStage>();
        stage->click(way);
        stage->frames(2);
        EXPECT_FALSE(stage->session.view.welcome.open) << way;
        return stage;
    };
    EXPECT_EQ(pressed("welcome.worksheet")->session.view.workspace, worksheet_view);
    EXPECT_EQ(pressed("welcome.run")->session.view.workspace, run_view);
    EXPECT_EQ(subject_key(pressed("welcome.design")->session.look.selection), "field.dim");
    WelcomeStage stage;
    stage.click("welcome.tour");
    EXPECT_TRUE(stage.session.run);
}

TEST(Welcome, AThingThatWasTriedLosesItsMark) {
    WelcomeStage stage;
    Document document = stage.session.document;
    document.architecture.layers = 40;
    stage.ask({Replace{document, Field::layers}});
    EXPECT_FALSE(stage.has("welcome.pin.field"));
    EXPECT_TRUE(stage.has("welcome.pin.zoom"));
    stage.ask({Arrive{{"layer.attention", 0, {}}}});
    EXPECT_FALSE(stage.has("welcome.pin.zoom"));
    stage.click("topbar.total");
    stage.frames(2);
    EXPECT_FALSE(stage.has("welcome.pin.number"));
    EXPECT_EQ(stage.session.view.welcome.tried, (std::array{true, true, true}));
    EXPECT_TRUE(stage.has("panel.welcome")) << "only a press takes it away";
}

TEST(Welcome, OpeningAnotherModelIsNoTrial) {
    WelcomeStage stage;
    stage.ask({OpenPreset{"gpt2"}});
    EXPECT_TRUE(stage.has("welcome.pin.field"));
}

TEST(Welcome, ItsMarksPointAtThingsAndCoverNoNumber) {
    WelcomeStage stage(ImVec2(1280, 720));
    const auto rect = [&](std::string_view name) { return *stage.screen.recorder.find(name); };
    EXPECT_TRUE(apart(rect("welcome.pin.field"), rect("architecture.layers.field")));
    EXPECT_TRUE(apart(rect("welcome.pin.field"), rect("architecture.layers.track")));
    EXPECT_TRUE(apart(rect("welcome.pin.number"), rect("topbar.total")));
}

TEST(Welcome, HelpAndTheAskBarBringItBack) {
    ExploreStage stage;
    stage.show(run_view);
    stage.ask({ShowManual{PageOfView{}}});
    stage.click("help.welcome");
    stage.frames(2);
    EXPECT_EQ(stage.session.view.workspace, explore_view);
    EXPECT_FALSE(stage.session.view.manual);
    EXPECT_TRUE(stage.screen.recorder.find("panel.welcome"));
    const std::optional<Intent> asked = action("welcome").does(stage.session, most_scale);
    EXPECT_TRUE(asked && std::holds_alternative<ShowWelcome>(*asked));
}

TEST(Welcome, StaysWhileOtherViewsAreLookedAtAndIsNotOverThem) {
    WelcomeStage stage;
    for (const ViewKind& view : stage.views->kinds) {
        stage.show(view.key);
        EXPECT_EQ(stage.has("panel.welcome"), view.key == explore_view) << view.key;
    }
    stage.show(explore_view);
    EXPECT_TRUE(stage.has("panel.welcome"));
}

}  // namespace
}  // namespace headcount
