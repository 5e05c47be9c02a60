// Every page of every model as data: inside its bounds and frames, to one scale, nothing over anything else.
#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

std::string text_of(const Rect& rect) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "(%.1f, %.1f)-(%.1f, %.1f)", static_cast<double>(rect.min.x),
                  static_cast<double>(rect.min.y), static_cast<double>(rect.max.x), static_cast<double>(rect.max.y));
    return buffer;
}

// Every page of every model at every size.
template <class Check>
void for_each_page(Check check) {
    for (const Staged& each : all_stages())
        for (const Page& page : each.stage.atlas.pages)
            check(each.model, each.stage, page, each.name + ", page '" + page.block + "'");
}

TEST(AtlasLayout, KeepsEveryMatrixInsideThePage) {
    for_each_page([](const Model&, const Stage&, const Page& page, const std::string& name) {
        for (const Slab& slab : page.scene.slabs)
            EXPECT_TRUE(holds(page.bounds, slab.rect, 1))
                << name << ": " << slab.id << " " << text_of(slab.rect) << " outside of " << text_of(page.bounds);
    });
}

TEST(AtlasLayout, LetsNoTwoMatricesOfAPageOverlap) {
    for_each_page([](const Model&, const Stage&, const Page& page, const std::string& name) {
        const auto& slabs = page.scene.slabs;
        for (const Slab& a : slabs)
            for (const Slab& b : slabs) {
                const float across = std::min(a.rect.max.x, b.rect.max.x) - std::max(a.rect.min.x, b.rect.min.x);
                const float down = std::min(a.rect.max.y, b.rect.max.y) - std::max(a.rect.min.y, b.rect.min.y);
                // In the squares of a grid stands what is in each of them.
                const bool in_grid = a.grid_columns > 0 && holds(a.rect, b.rect, 0.5F);
                EXPECT_FALSE(&a < &b && across > 0.01F && down > 0.01F && !in_grid)
                    << name << ": " << a.id << " " << text_of(a.rect) << " and " << b.id << " " << text_of(b.rect);
            }
    });
}

// Of the door that has its place; empty for what is none.
std::string block_of_frame(const Page& page, const Frame& frame) {
    for (const Door& door : page.scene.doors)
        if (door.rect == frame.rect) return door.block;
    return {};
}

// Whether it is made before the layers, and drawn where they read it.
bool comes_beside(const Model& model, const Tensor& tensor) {
    return is_computed(tensor.role) &&
           model.graph.is_for_all_layers(static_cast<TensorIndex>(&tensor - model.graph.tensors.data()));
}

TEST(AtlasLayout, KeepsMatricesInTheFramesThatTheyBelongTo) {
    for_each_page([](const Model& model, const Stage& stage, const Page& page, const std::string& name) {
        if (page.around) return;
        for (const Frame& frame : page.scene.frames)
            for (const Slab& slab : page.scene.slabs) {
                if (frame.kind == FrameKind::choice) {
                    EXPECT_FALSE(frame.rect.overlaps(slab.rect)) << name << ": " << slab.id;
                    continue;
                }
                const Tensor* tensor = model.graph.find(slab.id);
                if (!tensor || model.is_memory(*tensor)) continue;
                if (comes_beside(model, *tensor)) continue;
                if (slab.look == SlabLook::ghost && tensor->role == Role::parameter) continue;  // another's
                const std::string& block = model.graph.blocks[model.used_by(*tensor, stage.atlas.layer)].id;
                const bool layer = frame.kind == FrameKind::layer;
                // What a sub-block adds to the stream is drawn below it, with the norm behind it.
                const bool way_back = slab.id.find(".output_norm") != std::string::npos ||
                                      slab.id.ends_with(".output") || slab.id.ends_with(".stream") ||
                                      slab.id.ends_with(".shared_output") || slab.part == Part::layer_scale;
                const std::string inside = block_of_frame(page, frame);
                const bool deck = frame.kind == FrameKind::card;  // of experts, with a square for each
                const bool own = layer  ? (block + ".").starts_with(frame.id + ".")
                                 : deck ? block == frame.id || (slab.grid_columns > 0 && slab.part == Part::router)
                                        : !way_back && block.starts_with(inside);
                if (own)
                    EXPECT_TRUE(holds(frame.rect, slab.rect, 0.5F))
                        << name << ": " << slab.id << " " << text_of(slab.rect) << " outside of its frame "
                        << text_of(frame.rect);
                else
                    EXPECT_FALSE(frame.rect.overlaps(slab.rect))
                        << name << ": " << slab.id << " " << text_of(slab.rect) << " in a foreign frame " << frame.id
                        << text_of(frame.rect);
            }
    });
}

bool is_in_layer(const Model& model, const Slab& slab) {
    const Tensor& tensor = *model.graph.find(slab.id);
    return (model.layer_of(tensor) && !model.is_memory(tensor)) || comes_beside(model, tensor);
}

TEST(AtlasLayout, HasOneScaleAPage) {
    for_each_page([](const Model& model, const Stage& stage, const Page& page, const std::string& name) {
        if (page.own_ground) return;  // two scales, each in its card: see layout_head_test
        const double least = static_cast<double>(least_side * stage.size.unit);
        for (const Slab& slab : page.scene.slabs) {
            if (slab.rows == 0 || slab.grid_columns > 0) continue;  // a ghost, a norm without weights, a chip
            const bool inner = is_in_layer(model, slab);
            const double scale = static_cast<double>(inner ? page.scene.layer_scale : page.scene.model_scale);
            const auto side = [&](std::int64_t count) {
                return drawn_side(static_cast<double>(count), stage.size.log_sides) * scale;
            };
            const double width = side(slab.columns), height = side(slab.rows);
            EXPECT_NEAR(slab.rect.width(), std::max(width, least), 0.05) << name << ": " << slab.id;
            if (slab.cut)
                EXPECT_LT(slab.rect.height(), std::max(height, least)) << name << ": " << slab.id;
            else
                EXPECT_NEAR(slab.rect.height(), std::max(height, least), 0.05) << name << ": " << slab.id;
            EXPECT_EQ(slab.thickened, std::min(width, height) < least) << name << ": " << slab.id;
        }
        EXPECT_GE(page.scene.layer_scale, page.scene.model_scale) << name;
    });
}

TEST(AtlasLayout, AGhostAndANormWithoutWeightsAreToScaleToo) {
    for_each_page([](const Model& model, const Stage& stage, const Page& page, const std::string& name) {
        for (const Slab& slab : page.scene.slabs) {
            const bool ghost = slab.look == SlabLook::ghost && slab.part == Part::token_embedding;
            if (!ghost && (slab.look != SlabLook::hollow || model.graph.find(slab.id)->role == Role::input)) continue;
            const Tensor& made = *model.graph.find(slab.id);  // of a norm
            const float scale = is_in_layer(model, slab) ? page.scene.layer_scale : page.scene.model_scale;
            const auto side = [&](const Expr& count) {
                const auto number = static_cast<double>(*evaluate(count, model.numbers));
                return std::max(static_cast<float>(drawn_side(number, stage.size.log_sides)) * scale,
                                least_side * stage.size.unit);
            };
            EXPECT_NEAR(slab.rect.width(), side(ghost ? made.shape[0] : made.shape[1]), 0.05F)
                << name << " " << slab.id;
            if (!ghost) continue;
            EXPECT_NEAR(slab.rect.height(), side(made.shape[1]), 0.05F) << name << " " << slab.id;
        }
    });
}

}  // namespace
}  // namespace headcount
