// Claims about a frame that waits for a run: for one that takes no time, and never for long.
#include <gtest/gtest.h>

#include "app/state/run/runner.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

class RunWait : public testing::Test {
  protected:
    RunWait() : session(test::session_of("llama-2-7b")) {
        test::show_small_run(session);
        finish_run(session);
    }

    // As long as a machine may need that is busy with something else.
    bool comes() const {
        return news_comes(session.running, std::chrono::steady_clock::now() + std::chrono::minutes(1));
    }
    void take() { headcount::apply(session, Intents{AtRun{TakeRun{}}}); }
    void told_that_it_took(double seconds) {
        auto told = std::make_shared<RunSnapshot>(*session.running.told);
        told->last_seconds = seconds;
        session.running.told = std::move(told);
    }

    Session session;
};

TEST_F(RunWait, HasTheTokenAndThenWhatMayFollowIt) {
    told_that_it_took(0);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    ASSERT_TRUE(comes());
    take();
    EXPECT_EQ(session.running.told->generated, 1);
    told_that_it_took(0);
    ASSERT_TRUE(comes());
    take();
    EXPECT_EQ(session.running.shown->generated, 1);
    EXPECT_EQ(session.running.next->of->generated, 1);
}

TEST_F(RunWait, IsOverAtOnceWhereNothingIsUnderWay) {
    told_that_it_took(0);
    EXPECT_FALSE(comes());
    headcount::apply(session, Intents{SetTheme{ThemeChoice::light}});
    EXPECT_FALSE(comes());
}

TEST_F(RunWait, IsNotForAModelThatTakesItsTime) {
    told_that_it_took(0.5);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    EXPECT_FALSE(comes());
}

}  // namespace
}  // namespace headcount
