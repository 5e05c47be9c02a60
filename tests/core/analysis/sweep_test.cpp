// Numbers along ranges.
#include "core/analysis/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/validate.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

ValueRange range(std::string_view text) {
    Result<ValueRange> read = parse_range(text);
    if (!read) throw std::runtime_error(sentence(read.error()));
    return *read;
}

Result<Sweep> along(const Architecture& arch, std::vector<std::string_view> texts, const Input& input = {},
                    const PointWants& wants = {}) {
    std::vector<ValueRange> ranges;
    for (std::string_view text : texts) ranges.push_back(range(text));
    return sweep(arch, ranges, input, wants);
}

const Device device{.bandwidth = 1e12, .flops_16 = 100e12, .flops_32 = 50e12};

// One architecture counted by itself, with nothing kept from another.
SweepPoint single(const Architecture& arch, std::vector<std::int64_t> values, const Input& input) {
    const ModelGraph graph = expand(arch);
    const Bindings bound = bindings(arch, input);
    const Parameters parameters = *count_parameters(graph, bound);
    MemoryOptions options;
    options.weights = input.precision;
    options.cache = Precision::bf16;  // of all inputs below
    const Memory found = *memory(arch, graph, bound, options);
    const Pass pass = *pass_of(arch, input, Phase::prefill, {.device = device});
    return {.values = std::move(values),
            .parameters = {parameters.total, parameters.active},
            .weights = found.weights.bytes,
            .cache_per_token = found.cache_per_token.bytes,
            .cache = found.cache.bytes,
            .flops = pass.work.flops.counted(),
            .tokens = pass.tokens,
            .memory = found.total,
            .fits = found.total <= options.serving.usable(device),
            .seconds = pass.seconds};
}

TEST(Sweep, EqualsSingleRuns) {
    const Input input{.tokens = 64, .batch = 2};
    const Input small{.tokens = 64, .precision = Precision::int4};
    const std::tuple<const char*, const char*, Input> cases[] = {{"llama-2-7b", "dim=1024..8192:512", input},
                                                                 {"llama-2-7b", "layers=1..40", small},
                                                                 {"deepseek-v3", "layers=1..70:7", input},
                                                                 {"gemma-2-9b", "layers=1..9", input},
                                                                 {"gpt2", "heads=1..24", input},
                                                                 {"mixtral-8x7b", "experts=1..16", input},
                                                                 {"llama-2-7b", "kv_heads=1..32", input},
                                                                 {"llama-2-7b", "expert_dim=256..1024:256", input},
                                                                 {"qwen1.5-moe-a2.7b", "shared_experts=0..4", input},
                                                                 {"deepseek-v2", "query_rank=512..2048:512", input}};
    for (const auto& [id, text, used] : cases) {
        const Architecture arch = preset(id);
        const ValueRange values = range(text);
        const Result<Sweep> found = along(arch, {text}, used, {true, {.device = device}});
        ASSERT_TRUE(found) << id << ": " << sentence(found.error());
        std::vector<SweepPoint> expected;
        for (std::int64_t value = values.from; value <= values.to; value += values.step) {
            const Architecture changed = with(arch, info(values.field).key, std::to_string(value));
            if (validate(changed).empty()) expected.push_back(single(changed, {value}, used));
        }
        EXPECT_EQ(found->points, expected) << id << " " << text;
        EXPECT_FALSE(expected.empty()) << id << " " << text;
    }
}

// What models have besides is made of their numbers by each family in its own way.
TEST(PointMaker, FormulasOfOneArchitectureHoldForAllOfItsShape) {
    const Input input{.tokens = 64};
    const PointWants wants{.memory = true, .pass = {.device = device}};
    int kept = 0;
    for (const Preset& preset : testing_data::all_presets()) {
        const Architecture& arch = preset.architecture;
        if (!arch.family->besides && !arch.whole) continue;
        PointMaker maker(input, wants);
        ASSERT_TRUE(maker.at(arch)) << preset.id;
        for (const Field field : {Field::dim, Field::layers, Field::ffn_dim, Field::heads, Field::vocab}) {
            const std::optional<std::int64_t> now = field_number(arch, field);
            const std::optional<Architecture> twice = now ? with_number(arch, field, 2 * *now) : std::nullopt;
            if (!twice || maker.refusal(*twice) || !same_formulas(arch, *twice)) continue;
            EXPECT_EQ(*maker.at(*twice), *PointMaker(input, wants).at(*twice))
                << preset.id << ", " << info(field).key << " doubled";
            ++kept;
        }
    }
    EXPECT_GT(kept, 100);
}

TEST(PointMaker, AModelHasTheFormulasOfAnyOtherActivationAndNorm) {
    const Input input{.tokens = 64};
    const PointWants wants{.memory = true, .pass = {.phase = Phase::training, .device = device}, .reached = {}};
    for (const char* id : {"llama-2-7b", "gpt2", "bert-base-uncased", "t5-base", "deepseek-v3", "zamba2-1.2b"}) {
        const Architecture arch = preset(id);
        const Result<SweepPoint> now = PointMaker(input, wants).at(arch);
        for (const auto& [key, text] : {std::pair("activation", "relu"), {"activation", "xielu"}, {"norm", "layer"}}) {
            const Architecture other = with(arch, key, text);
            const Result<SweepPoint> after = PointMaker(input, wants).at(other);
            if (same_formulas(arch, other))
                EXPECT_EQ(*after, *now) << id << ", " << text;
            else
                EXPECT_GT(after->parameters.total, now->parameters.total) << id << ", " << text;
        }
    }
}

TEST(Sweep, PointsStandInTheOrderOfTheirRangesWhicheverHasTheLayers) {
    for (const char* id : {"llama-2-7b", "jamba-v0.1"}) {
        const Result<Sweep> behind = along(preset(id), {"vocab=100,200", "layers=8,16,24", "ffn_dim=512,1024"});
        const Result<Sweep> before = along(preset(id), {"layers=8,16,24", "vocab=100,200", "ffn_dim=512,1024"});
        ASSERT_TRUE(behind && before && behind->points.size() == 12) << id;
        EXPECT_TRUE(std::ranges::is_sorted(behind->points, {}, &SweepPoint::values)) << id;
        for (const SweepPoint& point : before->points) {
            SweepPoint same = point;
            std::swap(same.values[0], same.values[1]);
            EXPECT_EQ(std::ranges::count(behind->points, same), 1) << id;
        }
    }
}

TEST(PointMaker, ATextIsNoLongerThanEachPointsOwnContext) {
    Device roomy = device;
    roomy.memory = std::int64_t{80} << 30;
    const Result<Sweep> found =
        along(preset("gpt2"), {"context=128..512:128"}, {}, {.pass = {.device = roomy}, .room = true, .reached = {}});
    ASSERT_TRUE(found && found->points.size() == 4);
    for (const SweepPoint& point : found->points) EXPECT_EQ(point.longest_context, point.values.front());
}

TEST(Sweep, CountsTheFormOfLatentAttentionThatTakesLess) {
    const Architecture arch = preset("deepseek-v3");
    for (const Input& input : {Input{.tokens = 1, .cached = 32768}, Input{.tokens = 4096}}) {
        for (const bool timed : {false, true}) {
            PassOptions options;
            if (timed) options.device = device;
            const Result<Sweep> found = along(arch, {"layers=61..61"}, input, {false, options});
            const Result<Pass> fastest = pass_of(arch, input, Phase::prefill, options);
            ASSERT_TRUE(found && fastest);
            const SweepPoint& point = found->points.front();
            EXPECT_EQ(point.flops, fastest->work.flops.counted());
            EXPECT_EQ(fastest->work.absorbed, input.cached > 0) << "one token reads what 32,768 have left";
            EXPECT_EQ(point.seconds, fastest->seconds);
        }
    }
}

TEST(Sweep, WorksOutMemoryAndTimeOnlyWhereTheyAreWanted) {
    const Result<Sweep> found = along(preset("gpt2"), {"layers=12..12"});
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->points.front().memory);
    EXPECT_FALSE(value_of(found->points.front(), Metric::seconds));
}

TEST(Sweep, SuggestsRangesAroundWhatTheModelHas) {
    for (const char* id : {"llama-2-7b", "gpt2", "deepseek-v3", "gemma-2-9b", "opt-350m"}) {
        const Architecture arch = preset(id);
        for (const FieldInfo& field : fields()) {
            const std::optional<std::int64_t> now = field_number(arch, field.field);
            if (field.kind != FieldKind::number || !now) continue;
            const ValueRange suggested = suggested_range(arch, field.field);
            EXPECT_FALSE(wrong_range(suggested)) << id << " " << field.key;
            EXPECT_LE(suggested.from, *now) << id << " " << field.key;
            EXPECT_GE(suggested.to, *now) << id << " " << field.key;
            EXPECT_EQ((*now - suggested.from) % suggested.step, 0) << id << " " << field.key << " is on the way";
            EXPECT_LE((suggested.to - suggested.from) / suggested.step, 200) << id << " " << field.key;
        }
    }
}

TEST(Sweep, RangesThatAreNoneAreRefusedWhoeverMadeThem) {
    const auto said = [](ValueRange wrong) { return sentence(sweep(preset("gpt2"), std::vector{wrong}, {}).error()); };
    EXPECT_EQ(said({Field::layers, 12, 6, 2}),
              "the range layers=12..6:2 runs backwards: --vary: write it as layers=6..12:2");
    EXPECT_EQ(said({Field::layers, 1, 6, 0}), "steps of 0 lead nowhere: --vary: give at least 1");
    EXPECT_EQ(said({Field::layers, 0, 6, 1}), "layers=0 is too small: --vary: begin at 1");
    EXPECT_NE(said({Field::norm, 0, 6, 1}).find("no number"), std::string::npos);
}

TEST(Sweep, LeavesOutWhatIsNotPossibleAndSaysHowMuch) {
    const Result<Sweep> found = along(with(preset("llama-2-7b"), "kv_heads", "32"), {"heads=1..40"});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->points.size(), 1u) << "32 key/value heads are given: only 32 heads share them evenly";
    EXPECT_EQ(found->left_out, 39);
    EXPECT_EQ(along(preset("llama-2-7b"), {"heads=1..40"})->points.size(), 6u);
}

TEST(Sweep, CachesIn16BitsWhereWeightsAreInFewer) {
    const Architecture arch = preset("llama-2-7b");
    for (const auto& [precision, bytes] : {std::pair<Precision, std::int64_t>{Precision::fp32, 1'048'576},
                                           {Precision::fp16, 524'288},
                                           {Precision::int8, 524'288},
                                           {Precision::int4, 524'288}}) {
        const Result<Sweep> found = along(arch, {"layers=32..32"}, {.tokens = 1, .precision = precision});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->points.front().cache_per_token, bytes) << info(precision).key;
    }
}

TEST(Sweep, VariesTheInputToo) {
    const Architecture arch = preset("llama-3-8b");
    const auto values = [&](const std::vector<std::string_view>& ranges) {
        std::vector<std::int64_t> all;
        const Result<Sweep> found = along(arch, ranges);
        EXPECT_TRUE(found) << sentence(found.error());
        for (const SweepPoint& point : found->points) all.push_back(point.values.front());
        return all;
    };
    EXPECT_EQ(values({"batch=1..64:x4"}), (std::vector<std::int64_t>{1, 4, 16, 64}));
    EXPECT_EQ(values({"tokens=1k,8k,128k"}), (std::vector<std::int64_t>{1024, 8192, 131'072}));
    const Result<Sweep> cached = along(arch, {"cached=0,5,100"}, {.tokens = 7});
    ASSERT_TRUE(cached);
    for (const SweepPoint& point : cached->points) {
        const Input input{.tokens = 7, .cached = point.values.front()};
        const Result<Sweep> alone = along(arch, {"layers=32..32"}, input);
        ASSERT_TRUE(alone);
        EXPECT_EQ(point.cache, alone->points.front().cache);
        EXPECT_EQ(point.flops, alone->points.front().flops);
    }
    EXPECT_FALSE(parse_range("batch=0,1"));
    EXPECT_FALSE(parse_range("batch=1..8:x1"));
}

TEST(Sweep, AcrossTheInputThatItIsOfCountsThatOneToo) {
    const Architecture arch = preset("llama-2-7b");
    const Input input{.tokens = 100};
    const Sweep found = *along(arch, {"tokens=50..150:50"}, input);
    ASSERT_EQ(found.points.size(), 3U);
    Input other = input;
    for (const SweepPoint& point : found.points) {
        other.tokens = point.values.front();
        EXPECT_EQ(point.flops, PointMaker(other, {}).at(arch)->flops) << other.tokens;
    }
    EXPECT_LT(found.points[0].flops, found.points[1].flops);
}

TEST(Sweep, OfOneFieldTwiceIsRefused) {
    EXPECT_EQ(sentence(along(preset("llama-2-7b"), {"dim=1024..4096:1024", "dim=64..128:64"}).error()),
              "dim is varied twice: --vary: give one range for it");
}

TEST(Sweep, AdvisesOnlyWhatTheInputAllowsToo) {
    const Architecture arch = preset("gpt2");
    EXPECT_EQ(sentence(along(arch, {"context=1..512"}, {.tokens = 1024}).error()),
              "no value of context in 1..512 is possible, since 1024 tokens pass the last of 512 learned positions: "
              "--vary: the nearest possible: context=1024");
    EXPECT_EQ(sentence(along(arch, {"context=1..512", "layers=1..2"}, {.tokens = 1024}).error()),
              "no value of context in 1..512 with layers in 1..2 is possible, since 1024 tokens pass the last of 512 "
              "learned positions: --vary: give fewer tokens or a longer context");
    EXPECT_EQ(
        sentence(along(arch, {"dim=768..769", "heads=5..5"}, {.tokens = 8}).error()).find("no value of dim in 768"),
        0u);
}

TEST(Sweep, WhatDoesNotFitIsNotSaidToBeImpossible) {
    const Architecture arch = preset("llama-2-7b");
    const Result<Sweep> some = along(arch, {"vocab=1..9000000000000000001:3000000000000000000"});
    ASSERT_TRUE(some) << sentence(some.error());
    EXPECT_EQ(some->points.size(), 1u);
    EXPECT_EQ(some->left_out, 0);
    EXPECT_EQ(some->too_large, 3);
    EXPECT_EQ(sentence(along(arch, {"vocab=9000000000000000000..9000000000000000001"}).error()),
              "of vocab in 9000000000000000000..9000000000000000001 every possible value makes a number that does not "
              "fit in 64 bits: --vary: give smaller values");
}

TEST(Sweep, OfTwoFieldsGoesOverAllPairs) {
    const Architecture arch = preset("llama-2-7b");
    const Result<Sweep> found = along(arch, {"layers=8..32:8", "ffn_dim=8192..16384:4096"});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->points.size(), 12u);
    EXPECT_EQ(found->points[1].values, (std::vector<std::int64_t>{8, 12288}));
    const Architecture last = with(with(arch, "layers", "32"), "ffn_dim", "16384");
    EXPECT_EQ(found->points.back().parameters.total, count_parameters(expand(last), bindings(last, {}))->total);
}

TEST(Sweep, BadRangesAreAnsweredWithTheNearestPossible) {
    const auto said = [](std::string_view text) { return sentence(parse_range(text).error()); };
    EXPECT_EQ(said("dim=8192..4096"), "the range dim=8192..4096 runs backwards: --vary: write it as dim=4096..8192");
    EXPECT_EQ(said("dims=1..2"), "unknown field \"dims\": --vary: did you mean dim?");
    EXPECT_EQ(said("width=1..2"), "unknown field \"width\": --vary: did you mean dim?") << "the window calls it so";
    EXPECT_EQ(said("norm=1..2"), "norm is no number: --vary: vary a number, such as layers=1..64");
    EXPECT_NE(said("dim=").find("is no range"), std::string::npos);
    EXPECT_NE(said("dim=1..8:0").find("too small"), std::string::npos);
    EXPECT_NE(said("dim=a..8").find("not a whole number"), std::string::npos);
    EXPECT_EQ(sentence(along(preset("llama-2-7b"), {"dim=4097..4100"}).error()),
              "no value of dim in 4097..4100 is possible: --vary: the nearest possible: dim=4096 or dim=4160");
    EXPECT_EQ(sentence(along(preset("llama-2-7b"), {"vocab=1..100001"}).error()),
              "100,001 points are more than the 100,000 that a sweep may have: --vary: give a larger step, as in "
              "1..64k:1k, or powers, as in 1..64k:x2");
    EXPECT_NE(sentence(along(preset("llama-2-7b"), {"vocab=1..9223372036854775807"}).error()).find("larger step"),
              std::string::npos);
    EXPECT_NE(sentence(along(preset("llama-2-7b"), {"layers=1..2000", "vocab=1..2000"}).error()).find("4,000,000"),
              std::string::npos);
}

TEST(Sweep, OfADividedModelIsWhatEachDeviceHolds) {
    PassOptions pass;
    pass.sharding = {.devices = 8, .tensor = 8};
    PointWants wants{true, pass};
    const Result<Sweep> found =
        sweep(testing_data::preset("llama-3-8b"), std::vector{*parse_range("kv_heads=2,8")}, {.tokens = 100}, wants);
    ASSERT_TRUE(found);
    for (const SweepPoint& point : found->points) {
        const Architecture arch = *with_number(testing_data::preset("llama-3-8b"), Field::kv_heads, point.values[0]);
        const CountedModel held = *held_model(arch, {.tokens = 100});
        EXPECT_EQ(point.memory,
                  MemoryFormulas(arch, held.graph, pass.held({.tokens = 100})).total_on_device(held.bindings));
    }
    wants.pass.sharding = {.devices = 16, .tensor = 16};
    const Result<Sweep> none =
        sweep(testing_data::preset("llama-3-8b"), std::vector{*parse_range("heads=8")}, {.tokens = 100}, wants);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().what.find("8 heads cannot be divided among 16 devices"), std::string::npos);
    EXPECT_EQ(parse_range("users=1..5")->key(), "batch");
}

}  // namespace
}  // namespace headcount
