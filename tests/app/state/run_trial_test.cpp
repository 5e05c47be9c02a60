// Claims about experiments of the Run view: what they do to the same tokens, that undo steps through them, and that
// they are saved.
#include <gtest/gtest.h>

#include "app/state/run/command.hpp"
#include "app/state/run/trial.hpp"
#include "app/state/storage.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::set_run;

Change change_of(Change::Kind kind, std::string_view text) {
    const Result<Change> change = parse_change(kind, text);
    EXPECT_TRUE(change) << text;
    return *change;
}

class RunTrialTest : public testing::Test {
  protected:
    RunTrialTest() : session(test::session_of("llama-2-7b")) {
        test::show_small_run(session);
        set_run(session, [](RunPlace& place) {
            place.ids = "7, 8, 9, 10, 11";
            place.beside = true;
        });
        finish_run(session);
    }

    void experiment(std::vector<Change> changes, std::string other = "") {
        RunPlace place = session.view.run;
        place.experiments = {{}, std::move(other)};
        for (Change& each : changes) place.experiments.changes.push_back({std::move(each)});
        headcount::apply(session, Intents{AtRun{SetRun{std::move(place)}}});
        finish_run(session);
    }
    const RunTrial& trial() const { return *session.running.trial; }

    // The furthest that any token has moved behind a layer.
    double most_moved(std::size_t layer) const { return *std::ranges::max_element(trial().moved[layer]); }

    Session session;
};

TEST_F(RunTrialTest, NothingIsWorkedOutBeforeSomebodyLooks) {
    EXPECT_TRUE(session.running.trial);
    set_run(session, [](RunPlace& place) { place.beside = false; });
    finish_run(session);
    EXPECT_FALSE(session.running.trial);
    EXPECT_FALSE(session.running.ranked);
}

TEST_F(RunTrialTest, WithoutAChangeBothRunsAreTheSame) {
    EXPECT_EQ(trial().changed, trial().of);
    EXPECT_EQ(trial().after, trial().before);
    ASSERT_EQ(trial().moved.size(), 4U) << "as embedded, and behind three layers";
    for (std::size_t layer = 0; layer < 4; ++layer) EXPECT_EQ(most_moved(layer), 0);
}

TEST_F(RunTrialTest, WhatFollowsATokenIsComparedOnceItHasComeThroughAllLayers) {
    const std::int64_t last = trial().asked.position;
    for (std::int64_t layers = 0; layers <= 3; ++layers) {
        headcount::apply(session, Intents{AtRun{StepRun{}}});
        finish_run(session);
        ASSERT_FALSE(session.running.shown->whole());
        EXPECT_EQ(trial().asked.position, last) << layers;
        EXPECT_EQ(trial().of->values, session.running.shown->values);
        ASSERT_TRUE(session.running.ranked && session.running.ranked->rank);
        EXPECT_EQ(session.running.ranked->position, last) << "parts matter for what the bars are of";
        EXPECT_EQ(session.running.ranked->rank->token, trial().token);
    }
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    ASSERT_TRUE(session.running.shown->whole());
    EXPECT_EQ(trial().asked.position, last + 1);
}

TEST_F(RunTrialTest, AnotherPromptIsReadByTheSameModel) {
    RunPlace place = session.view.run;
    place.experiments = {.other = "3, 2, 1", .reads_other = true};
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    const RunValues& as_it_is = *trial().of->values;
    Result<headcount::Run> run = headcount::Run::start(as_it_is.shared_model(), session.running.model->options);
    ASSERT_TRUE(run);
    ASSERT_FALSE(run->append(std::array{3, 2, 1}));
    ASSERT_EQ(trial().changed->tokens.size(), 3U);
    EXPECT_EQ(trial().changed->tokens[2].id, 1);
    for (std::size_t i = 0; i < run->logits().size(); ++i)
        EXPECT_NEAR(trial().changed->logits[i], run->logits()[i], 1e-5);
    EXPECT_NEAR(trial().after, log_probability(run->logits(), trial().token), 1e-5);
    EXPECT_TRUE(trial().moved.empty()) << "other tokens have not moved from these";
    // A head that is off is so in the other text.
    place.experiments.changes.push_back({change_of(Change::Kind::off, "layer.1.attention.head:2")});
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    EXPECT_EQ(trial().changed->tokens.size(), 3U);
    EXPECT_NE(trial().changed->logits, std::vector<float>(run->logits().begin(), run->logits().end()));
    place.experiments.other = "99";
    headcount::apply(session, Intents{AtRun{SetRun{place}}});
    finish_run(session);
    EXPECT_TRUE(trial().other_wrong);
    EXPECT_EQ(trial().changed->tokens.size(), 5U) << "as it is, with the head off";
}

TEST_F(RunTrialTest, TheSamePromptBesideItGoesOnAsTheRunDoes) {
    set_run(session, [](RunPlace& place) { place.experiments = {.other = place.ids, .reads_other = true}; });
    finish_run(session);
    for (int made = 1; made <= 3; ++made) {
        test::make_tokens(session, 1);
        ASSERT_EQ(trial().of->tokens.size(), 5U + static_cast<std::size_t>(made));
        ASSERT_EQ(trial().changed->tokens.size(), trial().of->tokens.size());
        EXPECT_EQ(trial().changed->tokens.back().id, trial().of->tokens.back().id);
        EXPECT_TRUE(trial().changed->tokens.back().generated);
        EXPECT_NEAR(trial().divergence, 0, 1e-6);
    }
    headcount::apply(session, Intents{AtRun{RestartRun{}}});
    finish_run(session);
    EXPECT_EQ(trial().changed->tokens.size(), 5U);
    set_run(session, [](RunPlace& place) { place.position = 2; });
    finish_run(session);
    EXPECT_EQ(trial().changed_position, 2) << "the same token of both";
    EXPECT_NEAR(trial().divergence, 0, 1e-6);
}

TEST_F(RunTrialTest, AHeadThatIsOffGivesTheNumbersOfARunWithoutIt) {
    const Change off = change_of(Change::Kind::off, "layer.1.attention.head:2");
    experiment({off});
    const RunValues& as_it_is = *trial().of->values;
    Result<headcount::Run> run = headcount::Run::start(as_it_is.shared_model(), session.running.model->options);
    ASSERT_TRUE(run);
    const Result<NodeChange> change = resolve(off, run->model().architecture, run->model().graph, {5, 5, 0});
    ASSERT_TRUE(change);
    run->set_changes({*change});
    ASSERT_FALSE(run->append(as_it_is.ids()));
    const std::span<const float> expected = run->logits();
    const std::vector<float>& found = trial().changed->logits;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5);
    ASSERT_TRUE(trial().effects[0].alone);
    EXPECT_NE(*trial().effects[0].alone, 0);
    EXPECT_NEAR(*trial().effects[0].alone, trial().after - trial().before, 1e-6) << "it is the only one";
    EXPECT_EQ(most_moved(1), 0) << "behind layer 0 nothing has moved";
    EXPECT_GT(most_moved(2), 0);
    EXPECT_GT(most_moved(3), 0);
}

TEST_F(RunTrialTest, AChangeThatIsSwitchedOffActsNowhereAndKeepsItsEffectAlone) {
    experiment({change_of(Change::Kind::off, "layer.0.feed_forward")});
    const double alone = *trial().effects[0].alone;
    set_run(session, [](RunPlace& place) { place.experiments.changes[0].on = false; });
    finish_run(session);
    EXPECT_EQ(trial().changed, trial().of);
    EXPECT_EQ(*trial().effects[0].alone, alone);
}

TEST_F(RunTrialTest, ScaledByNothingIsOffAndByOneIsAsItIs) {
    experiment({change_of(Change::Kind::off, "layer.1.attention")});
    const double off = trial().after;
    experiment({change_of(Change::Kind::scale, "layer.1.attention=0")});
    EXPECT_EQ(trial().after, off);
    experiment({change_of(Change::Kind::scale, "layer.1.attention=1")});
    EXPECT_EQ(trial().after, trial().before);
}

TEST_F(RunTrialTest, AMeanIsOfThePromptsTokensAsItIs) {
    experiment({change_of(Change::Kind::mean, "layer.1.feed_forward.neuron:3")});
    ASSERT_FALSE(trial().effects[0].wrong);
    const RunValues &was = *trial().of->values, &is = *trial().changed->values;
    const Tensor& hidden = *was.model().graph.find("layer.feed_forward.hidden");
    const auto tensor = static_cast<TensorIndex>(&hidden - was.model().graph.tensors.data());
    const MatrixView before = was.activation(tensor, 1), after = is.activation(tensor, 1);
    ASSERT_TRUE(before && after);
    double mean = 0;
    for (std::int64_t row = 0; row < before.rows; ++row) mean += static_cast<double>(before.at(row, 3)) / 5;
    ASSERT_EQ(before.rows, 5);
    for (std::int64_t row = 0; row < after.rows; ++row) {
        EXPECT_NEAR(after.at(row, 3), mean, 1e-6);
        EXPECT_EQ(after.at(row, 2), before.at(row, 2));
    }
    experiment({change_of(Change::Kind::put, "layer.1.attention.head.scores.head:1.column:0@4=30")});
    EXPECT_NEAR(trial().changed->values->attention(1, 1).at(4, 0), 1, 1e-5) << "it looks there alone";
}

TEST_F(RunTrialTest, WhatIsReplacedComesFromTheOtherPrompt) {
    const Change stream{.kind = Change::Kind::patch, .place = change_of(Change::Kind::off, "stream.2@4").place};
    experiment({stream}, "7, 8, 9, 10, 11");
    EXPECT_FALSE(trial().other_wrong);
    EXPECT_EQ(trial().after, trial().before) << "the same prompt makes the same there";
    // The last layer's last token decides alone what comes next: that of the other prompt follows.
    experiment({stream}, "1, 2, 3, 4, 5");
    set_run(session, [](RunPlace& place) { place.ids = "1, 2, 3, 4, 5"; });
    const std::vector<float> replaced = trial().changed->logits;
    finish_run(session);
    ASSERT_EQ(replaced.size(), trial().of->logits.size());
    for (std::size_t i = 0; i < replaced.size(); ++i) EXPECT_NEAR(replaced[i], trial().of->logits[i], 1e-5);
}

TEST_F(RunTrialTest, WhatIsWrongWithTheOtherPromptIsSaidAndTheOthersAct) {
    const Change patch{.kind = Change::Kind::patch, .place = change_of(Change::Kind::off, "stream.0@1").place};
    experiment({patch, change_of(Change::Kind::off, "layer.2.attention")}, "7, 99");
    ASSERT_TRUE(trial().other_wrong);
    EXPECT_EQ(trial().other_wrong->what, "there is no token 99");
    EXPECT_FALSE(trial().wrong);
    EXPECT_NE(trial().after, trial().before);
}

TEST_F(RunTrialTest, APlaceThatTheModelDoesNotHaveIsSaidBesideItsChange) {
    experiment({change_of(Change::Kind::off, "layer.1.attention.head:9"),
                change_of(Change::Kind::off, "layer.1.attention.head:0")});
    ASSERT_TRUE(trial().effects[0].wrong);
    EXPECT_FALSE(trial().effects[1].wrong);
    EXPECT_NE(trial().after, trial().before) << "the other one acts";
}

TEST_F(RunTrialTest, WhatAPartMattersIsWhatItsChangeDoesAlone) {
    experiment({change_of(Change::Kind::off, "layer.1.attention.head:3"),
                change_of(Change::Kind::off, "layer.2.feed_forward")});
    ASSERT_TRUE(session.running.ranked);
    ASSERT_TRUE(session.running.ranked->rank);
    const Rank& rank = *session.running.ranked->rank;
    EXPECT_EQ(rank.token, trial().token);
    EXPECT_EQ(session.running.ranked->runs, 3 * (4 + 2)) << "heads and sub-blocks of three layers";
    for (const PartRank& part : rank.parts) {
        if (part.block == "attention") {
            EXPECT_NEAR(part.heads[1][3], *trial().effects[0].alone, 1e-5);
        } else {
            EXPECT_NEAR(*part.layers[2], *trial().effects[1].alone, 1e-5);
        }
    }
}

TEST_F(RunTrialTest, UndoStepsThroughExperimentsAndModelsAlike) {
    const Architecture arch = session.document.architecture;
    experiment({change_of(Change::Kind::off, "layer.1.attention")});
    Document document = session.document;
    document.architecture = *with_field(document.architecture, Field::ffn_dim, "96");
    headcount::apply(session, Intents{Replace{document}});
    headcount::apply(session, Intents{Undo{}});
    EXPECT_EQ(session.document.architecture, arch);
    EXPECT_EQ(session.view.run.experiments.changes.size(), 1U);
    headcount::apply(session, Intents{Undo{}});
    EXPECT_TRUE(session.view.run.experiments.changes.empty());
    EXPECT_EQ(session.document.architecture, arch);
    headcount::apply(session, Intents{Redo{}});
    EXPECT_EQ(session.view.run.experiments.changes.size(), 1U);
}

TEST_F(RunTrialTest, WhatIsTypedInARowIsOneEditAndLookingIsNone) {
    const auto type = [&](const char* text) {
        RunPlace place = session.view.run;
        place.experiments.other = text;
        headcount::apply(session, Intents{AtRun{SetRun{std::move(place), 7}}});
    };
    type("1");
    type("1,");
    type("1, 2");
    set_run(session, [](RunPlace& place) { place.layer = 1; });
    headcount::apply(session, Intents{Undo{}});
    EXPECT_EQ(session.view.run.experiments.other, "");
    EXPECT_EQ(session.view.run.layer, 1) << "where one looks is no part of undo";
}

TEST_F(RunTrialTest, ExperimentsAreSavedAsTheCommandLineHasThem) {
    experiment({change_of(Change::Kind::off, "layer.1.attention.head:3"),
                change_of(Change::Kind::scale, "layer.0.feed_forward=-0.5"),
                {.kind = Change::Kind::patch, .place = change_of(Change::Kind::off, "stream.2@4").place}},
               "1, 2, 3");
    set_run(session, [](RunPlace& place) { place.experiments.changes[1].on = false; });
    const Saved saved{.document = session.document, .view = session.view};
    const std::string text = saved_text(saved);
    EXPECT_NE(text.find("layer.0.feed_forward=-0.5"), std::string::npos) << text;
    const Result<Saved> read = saved_from_text(text, "saved");
    ASSERT_TRUE(read) << sentence(read.error());
    EXPECT_EQ(read->view.run.experiments, session.view.run.experiments);
    EXPECT_TRUE(read->view.run.beside);
}

TEST_F(RunTrialTest, AnotherModelBeginsWithoutExperimentsAndUndoBringsThemBack) {
    experiment({change_of(Change::Kind::off, "layer.1.attention")});
    headcount::apply(session, Intents{AtRun{from_source(session.view.run, RunSource::shipped)}});
    EXPECT_TRUE(session.view.run.experiments.changes.empty());
    headcount::apply(session, Intents{Undo{}});
    EXPECT_EQ(session.view.run.experiments.changes.size(), 1U);
}

TEST_F(RunTrialTest, ACommandSaysTheModelTheTextAndTheChange) {
    const auto command = [&](const Change& change) {
        return run_command(*session.running.shown, session.view.run, session.document, change);
    };
    experiment({}, "1, 2");
    const std::string own = command(change_of(Change::Kind::off, "layer.1.attention.head:3"));
    EXPECT_TRUE(own.ends_with(" --random-weights --prompt-ids 7,8,9,10,11 --off layer.1.attention.head:3")) << own;
    const std::string patch =
        command({.kind = Change::Kind::patch, .place = change_of(Change::Kind::off, "stream.2@4").place});
    EXPECT_NE(patch.find(" --prompt-ids 1,2 --tokens 0 --dump other.safetensors\n"), std::string::npos) << patch;
    EXPECT_TRUE(patch.ends_with(" --patch stream.2@4=other.safetensors")) << patch;
    RunPlace place = session.view.run;
    place.source = RunSource::shipped;
    place.prompt = "Tom's cat";
    headcount::apply(session, Intents{AtRun{SetRun{std::move(place)}}});
    finish_run(session);
    EXPECT_EQ(command(change_of(Change::Kind::scale, "layer.0.feed_forward=0.5")),
              "headcount run tiny-stories --prompt 'Tom'\\''s cat' --temperature 0.8 --top-k 40 --top-p 0.95 --seed 42 "
              "--scale layer.0.feed_forward=0.5");
}

TEST_F(RunTrialTest, AWeightIsTypedAndMovesWhatItsLayerMakes) {
    experiment({change_of(Change::Kind::put, "layer.1.feed_forward.down.weight.column:3@2=40")});
    ASSERT_FALSE(trial().wrong);
    EXPECT_EQ(most_moved(1), 0) << "the layer before it knows nothing of it";
    EXPECT_GT(most_moved(2), 0);
    ASSERT_TRUE(trial().effects[0].alone);
    EXPECT_NEAR(*trial().effects[0].alone, trial().after - trial().before, 1e-6);
    // As it is: the same run.
    experiment({change_of(Change::Kind::scale, "layer.1.feed_forward.down.weight=1")});
    EXPECT_EQ(most_moved(3), 0);
    experiment({change_of(Change::Kind::off, "layer.1.attention.query.weight.column:4000")});
    ASSERT_TRUE(trial().effects[0].wrong);
    EXPECT_NE(trial().effects[0].wrong->what.find("no column 4,000"), std::string::npos);
    EXPECT_EQ(trial().changed, trial().of) << "the others have theirs";
}

TEST_F(RunTrialTest, WhatTheChangedRunDrawsNextIsKnown) {
    EXPECT_EQ(trial().pick, session.running.next->pick) << "as it is";
    experiment({change_of(Change::Kind::scale, "stream.2=-1")});
    ASSERT_TRUE(trial().pick);
    EXPECT_NE(trial().pick, session.running.next->pick);
}

}  // namespace
}  // namespace headcount
