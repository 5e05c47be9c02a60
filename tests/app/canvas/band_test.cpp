// Claims about attention as a class is shown it: the columns of Q, K and V that are one head's, and where they come
// from.
#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Size shown_sizes[] = {{{{22, 79}, {826, 572}}, 1.4F},      // of a window of 1280 x 720
                                {{{26, 90}, {1035, 806}}, 1.6F},     // 1600 x 1000
                                {{{38, 130}, {1660, 1160}}, 2.3F}};  // 2560 x 1440

// All pages while one head's columns are shown.
Atlas atlas_of(const Model& model, std::int64_t head, const Size& size = shown_sizes[1]) {
    LayoutInput input = layout_input(model, size);
    input.band = head;
    return lay_out_atlas(input);
}

const Page& attention_of(const Atlas& atlas) {
    const std::string block = atlas.layer + ".attention";
    return *std::find_if(atlas.pages.begin(), atlas.pages.end(), [&](const Page& page) { return page.block == block; });
}

const Slab* attention_slab(const Atlas& atlas, const Page& page, std::string_view rest, bool grid = false) {
    const std::string id = atlas.layer + ".attention." + std::string(rest);
    for (const Slab& slab : page.scene.slabs)
        if (slab.id == id && (slab.grid_columns > 0) == grid) return &slab;
    return nullptr;
}

std::vector<Rect> bands_of(const Page& page) {
    std::vector<Rect> bands;
    for (const Frame& frame : page.scene.frames)
        if (frame.kind == FrameKind::band) bands.push_back(frame.rect);
    return bands;
}

Model preset_model(std::string_view id) { return Model(preset(id), {.tokens = 100}, std::string(id)); }

TEST(Band, OneHeadHasItsShareOfTheColumnsOfEach) {
    for (const auto& [preset, head] :
         {std::pair("llama-2-7b", 3), {"llama-2-7b", 0}, {"llama-2-7b", 31}, {"gpt2", 11}}) {
        const Model model = preset_model(preset);
        const Atlas atlas = atlas_of(model, head);
        const auto heads = static_cast<float>(model.number(Symbol::heads));
        for (const char* name : {"queries", "keys", "values"}) {
            const Slab* all = attention_slab(atlas, attention_of(atlas), name, true);
            const Slab* own = attention_slab(atlas, attention_of(atlas), std::string("head.") + name);
            ASSERT_TRUE(all && own) << preset << name;
            EXPECT_NEAR(own->rect.width(), all->rect.width() / heads, 0.01F) << preset << name;
            EXPECT_NEAR(own->rect.min.x, all->rect.min.x + static_cast<float>(head) * own->rect.width(), 0.1F) << name;
            EXPECT_EQ(own->rect.height(), all->rect.height());
            EXPECT_EQ(all->grid_cells, model.number(Symbol::heads));
        }
    }
}

TEST(Band, HeadsThatShareKeysAndValuesTakeTheColumnsOfTheirGroup) {
    const Model model = preset_model("llama-3-8b");  // 32 query heads, 8 pairs of K and V
    const Atlas atlas = atlas_of(model, 6);
    const Slab* queries = attention_slab(atlas, attention_of(atlas), "queries", true);
    const Slab* keys = attention_slab(atlas, attention_of(atlas), "keys", true);
    const Slab* own = attention_slab(atlas, attention_of(atlas), "head.keys");
    ASSERT_TRUE(queries && keys && own);
    EXPECT_NEAR(keys->rect.width(), queries->rect.width() / 4, 0.01F) << "1024 columns beside 4096";
    EXPECT_NEAR(own->rect.min.x, keys->rect.min.x + keys->rect.width() / 8, 0.01F) << "head 6 is of the second group";
    EXPECT_EQ(keys->grid_cells, 8);
}

TEST(Band, TheBandRunsAroundWhatTheHeadHasOfAllThree) {
    const Model model = preset_model("llama-2-7b");
    const Atlas atlas = atlas_of(model, 3);
    const Page& page = attention_of(atlas);
    const Rect queries = attention_slab(atlas, page, "head.queries")->rect,
               values = attention_slab(atlas, page, "head.values")->rect;
    const std::vector<Rect> bands = bands_of(page);
    EXPECT_EQ(std::count_if(bands.begin(), bands.end(),
                            [&](const Rect& band) { return band.holds(queries) && band.holds(values); }),
              1);
    for (const char* name : {"query.weight", "key.weight", "value.weight"}) {
        const Rect weight = attention_slab(atlas, page, name)->rect;
        const auto cuts = std::count_if(bands.begin(), bands.end(), [&](const Rect& band) {
            return band.min.x >= weight.min.x && band.max.x <= weight.max.x && band.min.y < weight.min.y &&
                   band.max.y > weight.max.y;
        });
        EXPECT_EQ(cuts, 1) << name << ": from its first row to its last";
    }
}

TEST(Band, EverythingOutsideOfTheCardIsAtOneScaleAndInsideAtAnother) {
    for (const char* preset : {"llama-2-7b", "llama-3-8b", "llama-3.1-405b", "gpt2", "falcon-7b"}) {
        const Model model = preset_model(preset);
        const Atlas atlas = atlas_of(model, 3);
        const Page& page = attention_of(atlas);
        for (const Slab& slab : page.scene.slabs) {
            const Tensor* tensor = model.graph.find(slab.id);
            if (!tensor || tensor->shape.rank() != 2 || slab.solid || slab.thickened || slab.id.ends_with("scores"))
                continue;
            const auto columns = static_cast<double>(*evaluate(tensor->shape[1], model.numbers));
            const float scale = slab.grid_columns > 0 ? page.scene.layer_scale : page.scene.model_scale;
            EXPECT_NEAR(static_cast<double>(slab.rect.width()), columns * static_cast<double>(scale), 0.5)
                << preset << " " << slab.id;
        }
        EXPECT_GT(page.scene.layer_scale, page.scene.model_scale) << preset;
    }
}

bool labelled(const Drawing& drawing, std::string_view text) {
    return std::any_of(drawing.labels.begin(), drawing.labels.end(),
                       [&](const PlacedLabel& label) { return label.text == text; });
}

TEST(Band, SaysHowManyColumnsAllHeadsHaveWhereThereIsRoom) {
    const Model model = preset_model("llama-2-7b");
    Stage stage(model, shown_sizes[1]);
    stage.atlas = atlas_of(model, 3);
    stage.go(*find_place(stage.atlas, "layer.attention"));
    EXPECT_TRUE(labelled(stage.compose(model), "32 heads × 128 = 4096 columns"));
    EXPECT_TRUE(labelled(stage.drawing, "head 3 takes 128 columns of each"));
    EXPECT_TRUE(std::any_of(stage.drawing.labels.begin(), stage.drawing.labels.end(), [](const PlacedLabel& label) {
        return label.text.starts_with("drawn ") && label.text.ends_with("× larger");
    })) << "it is at a scale of its own";
}

// Whether all that it says of a preset is there, whatever the window's size.
TEST(Band, SaysItsNumbersAtEverySize) {
    for (const Size& size : shown_sizes)
        for (const auto& [preset, wanted] :
             {std::pair("llama-2-7b",
                        std::vector<std::string>{"W_q", "W_k", "W_v", "W_o", "Q", "K", "V", "100 × 4096"}),
              {"llama-3-8b", {"W_q", "W_k", "W_v", "W_o", "Q", "K", "V", "100 × 4096", "100 × 1024"}}}) {
            const Model model = preset_model(preset);
            Stage stage(model, size);
            stage.atlas = atlas_of(model, 3, size);
            stage.go(*find_place(stage.atlas, "layer.attention"));
            const Drawing& drawing = stage.compose(model);
            for (const std::string& text : wanted)
                EXPECT_TRUE(labelled(drawing, text)) << preset << text_of(size) << ": " << text;
        }
}

TEST(Band, NothingLiesOverAnythingOrOutsideOfThePage) {
    std::vector<Model> models = preset_models();
    for (Model& model : random_models(12)) models.push_back(std::move(model));
    for (const Size& size : {shown_sizes[0], shown_sizes[1]})
        for (const Model& model : models) {
            LayoutInput input = layout_input(model, size);
            input.band = 3;
            const bool latent = model.graph.find("layer.attention.latent_down.weight") != nullptr;
            // A head of a recurrence has no queries and keys that its columns could be shown to make.
            // Keys of an earlier layer are made there.
            const bool borrows = model.graph.main_layer().group.kind.borrows;
            EXPECT_EQ(has_band(input), model.is_attention() && !latent && !borrows) << model.name;
            if (!has_band(input)) continue;
            const Atlas atlas = lay_out_atlas(input);
            const Page& page = attention_of(atlas);
            const auto& slabs = page.scene.slabs;
            for (std::size_t i = 0; i < slabs.size(); ++i) {
                const Rect& rect = slabs[i].rect;
                EXPECT_TRUE(page.bounds.holds(rect)) << model.name << text_of(size) << " " << slabs[i].id;
                for (std::size_t j = i + 1; j < slabs.size(); ++j)
                    EXPECT_TRUE(slabs[j].solid || !rect.overlaps(slabs[j].rect))
                        << model.name << text_of(size) << " " << slabs[i].id << " " << slabs[j].id;
            }
        }
}

TEST(Band, LeadsToEveryHeadAndToWhatItHolds) {
    for (const char* preset : {"llama-2-7b", "llama-3-8b", "gpt2", "qwen3-30b-a3b"}) {
        const Model model = preset_model(preset);
        const Atlas atlas = atlas_of(model, 3);
        const std::int64_t last = model.number(Symbol::heads) - 1;
        const std::optional<Stop> head = find_place(atlas, "layer.attention.head", last);
        ASSERT_TRUE(head) << preset;
        EXPECT_EQ(head->leaf.copy, last);
        EXPECT_TRUE(find_place(atlas, "layer.feed_forward")) << preset;
        for (const Tensor& tensor : model.graph.tensors) {
            if (tensor.role != Role::parameter || !band_holds(model.graph, tensor.id)) continue;
            EXPECT_TRUE(find_place(atlas, tensor.id)) << preset << " " << tensor.id;
        }
    }
}

TEST(Band, WhileItIsShownTheFeedForwardIsItsNameAndLeavesItsRoom) {
    for (const char* preset : {"llama-2-7b", "mixtral-8x7b", "gpt2", "gpt-j-6b", "gemma-2-2b"}) {
        const Model model = preset_model(preset);
        const auto boxes = [&](const Atlas& atlas) {
            std::pair<float, float> heights;
            for (const Frame& frame : atlas.pages.front().scene.frames) {
                if (frame.id == "component.attention") heights.first = frame.rect.height();
                if (frame.id == "component.feed_forward") heights.second = frame.rect.height();
            }
            return heights;
        };
        const auto plain = boxes(lay_out_atlas(layout_input(model, shown_sizes[1])));
        const Atlas with_band = atlas_of(model, 3);
        const auto opened = boxes(with_band);
        EXPECT_GT(opened.first, 1.25F * plain.first) << preset;
        EXPECT_LT(opened.second, 60) << preset;
        for (const Slab& slab : with_band.pages.front().scene.slabs)
            EXPECT_TRUE(slab.id.find("feed_forward.") == std::string::npos ||
                        slab.id.find(".output") != std::string::npos)
                << preset << " " << slab.id;
    }
}

TEST(Band, IsNotShownByLogarithmInPairsAndWhereNobodyAsks) {
    const Model model = preset_model("llama-2-7b");
    LayoutInput input = layout_input(model, shown_sizes[1]);
    EXPECT_FALSE(has_band(input));
    input.band = 3;
    EXPECT_TRUE(has_band(input));
    LayoutInput by_logarithm = input, pair = input;
    by_logarithm.log_sides = true;
    pair.beside = Beside{};
    EXPECT_FALSE(has_band(by_logarithm));
    EXPECT_FALSE(has_band(pair));
}

TEST(Band, AHeadThatTheModelDoesNotHaveIsItsLast) {
    const Model model = preset_model("gpt2");  // 12 heads
    const Atlas atlas = atlas_of(model, 40);
    const Slab* own = attention_slab(atlas, attention_of(atlas), "head.queries");
    const Slab* all = attention_slab(atlas, attention_of(atlas), "queries", true);
    ASSERT_TRUE(own && all);
    EXPECT_NEAR(own->rect.max.x, all->rect.max.x, 0.01F);
}

TEST(Band, WhatIsBelowGivesWayToItWhereThereIsLittleRoom) {
    const Size low{{{22, 71}, {828, 495}}, 1.4F};
    for (const char* const preset : {"bert-base-uncased", "gpt2", "llama-2-7b", "transformer-base"}) {
        const Model model = preset_model(preset);
        Stage stage(model, low);
        stage.atlas = atlas_of(model, 3, low);
        stage.go(*find_place(stage.atlas, stage.in_layer("attention")));
        const auto named = [](const PlacedLabel& label) {
            return label.role == TextRole::title && label.text.ends_with("ttention");
        };
        EXPECT_TRUE(std::ranges::any_of(stage.compose(model).labels, named)) << preset;
        for (const char* const name : {"query.weight", "key.weight", "value.weight", "queries", "keys", "values"})
            EXPECT_TRUE(std::ranges::any_of(stage.compose(model).labels,
                                            [&](const PlacedLabel& label) {
                                                return label.role == TextRole::name &&
                                                       label.id == stage.in_layer("attention." + std::string(name));
                                            }))
                << preset << " " << name;
    }
}

}  // namespace
}  // namespace headcount
