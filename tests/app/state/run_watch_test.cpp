// Claims about the computation as it is watched: the order is that of a pass, and one token's row is made at a time.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "app/state/in_view.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/run/watch.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

class RunWatchTest : public testing::Test {
  protected:
    RunWatchTest() : session(test::session_of("llama-2-7b")) {
        test::show_small_run(session);
        finish_run(session);
    }
    const RunValues& values() const { return *session.running.shown->values; }
    const ModelGraph& graph() const { return values().model().graph; }
    TensorIndex tensor(std::string_view id) const {
        return static_cast<TensorIndex>(graph().find(id) - graph().tensors.data());
    }
    std::size_t step_of(std::string_view id, std::int64_t layer) const {
        const std::vector<WatchStep> steps = watch_steps(values());
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (graph().nodes[steps[i].node].output == tensor(id) && steps[i].layer == layer) return i;
        ADD_FAILURE() << id;
        return 0;
    }

    Session session;
};

TEST_F(RunWatchTest, NothingIsReadBeforeItIsMade) {
    const std::vector<WatchStep> steps = watch_steps(values());
    std::set<std::pair<TensorIndex, std::int64_t>> made;
    std::size_t in_layers = 0;
    for (const WatchStep& step : steps) {
        const Node& node = graph().nodes[step.node];
        const bool layered = graph().layer_of(node.block).has_value();
        for (const TensorIndex input : node.inputs) {
            const Node* const producer = graph().producer(input);
            if (!producer || !values().activation(input, step.layer)) continue;
            const bool own = graph().layer_of(producer->block).has_value() == layered;
            if (!own || graph().reads_stream(node, input)) continue;  // of the layer before
            EXPECT_TRUE(made.contains({input, step.layer})) << graph().tensors[input].id << " " << step.layer;
        }
        EXPECT_TRUE(made.insert({node.output, step.layer}).second) << "once";
        in_layers += layered;
    }
    EXPECT_EQ(in_layers % 3, 0U) << "each of three layers has as many";
    EXPECT_GT(in_layers, 30U);
    EXPECT_EQ(graph().tensors[graph().nodes[steps.back().node].output].id, "logits");
    EXPECT_EQ(first_step_of(values(), steps, 0), 1U) << "behind the embedding";
    EXPECT_EQ(steps[first_step_of(values(), steps, 2)].layer, 2);
}

TEST_F(RunWatchTest, ARowIsMadeColumnByColumnAndNoOtherIsTouched) {
    const Watched half(values(), {step_of("layer.attention.queries", 1), 0.5}, 2);
    const CellsDone queries = half.done(tensor("layer.attention.queries"), 1);
    EXPECT_TRUE(queries.has(2, 15));
    EXPECT_FALSE(queries.has(2, 16)) << "half of 32";
    EXPECT_TRUE(queries.has(1, 31)) << "another token's";
    EXPECT_EQ(half.cell(0), (CellAt{tensor("layer.attention.queries"), 1, 0, 2, 16}));
    EXPECT_TRUE(half.done(tensor("layer.attention.norm"), 1).has(2, 31)) << "before it";
    EXPECT_FALSE(half.done(tensor("layer.attention.head.output"), 1).has(2, 0)) << "behind it";
    EXPECT_TRUE(half.done(tensor("layer.attention.head.output"), 1).has(1, 0));
    EXPECT_TRUE(half.done(tensor("layer.attention.queries"), 0).has(2, 31)) << "the layer before";
    EXPECT_FALSE(half.done(tensor("layer.attention.queries"), 2).has(2, 0));
    EXPECT_TRUE(half.done(tensor("layer.attention.query.weight"), 1).has(0, 0)) << "a weight is always there";
    EXPECT_FALSE(half.done(tensor("logits"), 0).has(2, 0));
}

TEST_F(RunWatchTest, OfScoresOnlyThoseThatATokenMayLookAtAreGoneThrough) {
    const std::size_t scores = step_of("layer.attention.head.scores", 0);
    EXPECT_EQ(Watched(values(), {scores, 1}, 1).cell(3), (CellAt{tensor("layer.attention.head.scores"), 0, 3, 1, 1}));
    EXPECT_EQ(Watched(values(), {scores, 0.99}, 0).cell(0)->column, 0);
}

TEST_F(RunWatchTest, TimeGoesOnAndEndsWithTheModel) {
    RunWatch watch{.step = 0, .done = 0, .playing = true};
    EXPECT_EQ(later(RunWatch{}, 3, 1, RunSpeed::one, false), RunWatch{}) << "it rests";
    EXPECT_EQ(later(watch, 3, 0.75, RunSpeed::one, false).done, 0.5);
    EXPECT_EQ(later(watch, 3, 0.01, RunSpeed::one, true).step, 0U);
    EXPECT_GE(later(watch, 3, 0.01, RunSpeed::one, true).done, 1) << "without motion a step is done at once";
    for (int frame = 0; frame < 400 && watch.playing; ++frame) watch = later(watch, 3, 0.05, RunSpeed::one, false);
    EXPECT_EQ(watch, (RunWatch{.step = 2, .done = 1}));
    RunWatch once{.step = 0, .done = 0, .playing = true, .once = true};
    for (int frame = 0; frame < 400 && once.playing; ++frame) once = later(once, 3, 0.05, RunSpeed::one, false);
    EXPECT_EQ(once, (RunWatch{.step = 0, .done = 1}));
}

TEST_F(RunWatchTest, TheDiagramHasTheLayerThatIsWatched) {
    const auto watch = [&](std::size_t step) {
        headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{.step = step}}}});
    };
    watch(step_of("layer.attention.queries", 1));
    EXPECT_EQ(session.view.run.layer, 1);
    ASSERT_TRUE(session.running.drawn);
    EXPECT_EQ(session.running.drawn->look.asked_for.id, "layer.attention.queries");
    watch(step_of("layer.feed_forward.hidden", 2));
    EXPECT_EQ(session.view.run.layer, 2);
    EXPECT_EQ(session.running.drawn->look.asked_for.id, "layer.feed_forward.hidden");
    headcount::apply(session, Intents{AtRun{step_intent(session.running, -1)}});
    EXPECT_EQ(session.running.watch->step, step_of("layer.feed_forward.hidden", 2) - 1);
    EXPECT_TRUE(std::holds_alternative<WatchRun>(play_intent(session.running)));
    headcount::apply(session, Intents{AtRun{WatchRun{}}});
    EXPECT_FALSE(session.running.watch);
    EXPECT_TRUE(std::holds_alternative<PlayRun>(play_intent(session.running)));
}

TEST_F(RunWatchTest, BehindTheLastOperationThereIsNoneToStepTo) {
    const std::size_t last = watch_steps(values()).size() - 1;
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{.step = last, .done = 1}}}});
    for (int i = 0; i < 3; ++i) headcount::apply(session, Intents{AtRun{step_intent(session.running, 1)}});
    EXPECT_EQ(session.running.watch, (RunWatch{.step = last, .done = 1}));
    headcount::apply(session, Intents{AtRun{step_intent(session.running, -1)}});
    EXPECT_EQ(session.running.watch->step, last - 1);
}

TEST_F(RunWatchTest, WhatIsPressedComesBeforeTheTimeThatHasGoneBy) {
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{.step = 5, .playing = true}}}});
    headcount::apply(session, Intents{AtRun{WatchOn{0.01}}});
    EXPECT_GT(session.running.watch->done, 0);
    // The picture, which says that time has gone by, is drawn behind the buttons.
    headcount::apply(session, Intents{AtRun{play_intent(session.running)}, AtRun{WatchOn{0.01}}});
    EXPECT_FALSE(session.running.watch->playing) << "it pauses";
    const double done = session.running.watch->done;
    headcount::apply(session, Intents{AtRun{WatchOn{0.01}}});
    EXPECT_EQ(session.running.watch->done, done) << "and stays so";
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{.step = 5, .playing = true}}}});
    headcount::apply(session, Intents{AtRun{step_intent(session.running, -1)}, AtRun{WatchOn{0.01}}});
    EXPECT_EQ(session.running.watch->step, 4U);
    headcount::apply(session, Intents{AtRun{WatchRun{}}, AtRun{WatchOn{0.01}}});
    EXPECT_FALSE(session.running.watch) << "all numbers";
}

TEST_F(RunWatchTest, PlayAtTheEndBeginsAgain) {
    const std::size_t last = watch_steps(values()).size() - 1;
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{.step = last, .done = 1}}}});
    headcount::apply(session, Intents{AtRun{play_intent(session.running)}});
    EXPECT_EQ(session.running.watch, (RunWatch{.step = 0, .playing = true}));
}

TEST_F(RunWatchTest, EndsWhereTheDiagramIsNoLongerShown) {
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{}}}});
    ASSERT_TRUE(session.running.watch);
    SetRun set{session.view.run};
    set.place.beside = true;
    headcount::apply(session, Intents{AtRun{set}});
    EXPECT_FALSE(session.running.watch);
}

TEST_F(RunWatchTest, ARunThatPlaysPauses) {
    headcount::apply(session, Intents{AtRun{PlayRun{}}});
    ASSERT_TRUE(session.running.runner->playing());
    headcount::apply(session, Intents{AtRun{WatchRun{RunWatch{}}}});
    EXPECT_FALSE(session.running.runner->playing());
}

}  // namespace
}  // namespace headcount
