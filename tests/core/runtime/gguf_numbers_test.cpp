// What llama.cpp cuts, stacks and turns comes back as it was published: by hand, on numbers that say where they stood.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/runtime/stored_numbers.hpp"

namespace headcount {
namespace {

using testing::ElementsAre;

class GgufNumbers : public testing::Test {
  protected:
    static std::int64_t size_of(const std::vector<std::int64_t>& shape) {
        return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    }
    void add(const std::string& name, const std::vector<std::int64_t>& shape) {
        const std::int64_t size = size_of(shape);
        gguf.tensors.push_back({name, shape, {"F32", 1, 4}, size, 4 * size, 0, 0});
    }
    // The tensors' numbers count on from one tensor to the next: 0, 1, 2, ...
    std::vector<float> published(const std::string& name, std::int64_t copy = 0) {
        const PublishedTensors all = published_tensors(gguf);
        for (const PublishedTensor& each : all.tensors)
            if (each.name == name) {
                std::vector<float> numbers(static_cast<std::size_t>(size_of(each.shape)));
                const auto read = [&](std::size_t index, std::int64_t first, std::span<float> out) {
                    for (std::size_t i = 0; i < index; ++i) first += gguf.tensors[i].elements;
                    std::iota(out.begin(), out.end(), static_cast<float>(first));
                    numbers_read += out.size();
                    return std::optional<Error>();
                };
                const Result<ReadRows> rows = published_rows(gguf, each, copy, read);
                if (!rows || (*rows)(0, numbers)) return {};
                return numbers;
            }
        ADD_FAILURE() << "no " << name;
        return {};
    }

    Checkpoint gguf{.format = "GGUF v3", .files = {}, .tensors = {}, .metadata = {{"general.architecture", "llama"}}};
    std::size_t numbers_read = 0;
};

TEST_F(GgufNumbers, AnExpertsMatrixIsItsSliceOfTheStack) {
    gguf.metadata["general.architecture"] = "qwen3moe";
    add("blk.0.ffn_gate_exps.weight", {3, 1, 2});
    EXPECT_THAT(published("model.layers.0.mlp.experts.{e}.gate_proj.weight", 2), ElementsAre(4, 5));
}

// Else a mixture of many experts would be read as often as it has some.
TEST_F(GgufNumbers, NothingIsReadOfTheStackButTheSlice) {
    gguf.metadata["general.architecture"] = "qwen3moe";
    add("blk.0.ffn_gate_exps.weight", {1000, 1, 2});
    EXPECT_THAT(published("model.layers.0.mlp.experts.{e}.gate_proj.weight", 999), ElementsAre(1998, 1999));
    EXPECT_EQ(numbers_read, 2u);
}

TEST_F(GgufNumbers, AStackThatIsTooSmallIsAnError) {
    gguf.metadata["general.architecture"] = "qwen3moe";
    add("blk.0.ffn_gate_exps.weight", {3, 1, 2});
    EXPECT_THAT(published("model.layers.0.mlp.experts.{e}.gate_proj.weight", 3), testing::IsEmpty());
}

TEST_F(GgufNumbers, LatentKeysAndValuesStandHeadByHead) {
    gguf.metadata["general.architecture"] = "deepseek2";
    add("blk.0.attn_k_b.weight", {2, 3, 1});  // two heads of one column from a rank of three, turned
    add("blk.0.attn_v_b.weight", {2, 2, 3});  // and of two
    EXPECT_THAT(published("model.layers.0.self_attn.kv_b_proj.weight"),
                ElementsAre(0, 1, 2, 6, 7, 8, 9, 10, 11, 3, 4, 5, 12, 13, 14, 15, 16, 17));
}

TEST_F(GgufNumbers, Conv1dIsTurned) {
    gguf.metadata["general.architecture"] = "gpt2";
    add("blk.0.ffn_up.weight", {3, 2});
    EXPECT_THAT(published("transformer.h.0.mlp.c_fc.weight"), ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST_F(GgufNumbers, OnlySomeConvertersPermute) {
    EXPECT_TRUE(permutes_queries(gguf));
    gguf.metadata["general.architecture"] = "qwen2";
    EXPECT_FALSE(permutes_queries(gguf));
}

}  // namespace
}  // namespace headcount
