// Claims about the thread that finds what may come next: only the newest question is answered, and each only once.
#include <gtest/gtest.h>

#include <semaphore>

#include "app/state/run/looker.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

class RunLookerTest : public testing::Test {
  protected:
    RunLookerTest() : session(test::session_of("llama-2-7b")), looker({}) {
        test::show_small_run(session);
        finish_run(session);
        question = {session.running.shown, {}, 2, RunTab::heads};
    }

    void ask() {
        looker.ask(question);
        looker.wait_until_calm();
    }

    Session session;
    RunLooker looker;
    RunQuestion question;
};

TEST_F(RunLookerTest, FindsTheSameNumbersOnce) {
    ask();
    const auto before = looker.found().next;
    ASSERT_TRUE(before);
    // Of other orders, but no other numbers: such as while a prompt is read.
    question.of = std::make_shared<const RunSnapshot>(*question.of);
    ask();
    EXPECT_EQ(looker.found().next, before);
    question.sampling.top_k = 3;
    ask();
    EXPECT_EQ(looker.found().next->distribution.kept, 3U);
}

TEST_F(RunLookerTest, LooksThroughTheLayersOnlyWhereATabShowsThem) {
    ask();
    EXPECT_FALSE(looker.found().lens);
    question.tab = RunTab::norms;
    ask();
    ASSERT_TRUE(looker.found().lens);
    EXPECT_EQ(looker.found().lens->lengths.size(), 4U);
    EXPECT_TRUE(looker.found().lens->rows.empty()) << "nobody asked what they would have said";
    question.tab = RunTab::lens;
    ask();
    EXPECT_EQ(looker.found().lens->rows.size(), 4U);
}

TEST_F(RunLookerTest, SamplingLeavesWhatTheLayersSayAlone) {
    question.tab = RunTab::lens;
    ask();
    const auto before = looker.found().lens;
    question.sampling.temperature = 1.5;
    ask();
    EXPECT_EQ(looker.found().lens, before);
    question.position = 1;
    ask();
    EXPECT_EQ(looker.found().lens->position, 1);
}

TEST_F(RunLookerTest, NobodyWaitsForTheLayersWhereNoOtherTokenMayCome) {
    std::binary_semaphore found(0), go_on(0);
    int calls = 0;
    RunLooker slow([&] {
        if (calls++ > 0) return;
        found.release();
        go_on.acquire();  // what the layers would have said is still to be found
    });
    question.tab = RunTab::lens;
    slow.ask(question);
    found.acquire();
    const auto next = slow.found().next;
    ASSERT_TRUE(next);
    EXPECT_FALSE(slow.found().lens);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    EXPECT_FALSE(slow.wait_for_another(next, until));
    EXPECT_LT(std::chrono::steady_clock::now(), until) << "at once";
    go_on.release();
    slow.wait_until_calm();
    EXPECT_TRUE(slow.found().lens);
}

TEST_F(RunLookerTest, LetsGoOfNumbersThatAreForgotten) {
    question.tab = RunTab::lens;
    ask();
    const std::weak_ptr<const RunSnapshot> held = question.of;
    question = {};
    session = Session();
    EXPECT_FALSE(held.expired());
    looker.forget();
    EXPECT_TRUE(held.expired());
    EXPECT_FALSE(looker.found().next);
}

TEST_F(RunLookerTest, BehindTheLastLayerStandsWhatTheModelSays) {
    question.tab = RunTab::lens;
    ask();
    const auto lens = looker.found().lens;
    const std::vector<LensRow>& rows = lens->rows;
    ASSERT_EQ(rows.size(), 4U);
    const auto next = looker.found().next;
    const std::vector<Candidate>& all = next->distribution.candidates;
    for (std::size_t i = 0; i < rows.back().first.size(); ++i) {
        EXPECT_EQ(rows.back().first[i].id, all[i].id);
        EXPECT_NEAR(rows.back().first[i].plain, all[i].plain, 1e-6);
    }
}

}  // namespace
}  // namespace headcount
