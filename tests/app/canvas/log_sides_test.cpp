// Pages drawn by the logarithm of their sides: one scale a page, the order of sizes kept, the true numbers unchanged.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr Rect page_area{{0, 0}, {907, 620}};

// Whole model, both sub-blocks, a head: of a preset of every structure, with short and long inputs.
template <class Check>
void for_each_logged_page(Check check) {
    for (const Preset& preset : telling_presets())
        for (const Input& tokens :
             {Input{.tokens = 100}, Input{.tokens = 1, .cached = 4096}, Input{.tokens = 100'000}}) {
            const Model model(preset.architecture, tokens);
            const std::string name = preset.id + " T=" + std::to_string(tokens.tokens);
            const auto page = [&](const auto& lay_out, const std::string& which) {
                std::string title = name;
                title.append(" ").append(which);
                check(lay_out(layout_input(model, {page_area})), lay_out(layout_input(model, {page_area, 1, true})),
                      title);
            };
            page(layout_model, "model");
            for (const std::string& block : model.pages()) {
                // A recurrence's, and one with keys of an earlier layer, is laid out as any other block.
                if (block == "layer.attention.head" && !model.graph.main_layer().group.kind.borrows)
                    page(layout_head, block);
                else
                    page([&](const LayoutInput& input) { return layout_block(input, block, {}); }, block);
            }
        }
}

bool is_matrix(const Slab& slab) { return slab.rows > 0 && slab.columns > 0 && slab.grid_columns == 0; }

TEST(LogSides, AllMatricesOfAPageHaveOneScale) {
    for_each_logged_page([](const Scene&, const Scene& page, const std::string& name) {
        EXPECT_FLOAT_EQ(page.model_scale, page.layer_scale) << name;
        EXPECT_GT(page.model_scale, 0.6) << name;  // 10,000 rows are more than 8 pixels
        for (const Slab& slab : page.slabs) {
            if (!is_matrix(slab)) continue;
            const auto drawn = [&](std::int64_t side) {
                const double length =
                    std::log2(1.0 + static_cast<double>(side)) * static_cast<double>(page.model_scale);
                return static_cast<float>(std::max(static_cast<double>(least_side), length));
            };
            if (!slab.cut_right) {
                EXPECT_NEAR(slab.rect.width(), drawn(slab.columns), 0.05) << name << " " << slab.id;
            }
            if (slab.cut) {
                EXPECT_LT(slab.rect.height(), drawn(slab.rows)) << name << " " << slab.id;
            } else {
                EXPECT_NEAR(slab.rect.height(), drawn(slab.rows), 0.05) << name << " " << slab.id;
            }
        }
    });
}

TEST(LogSides, ALongerSideIsNeverDrawnShorter) {
    for_each_logged_page([](const Scene&, const Scene& page, const std::string& name) {
        for (const Slab& a : page.slabs)
            for (const Slab& b : page.slabs)
                if (is_matrix(a) && is_matrix(b) && a.columns > b.columns) {
                    EXPECT_GE(a.rect.width(), b.rect.width() - 0.01F) << name << " " << a.id << " " << b.id;
                }
    });
}

// Where either page is tight it leaves activations out that the other has room for, or all that a sub-block has but its
// name.
TEST(LogSides, TheNumbersOfRowsAndColumnsStayTrue) {
    for_each_logged_page([](const Scene& scaled, const Scene& logged, const std::string& name) {
        std::size_t at = 0;
        const auto by_name = [&](const Slab& slab) {
            return std::ranges::any_of(
                logged.doors, [&](const Door& door) { return door.closed && slab.id.starts_with(door.block + "."); });
        };
        for (const Slab& a : scaled.slabs) {
            std::size_t found = at;
            while (found < logged.slabs.size() && logged.slabs[found].id != a.id) ++found;
            if (found == logged.slabs.size()) {
                EXPECT_TRUE(a.look == SlabLook::activation || by_name(a)) << name << " " << a.id;
                continue;
            }
            const Slab& b = logged.slabs[found];
            at = found + 1;
            if (a.grid_columns > 0) continue;
            EXPECT_EQ(a.rows, b.rows) << name << " " << a.id;
            EXPECT_EQ(a.columns, b.columns) << name << " " << a.id;
        }
    });
}

TEST(LogSides, NothingLeavesThePageNorLiesOverAnother) {
    for_each_logged_page([](const Scene&, const Scene& page, const std::string& name) {
        for (const Slab& a : page.slabs) {
            EXPECT_GE(a.rect.min.x, page_area.min.x - 1) << name << " " << a.id;
            EXPECT_LE(a.rect.max.x, page_area.max.x + 1) << name << " " << a.id;
            EXPECT_LE(a.rect.max.y, page_area.max.y + 20) << name << " " << a.id;
            for (const Slab& b : page.slabs)
                EXPECT_FALSE(&a < &b && a.grid_columns == 0 && a.rect.max.x > b.rect.min.x + 0.01F &&
                             b.rect.max.x > a.rect.min.x + 0.01F && a.rect.max.y > b.rect.min.y + 0.01F &&
                             b.rect.max.y > a.rect.min.y + 0.01F)
                    << name << " " << a.id << " " << b.id;
        }
    });
}

TEST(LogSides, SaysNothingOfOneScaleBeingLargerThanAnother) {
    for_each_logged_page([](const Scene&, const Scene& page, const std::string& name) {
        for (const Label& label : page.labels)
            EXPECT_EQ(label.text.find("drawn "), std::string::npos) << name << " " << label.text;
    });
}

}  // namespace
}  // namespace headcount
