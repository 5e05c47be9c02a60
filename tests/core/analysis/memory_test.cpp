// Memory against published figures, and what must hold for every model.
#include "core/analysis/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "core/analysis/parameters.hpp"
#include "core/analysis/storages.hpp"
#include "core/base/text.hpp"
#include "core/files/devices.hpp"
#include "tests/core/analysis/memory_cases.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using test::memory_of;
using test::training;
using testing_data::preset;
using testing_data::with;

std::int64_t kept_in(const Memory& found, std::string_view block) {
    for (const KeptActivations& row : found.kept)
        if (row.block == block) return row.one.bytes;
    ADD_FAILURE() << "nothing is kept in " << block;
    return 0;
}

TEST(Memory, CacheOfATokenIsAsPublished) {
    const Input input{.tokens = 100};
    EXPECT_EQ(memory_of(preset("llama-3-8b"), input).cache_per_token.bytes, 128 * 1024);
    EXPECT_EQ(memory_of(preset("llama-2-7b"), input).cache_per_token.bytes, 512 * 1024);
    EXPECT_EQ(memory_of(preset("deepseek-v3"), input).cache_per_token.bytes, 70'272);
    MemoryOptions eight;
    eight.cache = Precision::int8;
    EXPECT_EQ(memory_of(preset("llama-3-8b"), input, eight).cache_per_token.bytes, 64 * 1024);
}

TEST(Memory, CacheOf2048TokensOf7BIsOneGibibyte) {
    const Memory found = memory_of(preset("llama-2-7b"), {.tokens = 2048});
    EXPECT_EQ(found.cache.bytes, std::int64_t{1} << 30);
    EXPECT_EQ(memory_of(preset("llama-2-7b"), {.tokens = 2048, .batch = 3}).cache.bytes, 3 * (std::int64_t{1} << 30));
}

TEST(Memory, ASlidingWindowCachesNoMoreThanItSees) {
    const Architecture mistral = with(with(preset("mistral-7b"), "window", "4096"), "window_layers", "1");
    EXPECT_EQ(memory_of(mistral, {.tokens = 100'000}).cache.bytes, memory_of(mistral, {.tokens = 4096}).cache.bytes);
    EXPECT_LT(memory_of(mistral, {.tokens = 4095}).cache.bytes, memory_of(mistral, {.tokens = 4096}).cache.bytes);
}

// vLLM's SlidingWindowSpec and FullAttentionSpec (v1/kv_cache_interface.py), max_memory_usage_bytes: of a window of
// 1,024 ceil(min(1,023 + 8,192, T) / 16) + 1 blocks, of none ceil(T / 16).
TEST(Memory, OfACacheInBlocksIsWhatVllmCounts) {
    MemoryOptions options;
    options.serving = {.chunk = 8192, .block = 16};
    for (const auto& [tokens, windowed] : {std::pair(32'768, 577), {9'000, 564}, {1'000, 64}}) {
        const std::int64_t block = 2ll * 16 * 16 * 128 * 2, layers = 62, whole = 10;
        const std::int64_t blocks = (layers - whole) * windowed + whole * ((tokens + 15) / 16);
        EXPECT_EQ(memory_of(preset("gemma-3-27b"), {.tokens = tokens}, options).cache.bytes, blocks * block) << tokens;
    }
    options.serving.pad = 256;
    EXPECT_TRUE(wrong_options(options, preset("gemma-3-27b"))) << "a cache lies in one way";
}

TEST(Memory, BehindItsWindowOnlyFullLayersGrowTheCache) {
    const Architecture gemma = preset("gemma-3-4b");
    const auto grows = [&](std::int64_t tokens) {
        const Memory found = memory_of(gemma, {.tokens = tokens});
        const std::int64_t more = memory_of(gemma, {.tokens = tokens + 1}).cache.bytes - found.cache.bytes;
        EXPECT_TRUE(found.cache_next_token && found.cache_next_token->bytes == more) << tokens;
        return more;
    };
    EXPECT_EQ(grows(8192), 20'480) << "its 5 full layers";
    EXPECT_EQ(grows(1024), 20'480) << "the windows are full";
    EXPECT_EQ(grows(1023), 139'264) << "all 34";
    EXPECT_FALSE(memory_of(preset("llama-3-8b"), {.tokens = 8192}).cache_next_token);
}

TEST(Memory, WeightsHaveTheBytesOfTheirFormat) {
    const Architecture arch = preset("llama-2-7b");
    const std::int64_t total = 6'738'415'616;
    const std::pair<Precision, std::int64_t> sizes[] = {{Precision::fp32, 4 * total},
                                                        {Precision::bf16, 2 * total},
                                                        {Precision::fp16, 2 * total},
                                                        // 65 norms of 4,096 stay in 16 bits.
                                                        {Precision::int8, total + 65 * 4096},
                                                        {Precision::int4, (total - 65 * 4096) / 32 * 18 + 65 * 8192}};
    for (const auto& [precision, bytes] : sizes) {
        MemoryOptions options;
        options.weights = precision;
        const Memory found = memory_of(arch, {}, options);
        EXPECT_EQ(found.weights.bytes, bytes) << info(precision).key;
        std::int64_t sum = 0;
        for (const MemoryFigure& part : found.weights_by_component) sum += part.bytes;
        EXPECT_EQ(sum, bytes) << info(precision).key;
    }
}

TEST(Memory, AGptLayerKeeps34SbdPlus5HssbBytes) {
    const Architecture gpt = preset("gpt2");
    const std::int64_t s = 1024, b = 4, d = 768, h = 12;
    const Memory found = memory_of(gpt, {.tokens = s, .batch = b}, training(Optimizer::adam, Recompute::none, true));
    const std::int64_t attention = kept_in(found, "layer.attention"), ffn = kept_in(found, "layer.feed_forward");
    EXPECT_EQ(attention + ffn, 34 * s * b * d + 5 * h * s * s * b);
    EXPECT_EQ(ffn, 19 * s * b * d + 2 * s * b * d);
    const Memory selective =
        memory_of(gpt, {.tokens = s, .batch = b}, training(Optimizer::adam, Recompute::selective, true));
    EXPECT_EQ(kept_in(selective, "layer.attention") + kept_in(selective, "layer.feed_forward"), 34 * s * b * d);
    EXPECT_EQ(kept_in(selective, "again"), 5 * h * s * s * b);
    const Memory full = memory_of(gpt, {.tokens = s, .batch = b}, training(Optimizer::adam, Recompute::full, true));
    EXPECT_EQ(kept_in(full, "layer.attention"), 2 * s * b * d);
    EXPECT_EQ(kept_in(full, "again"), 32 * s * b * d + 5 * h * s * s * b);
}

TEST(Memory, FusedAttentionKeepsANumberForEachRowAndHeadInTraining) {
    const Architecture gpt = preset("gpt2");
    const std::int64_t s = 1024, b = 4, d = 768, h = 12;
    MemoryOptions options = training(Optimizer::adam, Recompute::none, true);
    options.training->scores = false;
    const Memory found = memory_of(gpt, {.tokens = s, .batch = b}, options);
    const std::int64_t attention = kept_in(found, "layer.attention"), ffn = kept_in(found, "layer.feed_forward");
    EXPECT_EQ(attention + ffn, 34 * s * b * d + 4 * h * s * b);
    options.training->recompute = Recompute::full;
    EXPECT_EQ(kept_in(memory_of(gpt, {.tokens = s, .batch = b}, options), "again"), 32 * s * b * d + 4 * h * s * b);
}

TEST(Memory, TensorParallelGptLayerKeepsWhatKorthikantiSays) {
    MemoryOptions options = training(Optimizer::adam, Recompute::none, true);
    options.sharding = {.devices = 4, .tensor = 4};
    const Architecture gpt = preset("gpt2");
    const std::int64_t s = 1024, b = 4, d = 768, h = 12, t = 4;
    const Memory one = memory_of(gpt, {.tokens = s, .batch = b}, options);
    const Memory longer = memory_of(with(gpt, "layers", "13"), {.tokens = s, .batch = b}, options);
    EXPECT_EQ(longer.device.activations.bytes - one.device.activations.bytes,
              10 * s * b * d + 24 * s * b * d / t + 5 * h * s * s * b / t);
}

TEST(Memory, OptimizersTakeTheirBytesAParameter) {
    const Architecture arch = preset("llama-2-7b");
    const std::int64_t total = 6'738'415'616;
    const Memory adam = memory_of(arch, {}, training(Optimizer::adam));
    EXPECT_EQ(adam.weights.bytes + adam.gradients.bytes + adam.optimizer.bytes, 16 * total);
    EXPECT_EQ(adam.cache.bytes, 0);
    EXPECT_EQ(memory_of(arch, {}, training(Optimizer::sgd)).optimizer.bytes, 8 * total);
    EXPECT_EQ(memory_of(arch, {}, training(Optimizer::adam8)).optimizer.bytes, 6 * total + total / 256 * 8);
    const std::int64_t matrices = 32ll * 202'375'168;
    EXPECT_EQ(memory_of(arch, {}, training(Optimizer::muon)).optimizer.bytes, 12 * total - 4 * matrices);
    MemoryOptions whole = training(Optimizer::adam);
    whole.weights = Precision::fp32;
    EXPECT_EQ(memory_of(arch, {}, whole).optimizer.bytes, 8 * total) << "there is no second copy of the weights";
}

TEST(Memory, WholeScoresMakeThePeakQuadratic) {
    const Architecture arch = preset("llama-2-7b");
    MemoryOptions whole;
    whole.scores = true;
    whole.serving.chunk = 0;
    const std::int64_t t = 8192;
    const Memory found = memory_of(arch, {.tokens = t}, whole);
    EXPECT_GE(found.activations.bytes, 2 * 2 * 32 * t * t);
    EXPECT_EQ(found.where, "layer.attention.head.weights");
    EXPECT_LT(memory_of(arch, {.tokens = t}).activations.bytes, 2 * t * (4096 + 3 * 11008 + 4096));
}

// The most that is there at once, node by node, of what every activation takes and from when to when.
// Of what makes a text token by token with the logits of the last alone.
std::int64_t most_at_once(const ModelGraph& graph, const Bindings& values, bool all_logits) {
    std::int64_t most = 0;
    const std::vector<Storage> all = storages(graph, Purpose::inference).all;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        std::int64_t there = 0;
        for (const Storage& each : all) {
            if (node < each.first || each.last < node || each.of_scores) continue;
            const bool logits = graph.tensors[each.tensor].part == Part::output_head;
            const std::int64_t numbers = *evaluate(each.elements, values);
            there += 2 * (logits && !all_logits ? numbers / *values[Symbol::tokens] : numbers);
        }
        most = std::max(most, there);
    }
    return most;
}

TEST(Memory, ActivationsAreTheMostAtOnceOrAllThatIsKeptInEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        const Architecture& arch = each.architecture;
        const ModelGraph graph = expand(arch);
        const Bindings values = bindings(arch, {.tokens = 64, .batch = 2});
        for (const MemoryOptions& options :
             {MemoryOptions{}, training(Optimizer::muon, Recompute::full, true), training(Optimizer::adam8)}) {
            const Result<Memory> found = memory(arch, graph, values, options);
            ASSERT_TRUE(found) << each.id << ": " << sentence(found.error());
            EXPECT_EQ(found->weights.bytes, 2 * count_parameters(graph, values)->total) << each.id;
            EXPECT_EQ(found->total, found->weights.bytes + found->cache.bytes + found->states.bytes +
                                        found->activations.bytes + found->gradients.bytes + found->optimizer.bytes)
                << each.id;
            EXPECT_EQ(found->total, found->device.total) << each.id;
            std::int64_t kept = 0;
            for (const KeptActivations& row : found->kept) kept += row.one.bytes * row.layers;
            EXPECT_EQ(found->activations.bytes, options.training ? kept : most_at_once(graph, values, sees_all(arch)))
                << each.id;
            EXPECT_GT(found->activations.bytes, 0) << each.id;
            EXPECT_FALSE(found->where.empty()) << each.id;
        }
    }
}

// DeepSeek V3 was trained in 16 stages with its experts among 64 devices each (DeepSeek-AI 2024, arXiv:2412.19437,
// section 3.2.1).
// What a spreadsheet takes the largest of, in which a field is another one afterwards.
TEST(Memory, TheMomentsOfActivationsHoldForOtherNumbersToo) {
    const Input input{.tokens = 4096, .batch = 2};
    const auto most = [&](const Architecture& arch, const Bindings& values) {
        std::int64_t bytes = 0;
        for (const auto& moment : MemoryFormulas(arch, expand(arch), {}).moments_of_activations(false))
            bytes = std::max(bytes, *evaluate(moment.bytes, values));
        return bytes;
    };
    for (const auto& [id, field, value] : {std::tuple("llama-3-8b", "ffn_dim", "1024"),
                                           {"deepseek-v3", "expert_dim", "4096"},
                                           {"deepseek-v3", "nope_dim", "256"},
                                           {"mamba2-2.7b", "state_groups", "8"},
                                           {"jamba-v0.1", "expert_dim", "28672"},
                                           {"gpt2", "vocab", "100"}}) {
        const Architecture before = preset(id), after = with(before, field, value);
        const Bindings numbers = bindings(after, input);
        EXPECT_EQ(most(before, numbers), memory_of(after, input).activations.bytes) << id << ' ' << field;
        EXPECT_EQ(most(before, bindings(before, input)), memory_of(before, input).activations.bytes) << id;
    }
    const MemoryFormulas trains(preset("gpt2"), expand(preset("gpt2")), {.training = Training{}});
    EXPECT_TRUE(trains.moments_of_activations(false).empty());
}

TEST(Memory, WhatFitsIsExact) {
    const std::vector<Device> devices = *load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    MemoryOptions sharded;
    sharded.sharding = {.devices = 8, .tensor = 4, .pipeline = 2};
    for (const char* id : {"llama-3-8b", "gpt2", "deepseek-v3", "gemma-2-9b", "gpt-oss-20b"}) {
        const Architecture arch = preset(id);
        for (const MemoryOptions& options : {MemoryOptions{}, training(Optimizer::adam), sharded}) {
            const MemoryFormulas formulas(arch, expand(arch), options);
            for (const Device& device : devices) {
                const Input input{.tokens = 512, .batch = 2};
                const Room room = formulas.room(device, bindings(arch, input));
                const auto fits = [&](std::int64_t tokens, std::int64_t batch) {
                    const Result<Memory> found = formulas.at(bindings(arch, {.tokens = tokens, .batch = batch}));
                    return found && found->device.total <= options.serving.usable(device);
                };
                EXPECT_EQ(room.fits, fits(512, 2)) << id << " on " << device.id;
                EXPECT_TRUE(room.longest_context == 0 || fits(room.longest_context, 2)) << id << " on " << device.id;
                EXPECT_TRUE(!fits(room.longest_context + 1, 2) || room.longest_context == arch.context)
                    << id << " on " << device.id;
                EXPECT_TRUE(room.largest_batch == 0 || fits(512, room.largest_batch)) << id << " on " << device.id;
                EXPECT_FALSE(fits(512, room.largest_batch + 1)) << id << " on " << device.id;
            }
        }
    }
}

TEST(Memory, APromptIsReadInPartsAsServersDo) {
    constexpr double gibi = 1 << 30;
    // Llama 3.1 70B has these dimensions: 131.4 GiB of weights, and a cache of 40 GiB in bytes.
    const Architecture arch = preset("llama-3-70b");
    const Input input{.tokens = 32'768, .batch = 8};
    MemoryOptions options;
    options.cache = Precision::int8;
    const Memory served = memory_of(arch, input, options);
    EXPECT_NEAR(static_cast<double>(served.total) / gibi, 173, 2);
    options.serving.chunk = 0;
    const Memory at_once = memory_of(arch, input, options);
    EXPECT_NEAR(static_cast<double>(at_once.total) / gibi, 217, 2);
    EXPECT_EQ(at_once.weights.bytes, served.weights.bytes);
    EXPECT_EQ(at_once.cache.bytes, served.cache.bytes);
    // A part's tokens may be of several sequences: as much as one sequence of so many takes, but for the last logits.
    options.serving.chunk = 2048;
    const Memory one = memory_of(arch, {.tokens = 2048}, options);
    EXPECT_NEAR(static_cast<double>(served.activations.bytes), static_cast<double>(one.activations.bytes), 1e7);
    // BERT reads all of a text at once.
    const Architecture bert = preset("bert-base-uncased");
    MemoryOptions small;
    small.serving.chunk = 16;
    EXPECT_EQ(memory_of(bert, {.tokens = 512}, small).activations.bytes,
              memory_of(bert, {.tokens = 512}).activations.bytes);
}

TEST(Memory, OfTokensThatAreCachedTheFormulasSayPAndT) {
    const Architecture arch = preset("llama-3.1-8b");
    const Input input{.tokens = 1, .batch = 2, .cached = 8191};
    const CountedModel whole = *held_model(arch, {.tokens = 8192, .batch = 2}), part = *held_model(arch, input);
    const MemoryFormulas formulas(arch, part.graph, {});
    const Memory all = *formulas.at(whole.bindings), cached = *formulas.at(part.bindings);
    EXPECT_EQ(in_symbols(all.cache.formula), "B·2·L·2·T·h_kv·d_h");
    EXPECT_EQ(in_symbols(cached.cache.formula), "B·2·L·2·(P + T)·h_kv·d_h");
    EXPECT_EQ(cached.cache.bytes, *evaluate(cached.cache.formula, part.bindings));
    EXPECT_EQ(cached.activations.bytes, *evaluate(cached.activations.formula, part.bindings));
    EXPECT_EQ(cached.total, all.total);
    EXPECT_EQ(formulas.total_on_device(part.bindings), formulas.total_on_device(whole.bindings));
}

TEST(Memory, EightBillionInFourBitsHaveAWholeContextIn24Gigabytes) {
    const std::vector<Device> devices = *load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    const Architecture arch = preset("llama-3-8b");
    MemoryOptions options;
    options.weights = Precision::int4;
    const MemoryFormulas formulas(arch, expand(arch), options);
    const Room room = formulas.room(*find_device(devices, "rtx-4090"), bindings(arch, {.tokens = 131'072}));
    EXPECT_TRUE(room.fits);
    options.serving.reserve = 20;
    EXPECT_FALSE(MemoryFormulas(arch, expand(arch), options)
                     .room(*find_device(devices, "rtx-4090"), bindings(arch, {.tokens = 131'072}))
                     .fits);
}

TEST(Memory, ImpossibleOptionsAreSaidInASentence) {
    const Architecture arch = preset("llama-2-7b");
    MemoryOptions none;
    none.sharding.devices = 0;
    EXPECT_EQ(sentence(*wrong_options(none, arch)), "0 is too few to hold a model: devices: give at least 1");
    MemoryOptions odd;
    odd.sharding = {.devices = 6, .tensor = 4};
    EXPECT_EQ(sentence(*wrong_options(odd, arch)),
              "6 devices cannot be divided into groups of 4 × 1: devices: give 8 devices, or other groups");
    MemoryOptions stages;
    stages.sharding = {.devices = 64, .pipeline = 64};
    EXPECT_TRUE(wrong_options(stages, arch));
    MemoryOptions small = training(Optimizer::adam);
    small.weights = Precision::int8;
    EXPECT_EQ(sentence(*wrong_options(small, arch)),
              "weights of int8 cannot be trained: dtype: give fp32, bf16 or fp16, or train adapters beside them");
    const Input endless{.tokens = INT64_MAX / 2};
    const Result<Memory> too_long = memory(arch, expand(arch), bindings(arch, endless), {});
    ASSERT_FALSE(too_long);
    const std::string fix = too_long.error().fix, before = "give at most ";
    ASSERT_TRUE(fix.starts_with(before)) << fix;
    const std::int64_t tokens = *parse_whole_number(fix.substr(before.size(), fix.find(" tokens") - before.size()), "");
    EXPECT_TRUE(memory(arch, expand(arch), bindings(arch, {.tokens = tokens}), {}));
    EXPECT_FALSE(memory(arch, expand(arch), bindings(arch, {.tokens = tokens + 1}), {}));
}

TEST(Memory, OfAModelThatIsItselfTooLargeIsNotHelpedByFewerTokens) {
    const Architecture large = with(preset("llama-2-7b"), "vocab", "562949953421312");
    const Result<Memory> weights = memory(large, expand(large), bindings(large, {.tokens = 8, .batch = 2}), {});
    ASSERT_FALSE(weights);
    EXPECT_EQ(weights.error().fix, "make a dimension smaller") << sentence(weights.error());
    const Architecture arch = preset("llama-2-7b");
    const Input many{.tokens = 8, .batch = std::int64_t{1} << 50};
    const Result<Memory> batch = memory(arch, expand(arch), bindings(arch, many), {});
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().fix, "give fewer tokens or a smaller batch") << sentence(batch.error());
}

#ifndef NDEBUG
TEST(MemoryDeathTest, FormulasOfWrongOptionsAreABug) {
    const Architecture arch = preset("llama-2-7b");
    MemoryOptions stages;
    stages.sharding = {.devices = 64, .pipeline = 64};
    EXPECT_DEATH(MemoryFormulas(arch, expand(arch), stages), "cannot have");
}
#endif

}  // namespace
}  // namespace headcount
