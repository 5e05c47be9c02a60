// Claims about what trains in the Train view: what begins it, what it hands over, and how one looks back.
#include <gtest/gtest.h>

#include <cmath>

#include "app/state/saved_fields.hpp"
#include "app/state/session.hpp"
#include "app/state/train/page.hpp"
#include "app/state/train/runner.hpp"
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
    EXPECT_NEAR(shown().gradient_length, shown().history.front().gradient_norm, 1e-3 * shown().gradient_length);
    ASSERT_EQ(shown().matrices.size(), 4U);
    for (const TrainMatrix& each : shown().matrices) EXPECT_GT(each.largest_gradient, 0);
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

TEST_F(TrainPageTest, ALargeModelWaitsForPlay) {
    set([](TrainPlace& place) { place.source = TrainSource::own; });
    EXPECT_FALSE(shown().begun);
    EXPECT_FALSE(shown().error);
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
