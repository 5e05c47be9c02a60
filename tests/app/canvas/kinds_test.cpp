// Models whose layers differ: each kind can be chosen and looked at, and everything in it is found.
#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

std::vector<Frame> choices(const Scene& scene) {
    std::vector<Frame> found;
    std::copy_if(scene.frames.begin(), scene.frames.end(), std::back_inserter(found),
                 [](const Frame& frame) { return frame.kind == FrameKind::choice; });
    return found;
}

TEST(Kinds, EveryParameterOfEachKindHasAPlaceWhereThatKindIsLookedAt) {
    for (const Model& model : all_models())
        for (const std::string& layer : model.layers()) {
            const Stage stage(model, canvas_sizes[1], nullptr, layer);
            EXPECT_EQ(stage.atlas.layer, layer) << model.name;
            EXPECT_TRUE(find_place(stage.atlas, layer)) << model.name << " " << layer;
            for (const Tensor& tensor : model.graph.tensors) {
                // Numbers that a rule gives and nothing here reads are listed, and not drawn.
                const bool stored = tensor.role == Role::parameter || (tensor.role == Role::buffer && !tensor.idle);
                if (!stored || !tensor.id.starts_with(layer + ".")) continue;
                const std::optional<Stop> stop = find_place(stage.atlas, tensor.id);
                ASSERT_TRUE(stop) << model.name << ": " << tensor.id;
                EXPECT_EQ(stop->id, tensor.id) << model.name;
            }
        }
}

TEST(Kinds, OneOfThemIsChosen) {
    for (const Model& model : preset_models())
        for (const std::string& layer : model.layers()) {
            const Stage stage(model, canvas_sizes[1], nullptr, layer);
            const std::vector<Frame> found = choices(stage.atlas.pages.front().scene);
            if (model.layers().size() == 1) {
                EXPECT_TRUE(found.empty()) << model.name;
                continue;
            }
            EXPECT_EQ(found.size(), looks_of(model.graph).size()) << model.name;
            for (const Frame& frame : found)
                EXPECT_EQ(frame.chosen, frame.id == layer) << model.name << " " << frame.id;
        }
}

TEST(Kinds, TheOneThatIsLookedAtHasItsNameHoweverLittleRoomThereIs) {
    for (const Model& model : preset_models())
        for (const LayerBlock& layer : model.graph.layers) {
            const std::string& id = model.graph.blocks[layer.block].id;
            const Stage stage(model, small_canvas, nullptr, id);
            const Scene& scene = stage.atlas.pages.front().scene;
            for (const Frame& frame : choices(scene)) {
                if (!frame.chosen) continue;
                EXPECT_TRUE(std::ranges::any_of(scene.labels,
                                                [&](const Label& label) {
                                                    return label.holder == frame.rect &&
                                                           label.text.starts_with(layer.group.look);
                                                }))
                    << model.name << ": " << id;
            }
        }
}

TEST(Kinds, WithoutSuchAKindThatOfTheMostLayersIsShown) {
    const Model model(preset("deepseek-v3"));
    EXPECT_EQ(Stage(model, canvas_sizes[1], nullptr, "layer_full").atlas.layer, "layer");
    EXPECT_EQ(Stage(model, canvas_sizes[1], nullptr, "layer_dense").atlas.layer, "layer_dense");
}

TEST(Kinds, WhoLooksAtAnotherKindStaysAtThePlace) {
    const Model model(preset("gpt-oss-20b"));
    Stage sliding(model, canvas_sizes[1], nullptr, "layer");
    const Stage full(model, canvas_sizes[1], nullptr, "layer_full");
    sliding.go(*find_place(sliding.atlas, "layer.attention"));
    const Lens lens(carried_over(sliding.camera, sliding.atlas, full.atlas), sliding.size.area);
    EXPECT_EQ(way_here(full.atlas, lens, seen_pages(full.atlas, lens)).back().id, "layer_full.attention");
}

TEST(Kinds, ExpertsThatATokenIsSentToAreLit) {
    const Model model(preset("mixtral-8x7b"));
    const Stage stage(model, canvas_sizes[1]);
    int grids = 0;
    for (const Page& page : stage.atlas.pages)
        for (const Slab& slab : page.scene.slabs) {
            if (slab.grid_lit == 0) continue;
            EXPECT_EQ(slab.grid_lit, 2);
            EXPECT_EQ(slab.grid_cells, 8);
            ++grids;
        }
    EXPECT_EQ(grids, 2);  // of the whole model, and of its feed-forward
}

TEST(Kinds, AWindowLeavesABandOfTheScores) {
    Architecture arch = preset("gpt-oss-20b");
    const Model model(arch, Input{.tokens = 1000});
    for (std::string_view layer : {"layer", "layer_full"}) {
        const Stage stage(model, canvas_sizes[1], nullptr, layer);
        for (const Page& page : stage.atlas.pages)
            for (const Slab& slab : page.scene.slabs) {
                if (!slab.mask) continue;
                EXPECT_EQ(slab.mask->size, layer == "layer" ? 128 : 0) << slab.id;
            }
    }
}

}  // namespace
}  // namespace headcount
