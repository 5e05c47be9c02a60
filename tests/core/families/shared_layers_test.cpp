// Layers that share a transformer's layer: whose weights are counted, where they are stored, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/parameters.hpp"
#include "tests/core/families/reading.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::read;
using reading::type;
using testing::HasSubstr;

json small(json more = json::object()) {
    json fields{{"hidden_size", 32},        {"num_hidden_layers", 4},
                {"num_attention_heads", 4}, {"intermediate_size", 44},
                {"vocab_size", 40},         {"mamba_d_state", 12},
                {"n_mamba_heads", 8},       {"adapter_rank", 6},
                {"num_mem_blocks", 2},      {"layers_block_type", {"linear_attention", "hybrid", "hybrid", "hybrid"}}};
    fields.update(more);
    return type("zamba2", fields);
}

const StoredTensor* stored(const ModelGraph& graph, const std::string& name) {
    const auto found = std::ranges::find(graph.stored, name, &StoredTensor::name);
    return found == graph.stored.end() ? nullptr : &*found;
}

TEST(SharedLayers, KeepTheirWeightsInTheFirstLayerThatHasThem) {
    const ModelGraph graph = expand(read(small()), Cache::empty);
    for (const char* const first : {"1", "2"}) {
        const StoredTensor* const queries =
            stored(graph, std::string("model.layers.") + first + ".shared_transformer.self_attn.q_proj.weight");
        ASSERT_TRUE(queries) << first;
        EXPECT_FALSE(queries->layer) << "counted once, in no layer";
        EXPECT_EQ(queries->copies, Expr(1));
        EXPECT_EQ(queries->shape, (Shape{Expr(Symbol::heads) * Symbol::head_dim, Expr(2) * Symbol::dim}));
    }
    EXPECT_FALSE(stored(graph, "model.layers.3.shared_transformer.self_attn.q_proj.weight"));
}

TEST(SharedLayers, HaveAdaptersOfTheirOwn) {
    const ModelGraph graph = expand(read(small()), Cache::empty);
    const StoredTensor* const third =
        stored(graph, "model.layers.1.shared_transformer.feed_forward.gate_up_proj_adapter_list.2.1.weight");
    ASSERT_TRUE(third && third->layer);
    EXPECT_EQ(graph.layers[*third->layer].group.first, 3) << "stored with the weights that it stands beside";
    EXPECT_EQ(third->parts.size(), 2u) << "of the gate and of what passes it";
}

TEST(SharedLayers, TakeTheSameWeightsAsOthersOfTheirSet) {
    const ModelGraph graph = expand(read(small()), Cache::empty);
    const auto weights_of = [&](std::int64_t layer) {
        std::vector<TensorIndex> all;
        for (const Node& node : graph.nodes) {
            const auto group = graph.layer_of(node.block);
            if (!group || graph.layers[*group].group.first != layer) continue;
            for (const TensorIndex each : node.parameters)
                if (graph.tensors[each].shared_in) all.push_back(each);
        }
        return all;
    };
    EXPECT_FALSE(weights_of(1).empty());
    EXPECT_EQ(weights_of(1), weights_of(3));
    EXPECT_NE(weights_of(1), weights_of(2));
    EXPECT_TRUE(weights_of(0).empty());
}

TEST(SharedLayers, HaveAllTheirOwnWhereTheHeadIsNotTheEmbedding) {
    const ModelGraph graph = expand(read(small({{"tie_word_embeddings", false}})), Cache::empty);
    for (const Tensor& tensor : graph.tensors) EXPECT_FALSE(tensor.shared_in) << tensor.id;
    EXPECT_TRUE(stored(graph, "model.layers.3.shared_transformer.self_attn.q_proj.weight"));
    // An adapter that is of no use leaves it so.
    const ModelGraph idle = expand(
        read(small(
            {{"tie_word_embeddings", false}, {"use_shared_attention_adapter", true}, {"num_key_value_heads", 2}})),
        Cache::empty);
    for (const Tensor& tensor : idle.tensors) EXPECT_FALSE(tensor.shared_in) << tensor.id;
}

TEST(SharedLayers, AreBuiltAlikeThoughEachIsAKindOfItsOwn) {
    const ModelGraph graph = expand(read(small()), Cache::empty);
    ASSERT_EQ(graph.layers.size(), 4u);
    const std::vector<LayerLook> looks = looks_of(graph);
    ASSERT_EQ(looks.size(), 2u);
    EXPECT_EQ(looks[1].kinds, (std::vector<std::size_t>{1, 2, 3}));
    EXPECT_EQ(looks[1].count, 3);
    EXPECT_EQ(graph.layers[1].group.label, "shared 1");
    EXPECT_EQ(graph.layers[3].group.look, "shared");
}

TEST(SharedLayers, RefuseToRunWhatDoesNotFit) {
    const auto why = [](const json& more) {
        const Result<Computation> computation = computation_of(read(small(more)));
        return computation ? std::string() : sentence(computation.error());
    };
    EXPECT_EQ(why(json::object()), "");
    EXPECT_THAT(why({{"hybrid_layer_ids", {1, 2}}}), HasSubstr("hybrid_layer_ids"));
    EXPECT_THAT(why({{"use_shared_attention_adapter", true}, {"num_key_value_heads", 2}}),
                HasSubstr("use_shared_attention_adapter"));
    EXPECT_THAT(why({{"attention_hidden_size", 48}}), HasSubstr("attention_hidden_size"));
}

TEST(SharedLayers, HaveAtLeastOneSetOfWeights) {
    EXPECT_THAT(reading::refusal(small({{"num_mem_blocks", 0}})), HasSubstr("num_mem_blocks"));
}

TEST(Borrowing, NeedsAnEarlierLayerOfItsKind) {
    for (const char* const name : {"gemma3n_text", "gemma4_text"}) {
        const auto why = [&](int borrowing) {
            return reading::refusal(type(
                name, {{"num_hidden_layers", 4},
                       {"num_kv_shared_layers", borrowing},
                       {"layer_types", {"full_attention", "sliding_attention", "sliding_attention", "full_attention"}},
                       {"activation_sparsity_pattern", {0.0, 0.0, 0.0, 0.0}}}));
        };
        EXPECT_EQ(why(2), "") << name;
        for (const int all : {3, 4, 99}) EXPECT_THAT(why(all), HasSubstr("num_kv_shared_layers")) << name;
    }
}

}  // namespace
}  // namespace headcount
