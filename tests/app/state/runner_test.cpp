// Claims about the thread that runs a model: what it is told in the middle of its work, and what it cannot have.
#include "app/state/runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

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

}  // namespace
}  // namespace headcount
