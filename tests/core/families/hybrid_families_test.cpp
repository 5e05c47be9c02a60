// Families that mix attention with states: which layers have what, what configurations say of it, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/computation.hpp"
#include "core/arch/validate.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::cannot_say;
using reading::exported;
using reading::lost;
using reading::read;
using reading::refusal;
using reading::type;
using testing::HasSubstr;
using testing_data::golden_architecture;
using testing_data::preset;
using testing_data::with;

// M: a state, *: attention, B: both; behind it - for a feed-forward, E for experts.
std::string pattern_of(const Architecture& arch) {
    std::string text;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const LayerKind kind = layer_kind(arch, layer);
        if (kind.attention || kind.recurrent) text += !kind.attention ? 'M' : kind.recurrent ? 'B' : '*';
        if (kind.feed_forward) text += kind.mixture ? 'E' : '-';
    }
    return text;
}

TEST(GraniteHybrid, LayersAreCalledByOldAndNewWords) {
    json config = type("granitemoehybrid", {{"num_hidden_layers", 3}});
    EXPECT_EQ(pattern_of(read(config)), "MEMEME");
    config["layer_types"] = {"mamba", "attention", "mamba"};
    EXPECT_EQ(pattern_of(read(config)), "ME*EME");
    config["layer_types"] = {"linear_attention", "full_attention", "full_attention"};
    EXPECT_EQ(pattern_of(read(config)), "ME*E*E");
    config["layer_types"] = {"linear_attention", "sliding_attention", "full_attention"};
    EXPECT_THAT(refusal(config), HasSubstr("\"sliding_attention\" is a kind of layer that is not known here"));
}

TEST(GraniteHybrid, WithoutExpertsAllPassTheSharedFeedForward) {
    const Architecture arch =
        read(type("granitemoehybrid", {{"num_local_experts", 0}, {"shared_intermediate_size", 96}}));
    EXPECT_FALSE(arch.layer.mixture);
    EXPECT_EQ(bindings(arch, {})[Symbol::ffn_dim], 96);
    EXPECT_EQ(exported(arch)["shared_intermediate_size"], 96);
}

TEST(GraniteHybrid, PositionsTurnOnlyWhereItSaysSo) {
    EXPECT_EQ(read(type("granitemoehybrid")).positions, Positions::none);
    EXPECT_EQ(read(type("granitemoehybrid", {{"position_embedding_type", "rope"}})).positions, Positions::rope);
    EXPECT_THAT(refusal(type("granitemoehybrid", {{"position_embedding_type", "alibi"}})),
                HasSubstr("position_embedding_type"));
}

TEST(Bamba, LayersThatAreListedHaveAttention) {
    const Architecture arch = read(type("bamba", {{"num_hidden_layers", 4}, {"attn_layer_indices", {1, 3}}}));
    EXPECT_EQ(pattern_of(arch), "M-*-M-*-");
    EXPECT_EQ(exported(arch)["attn_layer_indices"], json({1, 3}));
    EXPECT_THAT(refusal(type("bamba", {{"attn_layer_indices", {99}}})), HasSubstr("99 is not the index of a layer"));
}

TEST(NemotronH, EachLayerIsOneSubBlock) {
    EXPECT_EQ(pattern_of(read(type("nemotron_h"))), "ME*-");
    const Architecture arch = read(type("nemotron_h", {{"hybrid_override_pattern", "M-M*-E"}}));
    EXPECT_EQ(arch.layers, 6);
    EXPECT_EQ(pattern_of(arch), "M-M*-E");
    EXPECT_EQ(exported(arch)["layers_block_type"],
              json({"linear_attention", "mlp", "linear_attention", "full_attention", "mlp", "moe"}));
    EXPECT_THAT(refusal(type("nemotron_h", {{"hybrid_override_pattern", "M-X"}})),
                HasSubstr("\"X\" is no kind of layer"));
    EXPECT_THAT(refusal(type("nemotron_h", {{"moe_latent_size", 64}})), HasSubstr("moe_latent_size"));
    EXPECT_EQ(refusal(type("nemotron_h", {{"moe_latent_size", 64}, {"hybrid_override_pattern", "M-"}})), "");
}

TEST(NemotronH, ItsKindsOfLayersAreToldApartInWords) {
    std::vector<std::string> labels;
    for (const LayerGroup& group : layer_groups(read(type("nemotron_h", {{"hybrid_override_pattern", "ME*E"}}))))
        labels.push_back(group.label);
    EXPECT_THAT(labels, testing::ElementsAre("state space", "mixture", "attention"));
}

TEST(FalconH1, EveryLayerAddsUpAttentionAndAState) {
    const Architecture arch = golden_architecture("falcon-h1-0.5b");
    EXPECT_EQ(pattern_of(arch).substr(0, 4), "B-B-");
    const ModelGraph graph = expand(arch);
    const Node* const sum = graph.first(Op::sum);
    ASSERT_TRUE(sum);
    EXPECT_EQ(graph.tensors[sum->output].id, "layer.mixer.output");
    EXPECT_EQ(graph.tensors[sum->inputs[0]].component, Component::recurrence);
    EXPECT_EQ(graph.tensors[sum->inputs[1]].component, Component::attention);
}

TEST(FalconH1, MultipliersStandOnTheProjections) {
    const Architecture arch = read(type(
        "falcon_h1", {{"key_multiplier", 0.5}, {"attention_in_multiplier", 3.0}, {"mlp_multipliers", {0.25, 2.0}}}));
    const ModelGraph graph = expand(arch);
    const auto factor = [&](Part part) {
        for (const Node& node : graph.nodes)
            if (node.op == Op::linear && graph.tensors[node.output].part == part) return node.rule<LinearRule>().scale;
        return 0.0;
    };
    EXPECT_EQ(factor(Part::query), 3);
    EXPECT_EQ(factor(Part::key), 1.5);
    EXPECT_EQ(factor(Part::gate), 0.25);
    EXPECT_EQ(factor(Part::up), 1);
    EXPECT_EQ(factor(Part::down), 2);
    const auto wrong = [](const json& fields) { return computation_of(read(type("falcon_h1", fields))); };
    EXPECT_FALSE(wrong({{"mlp_multipliers", {1.0}}}));
    EXPECT_FALSE(wrong({{"attention_bias", true}, {"attention_in_multiplier", 2.0}}));
    EXPECT_TRUE(wrong({{"attention_bias", true}}));
}

TEST(Lfm2, TheFeedForwardIsTwoThirdsRoundedUp) {
    const auto width = [](const json& fields) { return bindings(read(type("lfm2", fields)), {})[Symbol::ffn_dim]; };
    EXPECT_EQ(width({{"block_ff_dim", 12288}}), 8192);
    EXPECT_EQ(width({{"block_ff_dim", 6656}}), 4608);
    EXPECT_EQ(width({{"block_ff_dim", 6656}, {"block_auto_adjust_ff_dim", false}}), 6656);
    EXPECT_EQ(width({{"block_ff_dim", 300}, {"block_ffn_dim_multiplier", 1.5}, {"block_multiple_of", 7}}), 301);
}

TEST(Lfm2, LayersWithoutAttentionAreListedOrNamed) {
    EXPECT_EQ(pattern_of(read(type("lfm2", {{"num_hidden_layers", 3}, {"full_attn_idxs", {1}}}))), "M-*-M-");
    const Architecture named =
        read(type("lfm2", {{"num_hidden_layers", 3}, {"layer_types", {"conv", "conv", "full_attention"}}}));
    EXPECT_EQ(pattern_of(named), "M-M-*-");
    EXPECT_EQ(exported(named)["layer_types"], json({"conv", "conv", "full_attention"}));
    EXPECT_TRUE(cannot_say(golden_architecture("lfm2-1.2b"), "recurrence_output_bias", "true"));
}

TEST(Jamba, AttentionAndExpertsComeAfterSoManyLayers) {
    const Architecture arch = read(type("jamba", {{"num_hidden_layers", 13}}));
    EXPECT_EQ(pattern_of(arch), "M-MEM-ME*-MEM-MEM-MEM-ME*-");
    EXPECT_EQ(exported(arch)["attn_layer_period"], 8);
    EXPECT_EQ(exported(arch)["attn_layer_offset"], 4);
    EXPECT_THAT(refusal(type("jamba", {{"attn_layer_offset", 8}})), HasSubstr("attn_layer_offset"));
    EXPECT_EQ(lost(with(golden_architecture("jamba-v0.1"), "recurrence_layers", "110")), "");
    EXPECT_EQ(lost(with(golden_architecture("jamba-v0.1"), "recurrence_layers", "1")), "");
    EXPECT_EQ(lost(with(golden_architecture("jamba-v0.1"), "mixture_layers", "0010")), "");
}

TEST(Mamba, EachRowOfAStateFadesByItself) {
    const Architecture arch = preset("mamba-130m");
    const ModelGraph graph = expand(arch);
    const Node* const decay = graph.first(Op::decay);
    ASSERT_TRUE(decay);
    const Bindings values = bindings(arch, {.tokens = 7});
    EXPECT_EQ(shape_in_numbers(graph.tensors[decay->parameters[0]].shape, values), "1536 × 16");
    EXPECT_EQ(shape_in_numbers(graph.tensors[decay->output].shape, values), "7 × 24576");
}

TEST(Layers, NeitherAMixerNorAFeedForwardIsNoLayer) {
    const Architecture arch = with(with(preset("llama-2-7b"), "mixer_layers", "10"), "ffn_layers", "1");
    EXPECT_TRUE(validate(arch).empty());
    const std::vector<Problem> problems = validate(with(arch, "ffn_layers", "10"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].error.what, "layer 1 has neither a mixer nor a feed-forward");
}

TEST(HybridFamilies, WithoutAStreamToAddToHaveNoPlaceForLaurel) {
    for (const char* const name : {"minimax", "mixtral"}) {
        Architecture arch = read(type(name));
        arch.layer.laurel_rank = 8;
        const std::vector<Problem> problems = validate(arch);
        EXPECT_EQ(problems.empty(), name != std::string_view("minimax")) << name;
        for (const Problem& problem : problems) EXPECT_EQ(problem.error.where, "laurel_rank");
    }
}

}  // namespace
}  // namespace headcount
