// What an absent field means in a type, and what null: the type's default for the one, often something else for the
// other.
#include <gtest/gtest.h>

#include "core/analysis/parameters.hpp"
#include "core/arch/computation.hpp"
#include "core/arch/fields.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::exported;
using reading::read;
using reading::refusal;
using reading::total;
using reading::type;
using testing_data::with;

// A file of the type, which where it wraps a language model has the fields inside.
json text_of_type(const std::string& name, const json& fields = json::object()) {
    if (name.ends_with("_text")) return type(name.c_str(), fields);
    return type(name.c_str(), {{"text_config", fields}});
}

// The totals are transformers' own, of models of two layers.
TEST(Absent, KeyValueHeadsAreTheTypesOwn) {
    const json sizes{{"hidden_size", 4096}, {"num_attention_heads", 64}, {"num_hidden_layers", 2}};
    for (const auto& [name, parameters] : {std::pair("qwen3", 1'987'072'512),
                                           {"qwen2", 1'886'425'088},
                                           {"exaone4", 1'342'198'016},
                                           {"stablelm", 682'663'936}}) {
        json config = type(name, sizes);
        EXPECT_EQ(total(config), parameters) << name;
        config["num_key_value_heads"] = nullptr;
        EXPECT_EQ(kv_heads(read(config)), 64) << name;
    }
    for (const char* name : {"llama", "olmo", "cohere", "cohere2", "granite", "nemotron", "phi3", "phi"})
        EXPECT_EQ(kv_heads(read(type(name, sizes))), 64) << name;
}

TEST(Absent, KeyValueHeadsThatDoNotFitTheHeadsAreToBeSaid) {
    EXPECT_EQ(refusal(type("qwen3", {{"num_attention_heads", 24}, {"hidden_size", 960}})),
              "the file does not say it, and 32, this type's own, do not divide 24 heads evenly: config.json, "
              "num_key_value_heads: give num_key_value_heads");
    EXPECT_EQ(refusal(type("qwen3", {{"num_attention_heads", 24}, {"num_key_value_heads", nullptr}})), "");
}

// Totals of transformers' own decoders with a head.
// Of the text part of a whole file.
std::int64_t text_total(const json& config) {
    Architecture arch = read(config);
    arch.whole.reset();
    return count_parameters(expand(arch), bindings(arch, {}))->total;
}

TEST(Absent, SizesOfVisionLanguageModelsAreTheirOwn) {
    for (const char* name : {"qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"}) {
        EXPECT_EQ(text_total(text_of_type(name)), 72'706'203'648) << name;
        EXPECT_EQ(read(text_of_type(name)).norm.epsilon, 1e-5) << name;
        const Architecture windows =
            read(text_of_type(name, {{"num_hidden_layers", 90}, {"use_sliding_window", true}}));
        ASSERT_TRUE(windows.layer.attention.window) << name;
        EXPECT_EQ(windows.layer.attention.window->layers.count(90), 10) << name;
    }
    const json inside{{"model_type", "qwen2_5_vl"}, {"text_config", {{"num_hidden_layers", 2}}}};
    EXPECT_EQ(text_total(inside), 4'246'794'240);
    EXPECT_EQ(read(type("qwen2")).dim, 4096);

    const Architecture qwen3 = read(text_of_type("qwen3_vl", {{"use_sliding_window", true}}));
    EXPECT_EQ(text_total(text_of_type("qwen3_vl")), 12'049'461'248);
    EXPECT_EQ(qwen3.context, 128'000);
    EXPECT_FALSE(qwen3.layer.attention.window);
    EXPECT_EQ(read(type("qwen3")).context, 32'768);
}

TEST(Absent, TheRopeBaseOfVisionLanguageModelsIsTheirOwn) {
    const auto base = [](const json& config) { return computation_of(read(config))->rope.base; };
    EXPECT_EQ(base(text_of_type("qwen2_vl")), 1e6);
    EXPECT_EQ(base(text_of_type("qwen2_5_vl_text", {{"rope_theta", nullptr}})), 1e6);
    EXPECT_EQ(base(text_of_type("qwen3_vl")), 5e5);
    EXPECT_EQ(base(text_of_type("qwen3_vl", {{"rope_theta", 7e4}})), 7e4);
    EXPECT_EQ(base(text_of_type("qwen3_vl", {{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 8e4}}}})),
              8e4);
    EXPECT_EQ(base(text_of_type("qwen3_vl", {{"rope_parameters", {{"rope_type", "default"}}}})), 5e5);
    EXPECT_EQ(base(type("qwen2")), 1e4);
}

TEST(Null, MakesErniesHeadsEven) {
    EXPECT_EQ(total(type("ernie4_5", {{"num_hidden_layers", 2}})), 134'222'848);
    EXPECT_EQ(total(type("ernie4_5", {{"num_hidden_layers", 2}, {"head_dim", nullptr}})), 129'504'256);
    EXPECT_EQ(total(type("ernie4_5", {{"head_dim", nullptr}, {"num_key_value_heads", 2}})), 318'280'704);
}

TEST(Null, IsFalseForFalconsFlags) {
    const auto falcon = [](json fields) {
        fields["num_hidden_layers"] = 2;
        return total(type("falcon", std::move(fields)));
    };
    EXPECT_EQ(falcon(json::object()), 709'618'304);
    EXPECT_EQ(falcon({{"parallel_attn", nullptr}}), 709'636'480);
    EXPECT_EQ(falcon({{"multi_query", nullptr}}), 791'046'784);
    EXPECT_EQ(falcon({{"multi_query", nullptr}, {"parallel_attn", nullptr}}), 791'064'960);
}

TEST(Phi, NormsOfQueriesAndKeysFitEvenHeadsOnly) {
    EXPECT_EQ(total(type("phi", {{"num_hidden_layers", 2}, {"qk_layernorm", true}})), 310'479'360);
    EXPECT_EQ(refusal(type("phi", {{"qk_layernorm", true}, {"head_dim", 64}})), "");
    EXPECT_EQ(refusal(type("phi", {{"qk_layernorm", true}, {"head_dim", 128}})),
              "the norms of queries and keys have 64 columns, which do not fit heads of 128: config.json, head_dim: "
              "leave head_dim out, or set qk_layernorm to false");
}

TEST(Export, NamesNoRowForPaddingThatTheTableDoesNotHave) {
    for (const char* name : {"phi3", "glm", "glm4", "smollm3"}) {
        EXPECT_FALSE(exported(read(type(name))).contains("pad_token_id")) << name;
        const json small = exported(read(type(name, {{"vocab_size", 1000}})));
        ASSERT_TRUE(small.contains("pad_token_id")) << name;
        EXPECT_TRUE(small["pad_token_id"].is_null()) << name;
        EXPECT_EQ(exported(read(type(name, {{"vocab_size", 1000}, {"pad_token_id", 7}})))["pad_token_id"], 7) << name;
    }
    const Architecture mistral = read(type("mistral", {{"pad_token_id", 31999}}));
    EXPECT_EQ(exported(mistral)["pad_token_id"], 31999);
    EXPECT_TRUE(exported(with(mistral, "vocab", "1000"))["pad_token_id"].is_null());
}

TEST(Export, OfKimiIsOfTheTypeThatTransformersKnows) {
    const json written = exported(testing_data::preset("kimi-k2"));
    EXPECT_EQ(written["model_type"], "deepseek_v3");
    EXPECT_EQ(written["architectures"], json::array({"DeepseekV3ForCausalLM"}));
    EXPECT_EQ(total(written), total(testing_data::golden_model("kimi-k2")["config"]));
}

TEST(OtherModels, AreRefusedInsteadOfDrawnAsDecoders) {
    const json sizes{{"hidden_size", 512}, {"num_hidden_layers", 4}, {"num_attention_heads", 8}, {"vocab_size", 1000}};
    for (const char* name : {"qwen4_exp_text", "granite4_vision_text", "clvp_encoder", "chameleon", "pocket_tts",
                             "gradium_phonon_tts", "owlvit_text_model", "blip_2_qformer"}) {
        const std::string said = refusal(type(name, sizes));
        EXPECT_EQ(said.find("a model of type \"" + std::string(name) + "\": its layers are of a kind that"), 0) << said;
        EXPECT_EQ(refusal(type(name)), said);
    }
    const std::string said = "the field tells of something that Headcount does not know in a model of this type";
    for (const auto& [field, value] : std::initializer_list<std::pair<const char*, json>>{
             {"audio_token_id", 128},
             {"mamba_d_state", 128},
             {"ssm_cfg", json::object()},
             {"conv_L_cache", 3},
             {"linear_key_head_dim", 64},
             {"index_topk", 16},
             {"attn_type_list", {0, 1, 0, 1}},
             {"hybrid_override_pattern", "M-*-"},
             {"mlp_layer_types", json::array()},
             {"type_vocab_size", 2},
             {"mask_time_prob", 0.05},
             {"num_codebooks", 32},
             {"flow_head_config", {{"hidden_size", 512}}},
             {"vq_config", json::object()},
             {"block_configs", {{{"attention", {{"no_op", true}}}}}},
             {"num_key_value_heads_per_layer", {4, 2, 1}},
             {"img_processor", {{"name", "clip_vision_model"}}},
             {"patch_size", 16},
         }) {
        json config = type("oracle", sizes);
        config[field] = value;
        EXPECT_EQ(refusal(config),
                  said + ": config.json, " + field + ": open a model of a type that is known (docs/models.md)");
        EXPECT_NE(refusal({{"model_type", "pictures"}, {"text_config", config}}).find(said), std::string::npos);
        for (const json& nothing : {json(), json(false), json(0)}) {
            config[field] = nothing;
            EXPECT_EQ(refusal(config), "") << field << " = " << nothing;
        }
    }
    json half = type("oracle", sizes);
    half["kv_channels"] = 64;  // Qwen 1, whose feed-forward has half of the width that is said
    EXPECT_NE(refusal(half).find("kv_channels"), std::string::npos);
    for (const char* name : {"cohere_compass", "diffusion_gemma"}) {
        const json whole{{"model_type", name}, {"text_config", type((std::string(name) + "_text").c_str(), sizes)}};
        EXPECT_NE(refusal(whole).find("its layers are of a kind that Headcount does not know"), std::string::npos);
        EXPECT_NE(refusal(whole["text_config"]), "") << name;
    }
    const json whole{{"model_type", "sounds"}, {"audio_token_id", 128}, {"text_config", type("llama", sizes)}};
    EXPECT_EQ(refusal(whole), "") << "beside its text part";
    json hybrid = type("oracle", sizes);
    hybrid["mamba_d_state"] = 128;
    hybrid["layer_types"] = {"attention", "attention", "attention", "attention"};
    EXPECT_EQ(refusal(hybrid), "") << "a type that has both kinds, and here only the one";
    hybrid["layer_types"][2] = "mamba";
    EXPECT_NE(refusal(hybrid).find(said), std::string::npos);
    json states = type("oracle", sizes);
    states["state_size"] = 16;
    EXPECT_EQ(refusal(states), "");
    states["conv_kernel"] = 4;
    EXPECT_NE(refusal(states).find(said), std::string::npos);
}

TEST(OtherModels, WhoseLayersAreNotAllAttentionAreRefused) {
    json config = type(
        "oracle", {{"hidden_size", 512}, {"num_hidden_layers", 4}, {"num_attention_heads", 8}, {"vocab_size", 1000}});
    for (const char* field : {"layer_types", "layers_block_type", "block_types"}) {
        for (const char* kind : {"linear_attention", "mamba", "conv", "recurrent", "compressed_sparse_attention"}) {
            config[field] = {"full_attention", kind, "full_attention", kind};
            EXPECT_EQ(refusal(config), '"' + std::string(kind) +
                                           "\" is a kind of layer that Headcount does not know in a model of this "
                                           "type: config.json, " +
                                           field + ": open a model of a type that is known (docs/models.md)");
        }
        config[field] = {"full_attention", 7, "full_attention", "full_attention"};
        EXPECT_NE(refusal(config), "");
        config[field] = {"sliding_attention", "full_attention", "attention", "chunked_attention"};
        EXPECT_EQ(refusal(config), "");
        config.erase(field);
    }
}

TEST(OtherModels, OfAnotherClassAreRefused) {
    const json sizes{{"hidden_size", 512}, {"num_hidden_layers", 4}, {"num_attention_heads", 8}, {"vocab_size", 1000}};
    json config = type("oracle", sizes);
    for (const char* name : {"OracleForCausalLM", "OracleLMHeadModel", "OracleForConditionalGeneration"}) {
        config["architectures"] = {name};
        EXPECT_EQ(refusal(config), "") << name;
    }
    config["architectures"] = {"OracleForImageClassification"};
    EXPECT_EQ(refusal(config),
              "\"OracleForImageClassification\" is no language model's class, and this type is not known here: "
              "config.json, architectures: open a model of a type that is known (docs/models.md)");
}

}  // namespace
}  // namespace headcount
