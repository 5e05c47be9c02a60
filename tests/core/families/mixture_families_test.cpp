// Mixtures and latent attention: which layers are which, how configurations spell it, and what is refused in words.
#include <gtest/gtest.h>

#include "core/families/unknown.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::cannot_say;
using reading::exported;
using reading::read;

// The layers that have experts, window and rotary positions, a 0 or 1 for each.
std::string flags(const Architecture& arch, bool LayerKind::*trait) {
    std::string text;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) text += layer_kind(arch, layer).*trait ? '1' : '0';
    return text;
}

class GoldenMixture : public testing::TestWithParam<std::string> {};

TEST_P(GoldenMixture, IsTheSameFromEveryFieldAndFromFew) {
    const json model = testing_data::golden_model(GetParam());
    Architecture every = read(model["config"]), few = read(model["config_sparse"]);
    // Of the rest a file of few fields has the type's defaults.
    every.carried = few.carried = {};
    every.context = few.context;
    every.norm.epsilon = few.norm.epsilon;
    for (const FieldInfo& field : fields())
        EXPECT_EQ(field_number(every, field.field), field_number(few, field.field)) << field.key;
    EXPECT_EQ(every.layer.mixture, few.layer.mixture);
    EXPECT_EQ(every.layer.attention.latent, few.layer.attention.latent);
    EXPECT_EQ(every.layer.attention.window, few.layer.attention.window);
    EXPECT_EQ(every.layer.attention.rotated, few.layer.attention.rotated);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenMixture,
                         testing::Values("mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v2-lite", "deepseek-v3",
                                         "gpt-oss-20b", "llama-4-scout-text"),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(Deepseek, TheFirstLayersAreDense) {
    const json config{{"model_type", "deepseek_v3"}, {"num_hidden_layers", 8}};
    json two = config, all = config, none = config;
    two["first_k_dense_replace"] = 2;
    all["first_k_dense_replace"] = 100;
    none["first_k_dense_replace"] = 0;
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "00011111");
    EXPECT_EQ(flags(read(two), &LayerKind::mixture), "00111111");
    EXPECT_EQ(flags(read(all), &LayerKind::mixture), "00000000");
    EXPECT_EQ(flags(read(none), &LayerKind::mixture), "11111111");
    two["model_type"] = "deepseek_v2";
    EXPECT_EQ(flags(read(two), &LayerKind::mixture), "00111111");
}

// Of 0 transformers stores shared experts without rows, or those of another number.
TEST(Mixtures, WithoutSharedExpertsAreReadOnlyWhereTransformersLeavesThemOut) {
    for (const char* type : {"deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_v4", "glm4_moe", "hy_v4"})
        EXPECT_TRUE(reading::refusal({{"model_type", type}, {"n_shared_experts", 0}}).find("n_shared_experts") !=
                    std::string::npos)
            << type;
    EXPECT_NE(reading::refusal({{"model_type", "deepseek_v4"}, {"n_shared_experts", 2}}), "");
    EXPECT_NE(reading::refusal({{"model_type", "nemotron_h"}, {"moe_shared_expert_intermediate_size", 0}}), "");
    EXPECT_NE(reading::refusal({{"model_type", "nemotron_h"}, {"layers_block_type", json::array()}}), "");
    EXPECT_EQ(read({{"model_type", "deepseek_v3"}, {"n_shared_experts", 3}}).layer.mixture->shared_experts, 3);
    EXPECT_EQ(read({{"model_type", "ernie4_5_moe"}, {"moe_num_shared_experts", 0}}).layer.mixture->shared_experts, 0);
    EXPECT_EQ(read({{"model_type", "cohere2_moe"}, {"num_shared_experts", 0}}).layer.mixture->shared_experts, 0);
}

// What transformers has no default for and builds nothing without.
TEST(Mixtures, OfWhichTheFileHasToSaySomethingAreRefusedWithoutIt) {
    EXPECT_NE(reading::refusal({{"model_type", "lfm2_moe"}}).find("layer_types"), std::string::npos);
    EXPECT_NE(reading::refusal({{"model_type", "dbrx"}}).find("attn_config"), std::string::npos);
    const json attention{{"kv_n_heads", 8}, {"rope_theta", 500000}};
    EXPECT_EQ(read({{"model_type", "dbrx"}, {"attn_config", attention}}).layer.attention.kv_heads, 8);
}

TEST(Deepseek, QueriesHaveABottleneckUnlessTheFileSaysNull) {
    for (const char* type : {"deepseek_v2", "deepseek_v3", "kimi_k2"}) {
        json config{{"model_type", type}};
        EXPECT_EQ(read(config).layer.attention.latent->query_rank, 1536) << type;
        config["q_lora_rank"] = 96;
        EXPECT_EQ(read(config).layer.attention.latent->query_rank, 96) << type;
        config["q_lora_rank"] = nullptr;
        EXPECT_FALSE(read(config).layer.attention.latent->query_rank) << type;
        const json written = json(*write_config(read(config)));
        EXPECT_TRUE(written["q_lora_rank"].is_null()) << type << ": transformers' default is another";
    }
}

TEST(Deepseek, OnlyV3StoresABiasThatNoGradientTrains) {
    for (const auto& [id, name] : {std::pair("deepseek-v3", "model.layers.{i}.mlp.gate.e_score_correction_bias"),
                                   {"kimi-k2", "model.layers.{i}.mlp.gate.e_score_correction_bias"},
                                   {"deepseek-v2-lite", ""}}) {
        const ModelGraph graph = expand(testing_data::preset(id));
        ASSERT_EQ(graph.buffers.size(), *name ? 1u : 0u) << id;
        if (*name) {
            EXPECT_EQ(graph.buffers.front().name, name);
        }
        for (const StoredTensor& tensor : graph.stored)
            EXPECT_EQ(tensor.name.find("correction"), std::string::npos) << tensor.name;
    }
}

TEST(Qwen, EveryFewLayersHaveExpertsButThoseThatAreListed) {
    json config{{"model_type", "qwen3_moe"}, {"num_hidden_layers", 9}};
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "111111111");
    config["mlp_only_layers"] = {0, 5};
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "011110111");
    config["decoder_sparse_step"] = 2;
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "010100010");
    config["model_type"] = "qwen2_moe";
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "010100010");
}

TEST(Qwen, SharedExpertsAreAsManyAsTheirWidthMakesOrOneOfThatWidth) {
    json config{{"model_type", "qwen2_moe"}, {"moe_intermediate_size", 100}, {"shared_expert_intermediate_size", 800}};
    EXPECT_EQ(read(config).layer.mixture->shared_experts, 8);
    config["shared_expert_intermediate_size"] = 850;
    const Mixture odd = *read(config).layer.mixture;
    EXPECT_EQ(odd.shared_experts, 1);
    EXPECT_EQ(odd.shared_dim, 850);
    EXPECT_EQ(exported(read(config))["shared_expert_intermediate_size"], 850);
}

TEST(Hunyuan, ListsOfOneNumberForAllLayersAreThatNumber) {
    const json plain = reading::type(
        "hunyuan_v1_moe", {{"num_hidden_layers", 3}, {"num_experts", 8}, {"moe_topk", 2}, {"intermediate_size", 40}});
    json lists = plain;
    lists.update({{"moe_topk", {2, 2, 2}}, {"moe_intermediate_size", {40, 40, 40}}, {"num_shared_expert", {1, 1, 1}}});
    EXPECT_EQ(read(lists), read(plain));
    EXPECT_EQ(unread_fields(read(lists)), std::vector<std::string>{});
    lists["moe_topk"] = {2, 4, 2};
    EXPECT_EQ(reading::refusal(lists),
              "an array is not one size for all layers, and others are not known here: config.json, moe_topk: give one "
              "number from 1");
    lists["moe_topk"] = 2;
    lists.update({{"moe_intermediate_size", 48}, {"num_shared_expert", {2, 2, 2}}});
    EXPECT_EQ(unread_fields(read(lists)), (std::vector<std::string>{"moe_intermediate_size", "num_shared_expert"}))
        << "which transformers does not read either";
}

TEST(GptOss, EverySecondLayerSeesAll) {
    json config{{"model_type", "gpt_oss"}, {"num_hidden_layers", 5}};
    EXPECT_EQ(flags(read(config), &LayerKind::windowed), "10101");
    EXPECT_EQ(read(config).layer.attention.window->size, 128);
    const char *full = "full_attention", *sliding = "sliding_attention";
    config["layer_types"] = {full, full, sliding, sliding, full};
    EXPECT_EQ(flags(read(config), &LayerKind::windowed), "00110");
}

TEST(Llama4, EveryFourthLayerSeesAllAndKnowsNoPositions) {
    json config{{"model_type", "llama4_text"}, {"num_hidden_layers", 9}};
    EXPECT_EQ(flags(read(config), &LayerKind::windowed), "111011101");
    EXPECT_EQ(flags(read(config), &LayerKind::rotated), "111011101");
    EXPECT_TRUE(read(config).layer.attention.window->chunked);
    config["no_rope_layers"] = json::array();  // as published files have it
    EXPECT_EQ(flags(read(config), &LayerKind::rotated), "111011101");
    config["no_rope_layer_interval"] = 3;
    EXPECT_EQ(flags(read(config), &LayerKind::rotated), "110110110");
    config["no_rope_layers"] = {1, 0, 1, 1, 0, 1, 1, 1, 1};
    EXPECT_EQ(flags(read(config), &LayerKind::rotated), "101101111");
    EXPECT_EQ(flags(read(config), &LayerKind::windowed), "101101111");
}

TEST(Llama4, EveryFewLayersOrThoseListedHaveExperts) {
    json config{{"model_type", "llama4_text"}, {"num_hidden_layers", 6}};
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "111111");
    config["interleave_moe_layer_step"] = 2;
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "010101");
    config["moe_layers"] = {0, 4};
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "100010");
    config["moe_layers"] = json::array();
    EXPECT_EQ(flags(read(config), &LayerKind::mixture), "000000");
}

TEST(Mixtures, WhatCannotBeIsRefusedInWords) {
    for (const auto& [config, expected] : std::initializer_list<std::pair<json, std::string>>{
             {{{"model_type", "mixtral"}, {"num_experts_per_tok", 9}}, "a token cannot be sent to 9 of 8 experts"},
             {{{"model_type", "mixtral"}, {"num_local_experts", 0}}, "0 is too small: config.json, num_local_experts"},
             {{{"model_type", "qwen3_moe"}, {"decoder_sparse_step", 5000}}, "5,000 is too large"},
             {{{"model_type", "qwen3_moe"}, {"mlp_only_layers", {24}}}, "24 is not the index of a layer"},
             {{{"model_type", "qwen3_moe"}, {"num_hidden_layers", 9000}, {"mlp_only_layers", {3}}},
              "the layers of 9,000 cannot be told apart one by one: config.json, mlp_only_layers"},
             {{{"model_type", "deepseek_v3"}, {"num_hidden_layers", 9000}, {"first_k_dense_replace", 5000}},
              "5,000 layers are too many to be told apart: config.json, first_k_dense_replace"},
             {{{"model_type", "deepseek_v3"}, {"first_k_dense_replace", -1}}, "-1 is negative"},
             {{{"model_type", "deepseek_v3"}, {"kv_lora_rank", nullptr}, {"qk_rope_head_dim", 63}},
              "rotary positions cannot turn 63 of the 191 columns of a head"},
             {{{"model_type", "gpt_oss"}, {"layer_types", {"sliding_attention"}}}, "1 entry does not fit 36 layers"},
             {{{"model_type", "gpt_oss"}, {"num_hidden_layers", 1}, {"layer_types", {"linear_attention"}}},
              "linear_attention"},
             {{{"model_type", "llama4_text"}, {"no_rope_layers", {1, 0}}}, "2 entries do not fit 48 layers"},
             {{{"model_type", "llama4_text"}, {"no_rope_layer_interval", 100000}}, "100,000 is too large"},
             {{{"model_type", "llama4_text"}, {"moe_layers", {"first"}}}, "\"first\" is not the index of a layer"},
             {{{"model_type", "granitemoe"}, {"num_local_experts", "many"}}, "\"many\" is not a whole number"}}) {
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << config;
        EXPECT_NE(sentence(arch.error()).find(expected), std::string::npos) << sentence(arch.error());
    }
}

TEST(Mixtures, WhatWasChangedIsExportedOrNamed) {
    const auto written = [](const Architecture& arch) { return write_config(arch); };
    const auto preset = [](const char* id) { return testing_data::preset(id); };
    using testing_data::with;
    const Architecture rhythm = with(preset("qwen3-30b-a3b"), "mixture_layers", "001");
    EXPECT_EQ((*written(rhythm))["decoder_sparse_step"], 3);
    const Architecture odd = with(with(rhythm, "layers", "6"), "mixture_layers", "110101");
    EXPECT_EQ(json((*written(odd))["mlp_only_layers"]), json({2, 4}));
    EXPECT_EQ(json(*written(with(preset("gpt-oss-20b"), "window_layers", "0")))["layer_types"][0], "full_attention");
    const Architecture llama4 = with(preset("llama-4-scout-text"), "layers", "4");
    EXPECT_EQ(json((*written(with(llama4, "mixture_layers", "1101")))["moe_layers"]), json({0, 1, 3}));
    EXPECT_EQ(json((*written(with(llama4, "rotated_layers", "0111")))["no_rope_layers"]), json({0, 1, 1, 1}));
    for (const auto& [id, key, text] : {std::tuple("mixtral-8x7b", "experts", "none"),
                                        {"mixtral-8x7b", "mixture_layers", "01"},
                                        {"mixtral-8x7b", "shared_experts", "1"},
                                        {"deepseek-v3", "mixture_layers", "01"},
                                        {"deepseek-v3", "kv_rank", "none"},
                                        {"deepseek-v3", "correction_bias", "false"},
                                        {"gpt-oss-20b", "sinks", "false"}})
        EXPECT_TRUE(cannot_say(preset(id), key, text));
}

}  // namespace
}  // namespace headcount
