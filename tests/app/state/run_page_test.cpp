// Claims about what the Run view runs, and what of it is shown: the worker's news, the next token, errors.
#include <gtest/gtest.h>

#include <atomic>

#include "app/state/in_view.hpp"
#include "app/state/storage.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::make_tokens;
using test::set_run;
using test::show_small_run;

class RunPageTest : public testing::Test {
  protected:
    RunPageTest() : session(test::session_of("llama-2-7b")) {}

    void look() {
        show_small_run(session);
        finish_run(session);
    }
    const RunSnapshot& run() const { return *session.running.shown; }
    const RunNext& next() const { return *session.running.next; }

    Session session;
};

TEST_F(RunPageTest, NothingRunsBeforeSomebodyLooks) {
    headcount::apply(session, Intents{SetTheme{ThemeChoice::light}});
    EXPECT_FALSE(session.running.runner);
    EXPECT_FALSE(session.running.model);
}

TEST(RunUnasked, TheModelThatShipsHasItsNumbersWhereverItIsShown) {
    Session session = test::session_of("tiny-stories");
    headcount::apply(session, Intents{SetTheme{ThemeChoice::light}});
    ASSERT_TRUE(session.running.runner);
    session.running.runner->wait_until_calm();
    EXPECT_TRUE(has_news(session.running));
    Document edited = session.document;
    edited.architecture = *with_field(edited.architecture, Field::layers, "5");
    headcount::apply(session, Intents{Replace{edited}});
    EXPECT_FALSE(runs_unasked(session)) << "these are no longer the shapes of its weights";
}

TEST_F(RunPageTest, ASmallModelReadsItsPromptAtOnce) {
    look();
    ASSERT_TRUE(session.running.model->light());
    EXPECT_FALSE(run().error) << sentence(*run().error);
    ASSERT_EQ(run().tokens.size(), 3U);
    EXPECT_EQ(run().tokens[1].id, 2);
    EXPECT_EQ(run().prompt, 3U);
    EXPECT_TRUE(run().whole());
    EXPECT_EQ(run().logits.size(), 50U);
    EXPECT_EQ(next().distribution.candidates.size(), 50U);
}

TEST_F(RunPageTest, TheDocumentAndItsHistoryStayAsTheyAre) {
    show_small_run(session);
    const Document document = session.document;
    finish_run(session);
    make_tokens(session, 2);
    set_run(session, [](RunPlace& place) { place.ids = "4 5"; });
    EXPECT_EQ(session.document, document);
    headcount::apply(session, Intents{Undo{}});
    EXPECT_EQ(session.document.architecture.dim, 4096) << "the only edit was the small model itself";
}

TEST_F(RunPageTest, AnotherPromptIsReadAnew) {
    look();
    set_run(session, [](RunPlace& place) { place.ids = "7, 8, 9, 10"; });
    finish_run(session);
    ASSERT_EQ(run().tokens.size(), 4U);
    EXPECT_EQ(run().tokens[3].id, 10);
}

TEST_F(RunPageTest, WhatIsWrongWithThePromptIsSaidAndNothingIsLost) {
    look();
    const std::vector<float> logits = run().logits;
    const std::pair<void (*)(RunPlace&), const char*> wrong[] = {
        {[](RunPlace& place) { place.ids = "7, 99"; }, "there is no token 99"},
        {[](RunPlace& place) { place.ids = "seven"; }, "\"seven\" is no token's number"},
        {[](RunPlace& place) { place.ids = " "; }, "there are no tokens"},
        {[](RunPlace& place) { place.ids = "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"; }, "room for 24"}};
    for (const auto& [change, said] : wrong) {
        set_run(session, change);
        finish_run(session);
        ASSERT_TRUE(run().error) << said;
        EXPECT_NE(sentence(*run().error).find(said), std::string::npos) << sentence(*run().error);
        EXPECT_EQ(run().error->where, "ids");
        EXPECT_EQ(run().tokens.size(), 3U) << "what was read before is still there";
        EXPECT_EQ(run().logits, logits);
    }
    set_run(session, [](RunPlace& place) { place.ids = "5"; });
    finish_run(session);
    EXPECT_FALSE(run().error);
    EXPECT_EQ(run().tokens.size(), 1U);
}

TEST_F(RunPageTest, AStepEmbedsATokenOrShowsALayerOfItOrWhatFollows) {
    look();
    const std::int32_t coming = *next().pick;
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    ASSERT_EQ(run().tokens.size(), 4U);
    EXPECT_EQ(run().tokens.back().id, coming) << "the token that was announced";
    EXPECT_TRUE(run().tokens.back().generated);
    for (std::int64_t layers = 0; layers <= 3; ++layers) {
        EXPECT_EQ(run().layers_shown, layers);
        EXPECT_EQ(next().layers, layers) << "what the output head makes of it so far";
        EXPECT_FALSE(run().whole());
        EXPECT_FALSE(next().pick);
        for (std::int64_t behind = 0; behind <= 3; ++behind) {
            EXPECT_EQ(run().reached(3, behind), behind <= layers);
            EXPECT_TRUE(run().reached(2, behind)) << "earlier tokens have passed all layers";
        }
        headcount::apply(session, Intents{AtRun{StepRun{}}});
        finish_run(session);
    }
    EXPECT_EQ(run().tokens.size(), 4U);
    EXPECT_TRUE(run().whole());
    EXPECT_TRUE(next().pick);
}

TEST_F(RunPageTest, StepsBehindTheEndAreNotMadeBehindTheNextPrompt) {
    look();
    make_tokens(session, 30);
    ASSERT_TRUE(run().over);
    for (int i = 0; i < 3; ++i) headcount::apply(session, Intents{AtRun{StepRun{}}});
    set_run(session, [](RunPlace& place) { place.ids = "5, 6"; });
    finish_run(session);
    EXPECT_EQ(run().tokens.size(), 2U);
    make_tokens(session, 1);
    EXPECT_EQ(run().tokens.size(), 3U);
}

TEST_F(RunPageTest, ARunThatPlaysUnseenPausesAndSaysSo) {
    const auto show = [&](std::string_view workspace) {
        headcount::apply(session, Intents{ShowWorkspace{workspace}});
        session.running.runner->wait_until_calm();
        headcount::apply(session, Intents{AtRun{TakeRun{}}});
    };
    look();
    show(explore_view);
    EXPECT_FALSE(run().rested) << "it did not play";
    show(run_view);
    set_run(session, [](RunPlace& place) { place.speed = RunSpeed::half; });
    headcount::apply(session, Intents{AtRun{PlayRun{}}});
    EXPECT_TRUE(session.running.runner->playing());
    show(explore_view);
    show(run_view);
    EXPECT_FALSE(run().playing);
    EXPECT_TRUE(run().rested);
    finish_run(session);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_FALSE(run().rested) << "something was asked for since";
}

TEST_F(RunPageTest, WhatWasRunIsShownTogetherWithWhatMayFollow) {
    look();
    const auto before = session.running.shown;
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    session.running.runner->wait_until_calm();
    headcount::apply(session, Intents{});
    EXPECT_EQ(session.running.shown, before) << "nothing changes but between two frames";
    headcount::apply(session, Intents{AtRun{TakeRun{}}});
    EXPECT_TRUE(same_numbers(run(), *next().of));
    session.running.looker->wait_until_calm();
    EXPECT_TRUE(has_news(session.running));
    headcount::apply(session, Intents{AtRun{TakeRun{}}});
    EXPECT_EQ(run().tokens.size(), 4U);
    EXPECT_TRUE(same_numbers(run(), *next().of));
    EXPECT_FALSE(has_news(session.running));
}

TEST_F(RunPageTest, TheSameSeedGivesTheSameTokensAndGreedyTheLikeliest) {
    look();
    make_tokens(session, 5);
    std::vector<std::int32_t> first;
    for (const RunToken& token : run().tokens) first.push_back(token.id);
    headcount::apply(session, Intents{AtRun{RestartRun{}}});
    finish_run(session);
    EXPECT_EQ(run().tokens.size(), 3U);
    make_tokens(session, 5);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(run().tokens[i].id, first[i]);
    set_run(session, [](RunPlace& place) { place.sampling.greedy = true; });
    finish_run(session);
    EXPECT_EQ(next().pick, next().distribution.candidates.front().id);
    EXPECT_EQ(next().distribution.kept, 1U);
}

TEST_F(RunPageTest, SamplingReshapesWithoutRunningAgain) {
    look();
    const auto before = session.running.shown;
    set_run(session, [](RunPlace& place) {
        place.sampling.top_k = 3;
        place.sampling.top_p = 1;
    });
    finish_run(session);
    EXPECT_EQ(next().distribution.kept, 3U);
    EXPECT_EQ(next().distribution.candidates[3].cut, Cut::top_k);
    set_run(session, [](RunPlace& place) { place.sampling.temperature = -1; });
    finish_run(session);
    EXPECT_TRUE(next().wrong);
    EXPECT_EQ(run().values, before->values);
}

TEST_F(RunPageTest, AnEarlierPositionSaysWhatFollowedIt) {
    look();
    make_tokens(session, 2);
    set_run(session, [](RunPlace& place) { place.position = 3; });
    finish_run(session);
    EXPECT_EQ(next().position, 3);
    EXPECT_EQ(next().pick, run().tokens[4].id);
    EXPECT_FALSE(next().wrong);
}

TEST_F(RunPageTest, ARunEndsWithItsContext) {
    look();
    make_tokens(session, 30);
    EXPECT_EQ(run().tokens.size(), 24U);
    EXPECT_TRUE(run().over);
    EXPECT_FALSE(run().why_over.empty());
    EXPECT_FALSE(run().playing);
}

TEST_F(RunPageTest, PlayGoesOnByItselfAndStops) {
    look();
    set_run(session, [](RunPlace& place) { place.speed = RunSpeed::most; });
    headcount::apply(session, Intents{AtRun{PlayRun{true}}});
    finish_run(session);
    EXPECT_TRUE(run().over);
    EXPECT_GT(run().generated, 0);
    EXPECT_GT(run().tokens_per_second(), 0);
    headcount::apply(session, Intents{AtRun{RestartRun{}}, AtRun{PlayRun{true}}, AtRun{PlayRun{false}}});
    finish_run(session);
    EXPECT_FALSE(run().playing);
}

TEST_F(RunPageTest, FreeGivesTheMemoryBack) {
    look();
    EXPECT_GT(run().bytes_held, 0);
    headcount::apply(session, Intents{AtRun{FreeRun{}}});
    finish_run(session);
    EXPECT_FALSE(run().values);
    EXPECT_EQ(run().bytes_held, 0);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_TRUE(run().values) << "it is loaded again when it is asked for";
}

TEST_F(RunPageTest, AnEditedModelRunsAnew) {
    look();
    Document document = session.document;
    document.architecture = *with_field(document.architecture, Field::layers, "2");
    headcount::apply(session, Intents{Replace{document, Field::layers}});
    finish_run(session);
    EXPECT_EQ(run().values->layers(), 2);
}

TEST_F(RunPageTest, AModelThatNoMemoryHoldsIsRefusedWithTheNumbers) {
    Document document = session.document;
    document.architecture = *with_field(document.architecture, Field::layers, "2000");
    session.view.run.source = RunSource::random;
    headcount::apply(session, Intents{Replace{document, Field::layers}, ShowWorkspace{run_view}});
    const RunModel& model = *session.running.model;
    ASSERT_TRUE(model.wrong);
    EXPECT_NE(sentence(*model.wrong).find("TiB"), std::string::npos) << sentence(*model.wrong);
    finish_run(session);
    EXPECT_FALSE(session.running.shown && session.running.shown->values);
}

TEST_F(RunPageTest, MemoryThatWillBeGivenBackCountsAsFree) {
    RunBasis basis = {.source = RunSource::random, .architecture = session.document.architecture};
    basis.architecture = *with_field(basis.architecture, Field::layers, "2000");
    EXPECT_TRUE(run_model(basis).wrong);
    EXPECT_FALSE(run_model(basis, std::int64_t{1} << 44).wrong) << "as much as the model before holds";
}

TEST_F(RunPageTest, WeightsOfAFileAreAskedForWhereThereAreNone) {
    session.view.run.source = RunSource::file;
    headcount::apply(session, Intents{ShowWorkspace{run_view}});
    ASSERT_TRUE(session.running.model->wrong);
    EXPECT_NE(session.running.model->wrong->what.find("no weights"), std::string::npos);
}

TEST_F(RunPageTest, TheWorkerWakesWhoeverWaits) {
    auto woken = std::make_shared<std::atomic<int>>(0);
    session.running.wake = [woken] { ++*woken; };
    look();
    EXPECT_GT(woken->load(), 0);
}

TEST_F(RunPageTest, AnotherViewPausesIt) {
    look();
    headcount::apply(session, Intents{AtRun{PlayRun{true}}});
    headcount::apply(session, Intents{ShowWorkspace{explore_view}});
    EXPECT_FALSE(session.running.runner->playing());
}

TEST_F(RunPageTest, ToAClassAStepIsATokenButInTheDiagram) {
    look();
    headcount::apply(session, Intents{Present{true}, AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_FALSE(run().whole()) << "the diagram has the layers";
    test::set_run(session, [](RunPlace& place) { place.beside = true; });
    look();
    headcount::apply(session, Intents{AtRun{RestartRun{}}, AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_EQ(run().generated, 1);
    EXPECT_TRUE(run().whole()) << "both runs beside each other have their last layer alone";
}

TEST(RunPage, ToAClassTheMapAndTheTreeGoOnWordByWord) {
    for (const RunShows shows : {RunShows::words, RunShows::map, RunShows::tokens, RunShows::tree}) {
        Session session = test::session_of("llama-2-7b");
        session.view.run.source = RunSource::shipped;
        session.view.run.shows = shows;
        headcount::apply(session, Intents{ShowWorkspace{run_view}});
        finish_run(session);
        headcount::apply(session, Intents{Present{true}});
        finish_run(session);
        headcount::apply(session, Intents{AtRun{StepRun{}}});
        finish_run(session);
        EXPECT_TRUE(session.running.shown->whole()) << run_shows_keys[static_cast<std::size_t>(shows)];
        EXPECT_EQ(session.running.shown->generated, 1);
    }
}

TEST_F(RunPageTest, WhatIsAskedForIsSavedAndRestored) {
    Saved saved{session.document, {}};
    saved.view.run.opens = false;  // somebody has chosen a head
    saved.view.run.layer = 3;
    saved.view.run.head = 5;
    saved.view.run.source = RunSource::random;
    saved.view.run.prompt = "A cat\nand \"a\" dog";
    saved.view.run.ids = "3 4";
    saved.view.run.sampling = {true, 1.25, 7, 0.5, 0.05, 18446744073709551615U};
    saved.view.run.speed = RunSpeed::four;
    saved.view.run.tab = RunTab::lens;
    saved.view.run.shared_scale = true;
    const Result<Saved> back = saved_from_text(saved_text(saved), "document.json");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->view.run, saved.view.run);
    std::string text = saved_text(saved);
    text.replace(text.find("1.25"), 4, "-9.5");
    EXPECT_EQ(saved_from_text(text, "document.json")->view.run.sampling.temperature, RunSampling{}.temperature);
}

}  // namespace
}  // namespace headcount
