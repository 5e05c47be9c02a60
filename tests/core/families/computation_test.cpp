// What models compute beside their shapes, as their files say it: numbers, defaults, and fields that cannot be.
#include "core/arch/computation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/arch/family.hpp"
#include "core/files/config.hpp"
#include "core/graph/graph.hpp"
#include "core/graph/ops.hpp"
#include "core/graph/written.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using reading::read;
using testing::HasSubstr;

Computation of(const Architecture& arch) {
    const Result<Computation> computation = computation_of(arch);
    EXPECT_TRUE(computation) << (computation ? "" : sentence(computation.error()));
    return computation ? *computation : Computation{};
}

// A wave, and scores that know where a patch lies; every model that reads text alone is computed.
bool is_refused(const Architecture& arch) { return (reads_numbers(arch) || arch.sound) && !computation_of(arch); }

nlohmann::json small(const std::string& type) {
    return {{"model_type", type},      {"hidden_size", 32},        {"num_attention_heads", 4}, {"num_hidden_layers", 2},
            {"intermediate_size", 44}, {"num_key_value_heads", 2}, {"vocab_size", 40}};
}

// The sentence that refuses a small model with these fields, or nothing.
std::string refusal(const std::string& type, const nlohmann::json& fields) {
    nlohmann::json config = small(type);
    config.update(fields);
    const Result<Computation> computation = computation_of(read(config));
    return computation ? "" : sentence(computation.error());
}

TEST(Computation, EveryPresetSaysWhatItComputes) {
    for (const Preset& preset : testing_data::all_presets()) {
        if (is_refused(preset.architecture)) continue;
        EXPECT_EQ(of(preset.architecture).guess, "") << preset.id;
    }
}

TEST(Computation, OfAT5WithoutGatesTyingSaysOnlyHowScoresAreScaled) {
    const auto scale = [](const nlohmann::json& tied) {
        return of(*read_config({{"model_type", "t5"}, {"d_model", 64}, {"tie_word_embeddings", tied}}, "")).logit_scale;
    };
    EXPECT_EQ(scale(true), 0.125);
    EXPECT_EQ(scale(nullptr), 0.125);
    EXPECT_EQ(scale(false), Computation{}.logit_scale);
}

TEST(Computation, ExportsSayAgainWhatIsComputed) {
    for (const Preset& preset : testing_data::all_presets()) {
        if (preset.id.starts_with("hypothetical")) continue;  // of no family that could say it
        if (is_refused(preset.architecture)) continue;
        const Result<nlohmann::ordered_json> exported = write_config(preset.architecture);
        ASSERT_TRUE(exported) << preset.id;
        EXPECT_EQ(of(read(*exported)), of(preset.architecture)) << preset.id;
    }
}

TEST(Computation, Llama31StretchesLongWaves) {
    const Rope rope = of(testing_data::preset("llama-3.1-405b")).rope;
    EXPECT_EQ(rope.scaling, RopeScaling::llama3);
    const std::vector<double> angles = rope_angles(rope, 128, 1);
    EXPECT_DOUBLE_EQ(angles.front(), 1);
    EXPECT_NEAR(angles.back(), std::pow(500000.0, -126.0 / 128) / 8, 1e-15);
}

TEST(Computation, Gemma3HasABaseOfItsOwnInWindows) {
    const Computation gemma = of(testing_data::preset("gemma-3-27b"));
    EXPECT_EQ(rope_of(gemma, false).base, 1e6);
    EXPECT_EQ(rope_of(gemma, false).factor, 8);
    EXPECT_EQ(rope_of(gemma, true).base, 1e4);
    EXPECT_EQ(rope_of(gemma, true).scaling, RopeScaling::none);
    EXPECT_DOUBLE_EQ(gemma.score_scale, 1 / std::sqrt(168.0));
    EXPECT_DOUBLE_EQ(gemma.embedding_scale, std::sqrt(5376.0));
    EXPECT_EQ(gemma.norm_offset, 1);
}

TEST(Computation, Gemma4TurnsAPartOfItsWideHeadsByTheAnglesOfAll) {
    for (const char* const id : {"gemma-4-31b", "gemma-4-e2b"}) {
        Architecture arch = testing_data::preset(id);
        const Rope rope = of(arch).rope;
        const std::vector<double> angles = rope_angles(rope, 512, 1);
        EXPECT_DOUBLE_EQ(angles[63], std::pow(1e6, -126.0 / 512));
        EXPECT_EQ(angles[64], 0) << "a quarter of 256 pairs";
        EXPECT_EQ(rope_of(of(arch), true).base, 1e4);
        arch.carried = {};
        EXPECT_EQ(of(arch).rope, rope) << "as where the file is silent";
    }
    nlohmann::json phi = small("phi");
    phi["partial_rotary_factor"] = 0.5;
    phi["rope_parameters"] = {{"rope_type", "proportional"}, {"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}};
    const Result<Computation> refused = computation_of(read(phi));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "rope_parameters.rope_type");
}

TEST(Computation, DeepSeekSharpensTheScoresOfAStretchedContext) {
    const Computation deepseek = of(testing_data::preset("deepseek-v3"));
    const double once = 0.1 * std::log(40.0) + 1;
    EXPECT_DOUBLE_EQ(deepseek.score_scale, once * once / std::sqrt(192.0));
    EXPECT_EQ(deepseek.rope.attention_factor, 1);
    EXPECT_EQ(deepseek.routing.groups, 8);
    EXPECT_EQ(deepseek.routing.groups_used, 4);
    EXPECT_EQ(deepseek.routing.scaling, 2.5);
}

TEST(Computation, Phi4MiniTurnsByListedDivisors) {
    const Rope rope = of(testing_data::preset("phi-4-mini")).rope;
    EXPECT_NEAR(rope.attention_factor, std::sqrt(1 + std::log(32.0) / std::log(4096.0)), 1e-12);
    EXPECT_DOUBLE_EQ(rope_angles(rope, 96, 4096)[1], std::pow(10000.0, -2.0 / 96));
    EXPECT_DOUBLE_EQ(rope_angles(rope, 96, 4097)[1], std::pow(10000.0, -2.0 / 96) / 1.118320672);
}

TEST(Computation, SlopesOfHeadsThatAreNoPowerOfTwoGoOnBetween) {
    nlohmann::json config = small("bloom");
    config["n_head"] = 6;
    config["hidden_size"] = 36;
    const std::vector<double> expected{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8};
    EXPECT_THAT(of(read(config)).alibi.value().slopes, testing::Pointwise(testing::DoubleEq(), expected));
}

// Each family that has ALiBi, and one that was edited to have it.
TEST(Computation, MoreHeadsThanThereAreSlopesForAreRefused) {
    for (const char* type : {"bloom", "mpt", "falcon", "llama"}) {
        Architecture arch = read(small(type));
        arch.positions = Positions::alibi;
        arch.layer.attention.heads = 1 << 20;
        EXPECT_EQ(of(arch).alibi.value().slopes.size(), std::size_t{1} << 20) << type;
        arch.layer.attention.heads = 1 << 22;
        EXPECT_EQ(arch.family->computation(arch).alibi, std::nullopt) << type;
        const Result<Computation> computation = computation_of(arch);
        ASSERT_FALSE(computation) << type;
        EXPECT_EQ(sentence(computation.error()),
                  "4,194,304 heads are more than ALiBi's slopes are made for: heads: take at most 1,048,576");
    }
}

// As transformers has them by default.
TEST(Computation, OfATypeThatCannotRunIsSaidAsFarAsItIsKnown) {
    struct Said {
        const char* type;
        RopePairs pairs;
        RouterScores scores;
        double scaling;
    };
    constexpr RouterScores sigmoid = RouterScores::sigmoid;
    for (const Said& each : {Said{"moonshine", RopePairs::neighbours, RouterScores::softmax_of_chosen, 1},
                             Said{"bailing_hybrid", RopePairs::neighbours, sigmoid, 2.5},
                             {"axk2", RopePairs::neighbours, sigmoid, 2.5},
                             {"hy_v4", RopePairs::halves, sigmoid, 2.827},
                             {"longcat_flash", RopePairs::neighbours, RouterScores::softmax, 6},
                             {"beam", RopePairs::halves, sigmoid, 2.5},
                             {"laguna", RopePairs::halves, sigmoid, 1},
                             {"minimax_m3_vl_text", RopePairs::halves, sigmoid, 2},
                             {"mimo_v2_flash", RopePairs::halves, sigmoid, 1},
                             {"deepseek_v4", RopePairs::halves, RouterScores::root_softplus, 1.5}}) {
        const Architecture arch = read(reading::type(each.type));
        const Computation computation = arch.family->computation(arch);
        EXPECT_TRUE(computation.refused) << each.type;
        EXPECT_EQ(computation.rope.pairs, each.pairs) << each.type;
        EXPECT_EQ(computation.routing.scores, each.scores) << each.type;
        EXPECT_EQ(computation.routing.scaling, each.scaling) << each.type;
        EXPECT_EQ(computation.routing.normalized, by_themselves(each.scores)) << each.type;
    }
}

TEST(Computation, StandsOnTheNodesOfAModelThatCannotRun) {
    const ModelGraph graph = expand(read(reading::type("bailing_hybrid")));
    EXPECT_TRUE(graph.unread);
    std::size_t turns = 0;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::rotate) continue;
        EXPECT_EQ(node.rule<Rotation>().rope.pairs, RopePairs::neighbours);
        EXPECT_EQ(node.rule<Rotation>().rope.base, 6e6);
        ++turns;
    }
    EXPECT_GT(turns, 0u);
}

TEST(Computation, OfDeepSeekV4sRoutersIsATableInItsFirstLayers) {
    const auto equations = [](nlohmann::json config) {
        const ModelGraph graph = expand(read(config));
        std::vector<std::string> all;
        for (const Node& node : graph.nodes)
            if (node.op == Op::route) all.push_back(written_text(graph, equation_of(graph, node)));
        return all;
    };
    const std::string scores = "√softplus(R)", tabled = "G_k = 1.5 · normalized(a table's k of " + scores + ")";
    const std::string chosen = "G_k = 1.5 · normalized(best k of " + scores + ", chosen by " + scores + " + b_e)";
    nlohmann::json config = reading::type("deepseek_v4");
    config.update({{"num_hidden_layers", 3}, {"num_hash_layers", 1}, {"layer_types", nlohmann::json::array()}});
    EXPECT_EQ(equations(config), (std::vector{tabled, chosen}));
    config["mlp_layer_types"] = {"moe", "moe", "hash_moe"};
    EXPECT_EQ(equations(config), (std::vector{chosen, tabled}));
}

TEST(Computation, OfGatesThatAreClampedStandsOnTheirNodes) {
    const auto equation = [](const nlohmann::json& config) {
        const ModelGraph graph = expand(read(config));
        std::set<std::string> all;
        for (const Node& node : graph.nodes)
            if (node.op == Op::gate) all.insert(written_text(graph, equation_of(graph, node)));
        return all;
    };
    EXPECT_THAT(equation(reading::type("deepseek_v4")), testing::Each(HasSubstr("SiLU(min(")));
    EXPECT_THAT(equation(reading::type("deepseek_v4", {{"swiglu_limit", 12}})), testing::Each(HasSubstr("12")));
    EXPECT_THAT(equation(reading::type("glm5_next_text")), testing::Each(HasSubstr("SiLU(min(")));
    EXPECT_THAT(equation(reading::type("minimax_m3_vl_text")), testing::Each(HasSubstr("+ 1")));
    EXPECT_THAT(equation(reading::type("deepseek_v3")), testing::Each(testing::Not(HasSubstr("min("))));
}

TEST(Computation, OfInklingDividesWhatItsHeadReads) {
    const auto scale = [](const nlohmann::json& fields) {
        const Architecture arch = read(reading::type("inkling_text", fields));
        return arch.family->computation(arch).logit_scale;
    };
    EXPECT_DOUBLE_EQ(scale({}), 1 / 24.0);
    EXPECT_DOUBLE_EQ(scale({{"logits_mup_width_multiplier", 8}}), 0.125);
}

// All but the field that is refused.
TEST(Computation, OfAFileWithARefusedFieldIsWhatItSaysElse) {
    nlohmann::json config = small("gemma2");
    config["rope_scaling"] = {{"rope_type", "unheard_of"}, {"factor", 2}};
    const Architecture arch = read(config);
    const Computation computation = arch.family->computation(arch);
    EXPECT_TRUE(computation.refused);
    EXPECT_DOUBLE_EQ(computation.embedding_scale, std::sqrt(32.0));
    EXPECT_EQ(computation.norm_offset, 1);
    EXPECT_EQ(computation.logit_soft_cap, 30);
    EXPECT_EQ(expand(arch).unread, computation.refused);
}

TEST(Computation, WhereTheFilesOwnIsRefusedATypesPairsStayAndItsGroupsDoNot) {
    nlohmann::json config = small("deepseek_v3");
    config["rope_scaling"] = {{"rope_type", "unheard_of"}, {"factor", 2}};
    config["n_group"] = 3;
    config["n_routed_experts"] = 8;
    const Architecture arch = read(config);
    const Computation computation = arch.family->computation(arch);
    EXPECT_TRUE(computation.refused);
    EXPECT_EQ(computation.rope.pairs, RopePairs::neighbours);
    EXPECT_EQ(computation.routing.groups, 1);
    EXPECT_EQ(computation.routing.groups_used, 1);
}

TEST(Computation, NullMeansNoSoftCap) {
    nlohmann::json config = small("gemma2");
    EXPECT_EQ(of(read(config)).score_soft_cap, 50);
    config["attn_logit_softcapping"] = nullptr;
    EXPECT_EQ(of(read(config)).score_soft_cap, std::nullopt);
    EXPECT_EQ(of(read(config)).logit_soft_cap, 30);
}

TEST(Computation, LlamaHasNoSoftCapWhateverItsFileSays) {
    nlohmann::json config = small("llama");
    config["final_logit_softcapping"] = 30;
    EXPECT_EQ(of(read(config)).logit_soft_cap, std::nullopt);
}

TEST(Computation, AnUnverifiedTypeComputesAsLlamaAndSaysSo) {
    nlohmann::json config = small("brand_new");
    config["rope_theta"] = 70000;
    Computation unverified = of(read(config));
    EXPECT_THAT(unverified.guess, HasSubstr("as LLaMA"));
    config["model_type"] = "llama";
    unverified.guess.clear();
    EXPECT_EQ(unverified, of(read(config)));
}

TEST(Computation, Llama4sFilesSayTrueAsANumber) {
    nlohmann::json config = small("llama4_text");
    config["attn_temperature_tuning"] = 4;
    EXPECT_TRUE(of(read(config)).query_temperature);
    config["attn_temperature_tuning"] = 0;
    EXPECT_FALSE(of(read(config)).query_temperature);
}

TEST(Computation, WhatCannotBeIsNamedByItsField) {
    const auto rope = [](const nlohmann::json& scaling) { return nlohmann::json{{"rope_scaling", scaling}}; };
    EXPECT_THAT(refusal("llama", rope({{"type", "spiral"}, {"factor", 2}})), HasSubstr("rope_scaling.type"));
    EXPECT_THAT(refusal("llama", rope({{"rope_type", "linear"}})), HasSubstr("rope_scaling.factor"));
    EXPECT_THAT(refusal("llama", rope({{"rope_type", "linear"}, {"factor", "8"}})), HasSubstr("\"8\""));
    EXPECT_THAT(refusal("llama", rope({{"rope_type", "linear"}, {"factor", -1}})), HasSubstr("rope_scaling.factor"));
    EXPECT_THAT(refusal("llama", rope({{"rope_type", "yarn"}, {"factor", 2}, {"truncate", 3}})), HasSubstr("truncate"));
    EXPECT_THAT(refusal("llama", rope({{"rope_type", "llama3"}, {"factor", 2}})), HasSubstr("low_freq_factor"));
    EXPECT_THAT(refusal("phi3", rope({{"rope_type", "longrope"}, {"short_factor", {1}}, {"long_factor", {1}}})),
                HasSubstr("rope_scaling.short_factor"));
    EXPECT_THAT(refusal("llama", {{"rope_scaling", "yarn"}}), HasSubstr("rope_scaling"));
    EXPECT_THAT(refusal("llama", {{"rope_parameters", {{"rope_theta", true}}}}),
                HasSubstr("rope_parameters.rope_theta"));
    EXPECT_THAT(refusal("llama", {{"rope_theta", 0}}), HasSubstr("rope_theta"));
    EXPECT_THAT(refusal("gemma2", {{"query_pre_attn_scalar", 0}}), HasSubstr("query_pre_attn_scalar"));
    EXPECT_THAT(refusal("cohere", {{"logit_scale", "much"}}), HasSubstr("logit_scale"));
    EXPECT_THAT(refusal("granite", {{"residual_multiplier", -2}}), HasSubstr("residual_multiplier"));
    EXPECT_THAT(refusal("deepseek_v3", {{"n_group", 7}}), HasSubstr("n_group"));
    EXPECT_THAT(refusal("deepseek_v3", {{"topk_group", 9}}), HasSubstr("topk_group"));
    EXPECT_THAT(refusal("deepseek_v3", {{"scoring_func", "softmax"}}), HasSubstr("scoring_func"));
    EXPECT_THAT(refusal("deepseek_v2", {{"topk_method", "best"}}), HasSubstr("topk_method"));
    EXPECT_THAT(refusal("qwen2_moe", {{"norm_topk_prob", "yes"}}), HasSubstr("norm_topk_prob"));
    EXPECT_THAT(refusal("mpt", {{"attn_config", {{"clip_qkv", "tight"}}}}), HasSubstr("attn_config.clip_qkv"));
    EXPECT_THAT(refusal("recurrent_gemma", {{"logits_soft_cap", "none"}}), HasSubstr("logits_soft_cap"));
    EXPECT_THAT(refusal("phimoe", {{"num_experts_per_tok", 3}}), HasSubstr("num_experts_per_tok"));
    const auto with_experts = [](nlohmann::json config) {
        config.update({{"encoder_attention_heads", 4}, {"decoder_attention_heads", 4}});
        return refusal("nllb-moe", config);
    };
    EXPECT_THAT(with_experts({{"second_expert_policy", "random"}}), HasSubstr("second_expert_policy"));
    EXPECT_THAT(with_experts({{"moe_eval_capacity_token_fraction", 0.5}}),
                HasSubstr("moe_eval_capacity_token_fraction"));
    EXPECT_THAT(refusal("kimi_linear", {{"moe_router_activation_func", "softmax"}}),
                HasSubstr("moe_router_activation_func"));
}

// As transformers' GlmMoeDsaAttention has it: a shared layer needs a full one before it. Its indexer turns pairs of
// neighbours, that of DeepSeek V3.2 halves; that of Hunyuan V4 the last columns of each head.
TEST(Computation, WhatChoosesKeysTurnsAsItsTypeHasIt) {
    const auto turned = [](const std::string& type) {
        const ModelGraph graph = expand(read(small(type)));
        return graph
            .producer(
                static_cast<TensorIndex>(graph.find("layer.attention.index_queries_rotated") - graph.tensors.data()))
            ->rule<Rotation>();
    };
    EXPECT_EQ(turned("deepseek_v32").rope.pairs, RopePairs::halves);
    EXPECT_EQ(turned("glm_moe_dsa").rope.pairs, RopePairs::neighbours);
    EXPECT_EQ(turned("hy_v4").rope.pairs, RopePairs::halves);
    EXPECT_EQ(turned("glm_moe_dsa").first, Expr(0));
    EXPECT_EQ(turned("hy_v4").first, Expr(Symbol::index_dim) - Symbol::rope_dim);
    EXPECT_THAT(refusal("glm_moe_dsa", {{"indexer_types", {"shared", "full"}}}), HasSubstr("indexer_types"));
    EXPECT_EQ(refusal("glm_moe_dsa", {{"indexer_types", {"full", "shared"}}}), "");
}

TEST(Computation, OfMpnetHas32RangesOfDistancesWhateverItsTableHas) {
    EXPECT_EQ(refusal("mpnet", {{"relative_attention_num_buckets", 32}}), "");
    EXPECT_THAT(refusal("mpnet", {{"relative_attention_num_buckets", 64}}), HasSubstr("computes with 32 ranges"));
}

}  // namespace
}  // namespace headcount
