// Families of which most is known by name and shape alone: what their files say, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::exported;
using reading::read;
using reading::refusal;
using reading::type;
using testing::HasSubstr;

TEST(Zamba, WidthsOfWhatLayersShareAreNeverNone) {
    for (const char* name : {"zamba", "zamba2"})
        for (const char* field : {"attention_hidden_size", "attention_head_dim"})
            EXPECT_THAT(refusal(type(name, {{field, 0}})), HasSubstr(field)) << name;
}

TEST(Conformers, SayTheirSizesInTheirEncoder) {
    const json encoder{{"hidden_size", 48},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 3},
                       {"conv_kernel_size", 7},
                       {"num_mel_bins", 26}};
    for (const char* name : {"lasr_ctc", "parakeet_ctc"}) {
        const Architecture arch = read(type(name, {{"encoder_config", encoder}, {"vocab_size", 37}}));
        EXPECT_EQ(arch.dim, 48);
        EXPECT_EQ(arch.layers, 2);
        EXPECT_EQ(arch.vocab, 37);
        const json written = exported(arch);
        EXPECT_EQ(written["encoder_config"]["hidden_size"], 48);
        EXPECT_EQ(written["encoder_config"]["conv_kernel_size"], 7);
        EXPECT_EQ(exported(read(written)), written);
    }
}

TEST(Conformers, RefuseWhatTheirEncoderCannotBe) {
    const auto refused = [](const char* name, const json& encoder) {
        return refusal(type(name, {{"encoder_config", encoder}}));
    };
    EXPECT_THAT(refused("lasr_ctc", {{"hidden_size", "wide"}}), HasSubstr("hidden_size"));
    EXPECT_THAT(refused("lasr_ctc", {{"conv_kernel_size", 0}}), HasSubstr("conv_kernel_size"));
    EXPECT_THAT(refused("lasr_ctc", 7), HasSubstr("encoder_config"));
    EXPECT_THAT(refused("parakeet_ctc", {{"num_mel_bins", 7}}), HasSubstr("leave nothing of so few frequencies"));
    EXPECT_EQ(refused("parakeet_ctc", {{"num_mel_bins", 8}}), "");
    EXPECT_THAT(refusal(type("parakeet_ctc", {{"architectures", {"ParakeetForTDT"}}})), HasSubstr("ParakeetForTDT"));
}

// Heads of a layer, by the rows of the matrix that makes its gates.
std::int64_t gates(const Architecture& arch, std::int64_t layer) {
    for (const Extra& extra : arch.family->besides(arch))
        if (extra.name == "self_attn.g_proj" && extra.layers.contains(layer))
            return *evaluate(extra.weight.front(), bindings(arch, Input{}));
    return 0;
}

TEST(Step, HasWhatOlderFilesSayOfItsLayers) {
    const json older{{"num_hidden_layers", 4},
                     {"layer_types", {"full_attention", "sliding_attention", "sliding_attention", "full_attention"}},
                     {"num_attention_heads", 4},
                     {"num_attention_groups", 2},
                     {"head_dim", 16},
                     {"moe_layers_enum", "1,3"},
                     {"attention_other_setting", {{"num_attention_heads", 6}}}};
    const Architecture arch = read(type("step3p5", older));
    EXPECT_EQ(gates(arch, 0), 4);
    EXPECT_EQ(gates(arch, 1), 6);
    EXPECT_EQ(arch.layer.attention.kv_heads, 2);
    EXPECT_TRUE(arch.layer.mixture->layers.same_in(*LayerSet::parse("0101", ""), 4));
    EXPECT_EQ(exported(arch)["mlp_layer_types"], json({"dense", "sparse", "dense", "sparse"}));
    json changed = older;
    changed["moe_layers_enum"] = "first";
    EXPECT_THAT(refusal(type("step3p5", changed)), HasSubstr("moe_layers_enum"));
    changed = older;
    changed["per_layer_config"] = {{"1", {{"num_attention_heads", 6}}}};
    EXPECT_EQ(refusal(type("step3p5", changed)), "");
    changed["per_layer_config"]["1"]["head_dim"] = 8;
    EXPECT_THAT(refusal(type("step3p5", changed)), HasSubstr("per_layer_config"));
}

TEST(Ernie, OfTwoMixturesSaysTwoWidths) {
    const auto of = [](const json& widths) {
        return type("ernie4_5_vl_moe_text", {{"moe_intermediate_size", widths}});
    };
    EXPECT_EQ(read(of({48, 24})).layer.mixture->expert_dim, 48);
    EXPECT_EQ(exported(read(of({48, 24})))["moe_intermediate_size"], json({48, 24}));
    EXPECT_THAT(refusal(of({48})), HasSubstr("moe_intermediate_size"));
    EXPECT_THAT(refusal(of(48)), HasSubstr("moe_intermediate_size"));
    EXPECT_THAT(refusal(type("ernie4_5_vl_moe_text", {{"moe_layer_start_index", 2}})),
                HasSubstr("moe_layer_start_index"));
}

TEST(Muse, HasPositionsInTheLayersThatItsBasesSay) {
    const auto rotated = [](const json& fields) {
        json config{{"num_hidden_layers", 5}};
        config.update(fields);
        return read(type("muse_glimmer_text", config)).layer.attention.rotated;
    };
    EXPECT_TRUE(rotated(json::object()).same_in(*LayerSet::parse("01110", ""), 5))
        << "each fourth from the last has none";
    EXPECT_TRUE(rotated({{"layer_rope_theta", {0, 0, 0, 1e4, 0}}}).same_in(*LayerSet::parse("00010", ""), 5));
    EXPECT_THAT(refusal(type("muse_glimmer_text", {{"layer_rope_theta", {0, 1}}})), HasSubstr("layer_rope_theta"));
}

TEST(Molmo2, NormsAcrossHeadsAndBehindSubBlocksWhereItsFileSaysSo) {
    const Architecture arch = read(type("molmo2_text", {{"qk_norm_type", "olmo"}, {"norm_after", true}}));
    EXPECT_EQ(arch.layer.attention.qk_norm, QkNorm::across);
    EXPECT_EQ(arch.norm.placement, NormPlacement::after);
    EXPECT_EQ(read(exported(arch)), arch);
    const ModelGraph graph = expand(arch);
    const auto named = [&](const char* name) { return std::ranges::count(graph.stored, name, &StoredTensor::name); };
    EXPECT_EQ(named("model.layers.{i}.input_layernorm.weight"), 1);
    EXPECT_EQ(named("model.layers.{i}.post_attention_layernorm.weight"), 1);
    EXPECT_EQ(read(type("molmo2_text", {{"additional_vocab_size", 0}}))
                  .family->besides(read(type("molmo2_text", {{"additional_vocab_size", 0}})))
                  .size(),
              0u);
}

TEST(LatentParts, RefuseLayersAndSchedulesThatAreNotKnown) {
    const json layers{{"2", {{"q_lora_rank", 8}}}, {"3", {{"q_lora_rank", 9}}}};
    EXPECT_THAT(refusal(type("dots3_note_text", {{"per_layer_config", layers}})), HasSubstr("per_layer_config"));
    EXPECT_THAT(refusal(type("dots3_note_text", {{"q_lora_rank", nullptr}})), HasSubstr("q_lora_rank"));
    for (const char* name : {"glm5_next_text", "mistral_large4_text"}) {
        EXPECT_THAT(refusal(type(name, {{"index_topk_freq", 2}})), HasSubstr("index_topk_freq")) << name;
        EXPECT_EQ(refusal(type(name, {{"index_topk_freq", 1}})), "") << name;
    }
    EXPECT_THAT(refusal(type("glm5_next_text", {{"qk_rope_head_dim", 8}})), HasSubstr("qk_rope_head_dim"));
    EXPECT_THAT(refusal(type("molmo2_text", {{"qk_norm_type", "other"}})), HasSubstr("qk_norm_type"));
}

TEST(Reformer, HasALayerForEachThatIsListed) {
    const Architecture arch = read(type("reformer", {{"attn_layers", {"lsh", "local", "lsh"}}}));
    EXPECT_EQ(arch.layers, 3);
    EXPECT_EQ(exported(arch)["attn_layers"], json({"lsh", "local", "lsh"}));
    EXPECT_EQ(read(type("reformer")).layers, 6);
    EXPECT_EQ(read(type("reformer", {{"num_hidden_layers", 3}})).layers, 3) << "the first of those that are listed";
    EXPECT_EQ(read(type("reformer", {{"num_hidden_layers", 9}, {"attn_layers", {"lsh"}}})).layers, 9);
    EXPECT_THAT(refusal(type("reformer", {{"num_hidden_layers", 9}})), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"attn_layers", {"full"}}})), HasSubstr("attn_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"attn_layers", json::array()}})), HasSubstr("attn_layers"));
    EXPECT_THAT(refusal(type("reformer", {{"axial_pos_shape", {8, 8, 8}}})), HasSubstr("axial_pos_shape"));
}

json golden_config(const char* name) {
    return testing_data::read_json_file(testing_data::golden_folder() / "switches" / name)["config"];
}

TEST(Blip, IsTiedUnlessTheWholeAndItsTextPartDenyIt) {
    json config = golden_config("blip-default.json");
    config["tie_word_embeddings"] = false;
    EXPECT_TRUE(read(config).tied);
    config["text_config"]["tie_word_embeddings"] = false;
    EXPECT_FALSE(read(config).tied);
}

TEST(Blip, LooksAtAsManyColumnsAsItsTowerMakesWhateverItsTextPartSays) {
    json config = golden_config("blip-default.json");
    const std::int64_t before = reading::total(config);
    config["text_config"]["encoder_hidden_size"] = 999;
    EXPECT_EQ(reading::total(config), before);
}

TEST(Blip, RefusesItsOtherClassesAndATowerThatCannotBe) {
    json config = golden_config("blip-default.json");
    config["architectures"] = {"BlipModel"};
    EXPECT_THAT(refusal(config), HasSubstr("BlipModel"));
    config = golden_config("blip-default.json");
    config["vision_config"]["num_attention_heads"] = 5;
    EXPECT_THAT(refusal(config), HasSubstr("vision_config, num_attention_heads"));
}

TEST(Idefics, RefusesGatesAndPartsThatItDoesNotKnow) {
    json config = golden_config("idefics-default.json");
    config["alpha_type"] = "matrix";
    EXPECT_THAT(refusal(config), HasSubstr("alpha_type"));
    config = golden_config("idefics-default.json");
    config["vision_config"]["embed_dim"] = "wide";
    EXPECT_THAT(refusal(config), HasSubstr("vision_config"));
}

TEST(Udop, RefusesDistancesThatItDoesNotKnowAndTheClassWithoutScores) {
    json config = golden_config("udop-default.json");
    config["relative_bias_args"] = json::array({{{"type", "1d"}}, {{"type", "diagonal"}}});
    EXPECT_THAT(refusal(config), HasSubstr("relative_bias_args"));
    config = golden_config("udop-default.json");
    config["architectures"] = {"UdopModel"};
    EXPECT_THAT(refusal(config), HasSubstr("UdopModel"));
}

TEST(Pix2Struct, RefusesHeadsThatAreNotAShareOfTheWidthAndTheClassOfItsTextAlone) {
    const json config =
        testing_data::read_json_file(testing_data::golden_folder() / "whole" / "pix2struct.json")["config"];
    json other = config;
    other["text_config"]["d_kv"] = 8;
    EXPECT_THAT(refusal(other), HasSubstr("d_kv"));
    other = config;
    other["architectures"] = {"Pix2StructModel"};
    EXPECT_THAT(refusal(other), HasSubstr("Pix2StructModel"));
}

}  // namespace
}  // namespace headcount
