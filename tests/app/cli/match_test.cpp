// headcount match: weights that fit, weights that differ, and no weights at all.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"
#include "tests/core/checkpoints/safetensors_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Bf16Tensor;
using testing_data::run;
using testing_data::Scratch;

constexpr const char* config =
    R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 1,
        "num_attention_heads": 4, "vocab_size": 100, "tie_word_embeddings": true})";

std::vector<Bf16Tensor> tensors() {
    const std::string layer = "model.layers.0.";
    return {{"model.embed_tokens.weight", {100, 64}},
            {layer + "self_attn.q_proj.weight", {64, 64}},
            {layer + "self_attn.k_proj.weight", {64, 64}},
            {layer + "self_attn.v_proj.weight", {64, 64}},
            {layer + "self_attn.o_proj.weight", {64, 64}},
            {layer + "mlp.gate_proj.weight", {96, 64}},
            {layer + "mlp.up_proj.weight", {96, 64}},
            {layer + "mlp.down_proj.weight", {64, 96}},
            {layer + "input_layernorm.weight", {64}},
            {layer + "post_attention_layernorm.weight", {64}},
            {"model.norm.weight", {64}}};
}

// A model directory with these weights; returns its path.
std::string model(const Scratch& scratch, const std::vector<Bf16Tensor>& weights) {
    scratch.file("config.json", config);
    const testing_data::SafetensorsHead head = testing_data::safetensors_head(weights);
    const std::string path = scratch.file("model.safetensors", head.bytes);
    std::filesystem::resize_file(path, head.whole);
    return scratch.folder().string();
}

TEST(Match, IsAFailureWhereItIsStrictAndSomethingDiffers) {
    Scratch whole, part;
    EXPECT_EQ(run({"match", model(whole, tensors()), "--strict"}).status(), 0);
    std::vector<Bf16Tensor> less = tensors();
    less.pop_back();
    const std::string path = model(part, less);
    EXPECT_EQ(run({"match", path}).status(), 0);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"match", path, "--strict"},
                                                  std::vector<std::string>{"match", path, "--strict", "--json"}}) {
        const auto ran = run(words);
        EXPECT_EQ(ran.status(), 1);
        EXPECT_NE(ran.err.find("1 tensor does not match: --strict"), std::string::npos) << ran.err;
        EXPECT_NE(ran.out.find("model.norm.weight"), std::string::npos) << "what differs is said all the same";
    }
}

TEST(Match, SaysThatWholeWeightsFit) {
    Scratch scratch;
    const auto ran = run({"match", model(scratch, tensors()), "--json"});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    EXPECT_EQ(ran.json()["matched"], 11);
    EXPECT_EQ(ran.json()["differences"], 0);
    EXPECT_EQ(ran.json()["parameters"],
              run({"count", scratch.folder().string(), "--json"}).json()["parameters"]["total"]);
    EXPECT_EQ(ran.json()["types"], nlohmann::json::parse(R"([{"type": "BF16", "tensors": 11, "parameters": 41408,
                                                             "bytes": 82816}])"));
}

TEST(Match, ListsWhatDiffers) {
    Scratch scratch;
    std::vector<Bf16Tensor> weights = tensors();
    weights[1].name = "model.layers.0.self_attn.query.weight";
    weights[5].shape = {95, 64};
    const auto ran = run({"match", model(scratch, weights)});
    ASSERT_EQ(ran.status(), 0) << ran.err;
    for (const char* part : {"9 tensors match, 3 do not", "q_proj.weight", "missing", "query.weight", "unexpected",
                             "different shape", "96 × 64", "95 × 64"})
        EXPECT_NE(ran.out.find(part), std::string::npos) << part << '\n' << ran.out;
}

TEST(Match, SaysHowFarEachTensorIsFromTheOriginal) {
    const char* const stories = "tiny-stories";
    const auto same = run({"match", stories, "--original", stories, "--json"});
    ASSERT_EQ(same.status(), 0) << same.err;
    EXPECT_EQ(same.json()["errors"].size(), same.json()["matched"]);
    for (const auto& row : same.json()["errors"]) EXPECT_EQ(row["error"], 0) << row;
    const auto ranked = run({"match", stories, "--original", stories, "--ranks", "--json"});
    EXPECT_TRUE(ranked.json()["errors"][0]["ranks"].is_null()) << "they do not differ";
    EXPECT_FALSE(same.json()["errors"][0].contains("ranks"));
    EXPECT_TRUE(testing_data::has(run({"match", stories, "--ranks"}).err, "give --original too"));
    const auto none = run({"match", stories, "--original", "gpt2"});
    EXPECT_EQ(none.status(), 1);
    EXPECT_NE(none.err.find("there are no weights in"), std::string::npos) << none.err;
}

TEST(Match, NeedsWeights) {
    const auto ran = run({"match", "llama-2-7b"});
    EXPECT_EQ(ran.status(), 1);
    EXPECT_NE(ran.err.find("there are no weights to compare: llama-2-7b"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace headcount
