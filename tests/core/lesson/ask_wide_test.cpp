// Questions about whole models and several: each number is the one that the analysis has.
#include <algorithm>
#include <random>

#include "core/analysis/arithmetic.hpp"
#include "core/base/text.hpp"
#include "core/lesson/lesson_model.hpp"
#include "tests/core/lesson/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(AskWide, TheLargestMatrixAndWhatIsAsLarge) {
    const AskAnswer largest = answer("which matrix is biggest");
    EXPECT_EQ(largest.number, "32000 × 4096");
    EXPECT_EQ(largest.light, "embedding.weight");
    EXPECT_TRUE(says(largest.notes, "As large: Output head")) << largest.notes.size();
    EXPECT_EQ(answer("biggest matrix in attention").light, "layer.attention.query.weight");
    EXPECT_EQ(answer("largest matrix of llama 3 8b").preset, "llama-3-8b");
    EXPECT_EQ(answer("which part has the most parameters").light, "component.feed_forward");
    EXPECT_EQ(answer("largest activation").light, "logits");
}

TEST(AskWide, ArithmeticIsThatOfTheAnalysis) {
    const Preset& preset = *find_preset(presets(), "llama-2-7b");
    const Result<LessonModelPtr> one = lesson_model(preset.architecture, Input{.tokens = 1});
    const Result<PassWork> pass = arithmetic((*one)->architecture, (*one)->graph, (*one)->bindings, {});
    ASSERT_TRUE(pass);
    const AskAnswer per_token = answer("flops per token");
    EXPECT_EQ(per_token.number, grouped(pass->flops));
    EXPECT_EQ(per_token.title, "Arithmetic of one token");
    EXPECT_EQ(answer("flops, 1 token").number, per_token.number);
    EXPECT_NE(answer("flops of attention per token").number, per_token.number);
}

TEST(AskWide, TwoModelsAreCompared) {
    for (const char* text : {"compare llama 2 7b with llama 3 8b", "llama 2 7b vs llama 3 8b",
                             "difference between llama 2 7b and llama 3 8b", "compare with llama 3 8b"}) {
        const AskAnswer compared = answer(text);
        EXPECT_EQ(compared.number, "+1,291,845,632") << text;
        EXPECT_EQ(compared.numbers, "8,030,261,248 - 6,738,415,616") << text;
        EXPECT_EQ(compared.preset, "llama-3-8b") << text;
        EXPECT_TRUE(says(compared.notes, "32000 → 128256") || says(compared.notes, "32,000 → 128,256")) << text;
    }
    EXPECT_EQ(answer("compare llama 3 8b with llama 2 7b").number, "-1,291,845,632");
    EXPECT_NE(asked("compare").problem.find("Name two models"), std::string::npos);
    EXPECT_TRUE(says(answer("queries of llama 2 7b, llama 3 8b").notes, "Llama 3 8B is left out"));
}

TEST(AskWide, WhatFits) {
    AskMemory memory;
    const Asked all = asked("what fits in 24 GB", "llama-2-7b", {}, &memory);
    ASSERT_TRUE(all.answer) << all.problem;
    EXPECT_EQ(all.answer->unit, "of " + std::to_string(presets().size()) + " models");
    const auto offered = std::count_if(all.matches.begin(), all.matches.end(), [](const AskMatch& each) {
        return each.kind == AskMatch::Kind::preset && each.detail.ends_with("GiB");
    });
    EXPECT_EQ(offered, 5);
    const Asked four_bit = asked("what fits in 24 GB, int4", "llama-2-7b", {}, &memory);
    EXPECT_GT(std::stoi(four_bit.answer->number), std::stoi(all.answer->number));
    EXPECT_NE(answer("does llama 3 8b fit in 24 GB").title.find("Llama 3 8B fits in 24 GB"), std::string::npos);
    EXPECT_NE(answer("does llama 3 8b fit in 12 GB").title.find("does not fit"), std::string::npos);
    EXPECT_NE(asked("what fits").problem.find("24 GB"), std::string::npos);
}

TEST(AskMemory, KeepsModelsForAsLongAsTheInputIsTheSame) {
    AskMemory memory;
    const Preset& preset = presets().front();
    const LessonModelPtr first = memory.model(preset, Input{.tokens = 3});
    EXPECT_EQ(memory.model(preset, Input{.tokens = 3}), first);
    EXPECT_EQ(memory.expanded(), 1);
    EXPECT_NE(memory.model(preset, Input{.tokens = 4}), first);
    EXPECT_EQ(memory.expanded(), 2);
    EXPECT_EQ(memory.model(preset, Input{.tokens = -1}), nullptr);
    EXPECT_EQ(memory.model(preset, Input{.tokens = -1}), nullptr);
    EXPECT_EQ(memory.expanded(), 3) << "what is impossible is not tried again";
}

TEST(AskWide, IsSafeToAskAnything) {
    std::mt19937 random(7);
    auto below = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
    const std::vector<std::string> words{"biggest",
                                         "matrix",
                                         "flops",
                                         "per token",
                                         "compare",
                                         "llama 2 7b",
                                         "gpt 2",
                                         "vs",
                                         "activation",
                                         "part",
                                         "24",
                                         "9223372036854775807 tokens",
                                         "attention",
                                         "mixtral",
                                         "0 tokens",
                                         "norms",
                                         "one head",
                                         "kv cache",
                                         "9223372036854775807 cached"};
    for (int i = 0; i < 400; ++i) {
        std::string text;
        for (std::size_t count = below(6); count > 0; --count) text += words[below(words.size())] + " ";
        const Asked all = asked(text);
        if (all.answer) {
            EXPECT_TRUE(all.problem.empty()) << text;
        }
    }
}

}  // namespace
}  // namespace headcount
