// How far weights are from others.
#include "core/runtime/weight_error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "core/analysis/counted_model.hpp"
#include "core/runtime/fill_weights.hpp"
#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

TEST(WeightError, IsTheDifferencesLengthInPartsOfTheOriginals) {
    const Architecture arch = testing_data::architecture_of(testing_data::small_llama());
    const Result<std::shared_ptr<const Model>> original = random_model(arch, 1);
    ASSERT_TRUE(original);
    Result<Weights> copied = (*original)->weights.copied();
    ASSERT_TRUE(copied);
    Model changed{arch, (*original)->graph, std::move(*copied)};
    const auto norm = std::ranges::find(changed.graph.tensors, "layer.attention.norm.weight", &Tensor::id);
    ASSERT_NE(norm, changed.graph.tensors.end());
    const auto index = static_cast<TensorIndex>(norm - changed.graph.tensors.begin());
    float* const numbers = changed.weights.floats(index, 1, 0);
    for (int i = 0; i < 32; ++i) numbers[i] *= 1.5F;
    const Result<CountedModel> counted = count_model(arch, {.tokens = 1});
    ASSERT_TRUE(counted);
    int compared = 0, apart = 0;
    for_each_tensor(arch, counted->graph, counted->parameters, std::nullopt,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        const StoredTensor& tensor = counted->graph.stored[row.stored];
                        const auto error = weight_error(changed, **original, tensor, counted->graph, place);
                        EXPECT_TRUE(error && *error) << name_at(tensor.name, place);
                        const bool is_norm = name_at(tensor.name, place) == "model.layers.1.input_layernorm.weight";
                        EXPECT_NEAR((*error)->share().value_or(-1), is_norm ? 0.5 : 0, 1e-6);
                        ++compared;
                        apart += is_norm;
                        return true;
                    });
    EXPECT_EQ(compared, 21);
    const Result<WeightErrors> all = weight_errors(*counted, changed, **original);
    ASSERT_TRUE(all);
    ASSERT_EQ(all->tensors.size(), 21U);
    for (const TensorError& each : all->tensors)
        EXPECT_EQ(each.error.difference > 0, each.name == "model.layers.1.input_layernorm.weight") << each.name;
    EXPECT_GT(all->all.difference, 0);
    for (const TensorError& each : all->tensors) EXPECT_NEAR(each.error.angle().value_or(-1), 0, 1e-4) << each.name;
    EXPECT_EQ(apart, 1);
}

// Adds a sum of `rank` products to a matrix of all heads: of those that are beside each other, or one below the other.
void add_products(Model& model, std::string_view id, bool beside, int rank) {
    const auto found = std::ranges::find(model.graph.tensors, id, &Tensor::id);
    ASSERT_NE(found, model.graph.tensors.end()) << id;
    const auto index = static_cast<TensorIndex>(found - model.graph.tensors.begin());
    const std::uint64_t left = random_stream(1, id), right = random_stream(2, id);
    for (std::int64_t copy = 0; copy < model.weights.copies(index); ++copy) {
        const MatrixView view = model.weights.view(index, 0, copy);
        float* const numbers = model.weights.floats(index, 0, copy);
        for (std::int64_t row = 0; row < view.rows; ++row)
            for (std::int64_t column = 0; column < view.columns; ++column)
                for (int each = 0; each < rank; ++each) {
                    const auto down = static_cast<std::uint64_t>(beside ? row : copy * view.rows + row);
                    const auto across = static_cast<std::uint64_t>(beside ? copy * view.columns + column : column);
                    const auto step = static_cast<std::uint64_t>(each) * 1000;
                    numbers[view.offset(row, column)] += static_cast<float>((random_share(left, step + down) - 0.5) *
                                                                            (random_share(right, step + across) - 0.5));
                }
    }
}

TEST(WeightError, MatricesThatFourProductsWereAddedToHaveAtMostRankFour) {
    const Architecture arch = testing_data::architecture_of(testing_data::small_llama());
    const Result<std::shared_ptr<const Model>> original = random_model(arch, 1);
    ASSERT_TRUE(original);
    Result<Weights> copied = (*original)->weights.copied();
    ASSERT_TRUE(copied);
    Model merged{arch, (*original)->graph, std::move(*copied)};
    add_products(merged, "layer.attention.query.weight", true, 4);
    add_products(merged, "layer.attention.output.weight", false, 4);
    add_products(merged, "layer.feed_forward.up.weight", true, 4);
    const Result<CountedModel> counted = count_model(arch, {.tokens = 1});
    ASSERT_TRUE(counted);
    const Result<WeightErrors> all = weight_errors(*counted, merged, **original);
    ASSERT_TRUE(all);
    int ranked = 0;
    for (const TensorError& each : all->tensors) {
        const std::optional<Ranks> ranks = difference_ranks(merged, **original, *counted, each);
        EXPECT_EQ(ranks.has_value(), each.error.difference > 0) << each.name;
        if (!ranks) continue;
        ++ranked;
        EXPECT_TRUE(ranks->exact);
        EXPECT_LE(ranks->stable, 4.001) << each.name;
        EXPECT_LE(ranks->effective, 4.001) << each.name;
        EXPECT_GT(ranks->effective, 2) << each.name;
    }
    EXPECT_EQ(ranked, 3);
}

TEST(WeightError, AnAngleIsThatBetweenTwoVectors) {
    const auto angle = [](std::array<double, 2> a, std::array<double, 2> b) {
        WeightError error;
        for (const std::size_t i : {0U, 1U}) {
            error.difference += (a[i] - b[i]) * (a[i] - b[i]);
            error.original += a[i] * a[i];
            error.own += b[i] * b[i];
        }
        return error.angle();
    };
    EXPECT_NEAR(*angle({1, 0}, {0, 3}), 90, 1e-9);
    EXPECT_NEAR(*angle({1, 0}, {2, 2}), 45, 1e-9);
    EXPECT_NEAR(*angle({1, 1}, {-4, -4}), 180, 1e-5) << "as far as sums of squares tell";
    EXPECT_NEAR(*angle({1, 0}, {1, 1e-7}), 1e-7 * 180 / std::numbers::pi, 1e-12) << "too small for a cosine";
    EXPECT_FALSE(angle({0, 0}, {1, 1}));
}

TEST(WeightError, IsRefusedForOtherShapes) {
    nlohmann::json wider = testing_data::small_llama();
    wider["intermediate_size"] = 96;
    const Architecture arch = testing_data::architecture_of(testing_data::small_llama());
    const Result<CountedModel> counted = count_model(arch, {.tokens = 1});
    const auto one = random_model(arch, 1), other = random_model(testing_data::architecture_of(wider), 1);
    ASSERT_TRUE(counted && one && other);
    const auto up =
        std::ranges::find(counted->graph.stored, "model.layers.{i}.mlp.up_proj.weight", &StoredTensor::name);
    ASSERT_NE(up, counted->graph.stored.end());
    EXPECT_FALSE(weight_error(**one, **other, *up, counted->graph, {.layer = 0, .within = {}}));
}

}  // namespace
}  // namespace headcount
