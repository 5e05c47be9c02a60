// What is done in the window becomes a tour: caught, written, put in another order, played and read back.
#include <nlohmann/json.hpp>

#include "app/bars/file_texts.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;
using test::session_of;

const std::vector<RecordedStep>& steps(const ExploreStage& stage) { return stage.session.recording->steps; }

TEST(Recorder, CatchesWhatIsDone) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    ASSERT_TRUE(stage.session.recording);
    EXPECT_TRUE(steps(stage).empty());
    stage.ask({GoTo{{"layer.attention"}}});
    stage.frames(40);  // on its way there
    stage.ask({Select{subject_from_key("layer.attention.key.weight")}});
    ASSERT_EQ(steps(stage).size(), 1u) << "to go somewhere and to select there is one step";
    const Tour looking = tour_of(*stage.session.recording, stage.session.presets);
    EXPECT_EQ(looking.steps[0].title, "Key projection");
    stage.edit_width(4224);
    stage.frames(2);
    stage.edit_width(4352);
    stage.frames(2);
    ASSERT_EQ(steps(stage).size(), 2u) << "two edits of one field are one step";
    stage.ask({ShowWorkspace{costs_view}});
    ASSERT_EQ(steps(stage).size(), 3u);
    const Tour tour = tour_of(*stage.session.recording, stage.session.presets);
    EXPECT_EQ(tour.preset, "llama-2-7b");
    EXPECT_EQ(tour.steps[0].at, "layer.attention");
    EXPECT_EQ(tour.steps[0].select, "layer.attention.key.weight");
    ASSERT_EQ(tour.steps[1].set.size(), 1u);
    EXPECT_EQ(tour.steps[1].set[0].first, "dim");
    EXPECT_EQ(tour.steps[1].set[0].second, "4352");
    EXPECT_EQ(tour.steps[2].view, "costs");
    EXPECT_EQ(tour.steps[2].title, "Costs: {name}, edited");
    EXPECT_EQ(tour.steps[2].caption, "{~count of model} parameters.") << "and not what was selected before";
    EXPECT_TRUE(tour.steps[2].set.empty());
    const Result<std::string> text = file_text(stage.screen.ui(), stage.session, FileTask::tour);
    ASSERT_TRUE(text);
    const Result<Tour> read = parse_tour(*text, "recorded", "mine.json");
    ASSERT_TRUE(read) << sentence(read.error());
    EXPECT_EQ(*read, tour);
    EXPECT_TRUE(make_tour(*read, stage.session.presets, stage.session.document.architecture)->notes.empty());
}

TEST(Recorder, ToOpenARunIsOneStepWhateverHeadItFinds) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{run_view}});
    ASSERT_TRUE(stage.session.view.run.opens);
    finish_run(stage.session);
    stage.frames(4);
    ASSERT_FALSE(stage.session.view.run.opens) << "it has found one";
    ASSERT_EQ(steps(stage).size(), 1u);
    const std::int64_t layer = stage.session.view.run.layer;
    EXPECT_EQ(steps(stage)[0].caught.run->layer, layer);
    RunPlace place = stage.session.view.run;
    place.layer = layer == 0 ? 1 : 0;
    stage.ask({AtRun{SetRun{place}}});
    EXPECT_EQ(steps(stage).size(), 2u) << "what is chosen is a step";
}

TEST(Recorder, TheWayBackFromATourIsNoStep) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({GoTo{{"layer.attention"}}});
    stage.frames(40);
    stage.ask({ShowWorkspace{costs_view}});
    stage.ask({ShowWorkspace{explore_view}});
    stage.ask({GoTo{}});
    stage.frames(40);
    const std::size_t done = steps(stage).size();
    ASSERT_EQ(done, 4u);
    stage.ask({PlayRecording{}});
    stage.frames(40);
    ASSERT_EQ(stage.session.look.here.id, "layer.attention");
    stage.ask({LeaveTour{}});
    stage.frames(40);
    ASSERT_EQ(stage.session.look.here.id, "");
    EXPECT_EQ(steps(stage).size(), done);
    stage.ask({ShowWorkspace{costs_view}});
    EXPECT_EQ(steps(stage).size(), done + 1);
}

TEST(Recorder, SaysInWordsWhatIsSwitchedOff) {
    const auto titled = [](const char* off) {
        Caught now{.architecture = session_of("llama-2-7b").document.architecture, .run = RunLook{.off = {off}}};
        return step_between(now, now, {}).title;
    };
    EXPECT_EQ(titled("layer.2.attention.head:7"), "Without head 7 of layer 2");
    EXPECT_EQ(titled("layer.0.feed_forward"), "Without feed-forward of layer 0");
    EXPECT_EQ(titled("stream.3"), "Without the stream of layer 3");
}

TEST(Recorder, ToCompareWithAModelIsOneStepAndToCompareWithAnotherIsASecond) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({GoTo{{"layer.attention"}}});
    stage.frames(40);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{compare_view}});
    stage.frames(40);
    stage.ask({AtCompare{CompareWithPreset{"gpt2"}}});
    ASSERT_EQ(steps(stage).size(), 1u);
    EXPECT_EQ(steps(stage)[0].caught.with, "gpt2");
    stage.ask({AtCompare{CompareWithPreset{"bert-base-uncased"}}});
    EXPECT_EQ(steps(stage).size(), 2u);
}

TEST(Recorder, StepsAreWrittenMovedAndThrownAway) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{costs_view}});
    stage.ask({ShowWorkspace{explore_view}});
    stage.edit_width(4224);
    stage.frames(3);
    ASSERT_EQ(steps(stage).size(), 3u);
    stage.click("recorder.step.1");
    stage.frames(2);
    EXPECT_EQ(stage.session.recording->chosen, 0u);
    stage.click("recorder.title");
    stage.type("What it costs");
    stage.frames(2);
    EXPECT_EQ(steps(stage)[0].title, "What it costs");
    stage.click("recorder.down");
    stage.frames(2);
    EXPECT_EQ(steps(stage)[1].title, "What it costs");
    EXPECT_EQ(steps(stage)[1].caught.view, "costs");
    for (const RecordedStep& each : steps(stage))
        EXPECT_EQ(each.caption, "") << "nobody has written it: what the list shows is read, and has no braces";
    EXPECT_EQ(tour_of(*stage.session.recording, stage.session.presets).steps[1].caption,
              "{~count of model} parameters.");
    stage.click("recorder.step.1");
    stage.frames(2);
    stage.click("recorder.delete");
    stage.frames(2);
    ASSERT_EQ(steps(stage).size(), 2u);
    stage.click("recorder.play");
    stage.frames(3);
    ASSERT_TRUE(stage.session.run);
    EXPECT_EQ(stage.session.view.workspace, costs_view) << "the first step is there";
    EXPECT_EQ(stage.session.run->words.title, "What it costs");
    EXPECT_TRUE(stage.screen.recorder.find("caption.title")) << "its words stand below";
    stage.press(ImGuiKey_PageDown);
    EXPECT_EQ(stage.session.view.workspace, explore_view);
    EXPECT_EQ(stage.session.document.architecture.dim, 4224);
    stage.ask({LeaveTour{}});
    EXPECT_EQ(steps(stage).size(), 2u) << "playing is not recorded";
    stage.click("recorder.stop");
    EXPECT_TRUE(stage.session.recording) << "it asks first";
    stage.click("recorder.stop");
    EXPECT_FALSE(stage.session.recording);
}

TEST(Recorder, TheLastStepStaysThrownAwayOrWhereItWasMoved) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{costs_view}});
    stage.ask({ShowWorkspace{claims_view}});
    ASSERT_EQ(steps(stage).size(), 2u);
    stage.frames(2);
    stage.click("recorder.up");
    stage.frames(2);
    ASSERT_EQ(steps(stage).size(), 2u) << "nothing was done but to move it";
    EXPECT_EQ(steps(stage)[0].caught.view, "claims");
    stage.click("recorder.delete");
    stage.frames(2);
    stage.click("recorder.delete");
    stage.frames(2);
    EXPECT_TRUE(steps(stage).empty());
    stage.ask({ShowWorkspace{costs_view}});
    ASSERT_EQ(steps(stage).size(), 1u);
    EXPECT_EQ(steps(stage)[0].caught.view, "costs");
}

TEST(Recorder, WhatNoTourCanShowIsNoStepAndSaysSo) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Select{subject_from_key("layer.attention.key.weight")}, Record{}, ShowWorkspace{costs_view}});
    ASSERT_EQ(steps(stage).size(), 1u);
    stage.session.view.run.source = RunSource::file;  // of which there are no weights
    const auto stands_low = [&] { return stage.screen.recorder.find("recorder.name")->min.y; };
    const float before = stands_low() - stage.panel("recorder").min.y;
    stage.show(run_view);
    EXPECT_EQ(steps(stage).size(), 1u);
    EXPECT_GT(stands_low() - stage.panel("recorder").min.y, before + 20) << "a sentence stands above";
    stage.show(explore_view);
    EXPECT_EQ(steps(stage).size(), 2u) << "back in Explore";
}

TEST(Recorder, WordsThatMakeNoSenseAreSaidAndNeitherPlayedNorSaved) {
    ExploreStage stage;
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{costs_view}});
    stage.frames(2);
    stage.click("recorder.caption");
    stage.type("What {oops} costs");
    stage.frames(3);
    EXPECT_TRUE(stage.screen.recorder.find("recorder.wrong"));
    stage.click("recorder.save");
    EXPECT_FALSE(stage.session.view.task) << "a file that could not be opened";
    stage.click("recorder.play");
    EXPECT_FALSE(stage.session.run);
    Recording mended = *stage.session.recording;
    mended.steps[0].caption = "What {count of model} cost";
    stage.ask({SetRecording{mended}});
    EXPECT_FALSE(stage.screen.recorder.find("recorder.wrong"));
    stage.click("recorder.save");
    EXPECT_EQ(stage.session.view.task, FileTask::tour);
}

TEST(Recorder, OfManyStepsTheChosenIsInSightAndWhatIsDoneWithAllStays) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    stage.frames(2);
    stage.ask({Record{}});
    for (int i = 0; i < 12; ++i) stage.ask({ShowWorkspace{i % 2 == 0 ? costs_view : explore_view}});
    ASSERT_EQ(steps(stage).size(), 12u);
    stage.frames(4);
    const NamedRect panel = stage.panel("recorder");
    const auto in_sight = [&](const char* name) {
        const NamedRect* const rect = stage.screen.recorder.find(name);
        ASSERT_TRUE(rect) << name;
        EXPECT_GE(rect->min.y, panel.min.y) << name;
        EXPECT_LE(rect->max.y, panel.max.y - 14) << name;
        EXPECT_LE(rect->max.x, panel.max.x - 14) << name;
    };
    for (const char* name : {"recorder.save", "recorder.play", "recorder.title", "recorder.delete"}) in_sight(name);
    stage.click("recorder.ask");
    stage.type("What does it cost?");
    stage.frames(4);
    for (const char* name : {"recorder.answer", "recorder.up", "recorder.delete"}) in_sight(name);
    stage.click("recorder.stop");
    stage.frames(2);
    in_sight("recorder.stop");  // "Really throw away"
}

TEST(Recorder, IsDrawnElsewhereByItsTitleAndStaysInTheWindow) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    stage.frames(2);
    stage.ask({Record{}});
    stage.ask({ShowWorkspace{costs_view}});
    stage.frames(3);
    const NamedRect before = stage.panel("recorder");
    const auto draw = [&](ImVec2 by) {
        const NamedRect handle = *stage.screen.recorder.find("recorder.handle");
        const ImVec2 middle((handle.min.x + handle.max.x) / 2, (handle.min.y + handle.max.y) / 2);
        stage.screen.hands.point(middle);
        stage.frame();
        stage.screen.hands.button(true);
        stage.frame();
        stage.screen.hands.point(middle + by);
        stage.frames(2);
        stage.screen.hands.button(false);
        stage.frames(2);
    };
    draw({-300, -100});
    NamedRect now = stage.panel("recorder");
    EXPECT_EQ(now.min.x, before.min.x - 300);
    EXPECT_EQ(now.min.y, before.min.y - 100);
    draw({-2000, -2000});
    now = stage.panel("recorder");
    EXPECT_GE(now.min.x, 0);
    EXPECT_GE(now.min.y, stage.panel("top_bar").max.y);
    draw({4000, 4000});
    EXPECT_EQ(stage.panel("recorder").max.x, before.max.x);
}

TEST(Recorder, WhatIsDoneWithAStepIsInSightHoweverLargeTheInterface) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720), dark_theme(), 1.25F);
    stage.frames(2);
    stage.ask({Record{}});
    for (int i = 0; i < 4; ++i) stage.ask({ShowWorkspace{i % 2 == 0 ? costs_view : explore_view}});
    stage.frames(4);
    const NamedRect panel = stage.panel("recorder");
    EXPECT_GE(panel.min.x, stage.panel("canvas").max.x) << "the picture is free";
    for (const char* name : {"recorder.up", "recorder.down", "recorder.delete", "recorder.caption"}) {
        const NamedRect* const rect = stage.screen.recorder.find(name);
        ASSERT_TRUE(rect) << name;
        EXPECT_GE(rect->min.y, panel.min.y) << name;
        EXPECT_LE(rect->max.y, panel.max.y) << name;
    }
}

TEST(Recorder, StandsOverTheColumnAtTheRightAndIsAsHighAsItsSteps) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000)}) {
        ExploreStage stage("llama-2-7b", size);
        stage.frames(2);
        stage.ask({Record{}});
        stage.frames(3);
        const NamedRect none = stage.panel("recorder");
        EXPECT_GE(none.min.x, stage.panel("canvas").max.x) << "the picture is free";
        stage.ask({ShowWorkspace{costs_view}});
        stage.ask({ShowWorkspace{explore_view}});
        stage.frames(3);
        EXPECT_GT(stage.panel("recorder").max.y - stage.panel("recorder").min.y, none.max.y - none.min.y);
    }
}

}  // namespace
}  // namespace headcount
