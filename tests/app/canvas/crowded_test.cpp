// Words where there is little room: of a window of 1280x720, seen tilted, beside what is too tall, along rulers.
#include <gtest/gtest.h>

#include <cmath>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr std::array crowded_models{"llama-2-7b", "gpt2",        "deepseek-v3",
                                    "t5-base",    "mamba2-2.7b", "qwen3-next-80b-a3b"};

Rect on_screen(const Stage& stage, const Rect& of_model) {
    const Placement whole;
    return around(stage.lens().project(whole.world(of_model.min)), stage.lens().project(whole.world(of_model.max)));
}

const PlacedLabel* word_of(const Drawing& drawing, std::string_view id, TextRole role) {
    const auto found = std::ranges::find_if(
        drawing.labels, [&](const PlacedLabel& each) { return each.id == id && each.role == role; });
    return found == drawing.labels.end() ? nullptr : &*found;
}

Rect swatch_of(const Stage& stage, const Frame& frame) {
    const Point corner = on_screen(stage, frame.rect).min;
    const float unit = stage.size.unit;
    const float down = stage.camera.zoom > 1 ? 0 : frame.title_raised;  // its page has the title as usual
    return {{corner.x + title_swatch.min.x * unit, corner.y + title_swatch.min.y * unit - down},
            {corner.x + title_swatch.max.x * unit, corner.y + title_swatch.max.y * unit - down}};
}

TEST(CrowdedWords, TiltedTheModelFillsTheCanvasAndNoLineRunsThroughItsNumbers) {
    for (const char* const id : crowded_models) {
        SCOPED_TRACE(id);
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        stage.go_tilted();
        const Rect& area = stage.size.area;
        Rect seen{area.max, area.min};
        for (const Frame& frame : stage.atlas.pages.front().scene.frames) {
            if (frame.kind != FrameKind::layer) continue;
            for (const Point corner : frame.rect.corners()) {
                const Point at = stage.lens().project(Placement{}.world(corner));
                EXPECT_TRUE(area.contains(at)) << at.x << ", " << at.y;
                seen = {{std::min(seen.min.x, at.x), std::min(seen.min.y, at.y)},
                        {std::max(seen.max.x, at.x), std::max(seen.max.y, at.y)}};
            }
        }
        EXPECT_TRUE(seen.width() > 0.7F * area.width() || seen.height() > 0.6F * area.height());
        const Drawing& drawing = stage.compose(model);
        const Looks looks{.unit = stage.size.unit};
        const std::vector<SeenPage> pages = stage.seen();
        const Lens lens = stage.lens();
        const PageView view(stage.atlas, pages.front(), lens, looks);
        const TiltedLines lines(view);
        for (const PlacedLabel& label : drawing.labels) {
            const bool of_choice = std::ranges::any_of(view.page.scene.labels, [&](const Label& each) {
                return each.text == label.text && is_choices(view, each);
            });
            const bool number = label.role == TextRole::number || (label.role == TextRole::caption && !of_choice);
            EXPECT_FALSE(number && lines.cross(ink_of(label))) << label.text << " of " << label.id;
        }
    }
}

TEST(CrowdedWords, NoneLieOnTheSwatchOfATitle) {
    int swatches = 0;
    for (const char* const id : crowded_models) {
        SCOPED_TRACE(id);
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        for (const Door& door : stage.atlas.pages.front().scene.doors) {
            const auto place = find_place(stage.atlas, door.block);
            if (!place) continue;
            SCOPED_TRACE(door.block);
            stage.go(*place);
            const Drawing& drawing = stage.compose(model);
            for (const Frame& frame : stage.atlas.pages.front().scene.frames) {
                if (frame.kind != FrameKind::component) continue;
                const Rect swatch = swatch_of(stage, frame);
                if (!stage.size.area.holds(swatch)) continue;
                ++swatches;
                for (const PlacedLabel& label : drawing.labels)
                    EXPECT_FALSE(letters_of(label).overlaps(swatch)) << label.text;
            }
        }
    }
    EXPECT_GE(swatches, 10);
}

TEST(CrowdedWords, ANameThatIsLedToItsMatrixLeavesTheSwatchesFree) {
    const Model model(preset("transformer-base"));
    constexpr Size before_class{{{20, 60}, {848, 540}}, 1.25F};  // of a window of 1280x720
    Stage stage(model, before_class);
    const Drawing& drawing = stage.compose(model);
    int swatches = 0;
    for (const Frame& frame : stage.atlas.pages.front().scene.frames) {
        if (frame.kind != FrameKind::component) continue;
        ++swatches;
        const Rect swatch = swatch_of(stage, frame);
        for (const PlacedLabel& label : drawing.labels)
            EXPECT_FALSE(letters_of(label).overlaps(swatch)) << label.text << " of " << label.id;
    }
    EXPECT_EQ(swatches, 3);
}

TEST(CrowdedWords, TiltedMatricesAboveEachOtherAreAllNamed) {
    for (const auto& [id, size] :
         {std::pair("llama-2-7b", small_canvas), {"llama-2-7b", canvas_sizes[1]}, {"gpt2", canvas_sizes[1]}}) {
        const Model model(preset(id));
        Stage stage(model, size);
        stage.go_tilted();
        const Drawing& drawing = stage.compose(model);
        for (const char* const part : {"query", "key", "value"})
            EXPECT_TRUE(word_of(drawing, stage.in_layer("attention." + std::string(part) + ".weight"), TextRole::name))
                << id << text_of(size) << " " << part;
        for (const char* const made : {"Q", "K", "V"})
            EXPECT_NE(std::ranges::find(drawing.labels, made, &PlacedLabel::text), drawing.labels.end())
                << id << text_of(size) << " " << made;
    }
}

TEST(CrowdedWords, WhatEachAttentionMakesIsNamedFlatAndTilted) {
    for (const char* const id : {"llama-2-7b", "gpt2", "bert-base-uncased", "t5-small", "whisper-tiny"})
        for (const View view : views) {
            const Model model(preset(id));
            Stage stage(model, small_canvas);
            if (view == View::tilted) stage.go_tilted();
            const Drawing& drawing = stage.compose(model);
            const auto attentions = std::ranges::count_if(stage.atlas.pages.front().scene.doors, [](const Door& door) {
                return !door.grid && door.block.ends_with("attention");
            });
            ASSERT_GE(attentions, 1) << id;
            for (const char* const made : {"Q", "K", "V"})
                EXPECT_EQ(std::ranges::count(drawing.labels, made, &PlacedLabel::text), attentions)
                    << id << " " << made << (view == View::tilted ? ", tilted" : "");
        }
}

TEST(CrowdedWords, TiltedKindsToBeChosenFromHaveTheirWordsOnThem) {
    for (const char* const id : {"t5-small", "whisper-tiny", "deepseek-v3", "qwen3-next-80b-a3b", "lfm2-8b-a1b"})
        for (const Size& size : {small_canvas, canvas_sizes[0], canvas_sizes[1]}) {
            const Model model(preset(id));
            Stage stage(model, size);
            stage.go_tilted();
            const Drawing& drawing = stage.compose(model);
            std::size_t kinds = 0;
            for (const Label& label : stage.atlas.pages.front().scene.labels) {
                if (!label.holder || !label.id.empty()) continue;
                const auto chip =
                    std::ranges::find(stage.atlas.pages.front().scene.frames, *label.holder, &Frame::rect);
                ASSERT_NE(chip, stage.atlas.pages.front().scene.frames.end());
                if (chip->kind != FrameKind::choice) continue;
                const auto words = std::ranges::find(drawing.labels, label.text, &PlacedLabel::text);
                ASSERT_NE(words, drawing.labels.end()) << id << text_of(size) << " " << label.text;
                EXPECT_TRUE(ink_of(*words).contains(on_screen(stage, chip->rect).centre())) << id << label.text;
                ++kinds;
            }
            EXPECT_EQ(kinds, looks_of(model.graph).size()) << id;
        }
}

TEST(CrowdedWords, ATitleStaysAtItsOwnCardWhereItIsSeenSmaller) {
    const Model model(preset("t5-small"));
    std::size_t seen = 0;
    for (const Size& size : {canvas_sizes[0], Size{{{16, 40}, {796, 470}}}}) {
        Stage stage(model, size);
        stage.go(*find_place(stage.atlas, "embedding.weight"));
        const Drawing& drawing = stage.compose(model);
        std::vector<Rect> cards;
        for (const Frame& frame : stage.atlas.pages.front().scene.frames)
            if (frame.kind == FrameKind::component) cards.push_back(on_screen(stage, frame.rect));
        ASSERT_EQ(cards.size(), 3U);
        std::size_t card = 0;
        for (const char* const title : {"Self-attention", "Cross-attention", "Feed-forward"}) {
            const Rect& own = cards[card++];
            const auto words = std::ranges::find(drawing.labels, title, &PlacedLabel::text);
            if (own.min.x + 150 * size.unit > size.area.max.x) continue;
            ++seen;
            ASSERT_NE(words, drawing.labels.end()) << title << text_of(size);
            EXPECT_TRUE(own.contains(ink_of(*words).centre())) << title << text_of(size);
            const Rect swatch{{own.min.x + title_swatch.min.x * size.unit, own.min.y + title_swatch.min.y * size.unit},
                              {own.min.x + title_swatch.max.x * size.unit, own.min.y + title_swatch.max.y * size.unit}};
            EXPECT_EQ(words->ground != 0, ink_of(*words).overlaps(swatch)) << title << ": it hides what it lies on";
        }
    }
    EXPECT_GE(seen, 3U);
}

TEST(CrowdedWords, AMatrixThatStandsAslantLeavesRoomBesideIt) {
    const Model model(preset("gpt2"));
    Stage stage(model, small_canvas);
    stage.camera.tilt = 0.62, stage.camera.turn = 0.14;
    stage.go(*find_place(stage.atlas, ""));
    const Drawing& drawing = stage.compose(model);
    const Looks looks{.unit = stage.size.unit};
    const std::vector<SeenPage> pages = stage.seen();
    const Lens lens = stage.lens();
    const PageView view(stage.atlas, pages.front(), lens, looks);
    const std::vector<Slab>& slabs = stage.atlas.pages.front().scene.slabs;
    const Rect& table = std::ranges::find(slabs, "embedding.weight", &Slab::id)->rect;
    const PlacedLabel* const name = word_of(drawing, "positions.weight", TextRole::name);
    ASSERT_TRUE(name);
    EXPECT_TRUE(view.screen_box(table).overlaps(ink_of(*name)));
    EXPECT_FALSE(view.screen_quad(table).overlaps(ink_of(*name)));
    EXPECT_TRUE(view.screen_quad(table).contains(view.screen(table.centre())));
}

TEST(CrowdedWords, TiltedANameIsNearItsMatrixAndNoOtherStandsBetweenThem) {
    int names = 0;
    for (const char* const id : {"t5-small", "t5-base", "whisper-tiny"})
        for (const Size& size : {small_canvas, canvas_sizes[0], canvas_sizes[1]}) {
            SCOPED_TRACE(id + text_of(size));
            const Model model(preset(id));
            Stage stage(model, size);
            stage.go_tilted();
            const Drawing& drawing = stage.compose(model);
            const std::vector<Slab>& slabs = stage.atlas.pages.front().scene.slabs;
            const Looks looks{.unit = size.unit};
            const std::vector<SeenPage> pages = stage.seen();
            const Lens lens = stage.lens();
            const PageView view(stage.atlas, pages.front(), lens, looks);
            for (const Slab& slab : slabs) {
                const PlacedLabel* const name = word_of(drawing, slab.id, TextRole::name);
                if (!name || std::ranges::count(slabs, slab.id, &Slab::id) != 1) continue;
                ++names;
                const Rect ink = ink_of(*name), box = on_screen(stage, slab.rect);
                const float across = std::max({0.0F, ink.min.x - box.max.x, box.min.x - ink.max.x});
                EXPECT_LE(across, 100 * size.unit) << name->text;
                const Rect between{{box.max.x, ink.centre().y - 1}, {ink.min.x, ink.centre().y + 1}};
                if (ink.min.x <= box.max.x || ink.centre().y > box.max.y || ink.centre().y < box.min.y) continue;
                const std::string bias = slab.id.substr(0, slab.id.rfind('.')) + ".bias";
                for (const Slab& other : slabs)
                    EXPECT_FALSE(other.id != slab.id && other.id != bias &&
                                 view.screen_quad(other.rect).overlaps(between))
                        << other.id << " before " << name->text;
            }
        }
    EXPECT_GT(names, 60);
}

TEST(CrowdedWords, TiltedEveryCardHasItsTitleAndACountStandsUnderItsShape) {
    int counts = 0;
    for (const char* const id : crowded_models) {
        SCOPED_TRACE(id);
        const Model model(preset(id));
        Stage stage(model, canvas_sizes[0]);
        stage.go_tilted();
        const Drawing& drawing = stage.compose(model);
        for (const Label& title : stage.atlas.pages.front().scene.labels) {
            if (title.role != TextRole::title || !title.id.starts_with("component.")) continue;
            EXPECT_NE(std::ranges::find(drawing.labels, title.text, &PlacedLabel::text), drawing.labels.end())
                << title.text;
        }
        const auto layer = std::ranges::find_if(
            drawing.labels, [](const PlacedLabel& each) { return each.text.starts_with("Layer "); });
        ASSERT_NE(layer, drawing.labels.end());
        for (const PlacedLabel& beside : drawing.labels) {
            if (beside.id != layer->id || beside.role != TextRole::caption) continue;
            EXPECT_LE(std::abs(beside.at.y - layer->at.y), 2) << beside.text;
            EXPECT_GE(beside.at.x, layer->at.x + layer->width) << beside.text;
        }
        for (const Label& count : stage.atlas.pages.front().scene.labels) {
            if (count.role != TextRole::number || count.tone != Tone::low || !count.matrix) continue;
            const auto shown = std::ranges::find(drawing.labels, count.text, &PlacedLabel::text);
            if (shown == drawing.labels.end()) continue;
            ++counts;
            EXPECT_TRUE(std::ranges::any_of(drawing.labels, [&](const PlacedLabel& shape) {
                return shape.id == shown->id && shape.role == TextRole::number && shape.at.y < shown->at.y &&
                       shape.at.y > shown->at.y - 1.5F * shape.height;
            })) << count.text;
        }
    }
    EXPECT_GT(counts, 0);
}

TEST(CrowdedWords, TiltedANameBesideALongMatrixStandsAtItsEnd) {
    int beside = 0;
    for (const char* const id : crowded_models) {
        const Model model(preset(id));
        Stage stage(model, small_canvas);
        stage.go_tilted();
        const Drawing& drawing = stage.compose(model);
        const auto at = [&](float x, float y) { return stage.lens().project(Placement{}.world(Point{x, y})); };
        for (const Slab& slab : stage.atlas.pages.front().scene.slabs) {
            const PlacedLabel* const name = word_of(drawing, slab.id, TextRole::name);
            if (!name || slab.rect.width() < 10 * slab.rect.height()) continue;
            const Rect ink = ink_of(*name);
            const Point left = at(slab.rect.min.x, slab.rect.centre().y),
                        right = at(slab.rect.max.x, slab.rect.centre().y);
            const bool is_left = ink.max.x <= left.x, is_right = ink.min.x >= right.x;
            if (!is_left && !is_right) continue;
            ++beside;
            EXPECT_LE(std::abs((is_left ? left : right).y - ink.centre().y), name->height) << id << " " << name->text;
        }
    }
    EXPECT_GT(beside, 0);
}

TEST(CrowdedWords, ANormsNameIsAtItsWeightAndNotAtWhatItMakes) {
    int names = 0;
    for (const char* const id : crowded_models) {
        const Model model(preset(id));
        const Stage stage(model, small_canvas);
        for (const Page& page : stage.atlas.pages)
            for (const Label& label : page.scene.labels) {
                if (label.text != "Norm" || !label.matrix) continue;
                const auto slab = std::ranges::find(page.scene.slabs, *label.matrix, &Slab::rect);
                ASSERT_NE(slab, page.scene.slabs.end());
                EXPECT_TRUE(slab->look == SlabLook::parameter || slab->look == SlabLook::hollow) << id << slab->id;
                ++names;
            }
    }
    EXPECT_GT(names, 0);
}

TEST(CrowdedWords, WhatNarrowsAFeedForwardIsNamedNextToIt) {
    constexpr float next_to = 12;
    for (const Size& size : {small_canvas, canvas_sizes[0], canvas_sizes[1], canvas_sizes[2]})
        for (const char* const id : {"llama-2-7b", "llama-3.1-8b", "gpt2", "t5-base"}) {
            const Model model(preset(id));
            Stage stage(model, size);
            const std::string down = stage.in_layer("feed_forward.down.weight");
            const PlacedLabel* const name = word_of(stage.compose(model), down, TextRole::name);
            ASSERT_TRUE(name) << id << text_of(size);
            for (const Slab& slab : stage.atlas.pages.front().scene.slabs) {
                if (slab.id != down) continue;
                const Rect matrix = on_screen(stage, slab.rect).grown(next_to * size.unit);
                EXPECT_TRUE(matrix.overlaps(ink_of(*name))) << id << text_of(size) << " at " << name->at.x;
            }
        }
}

TEST(CrowdedWords, NamesKeepOffTheMarksOfSidesAndRulersOffTheWaysIn) {
    for (const char* const id : {"llama-2-7b", "gpt2", "t5-base"})
        for (const Size& size : {small_canvas, canvas_sizes[1], canvas_sizes[2]}) {
            const Model model(preset(id));
            Stage stage(model, size);
            const std::string query = stage.in_layer("attention.query.weight");
            const std::optional<Stop> stop = find_place(stage.atlas, query);
            ASSERT_TRUE(stop);
            stage.go(*stop);
            const Rect matrix = around(stage.lens().project(stop->rect.min), stage.lens().project(stop->rect.max));
            const Drawing& drawing = stage.compose(model);
            const PlacedLabel* const name = word_of(drawing, query, TextRole::name);
            ASSERT_TRUE(name) << id << text_of(size);
            const Looks looks{.unit = size.unit};
            const std::vector<SeenPage> pages = stage.seen();
            const Lens lens = stage.lens();
            for (const PlacedLabel& label : drawing.labels) {
                const Rect ink = ink_of(label);
                if (label.id != query) continue;
                const bool is_named = label.role == TextRole::name;
                const float mark = side_mark * size.unit;
                const bool above = is_named && ink.max.y < matrix.min.y + mark && ink.min.x < matrix.max.x;
                EXPECT_FALSE(above && ink.max.y > matrix.min.y - mark + 0.5F && ink.max.x > matrix.min.x)
                    << id << text_of(size) << ": " << label.text;
                for (const SeenPage& page : pages)
                    if (page.leaf == stop->leaf && ink.max.x < matrix.min.x) {
                        const ClearWords lines(PageView(stage.atlas, page, lens, looks));
                        EXPECT_FALSE(lines.crossed({}, ink)) << id << text_of(size) << ": " << label.text;
                    }
            }
        }
}

TEST(CrowdedWords, EveryMatrixOfARecurrenceBesideExpertsIsNamed) {
    const Model model(preset("qwen3-next-80b-a3b"));
    Stage stage(model, small_canvas);
    const Drawing& drawing = stage.compose(model);
    int named = 0;
    for (const Slab& slab : stage.atlas.pages.front().scene.slabs) {
        const Tensor* const tensor = model.graph.find(slab.id);
        if (slab.look != SlabLook::parameter || tensor->shape.rank() < 2) continue;
        EXPECT_TRUE(word_of(drawing, slab.id, TextRole::name)) << slab.id;
        named += slab.id.starts_with(stage.in_layer("linear_attention"));
    }
    EXPECT_EQ(named, 10) << "six that are read first, three filters, and the one at the end";
}

}  // namespace
}  // namespace headcount
