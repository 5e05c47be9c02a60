// The same shape in another size, and tokens for a budget.
#include "core/analysis/same_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/compute_optimal.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/validate.hpp"
#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

std::int64_t total_of(const Architecture& arch) {
    return count_parameters(expand(arch), bindings(arch, {}))->total;
}

TEST(SameShape, OfItsOwnSizeIsTheModelItself) {
    for (const char* id : {"llama-2-7b", "gpt2", "qwen3-8b", "mixtral-8x7b", "deepseek-v3", "gemma-2-9b"}) {
        const Architecture arch = preset(id);
        const Result<std::vector<SizedModel>> found = same_shape(arch, {}, total_of(arch));
        ASSERT_TRUE(found) << id << ": " << sentence(found.error());
        EXPECT_EQ(found->front().parameters.total, total_of(arch)) << id;
        EXPECT_EQ(found->front().architecture.dim, arch.dim) << id;
        EXPECT_EQ(found->front().architecture.layers, arch.layers) << id;
    }
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
