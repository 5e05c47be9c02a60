// The arithmetic of adapters: what PyTorch counts of small models with PEFT's adapters, and what papers say of large
// ones.
#include "core/analysis/adapter_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/links.hpp"
#include "core/analysis/pass.hpp"
#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

Pass pass_with(const Architecture& arch, const Input& input, Phase phase, const std::optional<Adapters>& adapters,
               Pairs pairs = Pairs::causal) {
    PassOptions options{.pairs = pairs, .phase = phase, .device = {}};
    options.adapters = adapters;
    Result<Pass> found = pass_of(arch, input, phase, options);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? std::move(*found) : Pass{};
}

// Of matrix products: convolutions are counted elsewhere otherwise.
std::int64_t products_of(const Pass& pass) {
    std::int64_t sum = 0;
    for (const OperationWork& each : pass.work.operations)
        if (!each.adapter.empty() || pass.graph.nodes[each.node].op != Op::convolve) sum += each.flops.full;
    return sum;
}

TEST(AdapterWork, IsWhatPyTorchCountsForwardsAndBackwards) {
    const nlohmann::json golden = testing_data::read_json_file(testing_data::golden_folder() / "adapter_flops.json");
    const Input input{.tokens = golden["tokens"], .batch = golden["batch"], .source = golden["source"]};
    for (const auto& [kind, model] : golden["models"].items()) {
        const Result<Architecture> arch = read_config(model["config"], kind);
        ASSERT_TRUE(arch) << sentence(arch.error());
        for (const nlohmann::json& way : model["ways"]) {
            Adapters adapters{.rank = way["rank"], .modules = {}, .magnitudes = way["magnitudes"]};
            adapters.all = way["targets"] == "all";
            if (!adapters.all) adapters.modules = way["targets"];
            const Pass trained = pass_with(*arch, input, Phase::training, adapters, Pairs::full);
            EXPECT_EQ(products_of(trained), way["training"]) << kind << way;
            EXPECT_EQ(*evaluate(adapter_parameters(trained.graph, adapters), trained.bindings), way["trained"]);
            if (!way.contains("inference")) continue;
            const Pass read = pass_with(*arch, input, Phase::prefill, adapters, Pairs::full);
            EXPECT_EQ(products_of(read), way["inference"]) << kind << way;
        }
    }
}

// Hu et al. 2021, section 4.2: training GPT-3 175B on the same devices goes from 32.5 to 43.1 tokens a second with LoRA
// of queries and values. Without gradients of weights two of three products are left.
TEST(AdapterWork, OfGpt3LeavesOutNoLessThanItsPaperGains) {
    const Architecture arch = preset("gpt-3-175b");
    const Input input{.tokens = 2048};
    const auto whole = pass_with(arch, input, Phase::training, {}).work.flops.counted(),
               adapted = pass_with(arch, input, Phase::training, Adapters{.rank = 4}).work.flops.counted();
    EXPECT_GT(static_cast<double>(whole) / static_cast<double>(adapted), 43.1 / 32.5);
    EXPECT_LT(static_cast<double>(whole) / static_cast<double>(adapted), 1.5);
}

TEST(AdapterWork, IsMoreThanAPassAndLessThanAWholeTrainingInEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        const Input input{.tokens = 33, .batch = 2, .source = 21};
        const Adapters adapters{.rank = 2};
        const Architecture& arch = each.architecture;
        if (wrong_adapters(expand(arch), adapters)) continue;
        const Pass before = pass_with(arch, input, Phase::prefill, {}),
                   forwards = pass_with(arch, input, Phase::prefill, adapters),
                   step = pass_with(arch, input, Phase::training, adapters),
                   whole = pass_with(arch, input, Phase::training, {});
        EXPECT_GE(forwards.work.flops.counted(), before.work.flops.counted()) << each.id;
        EXPECT_GE(forwards.work.bytes, before.work.bytes) << each.id;
        EXPECT_GT(step.work.flops.counted(), forwards.work.flops.counted()) << each.id;
        EXPECT_LT(step.work.flops.counted(), whole.work.flops.counted()) << each.id;
        EXPECT_LT(step.work.least.bytes, whole.work.least.bytes) << each.id;
        EXPECT_LE(step.work.least.flops, step.work.flops.counted()) << each.id;
    }
}

// A second time: all layers where each has an adapter, forwards.
TEST(AdapterWork, OfLayersThatAreComputedAgainIsThatOfAPassAgain) {
    const Architecture arch = preset("llama-2-7b");
    const Input input{.tokens = 512};
    const Adapters adapters{.rank = 16, .modules = {}, .all = true};
    PassOptions options{.phase = Phase::training, .device = {}};
    options.adapters = adapters;
    const Result<Pass> once = pass_of(arch, input, Phase::training, options);
    options.training = Training{.recompute = Recompute::full};
    const Result<Pass> again = pass_of(arch, input, Phase::training, options);
    ASSERT_TRUE(once && again);
    const Pass forwards = pass_with(arch, input, Phase::prefill, adapters);
    std::int64_t in_layers = 0;
    for (const OperationWork& each : forwards.work.operations)
        if (forwards.graph.layer_of(forwards.graph.nodes[each.node].block)) in_layers += each.flops.full;
    EXPECT_EQ(again->work.again, in_layers);
    EXPECT_EQ(again->work.flops.full, once->work.flops.full + in_layers);
}

// Which keys are chosen has no gradient, as transformers' indexer has none: a step computes what a pass does.
TEST(AdapterWork, BesideTheIndexIsThatOfAPassInTrainingToo) {
    const Architecture arch = preset("deepseek-v3.2");
    const Input input{.tokens = 64};
    const Adapters index{.rank = 8, .modules = {"wq_b", "wk", "weights_proj"}},
        all{.rank = 8, .modules = {}, .all = true};
    const Pass forwards = pass_with(arch, input, Phase::prefill, index),
               step = pass_with(arch, input, Phase::training, index);
    EXPECT_EQ(step.work.flops, forwards.work.flops);
    const auto of = [](const Pass& pass, std::string_view module) {
        std::int64_t sum = 0;
        for (const OperationWork& each : pass.work.operations)
            if (each.adapter == module) sum += each.flops.full;
        return sum;
    };
    const Pass among_all = pass_with(arch, input, Phase::training, all);
    for (const std::string& module : index.modules) EXPECT_EQ(of(among_all, module), of(forwards, module)) << module;
    EXPECT_GT(of(among_all, "o_proj"), 2 * of(pass_with(arch, input, Phase::prefill, all), "o_proj"));
}

// 2·N forwards, 2·N back to what was read; of adapters 2·n more.
TEST(AdapterWork, OfFewTokensIsByTheRule) {
    for (const char* id : {"llama-3.2-1b", "t5-small", "olmoe-1b-7b"}) {
        const Architecture arch = preset(id);
        const Adapters adapters{.rank = 64};
        const Input input{.tokens = 9, .source = 9};
        const Result<CountedModel> model = count_model(arch, input);
        ASSERT_TRUE(model) << id;
        for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training}) {
            const Pass pass = pass_with(arch, input, phase, adapters);
            const double rule = operations_by_rule(pass, model->parameters.multiplied(), phase == Phase::training,
                                                   multiplied_adapters(pass.graph, pass.bindings, adapters));
            // The first layer, and in an encoder and a decoder that of both, has fewer gradients.
            EXPECT_NEAR(static_cast<double>(pass.work.flops.counted()) / rule, 1,
                        phase == Phase::training ? 0.06 : 0.01)
                << id;
        }
    }
}

TEST(AdapterWork, OfTheirGradientsAloneCopiesSendEachOther) {
    const Architecture arch = preset("llama-7b");
    const Adapters adapters{.rank = 8};
    const Pass step = pass_with(arch, {.tokens = 64}, Phase::training, adapters);
    constexpr std::int64_t devices = 8, parameters = 4'194'304;  // Hu et al. 2021's r·(d + d) of 2 matrices a layer
    const Result<std::vector<LinkUse>> links =
        link_traffic(step, Phase::training, {.devices = devices}, Precision::bf16, adapters);
    ASSERT_TRUE(links);
    EXPECT_EQ(sent_by_each(*links), 2 * (devices - 1) * 4 * parameters / devices);
}

}  // namespace
}  // namespace headcount
