// Claims about the Run view as a whole: its windows stand side by side at every size, and the report says what runs.
#include "app/diagram/view.hpp"
#include "app/state/run/vocabulary.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

TEST(RunSpace, TheCardThatATourSpeaksOfIsWholeBeforeAClass) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000)}) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
        test::add_tours(stage);
        stage.ask({StartTour{"14-positions"}, Present{true}});
        const std::size_t steps = stage.session.run->tour.steps.size();
        for (std::size_t step = 0; step < steps; ++step) {
            SCOPED_TRACE(step);
            finish_run(stage.session);
            stage.frames(4);
            const NamedRect* const card = stage.screen.recorder.find("run.card");
            ASSERT_TRUE(card);
            const float last_words = card->max.y - 12 * stage.screen.scale;  // its padding is below
            EXPECT_LE(last_words, stage.panel("run_shown").max.y);
            EXPECT_EQ(stage.screen.recorder.find("run.card.close") != nullptr, size.y > 720);
            while (stage.session.view.show.step < step + 1 && step + 1 < steps) stage.ask({StepTour{1, true}});
        }
    }
}

// Where it is, of what a step of a tour shows in a window of a projector's size.
class PresentedStep {
  public:
    PresentedStep(const char* tour, int step, ImVec2 size = ImVec2(1280, 720))
        : stage("llama-2-7b", size, dark_theme(), test::scale_for(size)) {
        test::add_tours(stage);
        stage.ask({StartTour{tour}, Present{true}});
        if (step > 1) stage.ask({StepTour{step - 1, true}});
        finish_run(stage.session);
        stage.frames(6);
    }
    // Of everything called so how far down the lowest reaches.
    float bottom_of(std::string_view begin) const {
        float bottom = 0;
        for (const NamedRect& each : stage.screen.recorder.all())
            if (each.name.starts_with(begin)) bottom = std::max(bottom, each.max.y);
        EXPECT_GT(bottom, 0) << begin;
        return bottom;
    }

    ExploreStage stage;
};

TEST(RunSpace, ToAClassAllWaysThatATextMayGoOnAreInSight) {
    const PresentedStep step("16-sampling", 3);
    EXPECT_LE(step.bottom_of("run.tree."), step.stage.panel("run_shown").max.y);
    EXPECT_FALSE(step.stage.screen.recorder.find("run.tree.width.0")) << "the tree has their room";
}

TEST(RunSpace, ToAClassEveryMergeOfAWordIsInSight) {
    for (const int number : {1, 2, 3}) {
        SCOPED_TRACE(number);
        const PresentedStep step("11-what-a-token-is", number);
        EXPECT_LE(step.bottom_of("run.steps.merge."), step.stage.panel("run_shown").max.y);
    }
}

TEST(RunSpace, TheMergesOfTheWordThatATourSpeaksOfAreInSightInALargeInterface) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), 1.5F);
    test::add_tours(stage);
    stage.ask({StartTour{"11-what-a-token-is"}, StepTour{2, true}});
    finish_run(stage.session);
    stage.frames(8);
    const NamedRect shown = stage.panel("run_shown");
    for (const char* merge : {"run.steps.merge.0", "run.steps.merge.1", "run.steps.merge.2"}) {
        const NamedRect* const line = stage.screen.recorder.find(merge);
        ASSERT_TRUE(line) << merge;
        EXPECT_GE(line->min.y, shown.min.y) << merge;
        EXPECT_LE(line->max.y, shown.max.y) << merge;
    }
}

TEST(RunSpace, ToAClassATourIsAtTheLogitsThatItSpeaksOf) {
    PresentedStep step("12-the-residual-stream", 5);
    const auto& canvas = *std::any_cast<CanvasView>(&step.stage.screen.memory.kept["canvas.run"]);
    EXPECT_GT(canvas.camera.zoom, 2) << "the embedding, which is the output head too, is far from them";
}

// Also where the window had no room for the diagram in between.
TEST(RunSpace, ToAClassTheCellOfATourIsFramedWhateverSizeTheWindowHadBefore) {
    const auto canvas_in = [](ExploreStage& stage) {
        return std::any_cast<CanvasView>(&stage.screen.memory.kept["canvas.run"]);
    };
    const ImVec2 slide(1280, 720);
    PresentedStep fresh("12-the-residual-stream", 1, slide);
    ExploreStage stage("llama-2-7b", slide, dark_theme(), test::scale_for(slide));
    test::add_tours(stage);
    stage.ask({StartTour{"12-the-residual-stream"}});
    finish_run(stage.session);
    stage.frames(6);
    for (const ImVec2 size : {ImVec2(900, 640), ImVec2(860, 420)}) {
        ImGui::GetIO().DisplaySize = size;
        stage.frames(6);
    }
    ImGui::GetIO().DisplaySize = slide;
    stage.ask({Present{true}});
    stage.frames(60);
    const CanvasView* const canvas = canvas_in(stage);
    ASSERT_TRUE(canvas);
    const auto own = std::ranges::find_if(canvas->drawing.framed, [](const Framed& each) { return each.own; });
    ASSERT_NE(own, canvas->drawing.framed.end());
    EXPECT_TRUE(canvas->area.holds(own->rect)) << own->rect.min.x << ", " << own->rect.min.y;
    const Camera &camera = canvas->camera, &expected = canvas_in(fresh.stage)->camera;
    const double screen = static_cast<double>(canvas->area.width()) / expected.zoom;
    EXPECT_NEAR(camera.x, expected.x, screen / 2) << "at the same matrix";
    EXPECT_NEAR(camera.y, expected.y, screen / 2);
    EXPECT_GT(camera.zoom, expected.zoom / 2);
}

TEST(RunSpace, PanelsGiveWayBeforeTheDiagramThatATourSpeaksOf) {
    for (const float scale : {1.0F, 1.25F, 1.5F}) {
        ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), scale);
        test::add_tours(stage);
        stage.ask({StartTour{"12-the-residual-stream"}});
        const std::size_t steps = stage.session.run->tour.steps.size();
        for (std::size_t step = 0; step < steps; ++step) {
            SCOPED_TRACE(testing::Message() << "step " << step << " at " << scale);
            finish_run(stage.session);
            stage.frames(6);
            EXPECT_FALSE(stage.screen.recorder.find("canvas.no_room"));
            if (step + 1 < steps) stage.ask({StepTour{1, true}});
        }
    }
}

TEST(RunSpace, ToAClassAMapBesideTheDiagramIsWholeOrNotThere) {
    PresentedStep step("5-number-by-number", 1);
    const Recorder& recorder = step.stage.screen.recorder;
    EXPECT_FALSE(recorder.find("run.attention")) << "the words of the step have its room";
    EXPECT_TRUE(recorder.find("run.looks_at")) << "but what it says in words";
    RunPlace place = step.stage.session.view.run;
    step.stage.ask({LeaveTour{}, ShowWorkspace{run_view}, AtRun{SetRun{place}}});
    finish_run(step.stage.session);
    step.stage.frames(6);
    ASSERT_TRUE(recorder.find("run.attention"));
    EXPECT_LE(recorder.find("run.attention")->max.y, step.stage.panel("run_answers").max.y);
}

TEST(RunSpace, HasItsWindowsSideBySideAtEverySize) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        test::show_small_run(stage.session);
        finish_run(stage.session);
        stage.frames(4);
        const auto panel = [&](const char* part) { return stage.panel(std::string("run_") + part); };
        const NamedRect settings = panel("settings"), transport = panel("transport"), tokens = panel("tokens"),
                        shown = panel("shown"), layers = panel("layers"), answers = panel("answers");
        EXPECT_EQ(settings.max.x + 1, shown.min.x);
        EXPECT_EQ(shown.max.x + 1, answers.min.x);
        EXPECT_EQ(answers.max.x, size.x);
        EXPECT_EQ(transport.max.y + 1, tokens.min.y);
        EXPECT_EQ(tokens.max.y + 1, shown.min.y);
        EXPECT_EQ(shown.max.y + 1, layers.min.y);
        EXPECT_EQ(layers.max.y, size.y);
        EXPECT_GT(shown.max.y - shown.min.y, 300);
    }
}

TEST(RunSpace, WhatColoursMeanIsInSightWithoutScrolling) {
    ExploreStage stage("llama-2-7b", ImVec2(1600, 1000));
    stage.session.view.run.source = RunSource::shipped;
    stage.show(run_view);
    finish_run(stage.session);
    stage.frames(4);
    const NamedRect panel = stage.panel("run_settings");
    for (const char* name : {"run.source", "run.legend", "run.shared_scale"}) {
        const NamedRect* const part = stage.screen.recorder.find(name);
        ASSERT_TRUE(part) << name;
        EXPECT_LE(part->max.y, panel.max.y) << name;
    }
}

TEST(RunSpace, ReportsWhatRuns) {
    ExploreStage stage("llama-2-7b");
    const auto report = [&] { return stage.report()["run"]; };
    stage.frames(2);
    EXPECT_TRUE(report().is_null()) << "nobody has looked";
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.frames(3);
    EXPECT_EQ(report()["source"], "random");
    EXPECT_EQ(report()["phase"], "ready");
    EXPECT_EQ(report()["ids"], (nlohmann::json{1, 2, 3}));
    EXPECT_TRUE(report()["error"].is_null());
    stage.click("run.step");
    finish_run(stage.session);
    EXPECT_EQ(report()["generated"], 1);
}

TEST(RunSpace, AKeptPanelIsDrawnAgainWhenTheWorkerHasNews) {
    ExploreStage stage("llama-2-7b");
    PanelCache cache;
    stage.cache = &cache;
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.frames(8);
    EXPECT_FALSE(stage.screen.recorder.find("run.token.3"));
    stage.session.running.runner->step();
    finish_run(stage.session);
    stage.frames(2);
    EXPECT_TRUE(stage.screen.recorder.find("run.token.3"));
}

TEST(RunSpace, SpacePlaysAndPausesWhereNothingElseHasTheKeyboard) {
    ExploreStage stage("llama-2-7b");
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.frames(4);
    const auto playing = [&] { return stage.session.running.runner->playing(); };
    stage.press(ImGuiKey_Space);
    EXPECT_TRUE(playing());
    headcount::apply(stage.session, Intents{AtRun{TakeRun{}}});
    stage.press(ImGuiKey_Space);
    EXPECT_FALSE(playing());
    stage.click("run.prompt");
    stage.frames(2);
    stage.press(ImGuiKey_Space);
    EXPECT_FALSE(playing()) << "it is typed";
}

TEST(RunSpace, SpacePausesAComputationThatIsWatched) {
    ExploreStage stage("llama-2-7b");
    test::show_small_run(stage.session);
    finish_run(stage.session);
    stage.session.view.run.shows = RunShows::diagram;
    headcount::apply(stage.session, Intents{AtRun{WatchRun{RunWatch{.playing = true}}}});
    stage.frames(3);
    ASSERT_TRUE(stage.session.running.watch && stage.session.running.watch->playing);
    stage.press(ImGuiKey_Space);
    EXPECT_FALSE(stage.session.running.watch->playing);
    stage.press(ImGuiKey_Space);
    EXPECT_TRUE(stage.session.running.watch->playing);
}

TEST(RunSpace, SaysInTheMiddleWhatIsMissing) {
    ExploreStage stage("llama-2-7b");
    stage.session.view.run.source = RunSource::file;
    stage.show(run_view);
    EXPECT_TRUE(stage.screen.recorder.find("run.empty")) << "no weights are open";
    EXPECT_TRUE(stage.screen.recorder.find("run.empty.open"));
    EXPECT_FALSE(stage.screen.recorder.find("run.attention"));
    stage.click("run.empty.shipped");
    EXPECT_EQ(stage.session.view.run.source, RunSource::shipped);
    finish_run(stage.session);
    stage.frames(4);
    EXPECT_FALSE(stage.screen.recorder.find("run.empty"));
    EXPECT_TRUE(stage.screen.recorder.find("run.attention"));
}

TEST(RunSpace, NothingMovesWhileTextComes) {
    ExploreStage stage("llama-2-7b");
    stage.session.view.run.source = RunSource::shipped;
    stage.show(run_view);
    finish_run(stage.session);
    stage.frames(4);
    const auto top = [&](const char* name) { return stage.screen.recorder.find(name)->min.y; };
    const float temperature = top("run.temperature"), attention = top("run.attention"), cache = top("run.cache");
    test::make_tokens(stage.session, 16);
    for (const int layers : {0, 1}) {
        if (layers > 0) {
            test::set_run(stage.session, [](RunPlace& place) { place.speed = RunSpeed::one; });
            headcount::apply(stage.session, Intents{AtRun{StepRun{}}});
            finish_run(stage.session);
        }
        stage.frames(4);
        EXPECT_EQ(top("run.temperature"), temperature);
        EXPECT_EQ(top("run.attention"), attention);
        EXPECT_EQ(top("run.cache"), cache);
    }
}

TEST(RunSpace, ToAClassTheMapHasTheRoom) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000)}) {
        ExploreStage stage("llama-2-7b", size, dark_theme(), 1.25F);
        stage.session.view.run.prompt = "Tom had a red ball. Then Lily came. Tom gave the ball to Lily.";
        stage.show(run_view);
        finish_run(stage.session);
        stage.frames(4);
        stage.ask({Present{true}});
        finish_run(stage.session);
        stage.frames(4);
        const auto rect = [&](const char* name) { return *stage.screen.recorder.find(name); };
        EXPECT_FALSE(stage.screen.recorder.find("panel.run_tokens")) << "the words stand at the map";
        const NamedRect shown = stage.panel("run_shown"), answers = stage.panel("run_answers"),
                        map = rect("run.attention");
        EXPECT_GT(map.max.y - map.min.y, 0.8F * (shown.max.y - shown.min.y));
        EXPECT_GE(rect("run.looks_at").min.x, answers.min.x) << "what it looks at stands beside";
        const std::string head =
            "run.words.head." + std::to_string(static_cast<int>(stage.session.running.heads->heads.front().role));
        ASSERT_TRUE(stage.screen.recorder.find(head));
        EXPECT_GE(rect(head.c_str()).min.x, answers.min.x);
        stage.ask({Present{false}});
        EXPECT_LT(rect(head.c_str()).min.x, stage.panel("run_answers").min.x);
    }
}

TEST(RunSpace, OfTwoRunsTheMapsHaveTheRoomAndTheirHeadsStandBeside) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), 1.25F);
    stage.session.view.run.prompt = "Tom had a red ball. Then Lily came. Tom gave the ball to Lily.";
    stage.session.view.run.beside = true;
    stage.show(run_view);
    finish_run(stage.session);
    stage.ask({Present{true}});
    finish_run(stage.session);
    stage.frames(4);
    EXPECT_FALSE(stage.screen.recorder.find("panel.run_moved"));
    for (const char* name : {"run.attention.as_it_is", "run.attention.changed"}) {
        const NamedRect* const map = stage.screen.recorder.find(name);
        ASSERT_TRUE(map) << name;
        EXPECT_GT(map->max.y - map->min.y, 200) << name;
        EXPECT_LE(map->max.y, stage.panel("run_beside").max.y) << name;
    }
    const NamedRect head = *stage.screen.recorder.find("run.part.0.attention.6");
    EXPECT_GE(head.min.x, stage.panel("run_weighed").min.x);
    EXPECT_LE(head.max.y, stage.panel("run_weighed").max.y) << "it can be pressed without scrolling";
    stage.click("run.part.0.attention.6");
    EXPECT_EQ(stage.session.view.run.experiments.changes.size(), 1U);
}

}  // namespace
}  // namespace headcount
