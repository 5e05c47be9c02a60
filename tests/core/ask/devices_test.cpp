// Claims about devices in questions: one that is known is itself, and one that is not is no number.
#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::string digits_of(std::string number) {
    std::erase(number, ',');
    return number;
}

TEST(AskDevices, AFormatBesideTheCacheIsTheCaches) {
    const auto longest = [](const std::string& how) {
        return answer("longest context of llama 3 8b on an h100" + how).number;
    };
    const std::string small = longest(" with int8 kv cache");
    EXPECT_EQ(small, longest(" with a cache in int8"));
    EXPECT_NE(small, longest(""));
    EXPECT_NE(small, longest(" with int8 weights"));
    EXPECT_EQ(answer("kv cache in int8 of llama 3 8b, 8k tokens").number, "536,870,912");
    for (const char* how : {" with int8 weights", " with weights in int8", ", int8 weights"})
        EXPECT_EQ(answer(std::string("kv cache of llama 3 8b, 8k tokens") + how).number, "1,073,741,824") << how;
    EXPECT_TRUE(
        says(answer("memory of llama 3 8b with int8 weights at 8k tokens").notes, "KV cache 1.00 GiB in bf16,"));
    EXPECT_TRUE(says(answer("memory of llama 3 8b at 8k tokens").notes, "KV cache 1.00 GiB, "));
    EXPECT_EQ(answer("int8 weights of llama 3 8b").title, "The model");
}

TEST(AskDevices, TheMostThatAModelHasIsItsOwn) {
    EXPECT_EQ(number("longest context of llama 3 8b"), "8192");
    EXPECT_EQ(problem("largest batch of llama 3 8b"), "Say how much memory there is, such as 24 GB or 80 GiB.");
    EXPECT_NE(number("which model has the longest context"), "8192");
}

TEST(AskDevices, EveryShippedDeviceIsWhatSomethingFitsOn) {
    AskMemory memory;
    for (const Device& device : devices())
        for (const std::string& name : {device.id, device.name}) {
            const Asked all = asked("does gpt2 fit on " + name, "llama-2-7b", {}, &memory);
            ASSERT_TRUE(all.answer) << name << ": " << all.problem;
            EXPECT_EQ(all.answer->title,
                      "GPT-2 small fits in the " + bytes_text(device.memory) + " of " + device.name + " less 10 %");
        }
}

TEST(AskDevices, TheirMemoryIsTheBudget) {
    EXPECT_EQ(answer("does llama 3 70b fit on an h100").title,
              "Llama 3 70B does not fit in the 79.6 GiB of NVIDIA H100 SXM less 10 %");
    for (const char* text :
         {"memory llama 3 8b h100", "llama 3 8b on H100", "does llama 3 8b run on an nvidia h100 gpu"})
        EXPECT_EQ(answer(text).title, "Llama 3 8B fits in the 79.6 GiB of NVIDIA H100 SXM less 10 %") << text;
    EXPECT_EQ(answer("does llama 3 8b fit on an RTX4090").title,
              "Llama 3 8B fits in the 24.0 GiB of NVIDIA GeForce RTX 4090 less 10 %");
    EXPECT_EQ(answer("what fits on a t4").title, "Shipped models that fit in the 15.0 GiB of NVIDIA T4 less 10 %");
    EXPECT_EQ(answer("does llama 3 8b fit on an a100 with 40 GB").title, "Llama 3 8B fits in 40 GB")
        << "what is said counts more than what is known";
}

TEST(AskDevices, HoldAContextOrABatchAtMost) {
    for (const auto& [text, one, more] : std::vector<std::tuple<const char*, const char*, const char*>>{
             {"max context llama 3 8b on rtx 4090", "52856 tokens", "52857 tokens"},
             {"longest context llama 3 8b in 24 GB", "59101 tokens", "59102 tokens"},
             {"how many users fit llama 3 8b on h100 8192 tokens", "8192 tokens batch 56", "8192 tokens batch 57"},
             {"largest batch llama 3 8b on h100 8192 tokens", "8192 tokens batch 56", "8192 tokens batch 57"}}) {
        const std::string on = std::string(text).substr(std::string(text).find(" 8b ") + 4);
        const std::string place = on.substr(0, on.find(" 8192"));
        EXPECT_TRUE(std::string_view(one).find(digits_of(answer(text).number)) != std::string_view::npos)
            << text << ": " << answer(text).number;
        EXPECT_NE(answer("does llama 3 8b fit " + place + " " + one).title.find(" fits in "), std::string::npos) << one;
        EXPECT_NE(answer("does llama 3 8b fit " + place + " " + more).title.find(" does not fit in "),
                  std::string::npos)
            << more;
    }
}

// 2·N operations a token of 512 tokens at 989 TFLOP/s, and 16 GB of weights at 3350 GB/s.
TEST(AskDevices, SayWhatUsersWaitFor) {
    const AskAnswer first = answer("time to first token of llama 3 8b on h100 512 tokens");
    EXPECT_EQ(first.title, "Time to first token on NVIDIA H100 SXM, at least");
    EXPECT_EQ(first.number.substr(first.number.find(' ')), " ms");
    EXPECT_NEAR(std::stod(first.number), 2 * 7.5e9 * 512 / 989e12 * 1e3, 2);
    EXPECT_EQ(first.costs->phase, Phase::prefill);
    const AskAnswer all = answer("tokens a second of llama 3 8b on h100 batch 8"),
                    one = answer("tokens a second for one user llama 3 8b on h100 batch 8");
    EXPECT_NEAR(std::stod(one.number), 3350e9 / 15.1e9, 15);
    EXPECT_NEAR(std::stod(digits_of(all.number)), 8 * std::stod(one.number), 1);
    EXPECT_EQ(all.notes[1], "Each of 8 users gets " + one.number + " tokens a second.");
    EXPECT_EQ(answer("tokens a second of llama 3 8b on h100").title, "Tokens a second on NVIDIA H100 SXM, at most");
    EXPECT_NE(answer("time per token llama 3 8b h100").number.find(" ms"), std::string::npos);
    EXPECT_EQ(asked("ttft of llama 3 8b").problem, "Say on which device, such as an H100.");
    EXPECT_NE(asked("ttft of bert base uncased on h100").problem.find("none one by one"), std::string::npos);
}

// An hour writes 3,600 times as many tokens as a second.
TEST(AskDevices, APriceFollowsFromWhatAnHourCosts) {
    const double rate = std::stod(digits_of(answer("tokens a second of llama 3 8b on h100 batch 8").number));
    for (const char* text : {"price of a million tokens llama 3 8b on h100 batch 8 at $2.50 an hour",
                             "how expensive is llama 3 8b on h100 batch 8, 2.5 dollars per hour"}) {
        const AskAnswer price = answer(text);
        EXPECT_NEAR(std::stod(price.number), 1e6 / rate / 3600 * 2.5, 1e-3) << text;
        EXPECT_EQ(price.unit, "for a million tokens");
        EXPECT_EQ(price.costs->phase, Phase::decode);
    }
    EXPECT_NE(problem("price of llama 3 8b on h100").find("Say what an hour"), std::string::npos);
    EXPECT_EQ(problem("price of training llama 3 8b on h100 at $2 an hour"),
              "Say how many tokens it is trained on, such as 15T tokens.");
    EXPECT_EQ(number("memory cost of the kv cache"), number("memory of the kv cache"));
    EXPECT_EQ(number("cost of llama 3 8b in flops"), number("flops of llama 3 8b"));
    EXPECT_TRUE(says(answer("parameters of llama 3 8b at $2 an hour").notes, "plays no part"));
}

// 6·N operations a token, and those of attention on top, at the peak of 989 TFLOP/s.
TEST(AskDevices, AWholeTrainingLastsAndCosts) {
    const double operations = 6 * 8.03e9 * 15e12, hours = operations / 989e12 / 3600;
    const AskAnswer days = answer("how long to train llama 3 8b on 15T tokens with 512 h100");
    EXPECT_NEAR(std::stod(days.number), hours / 512 / 24, 0.25 * hours / 512 / 24) << days.number;
    EXPECT_TRUE(days.number.ends_with(" days") && days.title.ends_with("on 512 × NVIDIA H100 SXM, at least"));
    EXPECT_TRUE(says(days.notes, "in sequences of 8,192 tokens"));
    EXPECT_EQ(days.costs->sharding.devices, 512);
    const AskAnswer cost = answer("cost of training llama 3 8b on 15 trillion tokens at $2 an hour on h100");
    EXPECT_NEAR(std::stod(digits_of(cost.number)), 2 * hours, 0.5 * hours) << cost.number;
    EXPECT_NE(problem("cost of training llama 3 8b on 15T tokens on h100").find("Say what an hour"), std::string::npos);
    const std::string flops = number("flops to train llama 3 8b on 15T tokens");
    EXPECT_TRUE(flops.ends_with(" ZFLOP")) << flops;
    EXPECT_NEAR(std::stod(flops), operations / 1e21, 0.1 * operations / 1e21) << "attention's on top";
    EXPECT_EQ(problem("how long to train llama 3 8b on h100"), problem("price of training llama 3 8b on h100 at $2"));
    EXPECT_TRUE(says(answer("parameters of llama 3 8b, 15T tokens").notes, "plays no part"));
    const AskAnswer divided = answer("llama 3 70b training fits on 64 h100 with zero 3");
    EXPECT_EQ(divided.costs->sharding, (Sharding{.devices = 64, .zero = 3}));
    EXPECT_TRUE(says(answer("memory of llama 3 8b at 8k tokens, zero 3").notes, "ZeRO plays no part"));
    const AskAnswer fast = answer("tokens per second of llama 3 8b on 8 h100 with zero 3");
    EXPECT_TRUE(says(fast.notes, "ZeRO plays no part"));
    EXPECT_EQ(fast.number, number("tokens per second of llama 3 8b on 8 h100"));
    const AskAnswer lasts = answer("how long to train llama 3 8b on 15T tokens with 512 h100 at $2 an hour, zero 3");
    EXPECT_EQ(lasts.number, days.number);
    EXPECT_TRUE(says(days.notes, "does not fit") && !says(lasts.notes, "does not fit"));
    const std::string small = "how long to train gpt-2 xl on 9B tokens with an rtx 4090";
    EXPECT_TRUE(says(answer(small).notes, "does not fit"));
    EXPECT_FALSE(says(answer(small + " with sgd").notes, "does not fit"));
    EXPECT_NE(problem("how long to train llama 3 8b on 15T tokens on h100 in int4").find("trained"), std::string::npos);
    EXPECT_TRUE(says(lasts.notes, "It costs 433,522"));
    EXPECT_EQ(lasts.costs->sharding.zero, 3);
}

TEST(AskDevices, AreCountedThoughTheirNameBeginsWithALetter) {
    EXPECT_EQ(answer("does llama 3 70b fit on 2 m4 max").costs->sharding.devices, 2);
    EXPECT_EQ(number("does llama 3 8b fit on one 4090"), number("does llama 3 8b fit on a 4090"));
    EXPECT_EQ(number("max batch size of llama 3 8b on an h100"), number("largest batch of llama 3 8b on an h100"));
    EXPECT_EQ(answer("q4_k_m file size of llama 3 8b").unit, "bytes");
}

TEST(AskDevices, BesideABoundStandsWhatIsLikely) {
    const Preset& preset = *find_preset(presets(), "llama-3-8b");
    const auto half = std::make_shared<const Reached>([](const Workload&) { return 0.5; });
    const Asked all = ask("tokens a second on h100", {.architecture = preset.architecture,
                                                      .input = {},
                                                      .preset = preset.id,
                                                      .presets = presets(),
                                                      .commands = {},
                                                      .devices = devices(),
                                                      .reached = half});
    ASSERT_TRUE(all.answer) << all.problem;
    const auto likely =
        std::ranges::find_if(all.answer->notes, [](const auto& it) { return it.starts_with("Likely "); });
    ASSERT_NE(likely, all.answer->notes.end());
    EXPECT_NEAR(std::stod(likely->substr(7)), std::stod(all.answer->number) / 2, 0.1);
    EXPECT_EQ(answer("how fast does llama 3 8b run on an h100").number,
              answer("tokens a second of llama 3 8b on h100").number);
    EXPECT_NE(problem("time to first token of llama 3 8b on an m4 max").find("decoding steps alone"),
              std::string::npos);
}

TEST(AskDevices, WhereTheyPlayNoPartTheyAreNoNumber) {
    for (const auto& [text, plain] : std::vector<std::pair<const char*, const char*>>{
             {"parameters of llama 3 8b on an h100", "parameters of llama 3 8b"},
             {"kv cache llama 3 8b t4", "kv cache llama 3 8b"},
             {"weights of llama 3 8b on l4", "weights of llama 3 8b"}}) {
        EXPECT_EQ(answer(text).number, answer(plain).number) << text;
        EXPECT_TRUE(says(answer(text).notes, "plays no part in this answer.")) << text;
    }
}

TEST(AskDevices, ALetterStuckToANumberIsNoField) {
    for (const auto& [text, name] :
         std::vector<std::pair<const char*, const char*>>{{"does llama 3 70b fit on v200", "v200"},
                                                          {"does llama 3 70b fit on a b500", "b500"},
                                                          {"memory llama 3 8b h30", "h30"},
                                                          {"params of llama 3 8b in q4", "q4"}}) {
        const Asked all = asked(text);
        EXPECT_FALSE(all.answer) << text;
        ASSERT_EQ(all.unknown.size(), 1U) << text;
        EXPECT_EQ(all.unknown.front().words, name);
    }
    for (const AskReading& reading : asked("does llama 3 70b fit on 2 h100s").readings)
        EXPECT_EQ(reading.meaning.find("heads"), std::string::npos);
}

TEST(AskDevices, SymbolsStayInputs) {
    EXPECT_EQ(answer("scores T64").number, "64 × 64");
    EXPECT_EQ(answer("scores T = 4").number, "4 × 4");
    EXPECT_EQ(answer("L").number, "32");
}

TEST(AskDevices, MemoryIsThatOfACardHoweverItIsSaid) {
    const std::string fits = answer("does it fit in 24 GB").title;
    for (const char* text :
         {"does it fit a 24 GB card?", "can i run it on my 24 gb gpu", "does it fit our 24 GB machine"})
        EXPECT_EQ(answer(text).title, fits) << text;
    EXPECT_EQ(answer("which models run on my 8 gb gpu").title, answer("what fits in 8 GB").title);
}

TEST(AskDevices, ThatAreCountedShareTheModel) {
    for (const char* text :
         {"does llama 3 70b fit on 2 h100", "does llama 3 70b fit on 2 x h100", "does llama 3 70b fit on 2 h100s"}) {
        const AskAnswer found = answer(text);
        EXPECT_EQ(found.title, "Llama 3 70B fits in the 79.6 GiB of each of 2 × NVIDIA H100 SXM less 10 %") << text;
        EXPECT_EQ(found.costs->sharding, (Sharding{.devices = 2, .tensor = 2})) << text;
    }
    const std::string much = answer("can i run llama 3 70b on two rtx 4090").result;
    EXPECT_TRUE(much.ends_with(" GiB too much on the fullest of 2 devices")) << much << ": of one, and not in all";
    EXPECT_EQ(answer("can i run llama 3 70b on an rtx 4090").result.find(" devices"), std::string::npos);
    EXPECT_EQ(answer("tokens per second llama 3 70b on 8 h100").title,
              "Tokens a second on 8 × NVIDIA H100 SXM, at most");
    const AskAnswer three = answer("does llama 3 70b fit on 3 h100");
    EXPECT_EQ(three.costs->sharding, (Sharding{.devices = 3, .pipeline = 3})) << "64 heads among 3 are uneven";
    EXPECT_TRUE(says(three.notes, "Not divided evenly: 80 layers among 3 stages"));
    EXPECT_TRUE(asked("does gpt2 fit on 13 h100").problem.starts_with("12 layers cannot be cut into 13 stages"));
}

// Whether they hold it, and how few do, are one question.
TEST(AskDevices, AsManyAsAreNeededFitAndOneLessDoesNot) {
    for (const std::string model : {"llama 3.1 405b", "llama 3 70b", "mixtral 8x7b", "gpt2 xl"})
        for (const std::string device : {"h100", "4090", "t4"}) {
            const AskAnswer least = answer("how many " + device + " hold " + model);
            const std::int64_t devices = least.costs->sharding.devices;
            const auto title = [&](std::int64_t number) {
                return answer("does " + model + " fit on " + std::to_string(number) + " " + device).title;
            };
            EXPECT_NE(title(devices).find(" fits in "), std::string::npos) << title(devices);
            if (devices == 1) continue;
            EXPECT_NE(title(devices - 1).find(" does not fit in "), std::string::npos) << title(devices - 1);
        }
}

TEST(AskDevices, AreTensorParallelOrInStages) {
    EXPECT_TRUE(says(answer("how many h100 hold llama 3 70b").notes, "Tensor-parallel."));
    EXPECT_TRUE(says(answer("how many mi350x hold llama 3.1 405b").notes, "In 3 stages of layers."));
    EXPECT_TRUE(
        says(answer("how many h100 hold llama 3.1 405b").notes, "In 3 stages of layers, each of 4 tensor-parallel."));
}

// What is said beside a question stays, where its devices are others.
TEST(AskDevices, AreDividedAsIsSaidBesideTheQuestion) {
    const Preset& preset = *find_preset(presets(), "llama-3-8b");
    PassOptions beside;
    beside.sharding = {.devices = 4, .pipeline = 4, .zero = 1};
    beside.training = Training{.optimizer = Optimizer::sgd, .recompute = Recompute::full};
    std::optional<Training> trained;
    const auto costs = [&](const std::string& text) {
        const Asked all = ask(text, {.architecture = preset.architecture,
                                     .input = {},
                                     .preset = preset.id,
                                     .presets = presets(),
                                     .commands = {},
                                     .pass = beside,
                                     .devices = devices()});
        EXPECT_TRUE(all.answer) << text << ": " << all.problem;
        trained = all.answer ? all.answer->costs->training : std::nullopt;
        return all.answer ? all.answer->costs->sharding : Sharding{};
    };
    EXPECT_EQ(costs("does it fit on 8 h100"), (Sharding{.devices = 8, .pipeline = 4, .zero = 1}));
    EXPECT_EQ(costs("tokens a second on 8 h100"), (Sharding{.devices = 8, .pipeline = 4, .zero = 1}));
    EXPECT_EQ(costs("how long to train on 15T tokens with 16 h100, zero 3"),
              (Sharding{.devices = 16, .pipeline = 4, .zero = 3}));
    EXPECT_EQ(trained, beside.training) << "Costs opens as it was worked out";
    costs("how long to train on 15T tokens with 16 h100 and muon");
    EXPECT_EQ(trained, (Training{.optimizer = Optimizer::muon, .recompute = Recompute::full}));
    EXPECT_EQ(costs("does it fit on an h100"), beside.sharding);
}

TEST(AskDevices, OfTwoTheFirstThatIsEnoughIsSaid) {
    const AskAnswer both = answer("is a 4090 enough for llama 3 70b in int4 or do I need an h100");
    EXPECT_EQ(both.title, "NVIDIA H100 SXM is enough for Llama 3 70B");
    for (const char* device : {"4090", "h100"}) {
        const std::string speed = answer("tokens a second of llama 3 70b in int4 on an " + std::string(device)).number;
        EXPECT_NE(both.number.find(speed), std::string::npos) << both.number;
        EXPECT_TRUE(says(both.notes, speed + " tokens a second")) << device;
        const std::string held = answer("does llama 3 70b in int4 fit on an " + std::string(device)).result;
        EXPECT_TRUE(says(both.notes, held)) << device;
    }
}

TEST(AskDevices, OfTwoTheSecondIsLeftOutOfWhatOneIsAskedOfAndThatIsSaid) {
    const AskAnswer both = answer("longest context of llama 3 8b on an h100 or an a100");
    EXPECT_EQ(both.title, answer("longest context of llama 3 8b on an h100").title);
    EXPECT_TRUE(says(both.notes, "NVIDIA A100 80 GB SXM is left out: a question is about one device at a time."));
}

TEST(AskDevices, TheLastWordOfANameIsEnoughWhereItIsNoVersion) {
    for (const char* text : {"does llama 3 8b fit on a6000", "does llama 3 8b fit a6000", "llama 3 8b fits A6000"})
        EXPECT_NE(answer(text).title.find("RTX A6000"), std::string::npos) << text;
    EXPECT_EQ(answer("parameters of deepseek v3").about, "DeepSeek V3");
}

TEST(AskDevices, ANumberOfAModelIsNoCountOfThem) {
    for (const char* text : {"memory of llama 3 h100", "does gpt 2 h100 fit"}) {
        const Asked all = asked(text);
        EXPECT_TRUE(!all.answer || all.answer->title.find("×") == std::string::npos) << text;
    }
}

TEST(AskDevices, WhatEndsBeforeTheMemoryIsSaid) {
    EXPECT_EQ(answer("longest context mamba-2.8b on h100").number, "any");
    EXPECT_TRUE(says(answer("longest context gpt2 on h100").notes, "Its positions end there"));
    EXPECT_EQ(answer("largest batch llama 3.1 405b on t4").number, "none");
    EXPECT_EQ(answer("how many rtx 4090 for kimi-k2 in bf16").number, "96")
        << "of 61 layers whole ones are on a device";
}

// By the rule of `memory`: 10 % of each are left free, and the fullest decides.
TEST(AskDevices, AsManyAreNeededAsMemoryAsksFor) {
    const AskAnswer found = answer("how many h100 for llama 3.1 70b 32k tokens batch 50");
    const std::int64_t needed = std::stoll(found.number);
    EXPECT_EQ(found.costs->sharding.devices, needed);
    EXPECT_EQ(found.costs->device, "h100");
    const Preset& preset = *find_preset(presets(), "llama-3.1-70b");
    const CountedModel held = *held_model(preset.architecture, {.tokens = 32768, .batch = 50});
    const Device h100 = *find_device(devices(), "h100");
    const auto fits = [&](const Sharding& sharding) {
        MemoryOptions options;
        options.sharding = sharding;
        return MemoryFormulas(preset.architecture, held.graph, options).room(h100, held.bindings).fits;
    };
    EXPECT_TRUE(fits(found.costs->sharding));
    for (const std::int64_t group : {1, 2, 4, 8, 16})
        for (std::int64_t stages = 1; stages * group < needed; ++stages)
            EXPECT_FALSE(fits({.devices = stages * group, .tensor = group, .pipeline = stages}))
                << group << " × " << stages;
}

TEST(AskDevices, AreCountedOverGroupsAndStages) {
    for (const char* text :
         {"how many a40 for qwen3 32b 64k 20 users int4", "how many a40 for qwen3 32b at 64k for 20 users in int4"}) {
        const AskAnswer found = answer(text);
        EXPECT_EQ(found.number, "10") << text;
        EXPECT_EQ(found.costs->sharding, (Sharding{.devices = 10, .tensor = 2, .pipeline = 5})) << text;
    }
    EXPECT_EQ(answer("how many h100 for qwen3 32b 64k 20 users").number, "6");
    EXPECT_NE(answer("how many h100 for qwen3 32b 64k 20 users").costs->sharding.tensor, 6) << "of 8 key/value heads";
}

TEST(AskDevices, MemoryAloneIsAllThatThereIs) {
    EXPECT_TRUE(says(answer("does pythia 12b fit in 24 GB").notes, "of a device that is named, 10 %"));
    EXPECT_TRUE(answer("does pythia 12b fit on rtx 4090").title.ends_with("less 10 %"));
}

TEST(AskDevices, WordsOfServingAreUnderstood) {
    EXPECT_EQ(answer("kv cache for 50 users").number, answer("kv cache batch 50").number);
    EXPECT_EQ(answer("memory of llama 3 8b at 32k batch 50").number,
              answer("memory of llama 3 8b at 32k tokens batch 50").number);
    EXPECT_EQ(answer("decode speed on an h100").number, answer("tokens per second on an h100").number);
}

}  // namespace
}  // namespace headcount
