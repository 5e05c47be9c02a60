// GGUF metadata as the config.json of the published model, for metadata as llama.cpp's converters write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoints/infer.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Shapes = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

Checkpoint gguf(json metadata, const Shapes& tensors) {
    Checkpoint checkpoint;
    checkpoint.format = "GGUF v3";
    checkpoint.files = {"test.gguf"};
    checkpoint.metadata = std::move(metadata);
    for (const auto& [name, shape] : tensors) checkpoint.tensors.push_back({name, shape, {"F16", 1, 2}, 0, 0, 0, 0});
    return checkpoint;
}

json config(json metadata, const Shapes& tensors) {
    const Result<json> config = config_of_gguf(gguf(std::move(metadata), tensors));
    EXPECT_TRUE(config) << sentence(config.error());
    return config ? *config : json();
}

json llama() {
    return {{"general.architecture", "llama"},    {"llama.block_count", 32},
            {"llama.context_length", 8192},       {"llama.embedding_length", 4096},
            {"llama.feed_forward_length", 14336}, {"llama.attention.head_count", 32},
            {"llama.attention.head_count_kv", 8}, {"llama.attention.layer_norm_rms_epsilon", 1e-5},
            {"llama.rope.freq_base", 500000.0},   {"llama.rope.dimension_count", 128},
            {"llama.vocab_size", 128256},         {"tokenizer.ggml.tokens", {{"array", "string"}, {"length", 128000}}}};
}

TEST(GgufConfig, ReadsLlama) {
    EXPECT_EQ(config(llama(), {{"token_embd.weight", {128256, 4096}}, {"output.weight", {128256, 4096}}}),
              json::parse(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 14336,
        "vocab_size": 128256, "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "rope_theta": 500000.0,
        "tie_word_embeddings": false, "attention_bias": false, "mlp_bias": false})"));
}

TEST(GgufConfig, LayersWithAStateOfAnotherKindAreRefused) {
    for (const char* name : {"blk.0.ssm_a", "blk.3.ssm_in.weight", "blk.0.time_mix_w1.weight"}) {
        const Result<json> refused =
            config_of_gguf(gguf({{"general.architecture", "plamo2"}}, {{"token_embd.weight", {8, 4}}, {name, {4, 1}}}));
        ASSERT_FALSE(refused);
        EXPECT_THAT(sentence(refused.error()), HasSubstr("open the model's config.json instead"));
    }
    EXPECT_FALSE(config_of_gguf(gguf({{"general.architecture", "mamba2"}}, {{"blk.0.ssm_a", {4, 1}}})))
        << "which does not say how many heads it has";
}

TEST(GgufConfig, T5WithDistancesInEveryLayerIsUmt5) {
    const Shapes first{{"token_embd.weight", {50, 8}}, {"enc.blk.0.attn_rel_b.weight", {32, 4}}};
    Shapes each = first;
    each.push_back({"enc.blk.1.attn_rel_b.weight", {32, 4}});
    const json metadata{{"general.architecture", "t5encoder"}, {"t5encoder.block_count", 2}};
    for (const auto& [tensors, name] : {std::pair(first, "t5"), std::pair(each, "umt5")}) {
        const json found = config(metadata, tensors);
        EXPECT_EQ(found["model_type"], name);
        EXPECT_EQ(found["architectures"],
                  json::array({std::string(name) == "t5" ? "T5EncoderModel" : "UMT5EncoderModel"}));
        EXPECT_EQ(found["num_layers"], 2);
    }
}

TEST(GgufConfig, WithoutOutputTheEmbeddingIsTheHead) {
    EXPECT_EQ(config(llama(), {{"token_embd.weight", {128256, 4096}}})["tie_word_embeddings"], true);
}

TEST(GgufConfig, SizesOfTensorsCountMoreThanMetadata) {
    const json found = config(llama(), {{"token_embd.weight", {128300, 4096}}, {"blk.0.attn_q.weight", {2048, 4096}}});
    EXPECT_EQ(found["vocab_size"], 128300);
    EXPECT_EQ(found["head_dim"], 64);
}

TEST(GgufConfig, CountsTheTokensWhereNothingElseSaysTheVocabulary) {
    json metadata = llama();
    metadata.erase("llama.vocab_size");
    EXPECT_EQ(config(metadata, {})["vocab_size"], 128000);
    metadata["tokenizer.ggml.tokens"] = {"a", "b"};
    EXPECT_EQ(config(metadata, {})["vocab_size"], 2);
}

TEST(GgufConfig, LlamaWithExpertsIsMixtral) {
    json metadata = llama();
    metadata["llama.expert_count"] = 8;
    metadata["llama.expert_used_count"] = 2;
    const json found = config(metadata, {{"token_embd.weight", {32000, 4096}},
                                         {"blk.0.ffn_gate_inp.weight", {8, 4096}},
                                         {"blk.0.ffn_down_exps.weight", {8, 4096, 14336}}});
    EXPECT_EQ(found["model_type"], "mixtral");
    EXPECT_EQ(found["num_local_experts"], 8);
    EXPECT_EQ(found["num_experts_per_tok"], 2);
    EXPECT_EQ(found["intermediate_size"], 14336);
}

json deepseek() {
    return {{"general.architecture", "deepseek2"},     {"deepseek2.block_count", 61},
            {"deepseek2.embedding_length", 7168},      {"deepseek2.feed_forward_length", 18432},
            {"deepseek2.vocab_size", 129280},          {"deepseek2.attention.head_count", 128},
            {"deepseek2.attention.q_lora_rank", 1536}, {"deepseek2.attention.kv_lora_rank", 512},
            {"deepseek2.rope.dimension_count", 64},    {"deepseek2.leading_dense_block_count", 3},
            {"deepseek2.expert_count", 256},           {"deepseek2.expert_used_count", 8},
            {"deepseek2.expert_shared_count", 1},      {"deepseek2.expert_feed_forward_length", 2048},
            {"deepseek2.expert_weights_scale", 2.5},   {"deepseek2.expert_weights_norm", true},
            {"deepseek2.expert_gating_func", 2}};
}

TEST(GgufConfig, ReadsLatentAttentionOldAndNew) {
    json older = deepseek(), newer = deepseek();
    older.update({{"deepseek2.attention.head_count_kv", 128},
                  {"deepseek2.attention.key_length", 192},
                  {"deepseek2.attention.value_length", 128}});
    newer.update({{"deepseek2.attention.head_count_kv", 1},
                  {"deepseek2.attention.key_length", 576},
                  {"deepseek2.attention.value_length", 512},
                  {"deepseek2.attention.key_length_mla", 192},
                  {"deepseek2.attention.value_length_mla", 128}});
    const json found = config(older, {});
    EXPECT_EQ(found, config(newer, {}));
    EXPECT_EQ(found, json::parse(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
        "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280,
        "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
        "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3, "routed_scaling_factor": 2.5, "norm_topk_prob": true,
        "tie_word_embeddings": false})"));
}

TEST(GgufConfig, DeepSeek2HasNoQueryBottleneckWhereThereIsNone) {
    json lite = deepseek();
    lite.erase("deepseek2.expert_gating_func");
    lite["deepseek2.attention.q_lora_rank"] = 0;
    EXPECT_EQ(config(lite, {})["model_type"], "deepseek_v2");
    EXPECT_TRUE(config(lite, {})["q_lora_rank"].is_null());
}

TEST(GgufConfig, OneNumberALayerMustBeTheSameForAll) {
    json metadata = llama();
    metadata["llama.feed_forward_length"] = {14336, 14336};
    EXPECT_EQ(config(metadata, {})["intermediate_size"], 14336);
    metadata["llama.feed_forward_length"] = {14336, 7168};
    const Result<json> refused = config_of_gguf(gguf(metadata, {}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what, "'[14336,7168]' was found, the same number for every layer was expected");
    EXPECT_EQ(refused.error().where, "llama.feed_forward_length");
}

TEST(GgufConfig, RefusesTimeMixingBeforeAnotherModelsFeedForward) {
    for (const char* const name : {"rwkv6qwen2", "arwkv7"}) {
        const Result<json> config =
            config_of_gguf(gguf({{"general.architecture", name}}, {{"blk.0.time_mix_w1.weight", {8, 4}}}));
        ASSERT_FALSE(config);
        EXPECT_THAT(config.error().what, HasSubstr("another model's feed-forward")) << name;
    }
}

TEST(GgufConfig, TheTextPartOfAModelThatSeesIsReadAsWhatItCameFrom) {
    for (const auto& [architecture, type] :
         {std::pair("qwen2vl", "qwen2"), std::pair("qwen3vl", "qwen3"), std::pair("qwen3vlmoe", "qwen3_moe"),
          std::pair("hunyuan_vl", "hunyuan_v1_dense"), std::pair("paddleocr", "ernie4_5")}) {
        const std::string name(architecture);
        const json metadata{{"general.architecture", name},
                            {name + ".block_count", 2},
                            {name + ".embedding_length", 8},
                            {name + ".attention.head_count", 2},
                            {name + ".vocab_size", 20}};
        EXPECT_EQ(config(metadata, {})["model_type"], type) << name;
    }
}

TEST(GgufConfig, AnEncoderThatIsNotReadIsNamed) {
    const Result<json> refused =
        config_of_gguf(gguf({{"general.architecture", "neo-bert"}}, {{"enc.output_norm.weight", {8}}}));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("neo-bert"));
}

TEST(GgufConfig, FalconsDecodersAreToldApart) {
    const json metadata{{"general.architecture", "falcon"},    {"falcon.block_count", 60},
                        {"falcon.embedding_length", 8192},     {"falcon.attention.head_count", 128},
                        {"falcon.attention.head_count_kv", 8}, {"falcon.vocab_size", 65024}};
    const json later = config(metadata, {{"blk.0.attn_norm.weight", {8192}}, {"blk.0.attn_norm_2.weight", {8192}}});
    EXPECT_EQ(later["new_decoder_architecture"], true);
    EXPECT_EQ(later["num_ln_in_parallel_attn"], 2);
    EXPECT_EQ(later["num_kv_heads"], 8);
    EXPECT_EQ(config(metadata, {{"blk.0.attn_norm.weight", {8192}}})["num_ln_in_parallel_attn"], 1);
}

TEST(GgufConfig, LayersThatOnlyLookAheadAreNotCounted) {
    json metadata{{"general.architecture", "glm4moe"}, {"glm4moe.block_count", 47},
                  {"glm4moe.embedding_length", 4096},  {"glm4moe.attention.head_count", 96},
                  {"glm4moe.vocab_size", 151552},      {"glm4moe.nextn_predict_layers", 1}};
    EXPECT_EQ(config(metadata, {})["num_hidden_layers"], 47);
    EXPECT_EQ(config(metadata, {{"blk.46.nextn.eh_proj.weight", {4096, 8192}}})["num_hidden_layers"], 46);
}

TEST(GgufConfig, SaysWhatIsNoLanguageModel) {
    const auto refused = [](const json& metadata) {
        const Result<json> result = config_of_gguf(gguf(metadata, {}));
        return result ? std::string("read") : result.error().what;
    };
    EXPECT_THAT(refused(json::object()), HasSubstr("general.architecture is missing"));
    EXPECT_THAT(refused({{"general.architecture", ""}}), HasSubstr("general.architecture is missing"));
    EXPECT_THAT(refused({{"general.architecture", 7}}), HasSubstr("general.architecture is '7'"));
    const json unreadable{{"text", "not UTF-8"}, {"length", 5}}, endless{{"text", "long"}, {"length", 70000}};
    EXPECT_THAT(refused({{"general.architecture", unreadable}}), HasSubstr("general.architecture is not UTF-8"));
    EXPECT_THAT(refused({{"general.architecture", endless}}), HasSubstr("is longer than 65,536 bytes"));
    EXPECT_THAT(refused({{"general.architecture", "clip"}}), HasSubstr("holds no language model"));
    EXPECT_THAT(refused({{"general.architecture", "llama"}, {"general.type", "adapter"}}), HasSubstr("adapter"));
    EXPECT_EQ(refused({{"general.architecture", "llama"}}), "the file does not say how wide the model is");
    for (const json& value : {json("x"), json(-1), json(1.5), json(std::uint64_t{1} << 63), json::array(), json()}) {
        json metadata = llama();
        metadata["llama.block_count"] = value;
        EXPECT_THAT(refused(metadata), HasSubstr("a whole number from 0 to 1,099,511,627,776 was expected"))
            << value.dump();
    }
}

}  // namespace
}  // namespace headcount
