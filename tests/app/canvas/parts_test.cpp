// Layers of more than a mixer and a feed-forward: each part has a card, and what comes in beside the stream is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/files/config.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Rect parts_area{{16, 40}, {922, 640}};

Scene scene_in_layer(const Model& model, const std::string& layer = std::string(main_layer)) {
    LayoutInput input = layout_input(model, {parts_area});
    input.layer = layer;
    return layout_model(input);
}

// Of whose layers some have a transformer's layer before their mixer, with two sets of weights in turn.
Model sharing() {
    nlohmann::json kinds = nlohmann::json::array();
    for (int layer = 0; layer < 12; ++layer) kinds.push_back(layer % 3 == 1 ? "hybrid" : "mamba");
    return Model(*read_config({{"model_type", "zamba2"},
                               {"hidden_size", 2048},
                               {"num_hidden_layers", 12},
                               {"num_attention_heads", 32},
                               {"num_key_value_heads", 32},
                               {"intermediate_size", 8192},
                               {"num_mem_blocks", 2},
                               {"tie_word_embeddings", true},
                               {"layers_block_type", kinds}},
                              "config.json"));
}

std::int64_t drawn_as(const Scene& scene, std::string_view id, SlabLook look) {
    return std::ranges::count_if(scene.slabs, [&](const Slab& each) { return each.id == id && each.look == look; });
}

TEST(LayerParts, HaveACardEach) {
    for (const Model& model : preset_models())
        for (const std::string& layer : model.layers()) {
            if (model.graph.has_encoder()) continue;
            const Scene scene = scene_in_layer(model, layer);
            for (const Block& block : model.graph.blocks) {
                if (block.parent != model.graph.find_block(layer) - model.graph.blocks.data()) continue;
                const bool runs = std::ranges::any_of(
                    model.graph.nodes, [&](const Node& node) { return &model.graph.blocks[node.block] == &block; });
                const auto cards = std::ranges::count(scene.doors, block.id, &Door::block);
                EXPECT_EQ(cards, runs ? 1 : 0) << model.name << " " << block.id;
            }
        }
}

TEST(LayerParts, ShowWhatComesInBesideTheStream) {
    const Scene own = scene_in_layer(Model(preset("gemma-4-e2b")));
    EXPECT_EQ(drawn_as(own, "layer.layer_input.numbers", SlabLook::activation), 1);
    EXPECT_EQ(drawn_as(own, "layer.attention.borrowed_keys", SlabLook::activation), 1);
    EXPECT_EQ(drawn_as(own, "layer.attention.borrowed_values", SlabLook::activation), 1);
    const Scene shared = scene_in_layer(sharing(), "layer_shared_2");
    EXPECT_EQ(drawn_as(shared, "kept", SlabLook::activation), 1);
}

TEST(LayerParts, OfLayersThatShareThemAreDrawnInEach) {
    const Model model = sharing();
    for (const char* layer : {"layer_shared_1", "layer_shared_2", "layer_shared_3"}) {
        const Scene scene = scene_in_layer(model, layer);
        std::int64_t queries = 0;
        for (const char* set : {"layer_shared_1", "layer_shared_2"})
            queries += drawn_as(scene, std::string(set) + ".shared_attention.query.weight", SlabLook::parameter);
        EXPECT_EQ(queries, 1) << layer;
        EXPECT_EQ(std::ranges::count(scene.frames, FrameKind::choice, &Frame::kind), 2) << layer;
        EXPECT_TRUE(std::ranges::any_of(scene.labels, [](const Label& label) {
            return label.text.find("shared") != std::string::npos && label.text.find("(4)") != std::string::npos;
        })) << layer;
    }
}

TEST(LayerParts, NameTheScaleOfALayer) {
    for (const char* id : {"gemma-4-31b", "gemma-4-e4b"}) {
        const Scene scene = scene_in_layer(Model(preset(id)));
        EXPECT_TRUE(std::ranges::any_of(scene.labels, [](const Label& label) {
            return label.text == "s" && label.id.ends_with(".scale.weight");
        })) << id;
    }
}

}  // namespace
}  // namespace headcount
