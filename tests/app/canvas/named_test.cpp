// No matrix is ever without its name, flat or tilted, in the whole model and where one goes to a sub-block.
#include <gtest/gtest.h>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

// The canvas of a window of 1280x720, and at an interface scale of 150 %, of which that has room for 106.
constexpr Size named_sizes[] = {small_canvas, {{{16, 40}, {666, 420}}, 1.06F}};

// What is trained, however small, and squares that stand for heads or experts from so many design pixels on; in a
// grid's squares all have the grid's name.
bool has_to_be_named(const Model& model, const Slab& slab, const Rect& seen, float unit) {
    constexpr float least_grid = 28;
    const Tensor* const tensor = model.graph.find(slab.id);
    if (slab.grid_columns > 0) return std::max(seen.width(), seen.height()) >= least_grid * unit;
    return slab.look == SlabLook::parameter && tensor && tensor->shape.rank() > 1;
}

class Naming {
  public:
    int matrices = 0;

    void check(Stage& stage, const Model& model, const std::string& where) {
        const Drawing& drawing = stage.compose(model);
        const Looks looks{.unit = stage.size.unit};
        const Lens lens = stage.lens();
        for (const SeenPage& seen : stage.seen()) {
            if (seen.clarity < clear_enough) continue;
            const PageView view(stage.atlas, seen, lens, looks);
            for (const Slab& slab : view.page.scene.slabs) {
                const Rect box = view.screen_box(slab.rect);
                if (view.clarity(slab.door) < clear_enough || !stage.size.area.holds(box)) continue;
                if (!has_to_be_named(model, slab, box, stage.size.unit)) continue;
                ++matrices;
                const bool named = std::ranges::any_of(drawing.labels, [&](const PlacedLabel& each) {
                    const bool own = each.id == slab.id || (!slab.named_by.empty() && each.id == slab.named_by);
                    return own && (each.role == TextRole::name || each.role == TextRole::title);
                });
                EXPECT_TRUE(named) << where << ": " << slab.id << " on the page of '" << view.page.block << "'";
            }
        }
    }
};

TEST(Named, EveryMatrixIsFlatAndTiltedInTheModelAndInEachBlock) {
    Naming naming;
    for (const Preset& preset : telling_presets()) {
        const Model model(preset.architecture, Input{}, preset.id);
        for (const Size& size : named_sizes)
            for (const std::string& layer : model.layers())
                for (const View view : views) {
                    Stage stage(model, size, nullptr, layer);
                    if (view == View::tilted) stage.go_tilted();
                    const std::string where = model.name + text_of(size) + ", " + layer +
                                              (view == View::tilted ? ", tilted, at '" : ", at '");
                    for (const Page& page : stage.atlas.pages) {
                        const auto stop = find_place(stage.atlas, page.block);
                        ASSERT_TRUE(stop) << where << page.block;
                        stage.go(*stop);
                        naming.check(stage, model, where + page.block + "'");
                    }
                }
    }
    EXPECT_GT(naming.matrices, 20'000 / static_cast<int>(testing_data::stride));
}

TEST(Named, ABlockWithoutRoomForTheNamesOfItsMatricesIsDrawnByItsNameAlone) {
    const Model model(preset("gemma-3n-e4b"));
    const auto closed = [&](const Size& size) {
        const Scene scene = layout_model(layout_input(model, size));
        return std::ranges::count_if(scene.doors, &Door::closed);
    };
    EXPECT_GE(closed(small_canvas), 2);
    EXPECT_EQ(closed({{{16, 40}, {1916, 1260}}}), 0);
    Stage stage(model, small_canvas);
    const std::optional<Stop> stop = find_place(stage.atlas, stage.in_layer("attention"));
    ASSERT_TRUE(stop);
    stage.go(*stop);
    const std::vector<SeenPage> seen = stage.seen();
    const auto page = std::ranges::find(seen, stop->leaf, &SeenPage::leaf);
    ASSERT_NE(page, seen.end());
    EXPECT_GE(page->clarity, 0.99F) << "one comes nearer, and it is there";
}

TEST(Named, TiltedWhatStandsInACardHasItsNameWhereNoMatrixIs) {
    int names = 0;
    for (const char* const id : {"gemma-3n-e2b", "olmo-hybrid-7b", "gemma-4-26b-a4b", "qwen2-57b-a14b"}) {
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        stage.go_tilted();
        const Drawing& drawing = stage.compose(model);
        const Scene& scene = stage.atlas.pages.front().scene;
        for (const Label& label : scene.labels) {
            const bool in_card = std::ranges::any_of(scene.frames, [&](const Frame& frame) {
                return frame.kind == FrameKind::component && frame.rect.contains(label.at);
            });
            const bool drawn = std::ranges::any_of(scene.slabs, [&](const Slab& slab) { return slab.id == label.id; });
            const Tensor* const tensor = model.graph.find(label.id);
            const bool norm = tensor && tensor->component == Component::norm;
            if (label.role != TextRole::name || drawn || norm || !in_card) continue;
            ++names;
            EXPECT_TRUE(std::ranges::any_of(
                drawing.labels,
                [&](const PlacedLabel& each) { return each.id == label.id && each.text == label.text; }))
                << id << ": " << label.text;
        }
    }
    EXPECT_GE(names, 4);
}

TEST(Named, TiltedAMatrixInAColumnHasItsNameAtItselfAndNotAtTheFootOfAnother) {
    constexpr float nearby = 11;
    int names = 0;
    for (const char* const id : {"mamba2-2.7b", "nemotron-h-8b", "zamba2-7b"}) {
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        stage.go_tilted();
        const Drawing& drawing = stage.compose(model);
        const Looks looks{.unit = stage.size.unit};
        const std::vector<SeenPage> pages = stage.seen();
        const Lens lens = stage.lens();
        const PageView view(stage.atlas, pages.front(), lens, looks);
        for (const Slab& slab : view.page.scene.slabs) {
            const auto name = std::ranges::find_if(drawing.labels, [&](const PlacedLabel& each) {
                return each.id == slab.id && each.role == TextRole::name;
            });
            if (name == drawing.labels.end() || !slab.id.starts_with(model.mixer())) continue;
            ++names;
            EXPECT_LE(away(ink_of(*name), view.screen_box(slab.rect)), nearby) << id << ": " << name->text;
        }
    }
    EXPECT_GE(names, 30);
}

TEST(Named, TiltedAPageIsClearWhereOneGoesToIt) {
    for (const char* const id : {"zamba2-7b", "mamba2-2.7b", "llama-2-7b", "qwen3-next-80b-a3b"}) {
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        stage.go_tilted();
        const std::optional<Stop> stop = find_place(stage.atlas, model.mixer());
        ASSERT_TRUE(stop) << id;
        stage.go(*stop);
        const std::vector<SeenPage> seen = stage.seen();
        const auto page = std::ranges::find(seen, stop->leaf, &SeenPage::leaf);
        ASSERT_NE(page, seen.end()) << id;
        EXPECT_GE(page->clarity, 0.99F) << id;
    }
}

TEST(Named, ANameIsClearOfTheRingAroundItsMatrix) {
    int above = 0;
    const Model model(preset("llama-2-7b"));
    for (const Size& size : {canvas_sizes[0], Size{{{20, 60}, {848, 544}}, 1.25F}}) {
        SCOPED_TRACE(text_of(size));
        Stage stage(model, size);
        stage.go(*find_place(stage.atlas, "layer"));
        const Looks looks{
            .unit = size.unit,
            .glow = [](std::string_view id) { return id.ends_with(".weight") ? Glow::selected : Glow::none; },
            .text_width = [&](std::string_view text, TextRole role) { return stage_width(text, role, size.unit); }};
        compose(stage.atlas, stage.seen(), {model.graph, model.numbers}, stage.lens(), stage_palette(), looks,
                stage.drawing);
        for (const PlacedLabel& label : stage.drawing.labels) {
            const auto matrix = std::ranges::find_if(
                stage.drawing.regions, [&](const Region& region) { return region.matrix && region.id == label.id; });
            const Rect ink = ink_of(label);
            if (label.role != TextRole::name || !label.id.ends_with(".weight") || matrix == stage.drawing.regions.end())
                continue;
            if (ink.max.y > matrix->rect.centre().y || ink.max.x < matrix->rect.min.x || ink.min.x > matrix->rect.max.x)
                continue;
            ++above;
            EXPECT_LE(ink.max.y, matrix->rect.min.y - 6 * size.unit + 0.01F) << label.text;
        }
    }
    EXPECT_GE(above, 4) << "names of matrices stand above them";
}

TEST(Named, WhatIsLeftOutInTheEndTakesNoPlaceBefore) {
    const Model model(preset("t5-base"));
    int shown = 0;
    for (float width = 600; width < 1000; width += 10) {
        const Stage stage(model, {{{16, 40}, {16 + width, 426}}, 1}, nullptr, "decoder.layer");
        const Scene& scene = stage.atlas.pages.front().scene;
        const auto says_shape = [&](const char* part) {
            const std::string id = stage.in_layer("cross_attention." + std::string(part) + ".weight");
            return std::ranges::any_of(
                scene.labels, [&](const Label& each) { return each.id == id && each.role == TextRole::number; });
        };
        EXPECT_EQ(says_shape("query"), says_shape("key")) << width << ": they have the same room";
        shown += says_shape("query");
    }
    EXPECT_GT(shown, 0);
}

TEST(Named, TiltedWhatALowCardMakesIsNamedOnItsLine) {
    const Model model(preset("t5-small"));
    Stage stage(model, small_canvas);
    stage.go_tilted();
    const Drawing& drawing = stage.compose(model);
    for (const char* const made : {"Q", "K", "V", "W_q", "W_k", "W_v", "W_o", "W_up", "W_down"})
        EXPECT_NE(std::ranges::find(drawing.labels, made, &PlacedLabel::text), drawing.labels.end()) << made;
    const Looks looks{.unit = stage.size.unit};
    const std::vector<SeenPage> pages = stage.seen();
    const Lens lens = stage.lens();
    const TiltedLines lines(PageView(stage.atlas, pages.front(), lens, looks));
    int grounds = 0;
    for (const PlacedLabel& label : drawing.labels) {
        EXPECT_EQ(label.ground != 0, lines.cross(ink_of(label))) << label.text << ": a line ends beside its words";
        EXPECT_TRUE(label.id.empty() || !lines.covers_kept(ink_of(label))) << label.text;
        grounds += label.ground != 0;
    }
    EXPECT_GT(grounds, 2);
}

}  // namespace
}  // namespace headcount
