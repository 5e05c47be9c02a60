// Questions as people ask them in a first lecture, slips in small words among them.
#include <string>
#include <string_view>

#include "core/ask/ask.hpp"
#include "tests/core/ask/asking.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(AskLecture, WhyIsAnsweredWhereARuleOrAWordOfTheLectureDoes) {
    const AskAnswer width = answer("why is the feed forward 11008");
    EXPECT_EQ(width.number, "11008");
    EXPECT_TRUE(says(width.notes, "two thirds of 4·d, rounded up to a multiple of 256"));
    EXPECT_EQ(width.tour, "13-feed-forward");
    EXPECT_TRUE(says(answer("why is the ffn 3072", "gpt2").notes, "It is 4·d"));
    EXPECT_TRUE(says(answer("why 3072 ffn width", "bert-base-uncased").notes, "It is 4·d"));
    const AskAnswer heads = answer("why 32 heads");
    EXPECT_EQ(heads.number, "32");
    EXPECT_TRUE(says(heads.notes, "This says how many, not why"));
    EXPECT_EQ(heads.tour, "3-one-attention-head");
    EXPECT_FALSE(says(answer("how many heads").notes, "not why"));
    EXPECT_FALSE(says(answer("why so many parameters").notes, "not why")) << "the formula says why";
}

TEST(AskLecture, ACommandIsMeantByWholeWordsUnlessOneStillTypes) {
    EXPECT_FALSE(asked("who are you").unknown.empty()) << "who begins whole";
    EXPECT_TRUE(asked("the whole model").unknown.empty());
    const Preset& preset = *find_preset(presets(), "llama-2-7b");
    EXPECT_TRUE(ask("und", {.architecture = preset.architecture,
                            .input = {},
                            .preset = preset.id,
                            .presets = presets(),
                            .commands = commands,
                            .typing = true})
                    .unknown.empty());
}

TEST(AskLecture, ASlipInASmallWordIsMendedAndSaid) {
    const Asked softmax = asked("waht is softmax");
    ASSERT_TRUE(softmax.answer) << softmax.problem;
    EXPECT_EQ(softmax.answer->title, "Softmax");
    EXPECT_EQ(softmax.readings.front(), (AskReading{"waht", "what"}));
    const Asked biggest = asked("wich matrix is the bigest");
    ASSERT_EQ(biggest.unknown.size(), 1u);
    EXPECT_EQ(biggest.unknown.front().words, "bigest");
    ASSERT_FALSE(biggest.unknown.front().nearest.empty());
    EXPECT_EQ(biggest.unknown.front().nearest.front(), "biggest");
    EXPECT_EQ(number("hwo mnay layers"), "32");
    EXPECT_EQ(number("kv cache of 10 000 tokens"), number("kv cache of 10,000 tokens"));
}

TEST(AskLecture, WhatIsAskedInTheFirstLectureLeadsToItsWordAndTour) {
    EXPECT_EQ(answer("why multi head").title, "Multi-head attention");
    EXPECT_EQ(answer("why divide by sqrt d").tour, "3-one-attention-head");
    EXPECT_EQ(answer("why do we divide by the square root of d_k").title, "Division by the root of the head's size");
    EXPECT_EQ(answer("how is it trained").title, "Training");
    EXPECT_EQ(answer("what is paged attention").title, "Paged attention");
    EXPECT_EQ(answer("what is fsdp").title, "ZeRO");
    EXPECT_EQ(number("what happens if i double the width"), number("double the width"));
    EXPECT_EQ(number("which matrix is the biggest"), "32000 × 4096");
}

TEST(AskLecture, EveryFieldIsKnownByItsNameAndSymbol) {
    EXPECT_EQ(problem("transform width"), "Llama 2 7B has no transform width.");
    EXPECT_EQ(problem("what is d_t"), "d_t stands for transform width. Llama 2 7B has no transform width.");
    EXPECT_EQ(number("transform width", "bert-base-uncased"), "768");
}

// Enter takes it along to where the answer is looked into.
TEST(AskLecture, WhatAQuestionSaysOfTheInputGoesWithItsAnswer) {
    const AskAnswer cache = answer("kv cache for 8k tokens");
    ASSERT_TRUE(cache.input);
    EXPECT_EQ(cache.input->tokens, 8192);
    ASSERT_TRUE(answer("bytes of the scores at full context").input);
    EXPECT_FALSE(answer("flops per token").input) << "a token by itself is none that somebody asked to be shown";
    EXPECT_FALSE(answer("how many parameters").input);
}

}  // namespace
}  // namespace headcount
