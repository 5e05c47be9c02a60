// One pass: its two forms, its bound, and that every way to it has the same numbers.
#include "core/analysis/pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "core/files/devices.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

Device device_called(std::string_view id) {
    return *find_device(*load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json"), id);
}

Pass pass(const Architecture& arch, const Input& input, Phase phase = Phase::prefill, const PassOptions& options = {}) {
    Result<Pass> found = pass_of(arch, input, phase, options);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? std::move(*found) : Pass{{}, {}, {}, {}, 0, {}};
}

// Row by row, of how many tokens a token at this position sees.
std::int64_t pairs_by_hand(const Input& input, std::optional<AttentionWindow> window) {
    std::int64_t seen = 0;
    for (std::int64_t at = input.cached; at < input.cached + input.tokens; ++at)
        seen += !window ? at + 1 : window->chunked ? at % window->size + 1 : std::min(at + 1, window->size);
    return seen;
}

TEST(Pass, OfScoresWhatAWindowLeavesUnmaskedIsCounted) {
    for (const char* id : {"gemma-2-2b", "llama-4-scout-text", "llama-2-7b"})
        for (const char* size : {"1", "2", "8", "40", "9223372036854775807"})
            for (const std::int64_t cached : {0, 1, 5, 8, 19})
                for (const std::int64_t tokens : {1, 2, 7, 16}) {
                    Architecture arch = preset(id);
                    if (arch.layer.attention.window) arch = with(arch, "window", size);
                    Input input{.tokens = tokens, .cached = cached};
                    const Pass found = pass(arch, input);
                    for (const Node& node : found.graph.nodes) {
                        if (node.op != Op::scores) continue;
                        const bool windowed = found.graph.layers[*found.graph.layer_of(node.block)].group.kind.windowed;
                        const auto window = windowed ? arch.layer.attention.window : std::nullopt;
                        EXPECT_EQ(*evaluate(unmasked_twice(found.graph, node.output), found.bindings),
                                  2 * pairs_by_hand(input, window))
                            << id << " " << tokens << " after " << cached << " in " << size;
                    }
                }
}

// DeepSeek V3.2: a token looks at the 2,048 keys that its index heads choose, of all that they compare it with. The
// fault that it was counted as looking at all, and they as comparing none.
TEST(Pass, WhereHeadsChooseKeysThoseAreCountedAndWhatChoosesThem) {
    const Architecture arch = preset("deepseek-v3.2");
    const auto work_of = [](const Pass& from, std::string_view id) -> const OperationWork& {
        const auto found = std::ranges::find_if(from.work.operations, [&](const OperationWork& work) {
            return from.graph.tensors[from.graph.nodes[work.node].output].id == id;
        });
        EXPECT_NE(found, from.work.operations.end()) << id;
        return *found;
    };
    const std::string scores = "layer.attention.head.scores", index = "layer.attention.index_scores";
    const Input behind{.tokens = 1, .cached = 131'072};
    const Pass step = pass(arch, behind);
    EXPECT_TRUE(step.work.absorbed);
    std::int64_t of_scores = 0, of_mix = 0, of_index = 0;
    for (const OperationWork& work : step.work.operations) {
        const Node& node = step.graph.nodes[work.node];
        const std::int64_t flops = work.flops.counted();
        if (node.op == Op::scores) of_scores += flops;
        if (node.op == Op::mix) of_mix += flops;
        if (node.op == Op::index_scores) of_index += flops;
    }
    EXPECT_EQ(of_scores, std::int64_t{61} * 128 * 2 * 2048 * (512 + 64));
    EXPECT_EQ(of_mix, std::int64_t{61} * 128 * 2 * 2048 * 512);
    EXPECT_EQ(of_index, std::int64_t{61} * 64 * 2 * (128 + 1) * 131'073) << "and each head's onto the sum of all";
    // Fewer keys are less work and less to read; all that there are, as many as with no choice.
    const Pass fewer = pass(with(arch, "index_chosen", "1024"), behind);
    EXPECT_EQ(step.work.flops.causal - fewer.work.flops.causal, std::int64_t{61} * 128 * 2 * 1024 * (512 + 64 + 512));
    EXPECT_EQ(step.work.least.bytes - fewer.work.least.bytes, std::int64_t{61} * 1024 * (512 + 64) * 2);
    EXPECT_EQ(step.work.bytes - fewer.work.bytes, std::int64_t{61} * 1024 * (512 + 64) * 2);
    // Row by row, as a window of as many tokens would leave; and all pairs where none is left out.
    for (const std::int64_t cached : {0, 1, 5, 8, 19})
        for (const std::int64_t tokens : {1, 2, 7, 16}) {
            const Input input{.tokens = tokens, .cached = cached};
            const Pass some = pass(with(arch, "index_chosen", "8"), input);
            for (const Node& node : some.graph.nodes) {
                if (node.op != Op::scores) continue;
                EXPECT_EQ(*evaluate(unmasked_twice(some.graph, node.output), some.bindings),
                          2 * pairs_by_hand(input, AttentionWindow{.size = 8}))
                    << tokens << " after " << cached;
            }
            const Pass all = pass(arch, input);
            EXPECT_EQ(work_of(all, scores).flops.causal,
                      work_of(pass(preset("deepseek-v3"), input), scores).flops.causal);
            EXPECT_EQ(work_of(all, index).flops.causal * 2,
                      work_of(all, index).copies * 64 * (128 + 1) * 4 * pairs_by_hand(input, std::nullopt));
        }
}

// Layers that choose none themselves take the choice of the one before: they look at as many keys, and compare none.
TEST(Pass, LayersThatTakeAChoiceCompareNoKeys) {
    const Architecture arch = preset("deepseek-v3.2");
    const Input behind{.tokens = 1, .cached = 131'072};
    const Pass all = pass(arch, behind), some = pass(with(arch, "index_layers", "1111111111|0"), behind);
    const auto least = [](const Pass& of, Op op) {
        std::int64_t flops = 0;
        for (const OperationWork& work : of.work.operations)
            if (of.graph.nodes[work.node].op == op) flops += work.flops.counted();
        return flops;
    };
    EXPECT_EQ(least(all, Op::scores), least(some, Op::scores));
    EXPECT_EQ(least(all, Op::index_scores) * 10, least(some, Op::index_scores) * 61);
}

// The fault that a window was forgotten: whole scores in 52 of 62 layers.
TEST(Pass, OfGemma3TakesNoTimeForScoresOutsideOfItsWindows) {
    const Architecture arch = preset("gemma-3-27b");
    const Input input{.tokens = 131'072};
    const PassOptions h100{.device = device_called("h100")};
    PassOptions full = h100;
    full.pairs = Pairs::full;
    const Pass found = pass(arch, input, Phase::prefill, h100);
    EXPECT_NEAR(*found.seconds, 8.32, 0.01);
    EXPECT_NEAR(*pass(arch, input, Phase::prefill, full).seconds, 24.42, 0.01);
    EXPECT_GE(*found.seconds, static_cast<double>(found.work.least.flops) / found.roof->flops);
    for (const OperationWork& work : found.work.operations) EXPECT_LE(work.flops.causal, work.flops.full);
}

// DeepSeek-V2, section 2.1.2: a decoding step of one token behind P others.
TEST(Pass, DecodingWithLatentAttentionIsNoSlowerThanTheAbsorbedForm) {
    const Architecture arch = preset("deepseek-v3");
    const PassOptions h200{.device = device_called("h200")};
    const Pass found = pass(arch, {.tokens = 32'768}, Phase::decode, h200);
    ASSERT_TRUE(found.work.absorbed && found.anew);
    // Beside attention both compute the same.
    const std::int64_t l = 61, h = 128, r = 512, d_r = 64, d_n = 128, d_v = 128, all = 32'768;
    const std::int64_t anew = l * (2 * all * r * h * (d_n + d_v) + 2 * h * all * (d_n + d_r + d_v));
    const std::int64_t absorbed = l * (2 * h * (d_n + d_v) * r + 2 * h * all * (2 * r + d_r));
    EXPECT_EQ(found.anew->flops.full - found.work.flops.full, anew - absorbed);
    EXPECT_EQ(found.anew->flops, arithmetic(found.graph, found.bindings, {})->flops) << "as the graph has it";
    EXPECT_NEAR(static_cast<double>(found.work.flops.counted()), 0.63e12, 0.01e12);
    EXPECT_NEAR(static_cast<double>(found.work.bytes), 75.6e9, 1e9);
    EXPECT_NEAR(*found.seconds, 15.9e-3, 0.3e-3);
    // A long prompt is faster with keys and values made.
    const Pass prefill = pass(arch, {.tokens = 4096}, Phase::prefill, h200);
    EXPECT_FALSE(prefill.work.absorbed || prefill.anew);
}

TEST(Pass, DevicesThatShareItAreNoFasterThanAllOfThemTogether) {
    PassOptions options{.device = device_called("a100")};
    const double alone = *pass(preset("llama-3-8b"), {.tokens = 512}, Phase::prefill, options).seconds;
    options.sharding = {.devices = 8, .tensor = 8};
    EXPECT_DOUBLE_EQ(*pass(preset("llama-3-8b"), {.tokens = 512}, Phase::prefill, options).seconds, alone / 8);
    // Copies have a batch each.
    options.sharding = {.devices = 8};
    EXPECT_DOUBLE_EQ(*pass(preset("llama-3-8b"), {.tokens = 512}, Phase::prefill, options).seconds, alone);
}

TEST(Pass, IsThatOfASweepInEveryPresetWithEveryOption) {
    std::mt19937_64 random(11);
    const auto one_of = [&](auto... values) {
        const std::array<std::common_type_t<decltype(values)...>, sizeof...(values)> all{values...};
        return all[random() % all.size()];
    };
    for (const Preset& each : testing_data::all_presets()) {
        Input input{.tokens = one_of(1, 3, 100, 2048),
                    .batch = one_of(1, 2, 8),
                    .cached = one_of(0, 0, 1, 700),
                    .precision = one_of(Precision::bf16, Precision::fp32, Precision::int8, Precision::int4)};
        if (!validate(each.architecture, input).empty()) continue;
        PassOptions options{.pairs = one_of(Pairs::causal, Pairs::full), .device = {}};
        if (one_of(0, 1) == 1) input.cache = one_of(Precision::int8, Precision::fp32);
        if (one_of(0, 1, 2) > 0) options.device = device_called(one_of("laptop", "rtx-4090", "h100"));
        options.sharding.devices = options.sharding.tensor = one_of(1, 1, 4);
        if (one_of(0, 1) == 1) options.adapters = Adapters{.rank = one_of(1, 16), .all = one_of(0, 1) == 1};
        if (options.adapters && wrong_adapters(expand(each.architecture), *options.adapters)) options.adapters.reset();
        if (options.adapters) options.phase = one_of(Phase::prefill, Phase::training);
        const Pass found = pass(each.architecture, input, options.phase, options);
        PointMaker maker(input, {.memory = false, .pass = options});
        const Result<SweepPoint> point = maker.at(each.architecture);
        ASSERT_TRUE(point) << each.id;
        EXPECT_EQ(point->flops, found.work.flops.counted()) << each.id;
        EXPECT_EQ(point->seconds, found.seconds) << each.id;
    }
}

// Scores apart; of an encoder's tokens and of the decoder's, each with its own parameters.
TEST(Pass, OfFewTokensAreByTheRule) {
    for (const char* id : {"gpt2", "llama-3.2-1b", "t5-small", "t5-v1.1-base", "mt5-small"}) {
        const Architecture arch = preset(id);
        for (const Input& input :
             {Input{.tokens = 1, .source = 1}, {.tokens = 9, .source = 2}, {.tokens = 2, .source = 9}}) {
            const Result<CountedModel> model = count_model(arch, input);
            for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training}) {
                const Result<Pass> pass = pass_of(arch, input, phase);
                ASSERT_TRUE(model && pass) << id;
                const double rule = operations_by_rule(*pass, model->parameters.multiplied(), phase == Phase::training);
                EXPECT_NEAR(static_cast<double>(pass->work.flops.counted()) / rule, 1, 0.01) << id;
            }
        }
    }
}

}  // namespace
}  // namespace headcount
