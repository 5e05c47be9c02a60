// Families whose layers have a state: Mamba-2 and Qwen3-Next. Which layers do, what configurations say of it, and what
// is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/arch/computation.hpp"
#include "core/base/json_file.hpp"
#include "core/families/unknown.hpp"
#include "core/files/config.hpp"
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
using testing_data::preset;
using testing_data::with;

std::string states(const Architecture& arch) {
    std::string text;
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) text += layer_kind(arch, layer).recurrent ? '1' : '0';
    return text;
}

StepRule step_of(const json& limit) { return computation_of(read(type("mamba2", {{"time_step_limit", limit}})))->step; }

class GoldenRecurrent : public testing::TestWithParam<std::string> {};

TEST_P(GoldenRecurrent, IsTheSameFromEveryFieldAndFromFew) {
    const json model = testing_data::golden_model(GetParam());
    Architecture every = read(model["config"]), few = read(model["config_sparse"]);
    EXPECT_THAT(unread_fields(every), testing::IsEmpty());
    EXPECT_EQ(*computation_of(every), *computation_of(few));
    every.carried = few.carried = {};
    EXPECT_EQ(every, few);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenRecurrent,
                         testing::Values("mamba2-130m", "mamba2-2.7b", "mamba-codestral-7b", "qwen3-next-80b-a3b",
                                         "granite-4.0-h-tiny", "bamba-9b", "falcon-h1-7b", "lfm2-1.2b", "lfm2-8b-a1b",
                                         "mamba-130m", "falcon-mamba-7b", "jamba-v0.1"),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(Mamba2, EveryLayerHasAStateAndNothingElse) {
    const Architecture arch = read(type("mamba2", {{"num_hidden_layers", 3}}));
    EXPECT_FALSE(attends(arch));
    ASSERT_EQ(layer_groups(arch).size(), 1u);
    EXPECT_EQ(layer_groups(arch).front().kind,
              (LayerKind{.rotated = false, .attention = false, .recurrent = true, .feed_forward = false}));
}

TEST(Mamba2, HeadsAreAsWideAsTheWidthExpanded) {
    const json wide{{"hidden_size", 64}, {"expand", 3}, {"num_heads", 12}, {"head_dim", 16}, {"n_groups", 4}};
    EXPECT_EQ(refusal(type("mamba2", wide)), "");
    EXPECT_EQ(
        refusal(type("mamba2", {{"hidden_size", 64}})),
        "128 heads of 64 are not the 128 columns of expand · hidden_size: config.json, num_heads: give num_heads · "
        "head_dim = expand · hidden_size");
    EXPECT_THAT(refusal(type("recurrent_gemma", {{"lru_width", 2561}})),
                HasSubstr("10 blocks do not divide 2,561 columns evenly"));
    EXPECT_THAT(refusal(type("mamba2", {{"n_groups", 3}})), HasSubstr("n_groups"));
    EXPECT_THAT(refusal(type("mamba2", {{"expand", std::int64_t{1} << 62}})), HasSubstr("num_heads"));
}

TEST(Mamba2, ThereIsNoLimitOfAStepUnlessOneIsSaid) {
    const StepRule none;
    EXPECT_EQ(computation_of(preset("mamba2-130m"))->step, none);
    EXPECT_EQ(step_of({0.0, {{"__float__", "Infinity"}}}), none);
    EXPECT_EQ(step_of({0.0, nullptr}), none);
    EXPECT_EQ(step_of(nullptr), none);
    EXPECT_EQ(step_of({0.01, 0.5}), (StepRule{.least = 0.01, .most = 0.5}));
    const json file = *parse_json(R"({"model_type": "mamba2", "time_step_limit": [0.25, Infinity]})", "config.json");
    EXPECT_EQ(computation_of(read(file))->step, (StepRule{.least = 0.25}));
    for (const json& wrong : {json(0.5), json({0.5}), json({0.5, 0.1}), json({-1, 1}), json({"a", 1})}) {
        const Result<Computation> made = computation_of(read(type("mamba2", {{"time_step_limit", wrong}})));
        ASSERT_FALSE(made) << wrong;
        EXPECT_THAT(sentence(made.error()), HasSubstr("time_step_limit")) << wrong;
    }
}

TEST(Mamba2, IsExportedAsTransformersWritesIt) {
    const json unlimited = exported(read(type("mamba2", {{"time_step_limit", {0.0, "Infinity"}}})));
    EXPECT_EQ(unlimited["time_step_limit"], json({0.0, {{"__float__", "Infinity"}}}));
    const json wide = exported(with(with(preset("mamba2-130m"), "state_heads", "36"), "state_groups", "4"));
    EXPECT_EQ(wide["expand"], 3);
    EXPECT_EQ(wide["n_groups"], 4);
    EXPECT_EQ(lost(with(preset("mamba2-130m"), "dim", "512")), "") << "24 heads of 64 are 3 times as wide";
    EXPECT_EQ(lost(with(preset("mamba2-130m"), "heads", "4")), "") << "no layer has any of them";
}

TEST(Mamba2, WhatItsFileHasNoWordForIsNamed) {
    EXPECT_THAT(lost(with(preset("mamba2-130m"), "state_heads", "25")), HasSubstr("columns of expand"));
    for (const auto& [field, text] : {std::pair("recurrence", "gated_delta"),
                                      {"recurrence_layers", "01"},
                                      {"ffn_layers", "1"},
                                      {"state_dim", "none"},
                                      {"positions", "rope"}})
        EXPECT_TRUE(cannot_say(preset("mamba2-130m"), field, text));
}

TEST(Qwen3Next, ThreeOfFourLayersHaveAStateOrThoseThatAreListed) {
    json config{{"model_type", "qwen3_next"}, {"num_hidden_layers", 9}};
    EXPECT_EQ(states(read(config)), "111011101");
    config["full_attention_interval"] = 2;
    EXPECT_EQ(states(read(config)), "101010101");
    const char *full = "full_attention", *linear = "linear_attention";
    config["layer_types"] = {full, linear, linear, full, full, linear, full, full, linear};
    EXPECT_EQ(states(read(config)), "011001001");
    config["layer_types"][3] = "sliding_attention";
    EXPECT_THAT(refusal(config), HasSubstr("\"sliding_attention\" is a kind of layer that is not known here"));
    config.erase("layer_types");
    config["full_attention_interval"] = 1;
    EXPECT_FALSE(read(config).layer.recurrence);
}

TEST(Qwen3Next, SaysHowManyLayersAreOfWhichKind) {
    const std::vector<LayerGroup> groups = layer_groups(preset("qwen3-next-80b-a3b"));
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[0].label + " " + std::to_string(groups[0].count), "linear 36");
    EXPECT_EQ(groups[1].label + " " + std::to_string(groups[1].count), "attention 12");
}

TEST(Qwen3Next, OneIsAddedToTheWeightsOfAllNormsButTheStates) {
    const ModelGraph graph = expand(preset("qwen3-next-80b-a3b"));
    for (const Node& node : graph.nodes) {
        if (node.op != Op::norm || node.parameters.empty()) continue;
        const bool of_state = graph.tensors[node.output].part == Part::state_norm;
        EXPECT_EQ(node.rule<NormRule>().offset, of_state ? 0 : 1) << graph.tensors[node.output].id;
    }
}

TEST(Qwen3Next, AQuarterOfEachHeadIsTurned) {
    EXPECT_EQ(read(type("qwen3_next")).layer.attention.rotary_dim, 64);
    const json half{{"rope_type", "default"}, {"rope_theta", 100.0}, {"partial_rotary_factor", 0.5}};
    EXPECT_EQ(read(type("qwen3_next", {{"rope_parameters", half}})).layer.attention.rotary_dim, 128);
}

TEST(Qwen3Next, WithoutExpertsEveryLayerIsDense) {
    const Architecture dense = read(type("qwen3_next", {{"num_experts", 0}, {"shared_expert_intermediate_size", 7}}));
    EXPECT_FALSE(dense.layer.mixture);
    EXPECT_EQ(exported(dense)["num_experts"], 0);
    EXPECT_EQ(lost(with(preset("qwen3-next-80b-a3b"), "experts", "none")), "");
}

TEST(Qwen3Next, WhatWasChangedIsExportedOrNamed) {
    const Architecture next = preset("qwen3-next-80b-a3b");
    EXPECT_EQ(exported(with(next, "recurrence_layers", "110"))["full_attention_interval"], 3);
    const json listed = exported(with(with(next, "layers", "3"), "recurrence_layers", "010"))["layer_types"];
    EXPECT_EQ(listed, json({"full_attention", "linear_attention", "full_attention"}));
    for (const auto& [field, text] : {std::pair("recurrence", "mamba2"),
                                      {"conv_bias", "true"},
                                      {"recurrence_bias", "true"},
                                      {"output_gate", "false"},
                                      {"shared_gate", "false"}})
        EXPECT_TRUE(cannot_say(next, field, text));
}

}  // namespace
}  // namespace headcount
