// What RWKV-6's and RWKV-7's configurations leave to rules, what of them is refused, and what their layers are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/memory.hpp"
#include "core/graph/graph.hpp"
#include "tests/core/families/reading.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::read;
using reading::refusal;
using reading::type;
using ::testing::HasSubstr;

json goose() { return type("rwkv7", {{"hidden_size", 1024}, {"num_hidden_layers", 3}, {"vocab_size", 50}}); }

TEST(Rwkv, BottlenecksThatAreNullFollowFromTheWidth) {
    json config = goose();
    for (const char* const field : {"decay_low_rank_dim", "a_low_rank_dim", "v_low_rank_dim", "gate_low_rank_dim"})
        config[field] = nullptr;
    const Recurrence state = *read(config).layer.recurrence;
    EXPECT_EQ(state.step_rank, 64);  // 2.5 · 32 is 80, two and a half times 32: to even
    EXPECT_EQ(state.write_rank, 64);
    EXPECT_EQ(state.value_rank, 64);  // of 54.4
    EXPECT_EQ(state.gate_rank, 160);
    const Recurrence absent = *read(goose()).layer.recurrence;
    EXPECT_EQ(absent.step_rank, 64);
    EXPECT_EQ(absent.value_rank, 16);
}

TEST(Rwkv, BottlenecksOfTheSixthAreWiderInTheWidestModels) {
    const json small = type("rwkv6", {{"hidden_size", 2048}}), large = type("rwkv6");
    EXPECT_EQ(read(small).layer.recurrence->blend_rank, 32);
    EXPECT_EQ(read(small).layer.recurrence->step_rank, 64);
    EXPECT_EQ(read(large).layer.recurrence->blend_rank, 64);
    EXPECT_EQ(read(large).layer.recurrence->step_rank, 128);
}

TEST(Rwkv, RefusesWhatIsNotKnown) {
    json config = goose();
    config["attn"] = {{"layers", {1}}};
    EXPECT_THAT(refusal(config), HasSubstr("attn"));
    config = goose();
    config["value_dim"] = {1024, 2048, 1024};
    EXPECT_THAT(refusal(config), HasSubstr("value_dim"));
    config["value_dim"] = {1024, 1024, 1024};
    EXPECT_EQ(refusal(config), "");
    config = goose();
    config["head_dim"] = 48;
    EXPECT_THAT(refusal(config), HasSubstr("48 columns of a head do not divide a width of 1024"));
    config = goose();
    config["hidden_act"] = "gelu";
    EXPECT_THAT(refusal(config), HasSubstr("hidden_act"));
    EXPECT_THAT(refusal(type("rwkv6", {{"proj_low_rank_dim", 32}})), HasSubstr("flash-linear-attention"));
}

TEST(Rwkv, TheFirstLayerGivesTheValuesThatLaterOnesTakeSomeOf) {
    const Architecture arch = read(goose());
    const ModelGraph graph = expand(arch);
    ASSERT_EQ(graph.layers.size(), 2u);
    EXPECT_TRUE(graph.layers[0].group.kind.gives_values);
    EXPECT_EQ(graph.layers[1].group.count, 2);
    const auto given = std::ranges::find(graph.tensors, Part::first_values, &Tensor::part);
    ASSERT_NE(given, graph.tensors.end());
    EXPECT_EQ(graph.layer_of(given->block), 0u);
    const auto index = static_cast<TensorIndex>(given - graph.tensors.begin());
    EXPECT_TRUE(std::ranges::any_of(graph.nodes, [&](const Node& node) {
        return graph.layer_of(node.block) == 1u && std::ranges::find(node.inputs, index) != node.inputs.end();
    }));
    for (const StoredTensor& tensor : graph.stored) {
        if (tensor.name.find("v_lora") == tensor.name.npos) continue;
        EXPECT_EQ(tensor.layer, 1u) << tensor.name;
    }
}

// Peng et al. 2024: a head's state is 64 × 64, and two rows of tokens are kept besides; in float32 and bfloat16.
TEST(Rwkv, StatesTakeTheSameOfAnyText) {
    for (const char* const name : {"rwkv6", "rwkv7"}) {
        const Architecture arch =
            read(type(name, {{"hidden_size", 2048}, {"num_hidden_layers", 24}, {"vocab_size", 65536}}));
        const MemoryFormulas formulas(arch, expand(arch), {});
        for (const std::int64_t tokens : {100, 5000}) {
            const Result<Memory> memory = formulas.at(bindings(arch, {.tokens = tokens}));
            ASSERT_TRUE(memory) << sentence(memory.error());
            EXPECT_EQ(memory->states.bytes, 24 * (32 * 64 * 64 * 4 + 2 * 2048 * 2)) << name;
        }
    }
}

}  // namespace
}  // namespace headcount
