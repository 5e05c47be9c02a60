// Words on a sub-block's page: they stay in its card, and each is at its own matrix.
#include <gtest/gtest.h>

#include <cmath>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

// One has gone to a model's attention: its page, and what is drawn.
struct AtAttention {
    AtAttention(const char* id, const Size& size) : model(preset(id)), stage(model, size) {
        block = stage.in_layer("attention");
        stage.go(*find_place(stage.atlas, block));
        drawing = &stage.compose(model);
        lens.emplace(stage.lens());
        looks.unit = size.unit;
        pages = stage.seen();
        for (const SeenPage& page : pages)
            if (stage.atlas.pages[page.leaf.page].block == block) view.emplace(stage.atlas, page, *lens, looks);
    }

    // What is said of its matrices.
    std::vector<PlacedLabel> words() const {
        std::vector<PlacedLabel> found;
        for (const PlacedLabel& label : drawing->labels) {
            const Tensor* const tensor = model.graph.find(label.id);
            if (tensor && tensor->role == Role::parameter && tensor->shape.rank() == 2 &&
                model.graph.blocks[tensor->block].id == block)
                found.push_back(label);
        }
        return found;
    }

    Model model;
    Stage stage;
    std::string block;
    const Drawing* drawing = nullptr;
    std::optional<Lens> lens;
    Looks looks;
    std::vector<SeenPage> pages;
    std::optional<PageView> view;
};

TEST(BlockWords, NoneRunThroughItsCardsEdgeOrStandOutside) {
    std::size_t seen = 0;
    for (const char* const id : {"deberta-base", "deberta-v3-base", "llama-2-7b", "gpt2"})
        for (const Size& size : {small_canvas, canvas_sizes[1], canvas_sizes[2]}) {
            const AtAttention of(id, size);
            ASSERT_TRUE(of.view);
            const Rect card = of.view->screen_box(of.view->page.bounds);
            for (const PlacedLabel& label : of.words())
                EXPECT_TRUE(card.holds(letters_of(label))) << id << text_of(size) << " " << label.text;
            seen += of.words().size();
        }
    EXPECT_GT(seen, 60U);
}

TEST(BlockWords, OfLowLanesStandBehindMatricesThatAreTallerForIt) {
    for (const char* const id : {"bert-base-uncased", "t5-base"}) {
        const AtAttention of(id, small_canvas);
        ASSERT_TRUE(of.view);
        int behind = 0;
        for (const Slab& slab : of.view->page.scene.slabs) {
            const Tensor* const tensor = of.model.graph.find(slab.id);
            const bool matrix = tensor && tensor->role == Role::parameter && tensor->shape.rank() == 2;
            if (!matrix || of.model.graph.blocks[tensor->block].id != of.block) continue;
            const Rect box = of.view->screen_box(slab.rect);
            EXPECT_GE(box.height(), 12) << id << " " << slab.id;
            for (const PlacedLabel& label : of.words())
                if (label.id == slab.id && label.role == TextRole::name && label.at.x >= box.max.x) ++behind;
        }
        EXPECT_EQ(behind, 3) << id;
    }
}

TEST(BlockWords, WhichAreNearerToAnotherMatrixHaveALineToTheirs) {
    int seen = 0;
    for (const char* const id : {"deberta-base", "deberta-v3-base"}) {
        const AtAttention of(id, small_canvas);
        ASSERT_TRUE(of.view);
        const Scene& scene = of.view->page.scene;
        for (const PlacedLabel& label : of.words()) {
            float own = INFINITY, other = INFINITY;
            bool led = false;
            for (const Slab& slab : scene.slabs) {
                const auto named = [&](const Label& each) { return names(each, slab); };
                if (std::ranges::none_of(scene.labels, named)) continue;
                float& nearest = slab.id == label.id ? own : other;
                const Rect matrix = of.view->screen_box(slab.rect);
                nearest = std::min(nearest, away(ink_of(label), matrix));
                if (const auto lead = lead_of(*of.view, ink_of(label), matrix, 0); lead && slab.id == label.id)
                    led = led || std::ranges::any_of(of.drawing->lines, [&](const Line& line) {
                              return line.from_x == lead->from_x && line.from_y == lead->from_y &&
                                     line.to_x == lead->to_x && line.to_y == lead->to_y;
                          });
            }
            EXPECT_TRUE(led || own <= other) << id << " " << label.text;
            ++seen;
        }
    }
    EXPECT_GE(seen, 10);
}

// In the model's picture at a window of 1280x720, of what has these symbols: how many have their name at another
// matrix, or none.
struct NamedAtAnother {
    int all = 0, wrong = 0;
};
NamedAtAnother named_at_another(const char* id, std::initializer_list<std::string_view> symbols) {
    const Model model(preset(id));
    NamedAtAnother found;
    for (const std::string& layer : model.layers()) {
        Stage stage(model, small_canvas, nullptr, layer);
        const Drawing& drawing = stage.compose(model);
        const Looks looks{.unit = stage.size.unit};
        const std::vector<SeenPage> pages = stage.seen();
        const Lens lens = stage.lens();
        const PageView view(stage.atlas, pages.front(), lens, looks);
        const std::vector<Slab>& slabs = view.page.scene.slabs;
        for (const Slab& slab : slabs) {
            const Tensor* const tensor = model.graph.find(slab.id);
            if (!tensor || !slab.id.starts_with(layer) || std::ranges::find(symbols, tensor->symbol) == symbols.end())
                continue;
            ++found.all;
            const auto name = std::ranges::find_if(drawing.labels, [&](const PlacedLabel& each) {
                return each.id == slab.id && each.text == tensor->symbol;
            });
            const auto off = [&](const Slab& other) { return away(ink_of(*name), view.screen_box(other.rect)); };
            found.wrong += name == drawing.labels.end() || std::ranges::any_of(slabs, [&](const Slab& other) {
                               return other.id != slab.id && off(other) <= off(slab);
                           });
        }
    }
    return found;
}

TEST(BlockWords, WhatAStrandMakesIsNamedNearerToItThanToAnythingElse) {
    for (const char* const id : {"minimax-text-01", "xlm-roberta-xl", "blenderbot-3b", "switch-base-128"}) {
        const NamedAtAnother found = named_at_another(id, {"K", "K_p"});
        EXPECT_GE(found.all, 1) << id;
        EXPECT_EQ(found.wrong, 0) << id;
    }
}

TEST(BlockWords, ASubscriptAboveWhatIsMadeDoesNotTouchIt) {
    constexpr float down_to = 17;  // design pixels: from the top of a name to the foot of what hangs below it
    const Model model(preset("rwkv-4-7b"));
    Stage stage(model, small_canvas);
    const Drawing& drawing = stage.compose(model);
    int names = 0;
    for (const Slab& slab : stage.atlas.pages.front().scene.slabs) {
        const Tensor* const made = model.graph.find(slab.id);
        if (!made || made->role == Role::parameter || made->symbol.find("X_") != 0) continue;
        const auto name = std::ranges::find_if(
            drawing.labels, [&](const PlacedLabel& each) { return each.id == slab.id && each.role == TextRole::name; });
        if (name == drawing.labels.end()) continue;
        ++names;
        EXPECT_LE(name->at.y + down_to, stage.lens().project(Placement{}.world(slab.rect.min)).y) << name->text;
    }
    EXPECT_EQ(names, 5);
}

TEST(BlockWords, ColumnsAreAsWideAsTheirNamesBeforeTheirMatricesAreLarge) {
    for (const char* const id : {"mamba-2.8b", "falcon-mamba-7b"}) {
        const NamedAtAnother found = named_at_another(id, {"W_x", "W_z", "W_r", "W_B", "W_C"});
        EXPECT_EQ(found.all, 5) << id;
        EXPECT_EQ(found.wrong, 0) << id;
    }
}

}  // namespace
}  // namespace headcount
