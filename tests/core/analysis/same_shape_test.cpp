// The same shape in another size, and tokens for a budget.
#include "core/analysis/same_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/parameters.hpp"
#include "core/analysis/rates.hpp"
#include "core/arch/validate.hpp"
#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::total_of;

TEST(SameShape, OfItsOwnSizeIsTheModelItself) {
    for (const char* id :
         {"llama-2-7b", "gpt2", "qwen3-8b", "mixtral-8x7b", "deepseek-v3", "gemma-2-9b", "mamba2-130m"}) {
        const Architecture arch = preset(id);
        const Result<std::vector<SizedModel>> found = same_shape(arch, {}, total_of(arch));
        ASSERT_TRUE(found) << id << ": " << sentence(found.error());
        EXPECT_EQ(found->front().parameters.total, total_of(arch)) << id;
        EXPECT_EQ(found->front().architecture.dim, arch.dim) << id;
        EXPECT_EQ(found->front().architecture.layers, arch.layers) << id;
    }
}

TEST(SameShape, SaysNothingOfWhatNoLayerHas) {
    EXPECT_EQ(sized_fields(preset("mamba2-130m")), (std::vector{Field::dim, Field::layers, Field::state_heads}));
}

TEST(SameShape, FindsTheOtherPublishedSizesOfAFamily) {
    const std::vector<Architecture> family{preset("llama-7b"), preset("llama-13b"), preset("llama-65b")};
    const Result<std::vector<SizedModel>> found = same_shape(preset("llama-7b"), family, 13'015'864'320);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->front().architecture.dim, 5120);
    EXPECT_EQ(found->front().architecture.layers, 40);
    EXPECT_EQ(found->front().architecture.layer.attention.heads, 40);
    EXPECT_EQ(found->front().parameters.total, 13'015'864'320);
}

// Of Llama 3's and Qwen 3's sizes each has 8, with 16 to 128 query heads: also where these make no whole width.
TEST(SameShape, HasTheKeyValueHeadsOfItsFamily) {
    for (const auto& [id, siblings] : std::vector<std::pair<const char*, std::vector<const char*>>>{
             {"llama-3-8b", {"llama-3-8b", "llama-3-70b"}},
             {"llama-3.2-3b", {"llama-3.2-1b", "llama-3.2-3b"}},
             {"qwen3-4b", {"qwen3-4b", "qwen3-14b"}}}) {
        std::vector<Architecture> family;
        for (const char* each : siblings) family.push_back(preset(each));
        for (const std::int64_t billions : {2, 5, 30, 1000})
            for (const SizedModel& each : *same_shape(preset(id), family, billions * 1'000'000'000)) {
                EXPECT_EQ(each.architecture.layer.attention.kv_heads, 8) << id << ' ' << billions;
                EXPECT_EQ(each.architecture.layer.attention.heads % 8, 0) << id << ' ' << billions;
            }
    }
    const Attention alone = same_shape(preset("llama-3-8b"), {}, 30'000'000'000)->front().architecture.layer.attention;
    EXPECT_EQ(alone.heads, 4 * *alone.kv_heads);
}

// There are widths enough at the size that is wanted, though few at the model's own.
TEST(SameShape, OfASmallModelKeepsHowManyHeadsShareKeys) {
    Architecture arch = preset("llama-3-8b");
    arch.dim = 512;
    arch.layers = 6;
    arch.vocab = 1000;
    arch.layer.attention.heads = 8;
    arch.layer.attention.kv_heads = 2;
    arch.layer.feed_forward.width = std::int64_t{1536};
    const auto found = same_shape(arch, {}, 1'000'000'000, 3);
    ASSERT_TRUE(found);
    for (const SizedModel& each : *found)
        EXPECT_EQ(each.architecture.layer.attention.heads, 4 * *each.architecture.layer.attention.kv_heads);
}

TEST(SameShape, KeepsProportionsAndHeadSizeAndIsPossible) {
    for (const char* id : {"llama-3-8b", "gpt2", "qwen2.5-7b", "mixtral-8x7b", "gemma-2-9b", "falcon-7b", "opt-350m"}) {
        const Architecture arch = preset(id);
        const Proportions own = proportions_of(arch);
        const std::optional<std::int64_t> head = bindings(arch, {})[Symbol::head_dim];
        for (std::int64_t part : {2, 5}) {
            const std::int64_t total = total_of(arch) * part;
            const Result<std::vector<SizedModel>> found = same_shape(arch, {}, total);
            ASSERT_TRUE(found) << id << ": " << sentence(found.error());
            const SizedModel& best = found->front();
            EXPECT_TRUE(validate(best.architecture).empty()) << id;
            EXPECT_LT(std::abs(static_cast<double>(best.parameters.total - total)) / static_cast<double>(total), 0.07)
                << id << " x " << part;
            EXPECT_NEAR(best.proportions.width_per_layer / own.width_per_layer, 1, 0.15) << id;
            EXPECT_NEAR(best.proportions.ffn_per_width / own.ffn_per_width, 1, 0.1) << id;
            EXPECT_EQ(bindings(best.architecture, {})[Symbol::head_dim], head) << id;
        }
    }
}

TEST(SameShape, SaysWhatIsTheSmallest) {
    const std::string said = sentence(same_shape(preset("llama-3-8b"), {}, 1000).error());
    EXPECT_EQ(said.find("no size of this shape is as small as 1.00 K parameters: --size: the nearest possible is "), 0u)
        << said;
    EXPECT_FALSE(same_shape(preset("llama-3-8b"), {}, 0));
}

TEST(SameShape, OfNumbersBeyondAllReasonNeitherHangsNorOverflows) {
    for (const auto& [key, value] : {std::pair{"ffn_dim", "9000000000000000000"},
                                     {"vocab", "9000000000000000000"},
                                     {"layers", "9000000000000000000"},
                                     {"head_dim", "9000000000000000000"},
                                     {"dim", "9000000000000000000"}}) {
        const Architecture arch = testing_data::with(preset("llama-3-8b"), key, value);
        const Result<std::vector<SizedModel>> found = same_shape(arch, {}, 8'000'000'000);
        EXPECT_TRUE(!found || !found->empty()) << key;
    }
    const Result<std::vector<SizedModel>> largest = same_shape(preset("gpt2"), {}, INT64_MAX);
    EXPECT_TRUE(!largest || !largest->empty());
}

// The published sizes of a preset's group.
std::vector<Architecture> family_of(std::string_view id) {
    const Result<std::vector<Preset>> presets = shipped_presets();
    std::vector<Architecture> family;
    const Preset* const own = find_preset(*presets, id);
    for (const Preset& each : *presets)
        if (each.group == own->group) family.push_back(each.architecture);
    return family;
}

TEST(SameShape, ReachesEverySizeBetweenThePublishedOnes) {
    for (const auto& [id, sizes] :
         {std::pair{"llama-2-7b", std::vector<double>{9, 20, 30, 41, 50, 60, 65, 70, 75, 100}},
          {"gpt2", {0.2, 0.5, 1, 1.2, 1.5, 3}},
          {"llama-3-8b", {5, 20, 40, 70, 200}}})
        for (const double billions : sizes) {
            const auto total = static_cast<std::int64_t>(billions * 1e9);
            const Result<std::vector<SizedModel>> found = same_shape(preset(id), family_of(id), total);
            ASSERT_TRUE(found) << id << " " << billions;
            const auto away = static_cast<double>(std::abs(found->front().parameters.total - total));
            EXPECT_LT(away / static_cast<double>(total), 0.03) << id << " " << billions;
            EXPECT_EQ(found->front().architecture.dim % *bindings(preset(id), {})[Symbol::head_dim], 0) << id;
        }
}

TEST(SameShape, LiesBetweenTheProportionsOfTheSizesNextToIt) {
    const std::vector<Architecture> family = family_of("llama-2-7b");
    const Result<std::vector<SizedModel>> found = same_shape(preset("llama-2-7b"), family, 50'000'000'000);
    ASSERT_TRUE(found);
    for (const SizedModel& each : *found) {
        EXPECT_GT(each.proportions.ffn_per_width, 2.75) << "more than of 34B";
        EXPECT_LT(each.proportions.ffn_per_width, 3.45) << "less than of 70B";
    }
}

TEST(SameShape, KeepsAnEncodersLayersInProportionToTheDecoders) {
    const Architecture deep = testing_data::with(preset("t5-small"), "encoder_layers", "24");
    const Result<std::vector<SizedModel>> found = same_shape(deep, {}, 220'000'000);
    ASSERT_TRUE(found);
    for (const SizedModel& each : *found) EXPECT_EQ(each.architecture.encoder->layers, 4 * each.architecture.layers);
}

TEST(SameShape, OfAnEditedModelFollowsItsOwnProportions) {
    const std::vector<Architecture> family = family_of("llama-2-7b");
    EXPECT_EQ(sizes_followed(preset("llama-2-7b"), family), family.size());
    const Architecture edited = testing_data::with(preset("llama-2-7b"), "ffn_dim", "14336");
    EXPECT_EQ(sizes_followed(edited, family), 1u);
    const Result<std::vector<SizedModel>> found = same_shape(edited, family, 13'000'000'000);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->front().proportions.ffn_per_width, 3.5, 0.05);
}

TEST(ComputeOptimal, GivesWhatChinchillaWasTrainedWith) {
    const TrainingPlan plan = compute_optimal(5.76e23);  // table 3 of Hoffmann et al. 2022: 67 B and 1.5 T
    EXPECT_NEAR(plan.parameters / 1e9, 69.3, 0.1);
    EXPECT_NEAR(plan.tokens / 1e12, 1.39, 0.01);
    EXPECT_DOUBLE_EQ(plan.tokens_each(), 20);
    EXPECT_NEAR(6 * plan.parameters * plan.tokens / plan.flops, 1, 1e-9);
}

TEST(ComputeOptimal, OfAModelIsTwentyTokensAParameter) {
    const TrainingPlan rule = optimal_training(70'000'000'000);
    EXPECT_DOUBLE_EQ(rule.tokens, 1.4e12);
    EXPECT_DOUBLE_EQ(rule.flops, 6 * 7e10 * 1.4e12);
    EXPECT_DOUBLE_EQ(training_for(rule.flops, 70'000'000'000).tokens, rule.tokens);
}

}  // namespace
}  // namespace headcount
