// Questions about adapters, scaling laws and models that meet conditions: each number is the one that the analysis has.
#include <sstream>
#include <string>

#include "core/analysis/adapters.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/scaling_laws.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(AskWishes, AdaptersTrainWhatMemoryCounts) {
    const CountedModel model = *count_model(find_preset(presets(), "llama-3-8b")->architecture);
    for (const auto& [text, kind, rank] : {std::tuple("lora rank 16 llama 3 8b", AdapterKind::lora, 16),
                                           {"lora for llama-3-8b with rank 16", AdapterKind::lora, 16},
                                           {"trainable parameters of dora, r = 4, llama 3 8b", AdapterKind::dora, 4},
                                           {"qlora on llama 3 8b", AdapterKind::qlora, 8}}) {
        const AskAnswer answered = answer(text);
        const Adapters adapters = adapters_of(kind, rank);
        EXPECT_EQ(answered.count, *evaluate(adapter_parameters(model.graph, adapters), model.bindings)) << text;
        EXPECT_EQ(answered.unit, "parameters") << text;
    }
}

TEST(AskWishes, MemoryAndRoomAreThoseOfTrainingAdapters) {
    const Architecture& arch = find_preset(presets(), "llama-3-8b")->architecture;
    for (const auto& [text, kind] : {std::pair("memory to fine-tune llama 3 8b with lora", AdapterKind::lora),
                                     {"does llama 3 8b fit on a 4090 with qlora", AdapterKind::qlora}}) {
        Input input;
        input.precision = usual_weights(kind).value_or(Precision::bf16);
        const CountedModel model = *count_model(arch, all_at_once(input));
        PassOptions pass;
        pass.phase = Phase::training;
        pass.adapters = adapters_of(kind);
        const AskAnswer answered = answer(text);
        EXPECT_EQ(answered.number, grouped(memory(arch, model.graph, model.bindings, pass.held(input))->total)) << text;
        EXPECT_FALSE(answered.costs) << "Costs know no adapters";
    }
}

TEST(AskWishes, ArithmeticIsThatOfTrainingAdapters) {
    const Architecture& arch = find_preset(presets(), "llama-3-8b")->architecture;
    const Input input{.tokens = 4096};
    PassOptions pass{.phase = Phase::training, .device = {}};
    pass.adapters = adapters_of(AdapterKind::lora);
    const std::int64_t flops = pass_of(arch, input, Phase::training, pass)->work.flops.counted();
    EXPECT_EQ(answer("flops to fine-tune llama 3 8b with lora at 4k tokens").number, grouped(flops));
    const double all = static_cast<double>(flops) / 4096 * 1e9;
    EXPECT_EQ(answer("flops to train llama 3 8b with lora on 1B tokens at 4k tokens").number, flop_text(all));
    const AskAnswer lasts = answer("how long to train llama 3 8b with lora on 1B tokens at 4k tokens with an h100");
    EXPECT_NE(lasts.title.find("LoRA of rank 8 beside"), std::string::npos) << lasts.title;
    EXPECT_FALSE(lasts.costs) << "Costs know no adapters";
}

TEST(AskWishes, APowerOfTenIsANumberOfWhatFollows) {
    EXPECT_EQ(answer("kv cache of llama 3 8b for 1e5 tokens").number,
              answer("kv cache of llama 3 8b for 100000 tokens").number);
    EXPECT_EQ(answer("kv cache of llama 3 8b for 1.5e3 tokens").number,
              answer("kv cache of llama 3 8b for 1500 tokens").number);
    EXPECT_NE(asked("kv cache of llama 3 8b for 1e24 tokens").problem.find("1e24"), std::string::npos);
}

TEST(AskWishes, ScalingLawsSayABudgetOrAModel) {
    const AskAnswer budget = answer("scaling laws for 5.76e23 flops");
    EXPECT_EQ(budget.number, "69.3 B");
    EXPECT_TRUE(says(budget.notes, "Kaplan 2020, best sizes"));
    EXPECT_TRUE(says(budget.notes, "outside of its fit: N above 16.0 B"));
    EXPECT_TRUE(says(answer("scaling laws for 1e24, mixtral 8x7b").notes, "Krajewski 2024, mixtures"));
    const AskAnswer tokens = answer("how many tokens for llama-3-8b");
    EXPECT_EQ(tokens.numbers, "20·8,030,261,248");
    EXPECT_EQ(tokens.number, rough_count_text(20.0 * 8'030'261'248));
    EXPECT_EQ(answer("how many tokens fit llama 3 8b on a 4090").unit, "tokens");
    EXPECT_NE(answer("how many tokens fit llama 3 8b on a 4090").number, tokens.number);
}

TEST(AskWishes, AModelMeetsSeveralConditions) {
    const AskAnswer found = answer("3 B, 8 KV heads, 128k words, tied, 4 GiB in int4 with 8k of cache");
    Architecture arch = find_preset(presets(), "llama-2-7b")->architecture;
    arch.tied = true;
    for (const auto& [field, value] : {std::pair(Field::kv_heads, 8), {Field::vocab, 131'072}})
        arch = *with_number(arch, field, value);
    std::istringstream words(found.number);  // "dim=2048 layers=35 heads=32"
    for (std::string word; words >> word;)
        arch = *with_field(arch, word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
    EXPECT_TRUE(arch.dim / arch.layer.attention.heads == 64 || arch.dim / arch.layer.attention.heads == 128);
    Input input{.tokens = 8192, .precision = Precision::int4};
    PointMaker maker(input, {.memory = true, .pass = {}});
    ASSERT_FALSE(maker.refusal(arch));
    const SweepPoint point = *maker.at(arch);
    ASSERT_TRUE(point.memory);
    EXPECT_LE(*point.memory, std::int64_t{4} << 30);
    EXPECT_NEAR(static_cast<double>(point.parameters.total) / 3e9, 1, 0.01);
    EXPECT_EQ(found.numbers,
              grouped(point.parameters.total) + " of 3,000,000,000, " + bytes_text(*point.memory) + " of 4.00 GiB");
    EXPECT_FALSE(asked("3 B, 8 KV heads, 128k words in 1 MB").answer) << "nothing is so small";
    EXPECT_FALSE(asked("7b with 16 heads").answer) << "that is a model's name";
}

}  // namespace
}  // namespace headcount
