// Which tensors of two checkpoints are a pair, and what is said of those that are none.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/difference.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::CountedArchitecture;
using testing_data::preset;

std::vector<TensorDifference> between(std::string_view a, std::string_view b) {
    const CountedArchitecture first(preset(a)), second(preset(b));
    std::vector<TensorDifference> rows = all_tensors(first, second);
    std::erase_if(rows, [](const TensorDifference& row) { return row.change == TensorChange::same; });
    return rows;
}

const TensorDifference* find(const std::vector<TensorDifference>& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &TensorDifference::name);
    return found == rows.end() ? nullptr : &*found;
}

TEST(TensorDifferences, OfWhatMakesTheFirstRowsAPairReadsTheSame) {
    const std::vector<TensorDifference> seen = between("vit-base-patch16-224", "bert-base-uncased");
    EXPECT_EQ(find(seen, "vit.embeddings.patch_embeddings.projection.weight")->change, TensorChange::removed);
    const std::vector<TensorDifference> alike = between("clip-vit-b-16-vision", "vit-base-patch16-224");
    EXPECT_FALSE(find(alike, "embeddings.class_embedding")) << "768 numbers, and a row of as many";
}

TEST(TensorDifferences, SaysOfWhatOneSideKeepsTogetherThatItIsFused) {
    const std::string whole = "transformer.h.{i}.attn.c_attn.weight";
    const std::vector<TensorDifference> found = between("bert-base-uncased", "gpt2");
    std::int64_t apart = 0;
    for (const char* const name : {"query", "key", "value"}) {
        const std::string own = "bert.encoder.layer.{i}.attention.self." + std::string(name) + ".weight";
        const TensorDifference* const row = find(found, own);
        ASSERT_TRUE(row) << name;
        EXPECT_EQ(row->change, TensorChange::fused) << name;
        EXPECT_EQ(row->b_name, whole);
        apart += row->a;
    }
    ASSERT_TRUE(find(found, whole));
    EXPECT_EQ(find(found, whole)->change, TensorChange::fused);
    EXPECT_EQ(find(found, whole)->b, apart) << "the same numbers, in one tensor";
    const std::vector<TensorDifference> back = between("gpt2", "bert-base-uncased");
    EXPECT_EQ(std::ranges::count(back, TensorChange::fused, &TensorDifference::change), 2 + 2 * 3);
}

// Gemma 3n has one size of heads, Gemma 4 another where there is no window.
TEST(TensorDifferences, PairsLayersOfAKindWhereTheirShapesDiffer) {
    const std::vector<TensorDifference> found = between("gemma-3n-e4b", "gemma-4-e4b");
    const auto row_of = [&](std::string_view layers) {
        const auto row = std::ranges::find_if(found, [&](const TensorDifference& each) {
            return each.name == "model.layers.{i}.self_attn.q_proj.weight" && each.layers == layers;
        });
        return row == found.end() ? TensorDifference{} : *row;
    };
    const TensorDifference full = row_of("full"), sliding = row_of("sliding");
    EXPECT_EQ(full.a_shape, (std::vector<std::int64_t>{2048, 2048}));
    EXPECT_EQ(full.b_shape, (std::vector<std::int64_t>{4096, 2560}));
    EXPECT_EQ(std::pair(full.a_copies, full.b_copies), std::pair(std::int64_t{7}, std::int64_t{7}));
    EXPECT_EQ(sliding.b_shape, (std::vector<std::int64_t>{2048, 2560}));
    EXPECT_EQ(std::pair(sliding.a_copies, sliding.b_copies), std::pair(std::int64_t{28}, std::int64_t{35}));
    EXPECT_TRUE(row_of("").name.empty()) << "of no kind of layers";
}

}  // namespace
}  // namespace headcount
