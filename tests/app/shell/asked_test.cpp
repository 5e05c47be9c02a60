// What a tour asks a class: its answer is nowhere on the screen until it is shown.
#include <algorithm>

#include "app/state/run/snapshot.hpp"
#include "app/state/train/page.hpp"
#include "core/base/text.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::add_tours;
using test::ask;
using test::ExploreStage;

// A stage that presents this step of a tour, counted from 1.
struct AskedStep {
    ExploreStage stage{"llama-2-7b", ImVec2(1280, 720)};

    AskedStep(const char* tour, int step) {
        add_tours(stage);
        ask(stage, StartTour{tour});
        ask(stage, Present{true});
        if (step > 1) ask(stage, StepTour{step - 1, true});
        for (int i = 0; i < 2; ++i) {  // what is changed in a run follows it
            finish_run(stage.session);
            finish_training(stage.session);
            stage.frames(4);
        }
    }
    std::size_t times(std::string_view number) {
        const std::vector<std::string> numbers = numbers_in(test::written(stage));
        return static_cast<std::size_t>(std::ranges::count(numbers, number));
    }
};

// The first number of the answer that is long enough to be covered.
std::string secret_of(const Session& session) {
    constexpr int digits = 3;
    for (const std::string& number : numbers_in(session.run->words.answer))
        if (std::ranges::count_if(number, is_digit) >= digits) return number;
    return "";
}

TEST(Asked, ByATourIsNowhereUntilItIsAnswered) {
    for (const auto& [tour, step] : {std::pair("2-where-7-b-come-from", 8),
                                     {"2-where-7-b-come-from", 5},
                                     {"4-from-llama-2-to-llama-3", 3},
                                     {"6-encoder-decoder-both", 1},
                                     {"9-attention-is-all-you-need", 1},
                                     {"10-it-knows-nothing", 1},
                                     {"13-feed-forward", 4}}) {
        SCOPED_TRACE(std::string(tour) + " " + std::to_string(step));
        AskedStep asked(tour, step);
        const std::string number = secret_of(asked.stage.session);
        ASSERT_FALSE(number.empty());
        EXPECT_EQ(asked.times(number), 0u) << number;
        ask(asked.stage, StepTour{1});
        ASSERT_TRUE(asked.stage.session.view.show.revealed);
        ask(asked.stage, Hide{Field::norm_epsilon});  // so that there is a veil, through which the test reads
        asked.stage.frames(2);
        EXPECT_GE(asked.times(number), 2u) << number << " in the answer, and where it is to be read";
    }
}

TEST(Asked, WhatTheQuestionSaysIsSeen) {
    AskedStep asked("13-feed-forward", 4);
    EXPECT_GE(asked.times("95.1"), 2u) << "in the question, and in the bars";
}

// Whose head stands above the maps.
TEST(Asked, AHeadThatIsLookedForIsNotTheOneThatIsShown) {
    for (const int step : {1, 2, 4}) {
        AskedStep asked("8-what-if-a-head-were-gone", step);
        const std::string words = test::written(asked.stage);
        const std::string& answer = current_step(asked.stage.session)->answer;
        const bool shown = words.find("Layer 0, head") != std::string::npos;
        EXPECT_EQ(shown, step > 1) << "above both maps";
        for (const char* head : {"Layer 0, head 6", "Layer 2, head 7", "Layer 1, head 0"})
            EXPECT_EQ(words.find(head), std::string::npos) << head << " " << answer;
    }
}

}  // namespace
}  // namespace headcount
