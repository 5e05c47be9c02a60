// Claims about the thread that runs a model: what it is told in the middle of its work, and what it cannot have.
#include "app/state/run/runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "tests/support/presets.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

class RunnerTest : public testing::Test {
  protected:
    RunnerTest() {
        RunBasis basis{.source = RunSource::random};
        basis.architecture = test::small_architecture(testing_data::preset("llama-2-7b"));
        order = {.model = std::make_shared<const RunModel>(run_model(basis)), .ids = "1, 2, 3"};
    }

    RunOrder order;
};

TEST_F(RunnerTest, ReadsANewPromptWithoutLoadingTheModelAgain) {
    std::atomic<int> loads = 0;
    Runner* asked = nullptr;
    RunOrder other = order;
    other.ids = "7, 8";
    Runner runner([&] {
        const auto latest = asked->latest();
        if (latest->phase != RunPhase::loading || latest->progress > 0) return;
        ++loads;
        asked->order(other);  // as if typed while the weights are loaded
    });
    asked = &runner;
    runner.order(order);
    runner.wait_until_calm();
    EXPECT_EQ(loads, 1);
    ASSERT_EQ(runner.latest()->tokens.size(), 2U);
    EXPECT_EQ(runner.latest()->tokens.front().id, 7);
}

TEST_F(RunnerTest, LoadsAnotherModelInTheMiddleOfOne) {
    auto basis = order.model->asked;
    basis.architecture = *with_field(basis.architecture, Field::layers, "2");
    RunOrder other = order;
    other.model = std::make_shared<const RunModel>(run_model(basis));
    Runner* asked = nullptr;
    Runner runner([&] {
        const auto latest = asked->latest();
        if (latest->phase == RunPhase::loading && latest->of == order.model) asked->order(other);
    });
    asked = &runner;
    runner.order(order);
    runner.wait_until_calm();
    EXPECT_EQ(runner.latest()->of, other.model);
    EXPECT_EQ(runner.latest()->values->layers(), 2);
}

TEST_F(RunnerTest, SaysThatThereIsNoMemoryAndRunsWhenAskedAgain) {
    for (const RunPhase phase : {RunPhase::loading, RunPhase::reading, RunPhase::ready}) {
        bool full = true;
        Runner* asked = nullptr;
        Runner runner([&] {
            if (!full || asked->latest()->phase != phase) return;
            full = false;
            throw std::bad_alloc();
        });
        asked = &runner;
        runner.order(order);
        runner.wait_until_calm();
        ASSERT_TRUE(runner.latest()->error);
        EXPECT_EQ(runner.latest()->error->what, "there is not enough memory");
        EXPECT_FALSE(runner.latest()->values);
        EXPECT_EQ(runner.latest()->bytes_held, 0);
        runner.step();
        runner.wait_until_calm();
        EXPECT_FALSE(runner.latest()->error);
        EXPECT_EQ(runner.latest()->tokens.size(), 4U) << "it is loaded again, and the prompt read";
    }
}

// Prompts that leave room for one token more.
class FullRunnerTest : public RunnerTest {
  protected:
    FullRunnerTest() {
        order.speed = RunSpeed::most;
        order.ids = "1";
        for (std::int64_t i = 2; i < order.model->options.capacity; ++i) order.ids += ", 1";
        prompt = static_cast<std::size_t>(order.model->options.capacity - 1);
    }
    // Until nothing more can follow.
    void fill(Runner& runner) const {
        runner.order(order);
        runner.step();
        runner.wait_until_calm();
        EXPECT_TRUE(runner.latest()->over);
        EXPECT_EQ(runner.latest()->tokens.size(), prompt + 1);
    }

    std::size_t prompt = 0;
};

TEST_F(FullRunnerTest, AStepIsMadeBehindThePromptThatIsReadAgain) {
    Runner* asked = nullptr;
    std::atomic<bool> full = false;
    Runner runner([&] {
        if (asked->latest()->phase == RunPhase::reading && full.exchange(false)) asked->step();
    });
    asked = &runner;
    fill(runner);
    full = true;
    runner.restart();
    runner.wait_until_calm();
    EXPECT_EQ(runner.latest()->generated, 1) << "pressed while it is read";
    EXPECT_EQ(runner.latest()->tokens.size(), prompt + 1);
    runner.step();
    order.ids = "1";
    runner.order(order);
    runner.wait_until_calm();
    EXPECT_EQ(runner.latest()->tokens.size(), 1U) << "where nothing follows a press is not kept";
}

TEST_F(FullRunnerTest, AStepThatIsAskedForBehindARestartIsKept) {
    Runner* asked = nullptr;
    std::atomic<bool> once = true;
    Runner runner([&] {
        const auto latest = asked->latest();
        if (!latest->over || !latest->whole() || !once.exchange(false)) return;
        asked->restart();  // before the worker has seen to anything else
        asked->step();
    });
    asked = &runner;
    fill(runner);
    EXPECT_FALSE(once);
    EXPECT_EQ(runner.latest()->generated, 1);
}

TEST_F(FullRunnerTest, ATokenThatEndsTheRunTakesNothingFromTheRestartThatWaits) {
    for (const bool plays : {false, true}) {
        Runner* asked = nullptr;
        std::atomic<bool> last = false;
        Runner runner([&] {
            using namespace std::chrono_literals;
            if (!last) return;
            std::this_thread::sleep_for(20ms);  // how far it has come is not told more often
            const auto latest = asked->latest();
            if (latest->tokens.size() > prompt || latest->progress < 1 || !last.exchange(false)) return;
            asked->restart();  // it is made, and not handed over
            if (plays)
                asked->play(true);
            else
                asked->step();
        });
        asked = &runner;
        runner.order(order);
        runner.wait_until_calm();
        last = true;
        runner.step();
        runner.wait_until_calm();
        EXPECT_FALSE(last);
        EXPECT_EQ(runner.latest()->tokens.size(), prompt + 1) << (plays ? "it plays" : "it steps");
    }
}

TEST_F(RunnerTest, SaysWhatWasAskedForWhileItToldItsNews) {
    for (const bool rests : {false, true}) {
        Runner* asked = nullptr;
        int told = 0;
        Runner runner([&] {
            const auto latest = asked->latest();
            if (latest->tokens.size() < 4 || ++told > 1) return;  // it is made, and handed over
            if (rests)
                asked->rest();
            else
                asked->play(false);
        });
        asked = &runner;
        runner.order(order);
        runner.wait_until_calm();
        runner.play(true);
        runner.wait_until_calm();
        EXPECT_FALSE(runner.latest()->playing);
        EXPECT_EQ(runner.latest()->rested, rests);
    }
}

}  // namespace
}  // namespace headcount
