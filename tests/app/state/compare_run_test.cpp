// Claims about the run of the model that the document is compared with.
#include <gtest/gtest.h>

#include "app/state/compare/page.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/next.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/storage.hpp"
#include "core/arch/validate.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_model.hpp"

namespace headcount {
namespace {

using test::ask;
using test::edit;
using test::session_of;

void finish_both_runs(Session& session) {
    finish_run(session);
    look_at_view(session);
    session.comparison.run.runner->wait_until_calm();
    ask(session, AtCompare{TakeNumbers{}});
}

// The fault that the tokens of a run were an edit, and took away what could be redone.
TEST(LentTokens, AreNoEdit) {
    Session session = session_of("tiny-stories");
    look_at_view(session);
    finish_run(session);
    look_at_view(session);
    const std::int64_t lent = session.document.input.tokens;
    ASSERT_NE(lent, first_input(session.document.architecture).tokens);
    EXPECT_FALSE(session.history.can_undo());
    ask(session, OpenPreset{"bert-base-uncased"});
    ask(session, edit(session, Field::layers, "6"));
    ask(session, edit(session, Field::layers, "3"));
    for (int presses = 0; presses < 5; ++presses) {
        ask(session, Undo{});
        finish_run(session);
        look_at_view(session);
    }
    EXPECT_EQ(session.document.preset, "tiny-stories");
    EXPECT_EQ(session.document.input.tokens, lent);
    EXPECT_FALSE(session.history.can_undo());
    for (int presses = 0; presses < 3; ++presses) ask(session, Redo{});
    EXPECT_EQ(session.document.preset, "bert-base-uncased");
    EXPECT_EQ(session.document.architecture.layers, 3);
    EXPECT_FALSE(session.history.can_redo());
}

TEST(CompareRun, WhereBothHaveWeightsBReadsWhatAHasRead) {
    const testing_data::Scratch scratch;
    Session session = session_of("gpt2");
    ask(session, OpenFile{write_filled_model(scratch, "a")});
    ask(session, ShowWorkspace{compare_view});
    ask(session, AtCompare{CompareWithFile{write_filled_model(scratch, "b", "lm_head.weight")}});
    const OtherRun& run = session.comparison.run;
    ASSERT_TRUE(run.runner);
    finish_both_runs(session);
    EXPECT_FALSE(has_news(session.comparison));
    ASSERT_TRUE(run.told && run.next && session.running.shown);
    EXPECT_EQ(run.told->values->model().architecture, session.comparison.other->document.architecture);
    const auto ids = [&] { return std::vector(run.told->values->ids().begin(), run.told->values->ids().end()); };
    EXPECT_EQ(ids(), (std::vector<std::int32_t>{1, 2, 3}));
    EXPECT_EQ(session.document.input.tokens, 3) << "lent by its run";
    EXPECT_EQ(session.comparison.other->document.input.tokens, 3);
    const float theirs = run.told->logits.front(), own = session.running.shown->logits.front();
    EXPECT_FLOAT_EQ(theirs, 1.5F * own) << "its own weights";

    RunPlace place = session.view.run;
    place.ids = "5, 4";
    ask(session, AtRun{SetRun{place}});
    finish_both_runs(session);
    EXPECT_EQ(ids(), (std::vector<std::int32_t>{5, 4}));
    EXPECT_EQ(session.comparison.other->document.input.tokens, 2);

    ask(session, AtCompare{CompareWithPreset{"llama-2-7b"}});
    EXPECT_FALSE(run.runner) << "it has no weights";
    ask(session, AtCompare{CompareWithPreset{"tiny-stories"}});
    finish_both_runs(session);
    EXPECT_EQ(run.told->values->model().architecture.vocab, 512) << "it ships with some";
    ask(session, edit(session, Field::layers, "1"));
    EXPECT_FALSE(run.runner) << "A's are of other shapes";
}

}  // namespace
}  // namespace headcount
