// Claims about tours of heads: which one does what, and by how much, is measured and nowhere typed.
#include "core/experiment/heads.hpp"

#include <gtest/gtest.h>

#include "core/tours/tour.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

std::string step_of(const std::string& run, const std::string& more = "") {
    return R"({"title": "t", "steps": [{"title": "A", "caption": "Before.", )" + more + R"("run": )" + run + "}]}";
}

std::string wrong_of(const std::string& run) {
    const Result<Tour> tour = parse_tour(step_of(run), "mine", "mine.json");
    return tour ? "" : sentence(tour.error());
}

TEST(ToursOfHeads, EachStepHasTheHeadThatIsMeasuredAndItsShare) {
    const FoundTours found = find_tours(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "tours");
    const auto tour = std::ranges::find(found.tours, "18-heads-do-different-things", &Tour::id);
    ASSERT_NE(tour, found.tours.end());
    const Result<WorkedTour> made = make_tour(*tour, testing_data::all_presets(), testing_data::preset("llama-2-7b"));
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->notes.empty()) << made->notes.front();
    std::vector<HeadRole> shown;
    for (const WorkedStep& step : made->steps) {
        if (!step.run->looks_at) continue;
        const Result<std::vector<HeadFound>> heads = find_shipped_heads(step.run->prompt);
        ASSERT_TRUE(heads);
        const auto head = std::ranges::find(*heads, *step.run->looks_at, &HeadFound::role);
        ASSERT_NE(head, heads->end()) << step.title;
        EXPECT_EQ(step.run->layer, head->layer);
        EXPECT_EQ(step.run->head, head->head);
        EXPECT_TRUE(step.answer.ends_with(sentence_on(*head))) << step.answer;
        shown.push_back(head->role);
    }
    EXPECT_EQ(shown, (std::vector{HeadRole::previous, HeadRole::same, HeadRole::stop, HeadRole::first}));
}

TEST(ToursOfHeads, AStepWithoutAQuestionSaysItBehindItsCaption) {
    const std::string run = R"({"looks_at": "first", "prompt": "Once upon a time there was a cat. The cat"})";
    const Result<Tour> tour = parse_tour(step_of(run), "mine", "mine.json");
    ASSERT_TRUE(tour) << sentence(tour.error());
    const Result<WorkedTour> made = make_tour(*tour, testing_data::all_presets(), testing_data::preset("gpt2"));
    ASSERT_TRUE(made) << sentence(made.error());
    EXPECT_TRUE(made->steps[0].caption.starts_with("Before. Layer ")) << made->steps[0].caption;
    EXPECT_EQ(words_for(tour->steps[0], testing_data::preset("gpt2"), {}, testing_data::all_presets())->caption,
              made->steps[0].caption);
}

TEST(ToursOfHeads, WhatCannotBeMeantIsASentence) {
    EXPECT_NE(wrong_of(R"({"looks_at": "before", "prompt": "Once"})").find("looks_at"), std::string::npos);
    EXPECT_NE(wrong_of(R"({"looks_at": "same"})").find("in which text?"), std::string::npos);
    EXPECT_NE(wrong_of(R"({"looks_at": "same", "prompt": "Once", "head": 1})").find("is measured"), std::string::npos);
}

// Two tokens have no full stop among them: the step is left out, as any is that makes no sense.
TEST(ToursOfHeads, WhereNoHeadLooksSoTheStepIsLeftOut) {
    const Result<Tour> tour = parse_tour(step_of(R"({"looks_at": "stop", "prompt": "Once"})"), "mine", "mine.json");
    ASSERT_TRUE(tour);
    const Result<WorkedTour> made = make_tour(*tour, testing_data::all_presets(), testing_data::preset("gpt2"));
    ASSERT_FALSE(made);
    EXPECT_NE(sentence(made.error()).find("no head looks at full stops"), std::string::npos) << sentence(made.error());
}

}  // namespace
}  // namespace headcount
