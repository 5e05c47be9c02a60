// What llama.cpp cuts, stacks and turns comes back as it was published: by hand, on numbers that say where they stood.
#include "core/runtime/gguf_numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace headcount {
namespace {

using testing::ElementsAre;

class GgufNumbers : public testing::Test {
  protected:
    void add(const std::string& name, const std::vector<std::int64_t>& shape) {
        const std::int64_t size = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
        gguf.tensors.push_back({name, shape, {"F32", 1, 4}, size, 4 * size, 0, 0});
    }
    // The tensors' numbers count on from one tensor to the next: 0, 1, 2, ...
    std::vector<float> published(const std::string& name, std::int64_t copy = 0) {
        const PublishedTensors all = published_tensors(gguf);
        for (const PublishedTensor& each : all.tensors)
            if (each.name == name) {
                const auto numbers = published_numbers(gguf, each, copy, [&](std::size_t index) {
                    std::int64_t before = 0;
                    for (std::size_t i = 0; i < index; ++i) before += gguf.tensors[i].elements;
                    std::vector<float> whole(static_cast<std::size_t>(gguf.tensors[index].elements));
                    std::iota(whole.begin(), whole.end(), static_cast<float>(before));
                    return Result<std::vector<float>>(whole);
                });
                return numbers ? *numbers : std::vector<float>{};
            }
        ADD_FAILURE() << "no " << name;
        return {};
    }

    Checkpoint gguf{.format = "GGUF v3", .files = {}, .tensors = {}, .metadata = {{"general.architecture", "llama"}}};
};

TEST_F(GgufNumbers, AnExpertsMatrixIsItsSliceOfTheStack) {
    gguf.metadata["general.architecture"] = "qwen3moe";
    add("blk.0.ffn_gate_exps.weight", {3, 1, 2});
    EXPECT_THAT(published("model.layers.0.mlp.experts.{e}.gate_proj.weight", 2), ElementsAre(4, 5));
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
