// Questions about whole models and several: each number is the one that the analysis has.
#include <algorithm>
#include <random>
#include <tuple>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::int64_t number_in(std::string text) {
    std::erase(text, ',');
    return std::stoll(text);
}

TEST(AskWide, TheLargestMatrixAndWhatIsAsLarge) {
    const AskAnswer largest = answer("which matrix is biggest");
    EXPECT_EQ(largest.number, "32000 × 4096");
    EXPECT_EQ(largest.light, "embedding.weight");
    EXPECT_TRUE(says(largest.notes, "As large: Output head")) << largest.notes.size();
    EXPECT_EQ(answer("biggest matrix in attention").light, "layer.attention.query.weight");
    EXPECT_EQ(answer("largest matrix of llama 3 8b").preset, "llama-3-8b");
    EXPECT_EQ(answer("which part has the most parameters").light, "component.feed_forward");
    EXPECT_EQ(answer("which part of llama 3 8b is the largest").light, "component.feed_forward");
    EXPECT_EQ(answer("largest activation").light, "logits");
}

TEST(AskWide, AnotherModelIsInTheFormatsThatItIsPublishedIn) {
    const Preset& published = *find_preset(presets(), "gpt-oss-20b");
    const Input own = published_input(published.architecture);
    const auto held = [&](Input input) {
        input.tokens = 8192;
        const Result<CountedModel> model = count_model(published.architecture, input);
        MemoryOptions options;
        options.weights = input.precision;
        return memory(model->architecture, model->graph, model->bindings, options)->total;
    };
    EXPECT_EQ(number_in(answer("memory of gpt-oss-20b with 8k tokens").number), held(own));
    EXPECT_EQ(number_in(answer("memory of gpt-oss-20b with 8k tokens in bf16").number), held({}));
    EXPECT_EQ(
        number_in(answer("memory of gpt-oss-20b with 8k tokens", "llama-2-7b", {.precision = Precision::fp16}).number),
        held({.precision = Precision::fp16}));
    EXPECT_EQ(answer("which models fit on an h200 at 8k").result, "the largest is gpt-oss 120b");
    EXPECT_NE(answer("which models fit on an h200 at 8k in bf16").result, "the largest is gpt-oss 120b");
    EXPECT_TRUE(asked("train gpt-oss-20b on 8 h200").answer);
}

TEST(AskWide, MemoryIsAllOfItWhateverFormatTheCacheHas) {
    EXPECT_EQ(answer("memory of llama 3 8b with 32k context and int8 cache and batch 16").title,
              "Memory of Llama 3 8B");
    EXPECT_EQ(answer("int8 cache of llama 3 8b at 8k").title, answer("kv cache of llama 3 8b at 8k in int8").title);
    const auto held = [](const std::string& model) {
        return number_in(answer("memory of " + model + " at 32k").number);
    };
    const AskAnswer between = answer("compare llama 3 8b and qwen2.5 7b memory at 32k");
    EXPECT_EQ(number_in(between.number), held("qwen2.5 7b") - held("llama 3 8b")) << between.numbers;
}

TEST(AskWide, ASpeedOfWhatDoesNotFitSaysSo) {
    EXPECT_TRUE(says(answer("tokens per second of deepseek v3 on an rtx 4090 at 8k in fp8").notes, "It does not fit"));
    EXPECT_FALSE(says(answer("tokens per second of llama 3 8b on an h100 at 8k").notes, "It does not fit"));
}

TEST(AskWide, OfAllModelsTheOneWithTheMostOrTheFewest) {
    const auto ends = [](auto value) {
        return std::minmax_element(presets().begin(), presets().end(), [&](const Preset& a, const Preset& b) {
            return value(a.architecture) < value(b.architecture);
        });
    };
    const auto layers = [](const Architecture& arch) { return arch.layers; };
    const auto vocab = [](const Architecture& arch) { return arch.vocab; };
    const auto total = [](const Architecture& arch) { return (*counted_model(arch, {.tokens = 1}))->parameters.total; };
    EXPECT_EQ(number_in(answer("which model has the most layers").number), ends(layers).second->architecture.layers);
    EXPECT_EQ(number_in(answer("fewest layers").number), ends(layers).first->architecture.layers);
    EXPECT_EQ(number_in(answer("which model has the largest vocabulary?").number),
              ends(vocab).second->architecture.vocab);
    for (const char* text : {"which model is largest", "which model is the biggest", "largest model",
                             "which model has the most parameters"}) {
        const AskAnswer largest = answer(text);
        EXPECT_EQ(largest.preset, ends(total).second->id) << text;
        EXPECT_EQ(number_in(largest.number), total(ends(total).second->architecture)) << text;
        EXPECT_EQ(largest.light, "total") << text;
    }
    EXPECT_EQ(answer("smallest model").preset, ends(total).first->id);
    EXPECT_EQ(answer("which model has the most parameters in attention").light, "component.attention");
    EXPECT_EQ(asked("which model is the largest").readings.back(), (AskReading{"largest", "the model with the most"}));
    EXPECT_EQ(answer("which model has the most layers").unit, "layers");
    EXPECT_EQ(asked("which model has the most layers").matches.front().kind, AskMatch::Kind::preset);
    EXPECT_EQ(asked("smallest part").unknown.front().nearest.front(), "largest");
    EXPECT_FALSE(asked("which model has the most bytes").answer);
    EXPECT_EQ(answer("largest model that fits in 24 GB").unit, answer("what fits in 24 GB").unit);
}

TEST(AskWide, ArithmeticIsThatOfTheAnalysis) {
    const Preset& preset = *find_preset(presets(), "llama-2-7b");
    const Result<CountedModelPtr> one = counted_model(preset.architecture, Input{.tokens = 1});
    const Result<PassWork> pass = arithmetic((*one)->graph, (*one)->bindings, {});
    ASSERT_TRUE(pass);
    const AskAnswer per_token = answer("flops per token");
    EXPECT_EQ(per_token.number, grouped(pass->flops.causal));
    EXPECT_EQ(per_token.title, "Arithmetic of one token");
    EXPECT_EQ(answer("flops, 1 token").number, per_token.number);
    EXPECT_NE(answer("flops of attention per token").number, per_token.number);
    const Result<CountedModelPtr> last = counted_model(preset.architecture, Input{.tokens = 1, .cached = 2047});
    EXPECT_EQ(answer("flops per token at 2k").number,
              grouped(arithmetic((*last)->graph, (*last)->bindings, {})->flops.causal))
        << "of the last of them";
    EXPECT_EQ(asked("flops per token at 512", "bert-base-uncased").problem, "") << "which keeps nothing";
    const AskAnswer training = answer("flops of training per token at 2k");
    EXPECT_EQ(training.number, answer("flops of training, 2k tokens").number) << "which are read together";
    EXPECT_TRUE(says(training.notes, "A token on the average: " + grouped(*training.count / 2048)));
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

TEST(AskWide, OnlyWhatAddsOrTakesParametersMakesAModelLarger) {
    const std::vector<std::string> why = answer("why is llama 3 8b bigger than llama 2 7b").notes;
    EXPECT_TRUE(says(why, "KV heads 32 → 8, FFN hidden 11008 → 14336, Vocabulary 32000 → 128256."));
    EXPECT_FALSE(says(why, "Context")) << "rotary positions have no parameters";
    EXPECT_TRUE(says(answer("why is gpt2 smaller than opt 1.3b").notes, "Context")) << "learned positions have";
    EXPECT_TRUE(says(answer("compare llama 2 7b with llama 3 8b").notes, "Context 4096 → 8192"));
}

TEST(AskWide, ADifferenceIsAskedInItsDirection) {
    for (const char* text :
         {"why is llama 3 8b bigger than llama 2 7b", "how much larger is llama 3 8b than llama 2 7b",
          "is Llama-3-8B larger than Llama-2-7B?", "which is bigger, llama 3 8b or llama 2 7b",
          "why is llama 3 8b bigger", "why does llama 3 8b have more parameters than llama 2 7b"}) {
        const AskAnswer answered = answer(text);
        EXPECT_EQ(answered.number, "+1,291,845,632") << text;
        EXPECT_EQ(answered.title, "Llama 3 8B less Llama 2 7B") << text;
        EXPECT_EQ(answered.notes.front(), "Llama 3 8B is larger than Llama 2 7B.") << text;
        EXPECT_EQ(answered.preset, "llama-3-8b") << text;
    }
    for (const char* text :
         {"why is llama 2 7b smaller than llama 3 8b", "how much smaller is llama 2 7b than llama 3 8b",
          "is this smaller than llama 3 8b", "why has llama 2 7b fewer parameters than llama 3 8b"}) {
        const AskAnswer answered = answer(text);
        EXPECT_EQ(answered.number, "-1,291,845,632") << text;
        EXPECT_EQ(answered.notes.front(), "Llama 2 7B is smaller than Llama 3 8B.") << text;
    }
}

TEST(AskWide, WhatIsSupposedWronglyIsSaid) {
    EXPECT_EQ(answer("why is llama 2 7b bigger than llama 3 8b").notes.front(),
              "Llama 2 7B is not larger than Llama 3 8B: it has 1,291,845,632 parameters fewer.");
    EXPECT_EQ(answer("why is llama 3 8b smaller than llama 2 7b").notes.front(),
              "Llama 3 8B is not smaller than Llama 2 7B: it has 1,291,845,632 parameters more.");
}

TEST(AskWide, ThePartsOfADifferenceAddUpToIt) {
    for (const char* text : {"why is llama 3 8b bigger than llama 2 7b", "compare llama 2 7b with gpt2",
                             "mixtral 8x7b vs deepseek v3", "why is gpt-2 xl smaller than gemma 2 2b"}) {
        const AskAnswer answered = answer(text);
        const auto parts = std::find_if(answered.notes.begin(), answered.notes.end(), [](const std::string& note) {
            return note.find(": together ") != std::string::npos;
        });
        ASSERT_NE(parts, answered.notes.end()) << text;
        std::int64_t sum = 0;
        const std::size_t end = parts->find(": together");
        for (std::size_t at = 0; at < end;) {
            const std::size_t from = parts->find_first_of("+-0123456789", parts->find(' ', at));
            const std::size_t sign = parts->find_first_of("+-", parts->find(' ', at));
            at = std::min(parts->find(", ", sign), end);
            ASSERT_LE(from, sign);
            sum += number_in(parts->substr(sign, at - sign));
            ++at;
        }
        EXPECT_EQ(sum, number_in(answered.number)) << *parts;
    }
    EXPECT_TRUE(says(answer("why is llama 3 8b bigger than llama 2 7b").notes, "Output head +394,264,576"));
}

TEST(AskWide, APartOrADimensionOfTwoIsCompared) {
    EXPECT_EQ(answer("compare attention of llama 2 7b and llama 3 8b").number, "-805,306,368");
    EXPECT_EQ(answer("compare the context of llama 2 7b and llama 3 8b").number, "+4,096");
    EXPECT_EQ(answer("which has more layers, llama 3 8b or gpt2").number, "+20");
    EXPECT_EQ(answer("which of llama 3 8b and llama 2 7b has more parameters").number, "+1,291,845,632");
    const AskAnswer cache = answer("compare the kv cache of llama 2 7b and llama 3 8b at 8k");
    EXPECT_EQ(cache.number, "-3,221,225,472");
    EXPECT_EQ(cache.numbers, "1,073,741,824 - 4,294,967,296");
    EXPECT_EQ(cache.title, "Llama 3 8B less Llama 2 7B: KV cache");
    EXPECT_EQ(cache.about, "Llama 3 8B · 8,192 tokens · bf16");
    EXPECT_EQ(cache.in_short, "-3.00 GiB");
    EXPECT_EQ(answer("compare parameters per layer of llama 2 7b and llama 3 8b").number, "+15,728,640");
    EXPECT_NE(asked("compare the shape of queries of llama 2 7b and llama 3 8b").problem.find("ask for anything else"),
              std::string::npos);
}

// The fault that the latent rank and the KV heads, of which a cache is made, were not among the reasons.
TEST(AskWide, OfACacheThatIsComparedWhatMakesItIsSaidAndWhereTheContextEnds) {
    const AskAnswer cache = answer("compare kv cache of deepseek v3 and llama 3 70b at 128k");
    const auto fields = std::ranges::find_if(
        cache.notes, [](const std::string& note) { return note.find("KV rank 512 → none") != note.npos; });
    ASSERT_NE(fields, cache.notes.end());
    EXPECT_NE(fields->find("Layers 61 → 80"), std::string::npos) << *fields;
    EXPECT_NE(fields->find("KV heads none → 8"), std::string::npos) << *fields;
    EXPECT_NE(fields->find("Rotated columns 64 → none"), std::string::npos) << *fields;
    for (const char* idle : {"Width", "FFN hidden", "Vocabulary", "Context"})
        EXPECT_EQ(fields->find(idle), std::string::npos) << *fields;
    EXPECT_TRUE(says(cache.notes, "131,072 tokens exceed the context of Llama 3 70B, which is 8,192."));
    EXPECT_FALSE(says(cache.notes, "exceed the context of DeepSeek V3"));
    EXPECT_FALSE(says(answer("compare kv cache of deepseek v3 and llama 3 70b at 8k").notes, "exceed the context"));
}

TEST(AskWide, WhatFourBitsKeepIsSaid) {
    for (const char* text : {"llama 2 7b in 4 bit", "does mixtral 8x7b in 4 bit with 32k tokens fit 24 GB?"})
        EXPECT_TRUE(says(answer(text).notes,
                         "int4 keeps 4 bits a number, and 16 bits more for each 32 of a row: 4.5 bits a number."))
            << text;
    EXPECT_FALSE(says(answer("llama 2 7b in int8").notes, "bits a number"));
}

TEST(AskWide, AComparisonNamesBothModelsForCompare) {
    using Pair = std::pair<std::string, std::string>;
    const auto both = [](std::string_view text) {
        const AskPair pair = answer(text).compares.value_or(AskPair{"none", ""});
        return Pair{pair.a, pair.b};
    };
    EXPECT_EQ(both("compare llama 2 70b with llama 3 70b"), (Pair{"llama-2-70b", "llama-3-70b"}));
    EXPECT_EQ(both("difference between llama 2 70b and llama 3 70b"), (Pair{"llama-2-70b", "llama-3-70b"}));
    EXPECT_EQ(both("why is llama 3 70b bigger than llama 2 70b"), (Pair{"llama-2-70b", "llama-3-70b"}));
    EXPECT_EQ(both("llama 2 7b vs llama 3 8b"), (Pair{"", "llama-3-8b"})) << "the first is the one at hand";
    EXPECT_EQ(both("compare with llama 3 8b"), (Pair{"", "llama-3-8b"}));
    EXPECT_EQ(both("is this smaller than llama 3 8b"), (Pair{"", "llama-3-8b"}));
    EXPECT_FALSE(answer("llama 3 8b").compares);
}

TEST(AskWide, WhatAPassTakesIsOneOfCosts) {
    const AskAnswer fits = answer("does mixtral 8x7b in 4 bit with 32k tokens fit 24 GB?");
    ASSERT_TRUE(fits.costs && fits.input);
    EXPECT_EQ(fits.input->tokens, 32'768);
    EXPECT_EQ(fits.input->precision, Formats(Precision::int4));
    EXPECT_EQ(*fits.costs, AskCosts{});
    const AskAnswer trains = answer("can i train gpt2 with 8-bit adam on an h100");
    ASSERT_TRUE(trains.costs);
    EXPECT_EQ(*trains.costs, (AskCosts{"h100", Training{.optimizer = Optimizer::adam8}, Phase::training}));
    EXPECT_TRUE(trains.input) << "it was worked out for these tokens";
    EXPECT_FALSE(answer("does llama 2 7b with 8 kv heads fit in 24 GB").costs) << "no preset is that model";
    EXPECT_EQ(answer("tokens per second on a 4090").costs->phase, Phase::decode);
    EXPECT_FALSE(answer("kv cache at 8k").costs);
}

TEST(AskWide, MemoryWithAnInputIsAllThatItTakes) {
    const Preset& preset = *find_preset(presets(), "llama-3-70b");
    const Result<CountedModelPtr> model = counted_model(preset.architecture, {32768, 8, 0, Precision::bf16});
    const Result<Memory> all =
        memory((*model)->architecture, (*model)->graph, (*model)->bindings, {.weights = Precision::bf16});
    ASSERT_TRUE(all);
    for (const char* text :
         {"memory llama 3 70b 32k context batch 8", "llama 3 70b 32k context batch 8 memory",
          "how much memory does llama 3 70b need with 32k context and batch 8", "vram llama-3-70b 32k tokens batch 8",
          "memory of Llama3 70B, 32768 tokens, 8 sequences", "bytes of the model llama 3 70b, B = 8, T = 32k"}) {
        const AskAnswer answered = answer(text);
        EXPECT_EQ(answered.number, grouped(all->total)) << text;
        EXPECT_EQ(answered.numbers, grouped(all->weights.bytes) + " + " + grouped(all->cache.bytes) + " + " +
                                        grouped(all->activations.bytes))
            << text;
        EXPECT_NE(answered.about.find("32,768 tokens · 8 sequences"), std::string::npos) << answered.about;
    }
    EXPECT_TRUE(says(answer("memory llama 3 70b 32k context").notes, "32k is taken as 32,768"));
    EXPECT_EQ(answer("memory of llama 3 70b").number, grouped(all->weights.bytes)) << "nothing is read";
    EXPECT_EQ(answer("memory of the weights of llama 3 70b at 32k context").number, grouped(all->weights.bytes));
    EXPECT_TRUE(says(answer("memory of attention of llama 3 70b at 32k context").notes, "These are its weights"));
    EXPECT_TRUE(says(answer("memory of llama 3 70b").notes, "The weights alone"));
    EXPECT_EQ(answer("kv cache size of llama 3 70b, 32k context, batch 8").number, grouped(all->cache.bytes));
    EXPECT_EQ(answer("memory of the kv cache of llama 3 70b, 32k context, batch 8").number, grouped(all->cache.bytes));
}

// As `headcount memory --train` counts it.
TEST(AskWide, MemoryToTrainIsThatOfTheAnalysis) {
    const Preset& preset = *find_preset(presets(), "llama-2-7b");
    for (const auto& [text, optimizer, tokens] : std::vector<std::tuple<const char*, Optimizer, std::int64_t>>{
             {"vram to train llama 2 7b with adam", Optimizer::adam, 100},
             {"training memory of llama 2 7b", Optimizer::adam, 100},
             {"training memory of llama 2 7b, 4k tokens", Optimizer::adam, 4096},
             {"train llama 2 7b at 4096", Optimizer::adam, 4096},
             {"how much memory to fine-tune llama 2 7b with 8-bit adam at 4k", Optimizer::adam8, 4096},
             {"vram of llama 2 7b with sgd", Optimizer::sgd, 100},
             {"training memory of llama 2 7b with muon", Optimizer::muon, 100}}) {
        const Result<CountedModelPtr> model = counted_model(preset.architecture, {.tokens = tokens});
        const Result<Memory> all = memory((*model)->architecture, (*model)->graph, (*model)->bindings,
                                          {.training = Training{.optimizer = optimizer}});
        ASSERT_TRUE(all);
        const AskAnswer answered = answer(text, "gpt2");
        EXPECT_EQ(answered.number, grouped(all->total)) << text;
        EXPECT_EQ(answered.title, "Memory to train Llama 2 7B") << text;
        EXPECT_EQ(answered.preset, "llama-2-7b") << text;
    }
    EXPECT_NE(asked("training memory of llama 2 7b in int8").problem.find("int8 cannot be trained"), std::string::npos);
    EXPECT_NE(asked("what trains on an h100 in int8").problem.find("int8 cannot be trained"), std::string::npos);
    EXPECT_TRUE(says(answer("kv cache of llama 2 7b in training").notes, "Training plays no part in this answer."));
    EXPECT_EQ(answer("can i train gpt2 on an h100").title,
              "Training GPT-2 small fits in the 79.6 GiB of NVIDIA H100 SXM less 10 %");
}

TEST(AskWide, ArithmeticOfTrainingIsThreeTimesAsMuch) {
    const std::int64_t forwards = number_in(answer("flops of llama 2 7b").number);
    EXPECT_EQ(number_in(answer("training flops of llama 2 7b").number), 3 * forwards);
}

TEST(AskWide, WhatIsUnderstoodIsAnswered) {
    EXPECT_EQ(answer("kv cache of llama 3 8b at 128k in int8").number, "8,589,934,592");
    EXPECT_EQ(answer("kv cache of llama 3 8b at 4096").number, answer("kv cache of llama 3 8b, 4096 tokens").number);
    EXPECT_EQ(answer("kv cache llama 3 8b int8 8k").number, "536,870,912");
    EXPECT_EQ(answer("llama 3 8b at 8k").number, answer("memory of llama 3 8b, 8k tokens").number)
        << "parameters are as many whatever is read";
    EXPECT_EQ(answer("n_heads of gpt2").number, "12");
    EXPECT_EQ(answer("context length of llama 3.1 405b").number, "131072");
    EXPECT_NE(asked("8k").problem.find("has nothing that is 8,192"), std::string::npos) << "alone it is looked up";
}

TEST(AskWide, TokensBeyondTheContextAreSaid) {
    constexpr std::string_view beyond = "32,768 tokens exceed the context of Llama 3 8B, which is 8,192.";
    for (const char* text : {"kv cache of llama 3 8b at 32k", "memory of llama 3 8b 32k context",
                             "scores llama 3 8b, 1 token, 32767 cached", "flops of llama 3 8b, 32k tokens"})
        EXPECT_TRUE(says(answer(text).notes, beyond)) << text;
    EXPECT_FALSE(says(answer("kv cache of llama 3 8b at 8k").notes, "exceed"));
    EXPECT_FALSE(says(answer("kv cache of llama 3 8b, full context").notes, "exceed"));
    EXPECT_FALSE(says(answer("what fits in 24 GB, 32k tokens").notes, "exceed")) << "of no one model";
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
    EXPECT_EQ(answer("largest model that fits in 24 GB").title, all.answer->title);
    EXPECT_NE(asked("what fits").problem.find("24 GB"), std::string::npos);
    EXPECT_FALSE(asked("how many layers fit in 24 GB").answer) << "layers are no models";
    EXPECT_NE(asked("how many heads of llama 3 8b fit in 24 GB").problem.find("heads"), std::string::npos);
}

TEST(AskMemory, KeepsModelsForAsLongAsTheInputIsTheSame) {
    AskMemory memory;
    const Preset& preset = presets().front();
    const CountedModelPtr first = memory.model(preset, Input{.tokens = 3});
    EXPECT_EQ(memory.model(preset, Input{.tokens = 3}), first);
    EXPECT_NE(memory.model(preset, Input{.tokens = 4}), first);
    EXPECT_EQ(memory.model(preset, Input{.tokens = -1}), nullptr);
}

TEST(AskWide, IsSafeToAskAnything) {
    std::mt19937 random(7);
    auto below = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
    const std::vector<std::string> words{
        "biggest",   "matrix",   "flops",      "per token", "compare",  "llama 2 7b",
        "gpt 2",     "vs",       "activation", "part",      "24",       "9223372036854775807 tokens",
        "attention", "mixtral",  "h100",       "b200",      "training", "adam",
        "at 128k",   "0 tokens", "norms",      "one head",  "kv cache", "9223372036854775807 cached"};
    for (int i = 0; i < 400; ++i) {
        std::string text;
        for (std::size_t count = below(6); count > 0; --count) text += words[below(words.size())] + " ";
        const Asked all = asked(text);
        if (all.answer) {
            EXPECT_TRUE(all.problem.empty()) << text;
        }
    }
}

TEST(AskWide, FormatsOfOneModelAreCompared) {
    const AskAnswer found = answer("compare int4, fp8 and q4_k_m of qwen3 32b");
    EXPECT_EQ(found.title, "Weights of Qwen3 32B in int4");
    EXPECT_EQ(found.number, answer("weights of qwen3 32b in int4").number);
    for (const char* format : {"fp8", "q4_k_m"})
        EXPECT_TRUE(says(found.notes, std::string(format) + ": " +
                                          answer("weights of qwen3 32b in " + std::string(format)).number + " bytes"))
            << format;
    EXPECT_FALSE(found.compares);
}

}  // namespace
}  // namespace headcount
