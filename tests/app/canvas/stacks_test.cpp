// Models of two stacks: cross-attention has a card of its own, and what the encoder makes comes to it.
#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Size narrow{{{16, 40}, {916, 640}}, 1}, wide{{{16, 40}, {1750, 990}}, 1};  // of 1600x1000 and 2560x1440
constexpr std::array stack_sizes{small_canvas, narrow, wide};
constexpr std::array stack_presets{"t5-small", "t5-11b", "mt5-small"};

// Of a prompt that is shorter than the text that it is about.
Model stacks(const char* id, const Input& input = {.tokens = 10, .source = 40}) { return Model(preset(id), input, id); }

const Scene& whole(const Stage& stage) { return stage.atlas.pages.front().scene; }

// The layers that are drawn, from left to right.
std::vector<Frame> layers_of(const Stage& stage) {
    std::vector<Frame> frames;
    for (const Frame& frame : whole(stage).frames)
        if (frame.kind == FrameKind::layer) frames.push_back(frame);
    std::sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) { return a.rect.min.x < b.rect.min.x; });
    return frames;
}

// Ends of the ways of what the encoder made.
std::vector<const Wire*> ways_of(const Scene& scene, std::string_view tensor) {
    std::vector<const Wire*> ways;
    for (const Wire& wire : scene.wires)
        if (wire.tensor == tensor) ways.push_back(&wire);
    return ways;
}

bool ends_at(const Wire& wire, const Rect& matrix) {
    const Point end = wire.points.back();
    return end.y > matrix.min.y && end.y < matrix.max.y && matrix.min.x - end.x >= 0 && matrix.min.x - end.x < 6;
}

TEST(Stacks, EveryMatrixOfALayerIsDrawnOnceWithItsNameInsideOfItsFrame) {
    for (const char* id : stack_presets)
        for (const Size& size : stack_sizes) {
            const Model model = stacks(id);
            for (const std::string& layer : model.layers()) {
                const Stage stage(model, size, nullptr, layer);
                const Frame frame = *std::find_if(whole(stage).frames.begin(), whole(stage).frames.end(),
                                                  [&](const Frame& each) { return each.id == layer; });
                for (const Tensor& tensor : model.graph.tensors) {
                    if (tensor.role != Role::parameter || tensor.shape.rank() < 2) continue;
                    if (!tensor.id.starts_with(layer + ".")) continue;
                    const std::string where = std::string(id) + text_of(size) + ": " + tensor.id;
                    const auto is_it = [&](const auto& thing) { return thing.id == tensor.id; };
                    const auto names = [&](const Label& label) { return label.id == tensor.id && is_name(label); };
                    EXPECT_EQ(std::count_if(whole(stage).slabs.begin(), whole(stage).slabs.end(), is_it), 1) << where;
                    EXPECT_EQ(std::count_if(whole(stage).labels.begin(), whole(stage).labels.end(), names), 1) << where;
                    const Slab* const slab = single_slab(whole(stage), tensor.id);
                    ASSERT_TRUE(slab) << where;
                    EXPECT_TRUE(holds(frame.rect, slab->rect)) << where;
                }
            }
        }
}

TEST(Stacks, WhatTheEncoderMadeComesToKeysAndValuesAndNotToQueries) {
    for (const char* id : stack_presets)
        for (const Size& size : stack_sizes) {
            const Model model = stacks(id);
            const Stage stage(model, size);
            for (const char* name : {"query", "key", "value"}) {
                const std::string weight = stage.in_layer("cross_attention." + std::string(name) + ".weight");
                const Slab* const slab = single_slab(whole(stage), weight);
                ASSERT_TRUE(slab) << weight;
                const std::vector<const Wire*> ways = ways_of(whole(stage), "encoder.final_norm");
                const auto comes = std::count_if(ways.begin(), ways.end(),
                                                 [&](const Wire* wire) { return ends_at(*wire, slab->rect); });
                EXPECT_EQ(comes, std::string(name) == "query" ? 0 : 1) << id << text_of(size) << ": " << weight;
            }
            EXPECT_TRUE(find_place(stage.atlas, "encoder.final_norm")) << id << text_of(size);
        }
}

TEST(Stacks, ThePointerFindsTheMatricesOfCrossAttention) {
    const Model model = stacks("t5-small");
    for (const Size& size : stack_sizes) {
        const Stage stage(model, size);
        const std::string weight = stage.in_layer("cross_attention.key.weight");
        const WorldRect rect = Placement{}.world(single_slab(whole(stage), weight)->rect);
        const Point on = stage.lens().project({(rect.min.x + rect.max.x) / 2, (rect.min.y + rect.max.y) / 2});
        ASSERT_TRUE(stage.hit(on)) << text_of(size);
        EXPECT_EQ(stage.hit(on)->id, weight) << text_of(size);
    }
}

TEST(Stacks, AHeadOfCrossAttentionComparesEveryTokenWithTheWholeSource) {
    const Model model = stacks("t5-small");
    Stage stage(model, wide);
    const std::string head = stage.in_layer("cross_attention.head");
    const std::optional<Stop> place = find_place(stage.atlas, head, 2);
    ASSERT_TRUE(place);
    stage.go(*place);
    EXPECT_EQ(stage.way().back().id, head);
    const Scene& scene = stage.atlas.pages[place->leaf.page].scene;
    const Slab* const scores = single_slab(scene, head + ".scores");
    ASSERT_TRUE(scores && scores->mask);
    EXPECT_EQ(scores->rows, 10);
    EXPECT_EQ(scores->columns, 40);
    EXPECT_TRUE(scores->sees(0, 39));
    EXPECT_EQ(single_slab(scene, "encoder.final_norm")->rows, 40);
    EXPECT_EQ(single_slab(scene, stage.in_layer("cross_attention.keys"))->rows, 40);
    EXPECT_EQ(single_slab(scene, stage.in_layer("cross_attention.queries"))->rows, 10);
}

TEST(Stacks, ThePageOfCrossAttentionIsFedFromBothStacks) {
    const Model model = stacks("t5-small");
    const Stage stage(model, narrow);
    const std::string block = stage.in_layer("cross_attention");
    const Scene& scene = stage.atlas.pages[find_place(stage.atlas, block)->leaf.page].scene;
    const auto comes = [&](std::string_view tensor, const char* weight) {
        const Slab* const slab = single_slab(scene, block + weight);
        const std::vector<const Wire*> ways = ways_of(scene, tensor);
        return slab &&
               std::any_of(ways.begin(), ways.end(), [&](const Wire* wire) { return ends_at(*wire, slab->rect); });
    };
    EXPECT_TRUE(comes(block + ".norm", ".query.weight"));
    EXPECT_TRUE(comes("encoder.final_norm", ".key.weight"));
    EXPECT_TRUE(comes("encoder.final_norm", ".value.weight"));
}

TEST(Stacks, WhileDecodingKeysAndValuesOfTheSourceAreNotMadeAnew) {
    const auto ways_are_faint = [](const Input& input) {
        const Model model = stacks("t5-small", input);
        const Stage stage(model, narrow);
        const std::vector<const Wire*> ways = ways_of(whole(stage), stage.in_layer("cross_attention.keys"));
        EXPECT_FALSE(ways.empty());
        return std::any_of(ways.begin(), ways.end(), [](const Wire* wire) { return wire->faint; });
    };
    EXPECT_FALSE(ways_are_faint({.tokens = 10, .source = 40}));
    EXPECT_TRUE(ways_are_faint({.tokens = 1, .cached = 20, .source = 40}));
}

TEST(Stacks, StandBesideEachOtherWhereThereIsRoom) {
    const Model model = stacks("t5-small");
    for (const std::string& chosen : model.layers()) {
        EXPECT_EQ(layers_of(Stage(model, small_canvas, nullptr, chosen)).size(), 1U);
        EXPECT_EQ(layers_of(Stage(model, narrow, nullptr, chosen)).size(), 2U);
        const Stage stage(model, wide, nullptr, chosen);
        const std::vector<Frame> layers = layers_of(stage);
        ASSERT_EQ(layers.size(), 2U);
        EXPECT_EQ(layers[0].id, "encoder.layer");
        EXPECT_EQ(layers[1].id, "decoder.layer");
        EXPECT_LT(layers[0].rect.max.x, layers[1].rect.min.x);
        for (const std::string& layer : model.layers()) EXPECT_TRUE(find_place(stage.atlas, layer)) << layer;
        for (const Frame& frame : whole(stage).frames)
            EXPECT_EQ(frame.chosen, frame.kind == FrameKind::choice && frame.id == chosen);
        EXPECT_TRUE(find_place(stage.atlas, "encoder.layer.attention.head", 3));
    }
}

TEST(Stacks, WhoChoosesTheOtherOneStaysWhereHeIs) {
    const Model model = stacks("t5-small");
    Stage decoder(model, wide, nullptr, "decoder.layer");
    const Stage encoder(model, wide, nullptr, "encoder.layer");
    decoder.go(*find_place(decoder.atlas, "decoder.layer.cross_attention"));
    const Lens lens(carried_over(decoder.camera, decoder.atlas, encoder.atlas), wide.area);
    EXPECT_EQ(way_here(encoder.atlas, lens, seen_pages(encoder.atlas, lens)).back().id,
              "decoder.layer.cross_attention");
}

TEST(Stacks, OneStepsFromSubBlockToSubBlockInTheOrderOfTheData) {
    const Model model = stacks("t5-small");
    const Stage stage(model, small_canvas);
    Stop at = *find_place(stage.atlas, "decoder.layer.attention");
    EXPECT_FALSE(neighbour(stage.atlas, at, 0, -1));
    for (const char* next : {"decoder.layer.cross_attention", "decoder.layer.feed_forward"}) {
        at = *neighbour(stage.atlas, at, 0, 1);
        EXPECT_EQ(at.id, next);
    }
    EXPECT_FALSE(neighbour(stage.atlas, at, 0, 1));
}

TEST(Stacks, TheirHeadsShowWhatTheMaskLeaves) {
    const Model model = stacks("t5-small");
    const Stage stage(model, wide);
    const auto mask_of = [&](std::string_view heads) {
        for (const Slab& slab : whole(stage).slabs)
            if (slab.id == heads && slab.grid_columns > 0) return slab.mask->kind;
        return Mask::Kind::window;
    };
    EXPECT_EQ(mask_of("encoder.layer.attention.head.scores"), Mask::Kind::full);
    EXPECT_EQ(mask_of("decoder.layer.attention.head.scores"), Mask::Kind::causal);
    EXPECT_EQ(mask_of("decoder.layer.cross_attention.head.scores"), Mask::Kind::cross);
    const Model gpt2(preset("gpt2"));
    for (const Slab& slab : whole(Stage(gpt2, wide)).slabs)
        EXPECT_EQ(slab.mask.has_value(), slab.grid_columns > 0) << slab.id;
}

}  // namespace
}  // namespace headcount
