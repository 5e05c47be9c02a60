// Pictures stay even where there is little room: ways end at what they lead to and pass beside matrices, a card's room
// goes to those that need it, words keep clear of signs and edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Size medium_canvas{{{16, 40}, {940, 640}}, 1};  // of a window of 1600x1000

bool strikes(Point from, Point to, const Rect& rect) {
    const Rect line = around(from, to);
    return line.min.x < rect.max.x && line.max.x > rect.min.x && line.min.y < rect.max.y && line.max.y > rect.min.y;
}

TEST(Even, ABlockWithManyMatricesGetsWhatTheOthersHaveToSpare) {
    for (const char* const id : {"kimi-linear-48b-a3b", "olmo-hybrid-7b", "apertus-70b"}) {
        const Scene scene = layout_model(layout_input(Model(preset(id)), small_canvas));
        EXPECT_EQ(std::ranges::count_if(scene.doors, &Door::closed), 0) << id;
    }
}

TEST(Even, WhereAllWouldBeClosedOneThatHasRoomByItselfIsOpen) {
    for (const char* const id : {"gemma-3n-e2b", "gemma-3n-e4b"}) {
        const Scene scene = layout_model(layout_input(Model(preset(id)), small_canvas));
        EXPECT_FALSE(std::ranges::all_of(scene.doors, &Door::closed)) << id;
    }
}

TEST(Even, AClosedBlockSaysWhatItsMatricesAreCalledInAsManyLinesAsHaveRoom) {
    constexpr Size enlarged{{{16, 40}, {776, 600}}, 1.5F};
    const Scene scene = layout_model(layout_input(Model(preset("qwen3-next-80b-a3b")), enlarged));
    ASSERT_TRUE(std::ranges::any_of(scene.doors, &Door::closed));
    for (const Door& door : scene.doors) {
        if (!door.closed) continue;
        const bool mixes = door.block.ends_with("feed_forward");
        for (const char* const name : mixes ? std::initializer_list<const char*>{"W_r", "W_gate", "W_up", "W_down"}
                                            : std::initializer_list<const char*>{"W_q", "W_k", "W_v", "W_z", "W_o"})
            EXPECT_TRUE(std::ranges::any_of(
                scene.labels, [&](const Label& label) { return label.text == name && door.rect.contains(label.at); }))
                << door.block << " " << name;
    }
}

TEST(Even, AClosedBlockHasEachOfItsMatricesBesideItsName) {
    int matrices = 0;
    for (const char* const id : {"rwkv-7-world-1.5b", "gemma-3n-e2b"}) {
        const Model model(preset(id));
        const Scene scene = layout_model(layout_input(model, small_canvas));
        for (const Door& door : scene.doors) {
            if (!door.closed) continue;
            for (const Node& node : model.graph.nodes)
                for (const TensorIndex index : node.parameters) {
                    const Tensor& tensor = model.graph.tensors[index];
                    if (!tensor.id.starts_with(door.block + ".") || tensor.shape.rank() < 2) continue;
                    const auto slab = std::ranges::find(scene.slabs, tensor.id, &Slab::id);
                    ASSERT_NE(slab, scene.slabs.end()) << id << " " << tensor.id;
                    const auto name = std::ranges::find_if(scene.labels, [&](const Label& label) {
                        return label.id == tensor.id && label.role == TextRole::name;
                    });
                    ASSERT_NE(name, scene.labels.end()) << id << " " << tensor.id;
                    EXPECT_TRUE(door.rect.holds(slab->rect)) << id << " " << tensor.id;
                    EXPECT_NEAR(name->at.x, slab->rect.max.x, 8) << id << " " << tensor.id;
                    ++matrices;
                }
        }
    }
    EXPECT_GE(matrices, 15);
}

TEST(Even, OnTheWayToASubBlockSomethingOfItIsAlwaysInSight) {
    int pictures = 0;
    for (const char* const id : {"rwkv-7-world-1.5b", "qwen3-next-80b-a3b"})
        for (const Size& size : {small_canvas, Size{{{16, 40}, {886, 332}}, 1.5F}}) {
            const Model model(preset(id));
            Stage stage(model, size);
            const Camera begin = stage.camera;
            for (const Door& door : std::vector(stage.atlas.pages.front().scene.doors)) {
                if (!door.closed) continue;
                stage.go(*find_place(stage.atlas, door.block));
                const Camera end = stage.camera;
                for (int step = 0; step <= 12; ++step, ++pictures) {
                    // As the wheel goes there: what is pointed at stays where it is.
                    const double zoom = begin.zoom * std::pow(end.zoom / begin.zoom, step / 12.0);
                    const double way = (1 / zoom - 1 / begin.zoom) / (1 / end.zoom - 1 / begin.zoom);
                    stage.camera = {
                        .x = begin.x + (end.x - begin.x) * way, .y = begin.y + (end.y - begin.y) * way, .zoom = zoom};
                    const Drawing& drawing = stage.compose(model);
                    EXPECT_TRUE(std::ranges::any_of(drawing.regions,
                                                    [&](const Region& region) {
                                                        return region.matrix && region.id.starts_with(door.block) &&
                                                               region.rect.overlaps(size.area);
                                                    }))
                        << id << text_of(size) << " " << door.block << " at " << zoom;
                }
            }
        }
    EXPECT_GE(pictures, 26);
}

TEST(Even, APageOfAHeadLiesAcrossACanvasThatIsFarWider) {
    const auto shape = [](const Size& size) {
        const Stage stage(Model(preset("tiny-stories")), size);
        const auto page = std::ranges::find(stage.atlas.pages, stage.in_layer("attention.head"), &Page::block);
        EXPECT_NE(page, stage.atlas.pages.end());
        return page == stage.atlas.pages.end() ? 0 : page->bounds.width() / page->bounds.height();
    };
    EXPECT_GT(shape({{{20, 222}, {893, 544}}, 1.25F}), 2.2F) << "of a run, to a class";
    EXPECT_LT(shape(small_canvas), 1.9F);
}

TEST(Even, AWayThatLeadsToHeadsEndsAtThem) {
    int grids = 0;
    for (const Preset& preset : telling_presets())
        for (const Size& size : {small_canvas, medium_canvas}) {
            const Model model(preset.architecture, Input{}, preset.id);
            const Scene scene = layout_model(layout_input(model, size));
            for (const Slab& slab : scene.slabs) {
                const bool of_heads = std::ranges::any_of(scene.labels, [&](const Label& label) {
                    return label.id == slab.id && (label.text.ends_with(" heads") || label.text.ends_with(" head"));
                });
                if (slab.grid_columns == 0 || !of_heads) continue;
                ++grids;
                EXPECT_TRUE(std::ranges::any_of(scene.wires,
                                                [&](const Wire& wire) {
                                                    const Point end = wire.points.back();
                                                    return wire.arrow && std::abs(end.x + 1 - slab.rect.min.x) < 1 &&
                                                           std::abs(end.y - slab.rect.centre().y) < 2;
                                                }))
                    << preset.id << text_of(size) << " " << slab.id;
            }
        }
    EXPECT_GT(grids, 40 / static_cast<int>(testing_data::stride));
}

TEST(Even, WhatARowMakesForALaterStepPassesBelowTheOthers) {
    const Scene scene = layout_model(layout_input(Model(preset("recurrentgemma-2b")), small_canvas));
    int ways = 0;
    for (const Wire& wire : scene.wires)
        for (std::size_t i = 1; i < wire.points.size(); ++i)
            for (const Slab& slab : scene.slabs) {
                const bool across = wire.points[i].y == wire.points[i - 1].y;
                if (!across || slab.look != SlabLook::parameter || !slab.id.starts_with("layer.linear")) continue;
                ++ways;
                EXPECT_FALSE(strikes(wire.points[i - 1], wire.points[i], slab.rect.grown(-1)))
                    << wire.tensor << " through " << slab.id;
            }
    EXPECT_GT(ways, 0);
}

TEST(Even, NoSignLiesOnAMatrix) {
    constexpr float sign = 6;  // design pixels: a little less than half of one
    int signs = 0;
    for (const Preset& preset : telling_presets())
        for (const Size& size : {small_canvas, medium_canvas}) {
            const Model model(preset.architecture, Input{}, preset.id);
            const Scene scene = layout_model(layout_input(model, size));
            for (const FlowMark& mark : scene.marks)
                for (const Slab& slab : scene.slabs) {
                    const bool in_block = std::ranges::any_of(scene.doors, [&](const Door& door) {
                        return door.rect.contains(mark.centre) && door.rect.contains(slab.rect.centre());
                    });
                    signs += in_block;
                    EXPECT_FALSE(in_block && around(mark.centre, mark.centre).grown(sign).overlaps(slab.rect))
                        << preset.id << text_of(size) << " " << mark.id << " on " << slab.id;
                }
        }
    EXPECT_GT(signs, 100);
}

TEST(Even, PositionsOfTokensAboveAStackStandInTheirChips) {
    constexpr float inset = 2;
    for (const char* const id : {"moonshine-base", "whisper-tiny", "t5-small"}) {
        const Scene scene = layout_model(layout_input(Model(preset(id)), canvas_sizes[1]));
        int chips = 0;
        for (const Slab& chip : scene.slabs) {
            if (!chip.token) continue;
            ++chips;
            EXPECT_TRUE(std::ranges::any_of(
                scene.labels,
                [&](const Label& label) {
                    const float left = label.at.x - left_of_anchor(label.anchor, label.width);
                    const bool number = std::ranges::all_of(label.text, [](char c) { return c >= '0' && c <= '9'; });
                    return number && chip.rect.contains({left, label.at.y}) && left >= chip.rect.min.x + inset &&
                           left + label.width <= chip.rect.max.x - inset;
                }))
                << id << ": no position in a chip at " << chip.rect.min.x;
        }
        EXPECT_GE(chips, 3) << id;
    }
}

TEST(Even, ASubBlockWhoseCardIsTooLowForItsLanesHasAPageOfItsOwnGround) {
    const auto own_ground = [](const char* id, const Size& size, std::string_view rest) {
        const Stage stage(Model(preset(id)), size);
        const auto page = std::ranges::find(stage.atlas.pages, stage.in_layer(rest), &Page::block);
        EXPECT_NE(page, stage.atlas.pages.end()) << id;
        return page != stage.atlas.pages.end() && page->own_ground;
    };
    EXPECT_TRUE(own_ground("qwen3-next-80b-a3b", small_canvas, "linear_attention"));
    EXPECT_FALSE(own_ground("llama-3.1-8b", small_canvas, "attention"));
    EXPECT_FALSE(own_ground("qwen3-next-80b-a3b", canvas_sizes[2], "linear_attention"));
    const Model model(preset("qwen3-next-80b-a3b"));
    Stage stage(model, small_canvas);
    stage.go(*find_place(stage.atlas, stage.in_layer("linear_attention")));
    const Drawing& drawing = stage.compose(model);
    for (const char* const name : {"W_q", "W_k", "W_v", "W_z", "W_b", "W_a", "W_o", "Q", "K", "V"})
        EXPECT_NE(std::ranges::find(drawing.labels, name, &PlacedLabel::text), drawing.labels.end()) << name;
}

TEST(Even, NamesKeepClearOfSigns) {
    int names = 0;
    for (const char* const id : {"olmo-hybrid-7b", "qwen3-next-80b-a3b", "recurrentgemma-2b", "rwkv-7-world-1.5b"})
        for (const Size& size : {small_canvas, medium_canvas}) {
            const Model model(preset(id));
            Stage stage(model, size);
            const Drawing& drawing = stage.compose(model);
            const Scene& scene = stage.atlas.pages.front().scene;
            for (const PlacedLabel& label : drawing.labels)
                for (const FlowMark& mark : scene.marks) {
                    const Point centre = stage.lens().project(Placement{}.world(mark.centre));
                    names += label.role == TextRole::name;
                    EXPECT_FALSE(around(centre, centre).grown(mark_radius - 1).overlaps(ink_of(label)))
                        << id << text_of(size) << " " << label.text << " on " << mark.id;
                }
        }
    EXPECT_GT(names, 100);
}

TEST(Even, WordsInAHeadsCardKeepClearOfItsEdge) {
    int words = 0;
    for (const char* const id : {"gpt2", "gpt-oss-20b", "llama-3.1-8b", "deepseek-v3"}) {
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        const auto page = std::ranges::find_if(stage.atlas.pages,
                                               [](const Page& each) { return each.block.ends_with("attention.head"); });
        ASSERT_NE(page, stage.atlas.pages.end()) << id;
        stage.go(*find_place(stage.atlas, page->block));
        const Drawing& drawing = stage.compose(model);
        for (const SeenPage& each : stage.seen()) {
            if (&stage.atlas.pages[each.leaf.page] != &*page || each.clarity < clear_enough) continue;
            for (const Frame& frame : page->scene.frames) {
                if (frame.kind != FrameKind::card) continue;
                const Lens lens = stage.lens();
                const Rect card = around(lens.project(each.placement.world(frame.rect.min)),
                                         lens.project(each.placement.world(frame.rect.max)));
                for (const PlacedLabel& label : drawing.labels) {
                    if (label.role == TextRole::name || !ink_of(label).overlaps(card)) continue;
                    ++words;
                    EXPECT_TRUE(card.grown(-3).holds(ink_of(label))) << id << ": " << label.text;
                }
            }
        }
    }
    EXPECT_GT(words, 8);
}

}  // namespace
}  // namespace headcount
