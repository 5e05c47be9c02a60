// GPT-J, GPT-NeoX, OPT, BLOOM, Falcon, MPT, Phi, StarCoder: what each reads of a configuration besides its tensors,
// other spellings, exports, and fields that hold nonsense.
#include <gtest/gtest.h>

#include "core/analysis/parameters.hpp"
#include "core/files/config.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::cannot_say;
using reading::exported;
using reading::read;
using reading::refusal;
using reading::type;
using testing_data::with;

TEST(GptFamilies, EveryFieldAndOnlyTheImportantOnesGiveTheSameArchitecture) {
    for (const char* id :
         {"bloom-560m", "falcon-7b", "gpt-j-6b", "opt-125m", "phi-2", "pythia-160m", "starcoder2-3b", "gpt2"}) {
        json model = testing_data::golden_model(id);
        Architecture every = read(model["config"]), few = read(model["config_sparse"]);
        every.carried = few.carried = {};
        EXPECT_EQ(every, few) << id;
    }
}

TEST(GptFamilies, AttributesOfTransformersAreReadAsFieldsToo) {
    json sizes{{"hidden_size", 96}, {"num_hidden_layers", 5}, {"num_attention_heads", 6}};
    for (const char* name : {"gpt2", "gptj", "gpt_bigcode", "bloom", "mpt"}) {
        json config = type(name, sizes);
        config["rotary_dim"] = 8;
        Architecture arch = read(config);
        EXPECT_EQ(arch.dim, 96) << name;
        EXPECT_EQ(arch.layers, 5) << name;
        EXPECT_EQ(arch.layer.attention.heads, 6) << name;
    }
    EXPECT_EQ(read(type("gptj", {{"max_position_embeddings", 77}})).context, 77);
    EXPECT_EQ(read(type("bloom", {{"n_embed", 96}})).dim, 96);
    EXPECT_EQ(read(type("falcon", {{"n_embed", 4544 * 2}})).dim, 4544 * 2);
}

TEST(GptFamilies, ThePartOfAHeadThatPositionsTurnIsReadWhereverItStands) {
    auto turned = [](const json& config) { return read(config).layer.attention.rotary_dim; };
    EXPECT_EQ(turned(type("gpt_neox")), 24);  // a quarter of 6144 / 64
    EXPECT_EQ(turned(type("gpt_neox", {{"rotary_pct", 0.5}})), 48);
    EXPECT_EQ(turned(type("gpt_neox", {{"rope_parameters", {{"partial_rotary_factor", 0.5}}}})), 48);
    EXPECT_EQ(turned(type("gpt_neox", {{"rotary_pct", 1.0}})), std::nullopt) << "all of it";
    EXPECT_EQ(turned(type("phi")), 32);  // half of 2048 / 32
    EXPECT_EQ(turned(type("phi", {{"partial_rotary_factor", 0.25}})), 16);
    EXPECT_EQ(turned(type("phi", {{"head_dim", 128}})), 64);
    EXPECT_EQ(turned(type("gptj", {{"rotary_dim", 32}})), 32);
    EXPECT_NE(refusal(type("gptj", {{"rotary_dim", 512}})).find("512 of the 256 columns"), std::string::npos);
    EXPECT_NE(refusal(type("phi", {{"partial_rotary_factor", 1.5}})), "");
}

TEST(GptFamilies, EveryNumberOfTurnedColumnsSurvivesAnExport) {
    for (const char* name : {"gpt_neox", "phi"})
        for (bool inside : {false, true}) {
            json config = type(name, {{"hidden_size", 200 * 4}, {"num_attention_heads", 4}});
            if (inside) config["rope_parameters"] = {{"partial_rotary_factor", 0.5}, {"rope_theta", 5e5}};
            Architecture arch = read(config);
            for (std::int64_t columns = 2; columns <= 200; columns += 2) {
                arch.layer.attention.rotary_dim = columns;
                json written = exported(arch);
                EXPECT_EQ(read(written).layer.attention.rotary_dim.value_or(200), columns) << name;
                if (inside) {
                    EXPECT_EQ(written["rope_parameters"]["rope_theta"], 5e5);
                }
            }
        }
}

TEST(GptFamilies, SayHowAttentionAndFeedForwardJoinTheStream) {
    auto joining = [](const json& config) { return read(config).layer.joining; };
    EXPECT_EQ(joining(type("gptj")), Joining::parallel_shared);
    EXPECT_EQ(joining(type("phi")), Joining::parallel_shared);
    EXPECT_EQ(joining(type("gpt_neox")), Joining::parallel);
    EXPECT_EQ(joining(type("gpt_neox", {{"use_parallel_residual", false}})), Joining::in_turn);
    EXPECT_EQ(joining(type("falcon")), Joining::parallel_shared);
    EXPECT_EQ(joining(type("falcon", {{"parallel_attn", false}})), Joining::in_turn);
    json newer = type("falcon", {{"new_decoder_architecture", true}, {"num_kv_heads", 1}});
    EXPECT_EQ(joining(newer), Joining::parallel);
    newer["num_ln_in_parallel_attn"] = 1;
    EXPECT_EQ(joining(newer), Joining::parallel_shared);
    newer["num_ln_in_parallel_attn"] = 3;
    EXPECT_NE(refusal(newer).find("there are one or two norms"), std::string::npos);
    for (const char* name : {"opt", "bloom", "mpt", "starcoder2", "gpt_bigcode"})
        EXPECT_EQ(joining(type(name)), Joining::in_turn) << name;
}

TEST(GptFamilies, FalconsFirstFilesAreReadByTheirOwnWords) {
    // tiiuae's falcon-7b and falcon-40b as they were published first.
    const Architecture small = read(type("RefinedWebModel", {{"hidden_size", 4544},
                                                             {"n_head", 71},
                                                             {"n_layer", 32},
                                                             {"multi_query", true},
                                                             {"parallel_attn", true},
                                                             {"vocab_size", 65024}}));
    EXPECT_EQ(count_parameters(expand(small), bindings(small, {}))->total, 6'921'720'704);
    const Architecture large = read(type("RefinedWeb", {{"hidden_size", 8192},
                                                        {"n_head", 128},
                                                        {"n_head_kv", 8},
                                                        {"n_layer", 60},
                                                        {"parallel_attn", true},
                                                        {"vocab_size", 65024}}));
    EXPECT_EQ(kv_heads(large), 8);
    EXPECT_EQ(large.layer.joining, Joining::parallel);
    EXPECT_EQ(large.layers, 60);
}

TEST(GptFamilies, GptSw3IsAGpt2ByAnotherWord) {
    const json sizes{{"vocab_size", 64000}, {"n_positions", 2048}, {"n_embd", 768}, {"n_layer", 12}, {"n_head", 12}};
    const Architecture arch = read(type("gpt-sw3", sizes));
    EXPECT_EQ(arch, read(type("gpt2", sizes)));
    constexpr std::int64_t layer = 7'087'872, tables = (64'000 + 2'048) * 768, last_norm = 2 * 768;
    EXPECT_EQ(count_parameters(expand(arch), bindings(arch, {}))->total, tables + 12 * layer + last_norm);
}

TEST(GptFamilies, FalconsKeyValueHeadsCountOnlyInItsNewerDecoder) {
    auto heads = [](json fields) { return kv_heads(read(type("falcon", std::move(fields)))); };
    EXPECT_EQ(heads({{"num_kv_heads", 71}}), 1);
    EXPECT_EQ(heads({{"multi_query", false}, {"num_kv_heads", 1}}), 71);
    EXPECT_EQ(heads({{"new_decoder_architecture", true}}), 71);
    EXPECT_EQ(heads({{"new_decoder_architecture", true}, {"num_kv_heads", 1}, {"multi_query", false}}), 1);
    Architecture grouped = read(type("falcon", {{"hidden_size", 8192},
                                                {"num_attention_heads", 128},
                                                {"num_kv_heads", 8},
                                                {"new_decoder_architecture", true}}));
    EXPECT_EQ(exported(grouped)["num_kv_heads"], 8);
    EXPECT_EQ(read(exported(with(grouped, "joining", "parallel_shared"))).layer.joining, Joining::parallel_shared);
}

TEST(GptFamilies, PositionsAreWhatTheTypeHas) {
    EXPECT_EQ(read(type("bloom")).positions, Positions::alibi);
    EXPECT_EQ(read(type("mpt")).positions, Positions::alibi);
    EXPECT_EQ(read(type("falcon")).positions, Positions::rope);
    EXPECT_EQ(read(type("falcon", {{"alibi", true}})).positions, Positions::alibi);
    EXPECT_EQ(read(type("gpt_bigcode")).positions, Positions::learned);
    EXPECT_EQ(read(type("opt")).position_offset, 2);
    EXPECT_EQ(read(type("bloom", {{"seq_length", 512}})).context, 512);
}

TEST(GptFamilies, OptsNormsStandBeforeOrAfterTheSum) {
    Architecture before = read(type("opt"));
    EXPECT_EQ(before.norm.placement, NormPlacement::before);
    EXPECT_TRUE(before.norm.final);
    Architecture after = read(type("opt", {{"do_layer_norm_before", false}, {"word_embed_proj_dim", 512}}));
    EXPECT_EQ(after.norm.placement, NormPlacement::after_sum);
    EXPECT_FALSE(after.norm.final);
    EXPECT_EQ(after.embedding_dim, 512);
    EXPECT_EQ(read(type("opt", {{"word_embed_proj_dim", 768}})).embedding_dim, std::nullopt) << "no matrix between";
}

TEST(GptFamilies, StarCoder2SeesAWindowWhereItsFileSaysSo) {
    EXPECT_FALSE(read(type("starcoder2")).layer.attention.window);
    Architecture arch = read(type("starcoder2", {{"sliding_window", 4096}}));
    ASSERT_TRUE(arch.layer.attention.window);
    EXPECT_EQ(arch.layer.attention.window->size, 4096);
    EXPECT_EQ(exported(arch)["sliding_window"], 4096);
    EXPECT_EQ(exported(arch)["hidden_act"], "gelu_pytorch_tanh");
    EXPECT_EQ(refusal(type("starcoder2", {{"sliding_window", "far"}})),
              "\"far\" is not a whole number: config.json, sliding_window: give a whole number from 1 up");
}

TEST(GptFamilies, WhatChangesNoTensorIsCarriedThroughAnExport) {
    json config =
        type("mpt", {{"attn_config", {{"alibi_bias_max", 16}, {"clip_qkv", 8}}}, {"torch_dtype", "bfloat16"}});
    json written = exported(read(config));
    EXPECT_EQ(written["attn_config"], config["attn_config"]);
    EXPECT_EQ(written["torch_dtype"], "bfloat16");
    json edited = exported(with(read(type("gpt_bigcode", {{"num_key_value_heads", 1}})), "kv_heads", "12"));
    EXPECT_EQ(edited["multi_query"], false);
    EXPECT_FALSE(edited.contains("num_key_value_heads")) << "it would say something else";
}

TEST(GptFamilies, WhatAConfigurationCannotSayIsNamed) {
    for (const auto& [name, key, text] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{
             {"bloom", "ffn_dim", "100"},
             {"bloom", "activation", "relu"},
             {"mpt", "ffn_bias", "true"},
             {"mpt", "norm_bias", "true"},
             {"opt", "position_offset", "0"},
             {"opt", "norm_epsilon", "0.001"},
             {"opt", "norm_placement", "both"},
             {"falcon", "qkv_bias", "true"},
             {"gptj", "head_bias", "false"},
             {"gptj", "kv_heads", "8"},
             {"phi", "qk_norm", "across"},
             {"gpt_neox", "joining", "parallel_shared"},
             {"gpt_bigcode", "kv_heads", "2"},
             {"starcoder2", "gated", "true"}})
        EXPECT_TRUE(cannot_say(read(type(name)), key, text));
}

TEST(GptFamilies, CrossAttentionIsRefusedByName) {
    for (const char* name : {"imagegpt", "gpt_bigcode"})
        EXPECT_NE(refusal(type(name, {{"add_cross_attention", true}})).find("cross-attention"), std::string::npos);
}

TEST(GptFamilies, SizesThatDoNotFitAreSentences) {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, field] : {std::pair("gptj", "n_embd"),
                                      {"gpt_bigcode", "n_embd"},
                                      {"bloom", "hidden_size"},
                                      {"falcon", "hidden_size"},
                                      {"mpt", "d_model"}}) {
        const std::string words = refusal(type(name, {{field, huge}}));
        EXPECT_NE(words.find("does not fit"), std::string::npos) << name << ": " << words;
        EXPECT_NE(words.find(field), std::string::npos) << name << ": " << words;
    }
    for (const char* name : {"gpt_neox", "opt", "phi", "starcoder2"})
        EXPECT_NO_THROW(refusal(type(name, {{"hidden_size", huge}, {"num_attention_heads", 1}}))) << name;
}

}  // namespace
}  // namespace headcount
