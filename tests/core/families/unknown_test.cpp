// Configurations of types that are not known, of none, and inside others: what is read, what is named, what is refused.
#include "core/families/unknown.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "core/base/json_file.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "core/files/multimodal.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::read;
using Names = std::vector<std::string>;

json sizes() {
    return {{"hidden_size", 512}, {"num_hidden_layers", 4}, {"num_attention_heads", 8}, {"vocab_size", 1000}};
}

json with_sizes(json more) {
    json config = sizes();
    config.update(more);
    return config;
}

TEST(Unknown, AnUnknownTypeGivesASkeletonThatIsMarked) {
    const Architecture arch = read(with_sizes({{"model_type", "oracle"}}));
    EXPECT_FALSE(arch.family->verified);
    EXPECT_EQ(family_label(arch), "not verified: \"oracle\"");
    EXPECT_EQ(family_label(testing_data::preset("llama-7b")), "LLaMA");
    EXPECT_EQ(bindings(arch, {})[Symbol::head_dim], 64);
    EXPECT_EQ(bindings(arch, {})[Symbol::ffn_dim], 4 * 512);
    const ModelGraph graph = expand(arch);
    EXPECT_EQ(graph.stored.front().name, "model.embed_tokens.weight");
    for (const StoredTensor& tensor : graph.stored) EXPECT_FALSE(tensor.unpublished) << tensor.name;
}

TEST(Unknown, SizesAreReadInEveryUsualSpelling) {
    const json llama = with_sizes({{"intermediate_size", 1536}, {"num_key_value_heads", 2}});
    const json gpt{{"n_embd", 512}, {"n_layer", 4}, {"n_head", 8}, {"n_inner", 1536}, {"n_head_kv", 2}};
    const json mpt{{"d_model", 512}, {"n_layers", 4}, {"n_heads", 8}, {"d_ff", 1536}, {"n_kv_heads", 2}};
    for (json other : {gpt, mpt}) {
        other["vocab_size"] = 1000;
        EXPECT_EQ(expand(read(other)).stored.size(), expand(read(llama)).stored.size());
        for (Field field : {Field::dim, Field::layers, Field::heads, Field::kv_heads, Field::ffn_dim, Field::vocab})
            EXPECT_EQ(field_number(read(other), field), field_number(read(llama), field)) << info(field).key;
    }
}

TEST(Unknown, ExpertsWindowsAndLatentAttentionAreReadToo) {
    const Architecture arch = read(with_sizes({{"model_type", "oracle"},
                                               {"n_routed_experts", 16},
                                               {"num_experts_per_tok", 4},
                                               {"moe_intermediate_size", 128},
                                               {"n_shared_experts", 1},
                                               {"first_k_dense_replace", 1},
                                               {"kv_lora_rank", 64},
                                               {"sliding_window", 256},
                                               {"sliding_window_pattern", 2}}));
    ASSERT_TRUE(arch.layer.mixture && arch.layer.attention.latent && arch.layer.attention.window);
    EXPECT_EQ(arch.layer.mixture->experts, 16);
    EXPECT_EQ(arch.layer.mixture->layers.text(), "0|1");
    EXPECT_EQ(arch.layer.attention.latent->kv_rank, 64);
    EXPECT_EQ(arch.layer.attention.window->layers.text(), "10");
    EXPECT_TRUE(unread_fields(arch).empty());
}

TEST(Unknown, WhatIsAssumedIsListedAndWhatIsSaidIsNot) {
    const json bare = with_sizes({{"model_type", "lama"}});
    std::vector<std::string> notes = notes_on_unknown(bare);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_NE(notes[0].find("(did you mean llama"), std::string::npos) << notes[0];
    for (const char* each :
         {"tied output head", "RMSNorm", "rotary positions", "SiLU", "no biases", "context of 2,048"})
        EXPECT_NE(notes[1].find(each), std::string::npos) << each << ": " << notes[1];
    json full = bare;
    full.update({{"model_type", "zebra-of-the-plains"},
                 {"tie_word_embeddings", false},
                 {"layer_norm_eps", 1e-5},
                 {"hidden_act", "gelu"},
                 {"attention_bias", true},
                 {"num_key_value_heads", 8},
                 {"intermediate_size", 2048},
                 {"alibi", false},
                 {"max_position_embeddings", 512}});
    notes = notes_on_unknown(full);
    EXPECT_EQ(notes[0].find("did you mean"), std::string::npos) << notes[0];
    EXPECT_EQ(notes[1],
              "Assumed, since the file does not say: norms before the sub-blocks, a feed-forward with a gate.");
    full["hidden_act"] = "snake";
    EXPECT_NE(notes_on_unknown(full)[2].find("SiLU"), std::string::npos) << "a function that is not known";
    const json inside{{"model_type", "pictures"}, {"tie_word_embeddings", true}, {"text_config", full}};
    EXPECT_EQ(notes_on_unknown(inside), notes_on_unknown(full));
}

TEST(Unknown, WhatIsAssumedOfExpertsIsListedOnlyWhereThereAreSome) {
    const std::string assumed = "2 experts for each token, experts as wide as the feed-forward";
    json config = with_sizes({{"model_type", "oracle"}, {"num_experts", 1}});
    EXPECT_EQ(notes_on_unknown(config)[1].find("experts"), std::string::npos);
    config["num_experts"] = 8;
    EXPECT_NE(notes_on_unknown(config)[1].find(assumed), std::string::npos) << notes_on_unknown(config)[1];
    EXPECT_EQ(read(config).layer.mixture->experts_per_token, 2);
    EXPECT_EQ(read(config).layer.mixture->expert_dim, 4 * 512);
    config.update({{"moe_topk", 4}, {"expert_intermediate_size", 128}});
    EXPECT_EQ(notes_on_unknown(config)[1].find("experts"), std::string::npos) << notes_on_unknown(config)[1];
}

TEST(Unknown, AnExportOfMoreLayersThanAListHoldsCanBeReadAgain) {
    json config = with_sizes({{"model_type", "oracle"}, {"sliding_window", 256}});
    config["num_hidden_layers"] = LayerSet::longest + 1;
    const Architecture arch = read(config);
    Result<nlohmann::ordered_json> written = write_config(arch);
    ASSERT_TRUE(written) << sentence(written.error());
    EXPECT_FALSE(written->contains("layer_types"));
    EXPECT_EQ(read(json(*written)).layer.attention.window, arch.layer.attention.window);
}

TEST(Unknown, AnExportSaysTheTypeAndEveryFieldAgain) {
    const json config = with_sizes({{"model_type", "oracle"},
                                    {"architectures", {"OracleForCausalLM"}},
                                    {"num_experts", 8},
                                    {"hidden_act", "snake"},
                                    {"state_size", 16}});
    const Architecture arch = read(config);
    Result<nlohmann::ordered_json> written = write_config(arch);
    ASSERT_TRUE(written) << sentence(written.error());
    for (const auto& [key, value] : config.items()) EXPECT_EQ(json((*written)[key]), value) << key;
    EXPECT_EQ(expand(read(json(*written))).stored.size(), expand(arch).stored.size());
    EXPECT_EQ(read(json(*written)).carried, arch.carried);
}

TEST(Unknown, ADocumentKeepsIt) {
    const Architecture arch = read(with_sizes({{"model_type", "oracle"}, {"state_size", 16}}));
    Result<Architecture> back = architecture_from_json(json(architecture_to_json(arch)));
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(*back, arch);
}

TEST(Unknown, WithoutItsSizesATypeIsRefusedByName) {
    for (const char* missing : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
        json config = with_sizes({{"model_type", "oracle"}});
        config.erase(missing);
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << missing;
        EXPECT_EQ(arch.error().what, "model_type \"oracle\" is not known yet");
        EXPECT_NE(arch.error().fix.find("width, layers, heads and vocabulary"), std::string::npos);
    }
}

TEST(Unknown, WhatStandsInASizesPlaceIsNamed) {
    for (const auto& [key, wrong, what] : std::initializer_list<std::tuple<const char*, json, std::string>>{
             {"hidden_size", "wide", "\"wide\" is not a whole number: config.json, hidden_size"},
             {"hidden_size", 0, "0 is too small: config.json, hidden_size"},
             {"hidden_size", std::int64_t{1} << 62, "is too large for a feed-forward: config.json, hidden_size"},
             {"num_hidden_layers", json::array({1, 2}), "an array is not a whole number"},
             {"num_attention_heads", 7, "7 heads do not divide width 512 evenly"},
             {"num_experts", -1, "-1 is negative: config.json, num_experts"},
             {"vocab_size", 18446744073709551615u, "too large for 64 bits"},
             {"first_k_dense_replace", 5000, ""}}) {
        json config = with_sizes({{"model_type", "oracle"}, {"num_experts", 8}, {"decoder_sparse_step", 2}});
        config[key] = wrong;
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << key;
        EXPECT_NE(sentence(arch.error()).find(what), std::string::npos) << sentence(arch.error());
    }
}

TEST(Unknown, AListOfSizesIsReadWhereTheyAreTheSameAndElseRefused) {
    const json same = with_sizes({{"model_type", "oracle"},
                                  {"num_experts", 16},
                                  {"moe_topk", json::array({8, 8, 8, 8})},
                                  {"intermediate_size", json::array({1024, 1024, 1024, 1024})}});
    const Architecture arch = read(same);
    EXPECT_EQ(unread_fields(arch), Names{});
    EXPECT_EQ(bindings(arch, {})[Symbol::ffn_dim], 1024);
    EXPECT_EQ(arch.layer.mixture->experts_per_token, 8);
    EXPECT_EQ(bindings(read(reading::exported(arch)), {}), bindings(arch, {}));
    for (const char* key : {"intermediate_size", "num_key_value_heads", "head_dim", "moe_topk"}) {
        json mixed = same;
        mixed[key] = json::array({64, 64, 128, 128});
        EXPECT_EQ(reading::refusal(mixed), "an array is not a whole number: config.json, " + std::string(key) +
                                               ": give a whole number from 1 up");
    }
}

TEST(Unknown, WhatAFileSaysIsNeverCalledUnsaid) {
    const json config = with_sizes({{"model_type", "other"}, {"activation_function", "mish"}, {"kv_lora_rank", 64}});
    const Names notes = notes_on_unknown(config);
    ASSERT_EQ(notes.size(), 3u);
    EXPECT_EQ(notes[1].find("SiLU"), std::string::npos) << notes[1];
    EXPECT_NE(notes[1].find("queries without a bottleneck"), std::string::npos) << notes[1];
    EXPECT_EQ(notes[2], "Taken for SiLU, since it is not known: the activation_function \"mish\".");
    json null = config;
    null["q_lora_rank"] = nullptr;
    EXPECT_EQ(notes_on_unknown(null)[1].find("bottleneck"), std::string::npos) << "null says that there is none";
}

TEST(Unknown, BiasesThatAFileDeniesAreReadOrNamed) {
    json config = with_sizes({{"model_type", "seeds"}, {"attention_bias", true}, {"attention_out_bias", false}});
    const Architecture seed = read(config);
    EXPECT_TRUE(seed.layer.attention.qkv_bias);
    EXPECT_FALSE(seed.layer.attention.output_bias);
    config["some_other_bias"] = false;
    EXPECT_EQ(unread_fields(read(config)), Names{"some_other_bias"});
    config["attention_bias"] = false;
    EXPECT_EQ(unread_fields(read(config)), Names{}) << "where none are assumed it says nothing";
}

TEST(Config, WithoutATypeTheClassSaysIt) {
    EXPECT_EQ(read({{"architectures", {"Qwen3ForCausalLM"}}}).family->type, "qwen3");
    EXPECT_EQ(read({{"architectures", {"GPT2LMHeadModel"}}, {"n_layer", 3}}).family->type, "gpt2");
    EXPECT_FALSE(read(sizes()).family->verified);
    Result<Architecture> nothing = read_config(json::object(), "config.json");
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().what, "there is no model_type");
    EXPECT_FALSE(read_config({{"model_type", 7}}, "config.json"));
    EXPECT_FALSE(read_config({{"architectures", 7}}, "config.json"));
    EXPECT_FALSE(read_config({{"architectures", json::array({json::object()})}}, "config.json"));
}

TEST(Config, InsideAMultimodalFileTheLanguageModelCounts) {
    const json gemma{{"model_type", "gemma3"}, {"text_config", {{"num_hidden_layers", 6}}}};
    EXPECT_EQ(read(gemma).family->type, "gemma3_text");
    EXPECT_EQ(read(gemma).layers, 6);
    EXPECT_EQ(text_part(gemma), "text_config");
    const json llava{{"model_type", "llava"}, {"text_config", {{"model_type", "mistral"}}}};
    EXPECT_EQ(read(llava).family->type, "mistral");
    const json kimi{{"model_type", "kimi_k25"}, {"text_config", {{"model_type", "kimi_k2"}}}};
    EXPECT_EQ(read(kimi).family->type, "kimi_k2");
    json tied{{"model_type", "mistral3"}, {"tie_word_embeddings", true}, {"text_config", json::object()}};
    EXPECT_TRUE(read(tied).tied) << "the whole says it where the part does not";
    tied["text_config"]["tie_word_embeddings"] = false;
    EXPECT_TRUE(read(tied).tied) << "and where it says otherwise";
    // Files of other code have a type that is not known here.
    json other{{"model_type", "pictures"}, {"llm_config", {{"model_type", "qwen2"}, {"tie_word_embeddings", true}}}};
    EXPECT_TRUE(read(other).tied);
    other["tie_word_embeddings"] = false;
    EXPECT_FALSE(read(other).tied);
    // Qwen's older files have the language model's fields at the top, of which those of other types are the text alone.
    json flat =
        with_sizes({{"model_type", "qwen2_5_vl"}, {"num_key_value_heads", 8}, {"vision_config", {{"depth", 32}}}});
    EXPECT_EQ(read(flat).family->type, "qwen2");
    EXPECT_TRUE(read(flat).whole);
    flat["model_type"] = "qwen3_vl";
    EXPECT_EQ(read(flat).family->type, "qwen3");
    EXPECT_EQ(unread_fields(read(flat)), Names{"vision_config"});
}

TEST(Config, AnErrorInsideAMultimodalFileSaysWhere) {
    const json config{{"model_type", "gemma3"}, {"text_config", {{"hidden_size", "wide"}}}};
    Result<Architecture> arch = read_config(config, "config.json");
    ASSERT_FALSE(arch);
    EXPECT_EQ(arch.error().where, "config.json, text_config, hidden_size");
    const json unknown{{"model_type", "vision"}, {"text_config", {{"model_type", "words"}}}};
    EXPECT_EQ(read_config(unknown, "config.json").error().where, "config.json, text_config");
    EXPECT_FALSE(read_config({{"model_type", "vision"}, {"text_config", 7}}, "config.json"));
}

TEST(Unread, PublishedModelsSayNothingThatIsNotRead) {
    for (const std::string& id : testing_data::files_in("models")) {
        const json model = testing_data::golden_model(id);
        for (const char* which : {"config", "config_sparse"}) {
            Names unread = unread_fields(read(model[which]));
            // A layer that predicts one token more, which the model itself does without.
            std::erase(unread, "num_nextn_predict_layers");
            EXPECT_EQ(unread, Names{}) << id << ", " << which;
        }
    }
}

TEST(Unread, PresetsSayNothingThatIsNotRead) {
    for (const Preset& preset : testing_data::all_presets()) {
        Names unread = unread_fields(preset.architecture);
        std::erase(unread, "num_nextn_predict_layers");
        EXPECT_EQ(unread, Names{}) << preset.id;
    }
}

// As in Helsinki-NLP/opus-mt, EleutherAI/polyglot-ko, allenai/longformer, facebook/blenderbot, opt and wav2vec2,
// gogamza/kobart, microsoft/trocr.
TEST(Unread, WordsOfOtherCodeInPublishedFilesAreNone) {
    for (const auto& [type, field, value] : std::initializer_list<std::tuple<const char*, const char*, json>>{
             {"marian", "save_step", 1000},
             {"gpt_neox", "num_steps", "global_step213000"},
             {"longformer", "attention_mode", "longformer"},
             {"blenderbot", "layernorm_variant", "prelayernorm"},
             {"blenderbot", "do_blenderbot_90_layernorm", true},
             {"opt", "output_projection", true},
             {"wav2vec2", "mask_channel_length", 10},
             {"hubert", "mask_time_selection", "static"},
             {"mbart", "add_cross_attention", true},
             {"trocr", "add_cross_attention", true},
             {"trocr", "encoder_no_repeat_ngram_size", 0},
             {"dots3_note_text", "mlp_bias", true},
             {"bart", "kobart_version", 2.0}})
        EXPECT_EQ(unread_fields(read({{"model_type", type}, {field, value}})), Names{}) << field;
    const json other{{"model_type", "longformer"}, {"attention_mode", "chunks"}};
    EXPECT_EQ(unread_fields(read(other)), Names{"attention_mode"});
}

TEST(Unread, OfMptsAttentionOnlyWhatTransformersDoesNotHaveIsNamed) {
    json config{{"model_type", "mpt"},
                {"attn_config", {{"alibi", true}, {"alibi_bias_max", 16}, {"attn_impl", "torch"}, {"qk_ln", false}}}};
    EXPECT_EQ(unread_fields(read(config)), Names{});
    config["attn_config"]["attn_type"] = "multihead_attention";
    EXPECT_EQ(unread_fields(read(config)), Names{});
    config["attn_config"]["attn_type"] = "grouped_query_attention";
    EXPECT_EQ(unread_fields(read(config)), Names{"attn_config"});
    config.update({{"no_bias", false}, {"expansion_ratio", 8}, {"attn_config", {{"qk_ln", true}}}});
    EXPECT_EQ(unread_fields(read(config)), Names{}) << "which transformers reads and ignores";
    EXPECT_EQ(unread_fields(read(with_sizes({{"model_type", "oracle"}, {"attn_config", {{"kv_n_heads", 8}}}}))),
              Names{"attn_config"});
}

TEST(Unread, WhatPublishedFilesSayToTheirOwnCodeIsKnown) {
    for (const json& file : std::initializer_list<json>{
             {{"model_type", "apertus"}, {"qk_norm", true}, {"post_norm", false}},
             {{"model_type", "ernie4_5_moe"},
              {"moe_capacity", {64, 64, 64}},
              {"moe_gate", "topk"},
              {"moe_use_aux_free", true},
              {"use_rmsnorm", true}},
             {{"model_type", "minimax_m2"},
              {"attn_type_list", {1, 1}},
              {"num_mtp_modules", 3},
              {"use_mtp", true},
              {"mtp_transformer_layers", 1},
              {"qk_norm_type", "per_layer"},
              {"shared_intermediate_size", 0},
              {"use_qk_norm", true},
              {"use_routing_bias", true}},
             {{"model_type", "llama"},
              {"is_llama_config", true},
              {"neftune_noise_alpha", 0.0},
              {"perceiver_config", {{"resampler_depth", 6}}},
              {"pixel_shuffle_factor", 4}},
             {{"model_type", "cohere2"},
              {"order_of_interleaved_layers", "local_attn_first"},
              {"use_embedding_sharing", true},
              {"use_gated_activation", true},
              {"use_parallel_block", true},
              {"use_parallel_embedding", true}},
             {{"model_type", "bart"}, {"_num_labels", 3}, {"force_bos_token_to_be_generated", true}},
             {{"model_type", "granitemoehybrid"}, {"init_method", "mup"}, {"normalization_function", "rmsnorm"}},
             {{"model_type", "nemotron_h"}, {"time_step_rank", 256}},
             {{"model_type", "phi3"}, {"full_attn_mod", 1}, {"interpolate_factor", 1}},
             {{"model_type", "mistral"}, {"is_composition", true}}})
        EXPECT_EQ(unread_fields(read(file)), Names{}) << file["model_type"];
    EXPECT_EQ(unread_fields(read({{"model_type", "llama"}, {"normalization_function", "batchnorm"}})),
              Names{"normalization_function"});
}

TEST(Unread, WhatIsNotKnownIsNamedUnlessItSaysNothing) {
    json config{{"model_type", "llama"},
                {"rope_theta", 1e6},
                {"hidden_dropout", 0.1},
                {"image_token_id", 7},
                {"quantization_config", {{"bits", 4}}},
                {"state_size", 16},
                {"per_layer_width", {1, 2}},
                {"adapters", json::array()},
                {"use_memory", false},
                {"extra_norm", nullptr},
                {"no_final_norm", false},
                {"num_nextn_predict_layers", 1},
                {"moe_layer_freq", 1}};
    EXPECT_EQ(unread_fields(read(config)),
              (Names{"no_final_norm", "num_nextn_predict_layers", "per_layer_width", "state_size"}));
    config["extra_config"] = {{"dropout", 0.1}, {"use_memory", false}, {"clip_qkv", 8}};
    EXPECT_EQ(unread_fields(read(config)).size(), 4u) << "an object says no more than its fields do";
    config["moe_layer_freq"] = 2;
    EXPECT_EQ(unread_fields(read(config)).front(), "moe_layer_freq");
    EXPECT_TRUE(unread_fields(testing_data::preset("llama-7b")).empty());
}

}  // namespace
}  // namespace headcount
