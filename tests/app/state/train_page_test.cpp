// Claims about what trains in the Train view: what begins it, what it hands over, and how one looks back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "app/state/in_view.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/state/saved_fields.hpp"
#include "app/state/session.hpp"
#include "app/state/train/page.hpp"
#include "app/state/train/runner.hpp"
#include "core/files/documents.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

class TrainPageTest : public testing::Test {
  protected:
    TrainPageTest() {
        session.view.train.settings.task.letters = 2;
        session.view.train.settings.batch = 4;
        session.view.train.settings.held_out = 8;
        headcount::apply(session, Intents{ShowWorkspace{train_view}});
        finish_training(session);
    }

    const TrainSnapshot& shown() const { return *session.training.shown; }
    void ask(TrainIntent what) {
        headcount::apply(session, Intents{AtTrain{std::move(what)}});
        finish_training(session);
    }
    void set(void (*change)(TrainPlace&)) {
        TrainPlace place = session.view.train;
        change(place);
        ask(SetTrain{place});
    }

    Session session = test::session_of("llama-2-7b");
};

TEST_F(TrainPageTest, ALightModelHasFirstWeightsAtOnceAndKnowsNothing) {
    ASSERT_TRUE(shown().begun) << (shown().error ? sentence(*shown().error) : "");
    EXPECT_TRUE(shown().history.empty());
    ASSERT_TRUE(shown().now);
    EXPECT_NEAR(shown().now->held_out.loss, shown().knows_nothing(), 0.1);
    EXPECT_EQ(shown().now->maps.size(), 8U) << "2 layers of 4 heads";
    EXPECT_TRUE(shown().learners.empty()) << "there is no gradient yet";
}

TEST_F(TrainPageTest, AStepHasALossAndAGradientOfEveryPart) {
    ask(StepTraining{});
    ASSERT_EQ(shown().history.size(), 1U);
    EXPECT_FALSE(shown().learners.empty());
    double squares = 0;
    for (const TrainLearner& each : shown().learners) squares += each.length * each.length;
    EXPECT_NEAR(std::sqrt(squares), shown().gradient_length, 1e-6 * shown().gradient_length);
    ASSERT_EQ(shown().matrices.size(), 4U);
    for (const TrainMatrix& each : shown().matrices) EXPECT_GT(each.largest_gradient, 0);
    const double length = shown().gradient_length;
    ask(StepTraining{});
    EXPECT_NEAR(length, shown().history.back().gradient_norm, 1e-3 * length) << "that of the weights that are shown";
    set([](TrainPlace& place) { place.step = 0; });
    set([](TrainPlace& place) { place.step.reset(); });
    const double again = shown().gradient_length;
    ask(StepTraining{});
    EXPECT_NEAR(again, shown().history.back().gradient_norm, 1e-3 * again);
}

TEST_F(TrainPageTest, OneLooksBackAtTheFirstWeightsAndGoesOnFromTheNewest) {
    const double first = shown().now->held_out.loss;
    for (int i = 0; i < 30; ++i) session.training.runner->step();
    finish_training(session);
    ASSERT_EQ(shown().history.size(), 30U);
    const double last = shown().now->held_out.loss;
    EXPECT_LT(last, first);
    set([](TrainPlace& place) { place.step = 0; });
    EXPECT_EQ(shown().step, 0);
    EXPECT_EQ(shown().now->held_out.loss, first);
    set([](TrainPlace& place) { place.step.reset(); });
    EXPECT_EQ(shown().now->held_out.loss, last);
    ask(StepTraining{});
    EXPECT_EQ(shown().history.size(), 31U);
}

TEST_F(TrainPageTest, AnotherTaskBeginsAgainAndAnotherRateDoesNot) {
    ask(StepTraining{});
    set([](TrainPlace& place) { place.settings.learning_rate = 0.01; });
    EXPECT_EQ(shown().history.size(), 1U);
    ask(StepTraining{});
    EXPECT_EQ(shown().history.size(), 2U);
    set([](TrainPlace& place) { place.settings.task.kind = TaskKind::copy; });
    EXPECT_TRUE(shown().history.empty());
    EXPECT_TRUE(shown().begun);
}

TEST_F(TrainPageTest, WhatPlaysIsCalmAndGoesOnUntilItIsPaused) {
    ask(PlayTraining{true});
    ask(PlayTraining{false});
    EXPECT_FALSE(shown().playing);
    const std::size_t steps = shown().history.size();
    ask(TakeTraining{});
    EXPECT_EQ(shown().history.size(), steps);
    EXPECT_EQ(shown().step, static_cast<std::int64_t>(steps)) << "the newest weights, whether they are kept or not";
}

TEST_F(TrainPageTest, WhatCannotBeginDoesNotPlay) {
    set([](TrainPlace& place) { place.settings.task.kind = TaskKind::text; });
    ASSERT_TRUE(shown().error);
    ask(PlayTraining{true});
    EXPECT_FALSE(shown().playing);
}

TEST_F(TrainPageTest, WithoutATextTheModelThatIsToLearnStaysAndATextBeginsIt) {
    const std::string name = model_in_view(session).document.architecture.name;
    set([](TrainPlace& place) { place.settings.task.kind = TaskKind::text; });
    EXPECT_EQ(model_in_view(session).document.architecture.name, name) << "not the user's own";
    const testing_data::Scratch scratch;
    std::string text;
    for (int i = 0; i < 200; ++i) text += "The cat sat on the mat. ";
    const std::string file = scratch.file("own.txt", text);
    set([](TrainPlace& place) { place.settings.task.kind = TaskKind::copy; });
    session.view.task = FileTask::open_text;
    ask(ReadText{file});
    EXPECT_FALSE(session.view.task) << "the dialog closes";
    EXPECT_EQ(session.view.train.settings.task.kind, TaskKind::text);
    EXPECT_TRUE(shown().begun) << (shown().error ? sentence(*shown().error) : "");
}

TEST_F(TrainPageTest, ALargeModelWaitsForPlay) {
    set([](TrainPlace& place) { place.source = TrainSource::own; });
    EXPECT_FALSE(shown().begun);
    EXPECT_FALSE(shown().error);
}

TEST_F(TrainPageTest, TheWindowSpeaksOfTheModelThatLearns) {
    ASSERT_TRUE(session.training.drawn);
    EXPECT_EQ(&model_in_view(session), &*session.training.drawn);
    EXPECT_EQ(model_in_view(session).derived.shown.parameters.total, shown().parameters);
    EXPECT_EQ(model_in_view(session).unit, "in Reverse, 2 letters");
    EXPECT_EQ(session.document.preset, "llama-2-7b") << "the user's own stays";
}

TEST_F(TrainPageTest, TheStepThatIsLookedAtOpensInRunAndAnswersAsItDidThere) {
    const testing_data::Scratch scratch;
    setenv("XDG_STATE_HOME", scratch.folder().c_str(), 1);
    for (int i = 0; i < 40; ++i) session.training.runner->step();
    finish_training(session);
    set([](TrainPlace& place) { place.step = 20; });
    ask(OpenTraining{});
    headcount::apply(session, Intents{AtTrain{TakeTraining{}}});
    unsetenv("XDG_STATE_HOME");
    ASSERT_EQ(session.view.workspace, run_view) << session.view.notice.text;
    EXPECT_EQ(title_of(session.document), "micro, step 20");
    EXPECT_EQ(session.view.run.source, RunSource::file);
    EXPECT_EQ(session.view.run.prompt, shown().answers.front().question);
    RunPlace place = session.view.run;
    place.sampling.greedy = true;
    place.speed = RunSpeed::most;
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    for (std::size_t i = 0; i < shown().answers.front().answer.size(); ++i) session.running.runner->step();
    finish_run(session);
    ASSERT_TRUE(session.running.model);
    ASSERT_FALSE(session.running.model->wrong) << sentence(*session.running.model->wrong);
    ASSERT_TRUE(session.running.shown);
    ASSERT_TRUE(session.running.shown->tokenizer) << session.running.shown->no_tokenizer;
    // There is room for the question and the letters; that the last of them ends the line is said, and not written.
    EXPECT_EQ(session.running.shown->generated_text, shown().answers.front().answer.substr(0, 2));
    headcount::apply(session, Intents{ShowWorkspace{train_view}, AtTrain{TakeTraining{}}});
    EXPECT_EQ(session.view.workspace, train_view) << "what was saved is opened once";
}

TEST_F(TrainPageTest, ItIsSavedWhereItIsAskedTo) {
    const testing_data::Scratch scratch;
    const std::string folder = (scratch.folder() / "mine").string();
    headcount::apply(session, Intents{AtTrain{SaveTraining{folder}}});
    finish_training(session);
    const Effects effects = headcount::apply(session, Intents{AtTrain{TakeTraining{}}});
    EXPECT_EQ(effects.written, folder);
    EXPECT_EQ(session.view.workspace, train_view);
    for (const char* name : {"model.safetensors", "config.json", "tokenizer.json"})
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(folder) / name)) << name;
    headcount::apply(session, Intents{AtTrain{SaveTraining{folder + "/config.json"}}});
    finish_training(session);
    headcount::apply(session, Intents{AtTrain{TakeTraining{}}});
    EXPECT_TRUE(session.view.notice.text.starts_with("Could not be saved: ")) << session.view.notice.text;
}

TEST_F(TrainPageTest, WhatIsSavedIsSaidAfterAnotherModelToo) {
    const testing_data::Scratch scratch;
    for (const char* name : {"one", "two"}) {
        const std::string folder = (scratch.folder() / name).string();
        headcount::apply(session, Intents{AtTrain{SaveTraining{folder}}});
        finish_training(session);
        EXPECT_EQ(headcount::apply(session, Intents{AtTrain{TakeTraining{}}}).written, folder);
        set([](TrainPlace& place) { place.source = TrainSource::own; });
        EXPECT_FALSE(shown().begun) << "it is large, and waits";
        set([](TrainPlace& place) { place.source = TrainSource::small; });
    }
}

TEST_F(TrainPageTest, ANumberOfAGradientIsOfTheCellThatShowsIt) {
    ask(StepTraining{});
    ASSERT_FALSE(shown().matrices.empty());
    for (const TrainMatrix& matrix : shown().matrices)
        for (std::int64_t row = 0; row < matrix.shown_rows; ++row)
            for (std::int64_t column = 0; column < matrix.shown_columns; ++column) {
                const auto [of_row, of_column] =
                    matrix.shown[static_cast<std::size_t>(row * matrix.shown_columns + column)];
                EXPECT_EQ(of_row * matrix.shown_rows / matrix.rows, row);
                EXPECT_EQ(of_column * matrix.shown_columns / matrix.columns, column);
            }
}

TEST_F(TrainPageTest, TwoTrainingsStandBesideEachOther) {
    for (int i = 0; i < 3; ++i) session.training.runner->step();
    finish_training(session);
    const double first = shown().history.front().loss;
    ask(KeepTraining{});
    set([](TrainPlace& place) { place.settings.batch = 2; });
    const TrainPage& page = session.training;
    ASSERT_TRUE(page.other && page.shown);
    EXPECT_EQ(page.other->history.size(), 3U);
    EXPECT_EQ(page.other->history.front().loss, first);
    EXPECT_TRUE(shown().history.empty());
    EXPECT_EQ(difference_words(page.other->of, shown().of), "batch 4");
    EXPECT_EQ(difference_words(shown().of, page.other->of), "batch 2");
    for (int i = 0; i < 3; ++i) ask(StepTraining{});
    EXPECT_EQ(shown().history.size(), 3U) << "whoever is ahead waits";
    EXPECT_EQ(page.other->history.size(), 3U);
    ask(StepTraining{});
    EXPECT_EQ(shown().history.size(), 4U);
    EXPECT_EQ(page.other->history.size(), 4U);
    set([](TrainPlace& place) { place.step = 0; });
    EXPECT_EQ(shown().step, 0);
    EXPECT_EQ(page.other->step, 0);
    EXPECT_NEAR(shown().now->held_out.loss, page.other->now->held_out.loss, 1e-5) << "the same first weights";
    ask(RestartTraining{});
    EXPECT_TRUE(shown().history.empty() && page.other->history.empty());
    ask(LetGoTraining{});
    EXPECT_FALSE(page.beside || page.other);
}

TEST(TrainOrder, SaysInWhatItDiffers) {
    TrainOrder one;
    one.architecture = test::session_of("gpt2").document.architecture;
    TrainOrder other = one;
    EXPECT_EQ(difference_words(one, other), "the same");
    other.architecture.encoder.emplace();
    EXPECT_NE(difference_words(one, other), "the same") << "a second stack";
    other = one;
    other.settings.learning_rate = 0.01;
    EXPECT_TRUE(one.goes_on_as(other));
    EXPECT_EQ(difference_words(one, other), "learning rate 0.001");
    one.settings.task.kind = TaskKind::copy;
    one.architecture.layers = 3;
    EXPECT_FALSE(one.goes_on_as(other));
    EXPECT_THAT(difference_words(one, other),
                testing::AllOf(testing::HasSubstr("Copy, 8 letters"), testing::HasSubstr("3")));
}

TEST_F(TrainPageTest, AnEncoderFillsInAndTwoStacksTranslate) {
    for (const TrainSource source : {TrainSource::encoder, TrainSource::stacks}) {
        TrainPlace place = session.view.train;
        place.source = source;
        place.settings.learning_rate = 5e-3;
        place.settings.warm_up = 5;
        ask(SetTrain{place});
        ASSERT_TRUE(shown().begun) << (shown().error ? sentence(*shown().error) : "");
        EXPECT_EQ(shown().knows_nothing(), std::log(29.0)) << "and what stands for hidden ones";
        const double first = shown().now->held_out.loss;
        for (int i = 0; i < 60; ++i) session.training.runner->step();
        finish_training(session);
        EXPECT_LT(shown().now->held_out.loss, first - 0.2) << small_model(source);
        EXPECT_EQ(shown().floor, 0) << "all that is counted follows from the question";
        EXPECT_EQ(shown().now->maps.empty(), source == TrainSource::stacks);
        EXPECT_EQ(shown().line.ends_with("_"), source == TrainSource::encoder) << "what it is to fill in is hidden";
    }
}

TEST_F(TrainPageTest, ItsPlaceIsSaved) {
    TrainPlace place;
    place.source = TrainSource::own;
    place.settings.task.kind = TaskKind::modular;
    place.settings.task.modulus = 23;
    place.settings.learning_rate = 0.02;
    place.settings.optimizer.kind = OptimizerKind::muon;
    place.text_file = "/a/b.txt";
    View view;
    view.train = place;
    const auto json = json_of(SavedView{view, {}});
    EXPECT_EQ(value_from<SavedView>(nlohmann::json::parse(json.dump())).view.train, place);
}

}  // namespace
}  // namespace headcount
