// What is drawn is what is picked: cells in the corner of a visible piece, regions, the row of one token.
#include <gtest/gtest.h>

#include "app/canvas/draw/page_view.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

// A camera over a random matrix of a random page, where the page is what one sees.
bool look_at_some_matrix(Stage& stage, Chance& chance) {
    const auto page = static_cast<PageIndex>(chance.whole(0, static_cast<std::int64_t>(stage.atlas.pages.size()) - 1));
    const Page& on = stage.atlas.pages[page];
    const std::int64_t copies = on.own_ground ? stage.atlas.pages[*on.around].scene.doors[on.door].count : 1;
    const Leaf leaf{page, chance.whole(0, copies - 1)};
    const Slab& slab =
        on.scene.slabs[static_cast<std::size_t>(chance.whole(0, static_cast<std::int64_t>(on.scene.slabs.size()) - 1))];
    const WorldRect rect = placement_of(stage.atlas, leaf).world(slab.rect);
    stage.camera = {.x = chance.between(rect.min.x, rect.max.x), .y = chance.between(rect.min.y, rect.max.y)};
    const double own = 1 / placement_of(stage.atlas, leaf).scale;
    stage.camera.zoom = std::min(most_zoom, own * chance.ratio(1, page == 0 ? 1e6 : 1e4));
    // None that are half seen: what is picked there need not be what is on top.
    for (const SeenPage& seen : stage.seen()) {
        const bool half = seen.clarity > 0 && seen.clarity < 0.999F && seen.clarity != 0.3F;
        if (half || std::any_of(seen.summaries.begin(), seen.summaries.end(),
                                [](float clarity) { return clarity > 0.001F && clarity < 0.999F; }))
            return false;
    }
    return true;
}

Point screen_of(const Stage& stage, double x, double y) {
    const Point middle = stage.size.area.centre();
    return {middle.x + static_cast<float>(x), middle.y + static_cast<float>(y)};
}

TEST(ComposeCells, TheCellInTheCornerOfAPieceIsTheOneThatIsPickedThere) {
    Chance chance(1);
    int compared = 0;
    std::vector<Model> models = preset_models();
    models.emplace_back(preset("llama-3-8b"), Input{.tokens = 60, .cached = 20}, "llama-3-8b cached");
    for (const Model& model : models)
        for (const Size& size : canvas_sizes) {
            Stage stage(model, size);
            for (int i = 0; i < 60; ++i) {
                if (!look_at_some_matrix(stage, chance)) continue;
                const std::vector<SeenPage> seen = stage.seen();
                for (const Box& box : stage.compose(model).boxes) {
                    if (box.pattern == CellPattern::none) continue;
                    // A little inside the corner, in the corner's own cell or the next few.
                    const double across = chance.between(1.5, 40), down = chance.between(1.5, 40);
                    const double x = static_cast<double>(box.min_x) + across, y = static_cast<double>(box.min_y) + down;
                    const Point screen = screen_of(stage, x, y);
                    if (x > static_cast<double>(box.max_x) - 2 || y > static_cast<double>(box.max_y) - 2 ||
                        !size.area.contains(screen))
                        continue;
                    const std::optional<Hit> hit = pick(stage.atlas, stage.lens(), seen, screen);
                    if (!hit || !hit->cell) continue;  // a grid, or under something else
                    const WorldRect rect = placement_of(stage.atlas, hit->leaf).world(hit->slab->rect);
                    const double columns_a_pixel =
                        static_cast<double>(hit->slab->columns) / (rect.width() * stage.camera.zoom);
                    if (std::abs(columns_a_pixel / static_cast<double>(box.columns_a_pixel) - 1) > 1e-4) continue;
                    const double column =
                        static_cast<double>(box.column_fraction) + across * static_cast<double>(box.columns_a_pixel);
                    const double row =
                        static_cast<double>(box.row_fraction) + down * static_cast<double>(box.rows_a_pixel);
                    // Where a pixel has hundreds of cells, a float tells them apart less exactly.
                    const auto near_a_line = [](double at, float a_pixel) {
                        return std::abs(at - std::round(at)) < 0.02 + 2e-4 * static_cast<double>(a_pixel);
                    };
                    if (near_a_line(column, box.columns_a_pixel) || near_a_line(row, box.rows_a_pixel)) continue;
                    Cell drawn{box.first_row + static_cast<std::int64_t>(std::floor(row)),
                               box.first_column + static_cast<std::int64_t>(std::floor(column))};
                    if (hit->slab->transposed) std::swap(drawn.row, drawn.column);
                    EXPECT_EQ(drawn, *hit->cell)
                        << model.name << text_of(size) << ": " << hit->id << " draws " << drawn.row << ", "
                        << drawn.column << " where " << hit->cell->row << ", " << hit->cell->column
                        << " is picked, zoom " << stage.camera.zoom << ", at " << x << ", " << y;
                    ++compared;
                }
            }
        }
    EXPECT_GT(compared, 2000);
}

TEST(ComposeCells, ARegionIsWhereItsThingIsPicked) {
    Chance chance(2);
    int compared = 0;
    for (const Model& model : preset_models())
        for (const Size& size : canvas_sizes) {
            Stage stage(model, size);
            for (int i = 0; i < 40; ++i) {
                if (!look_at_some_matrix(stage, chance)) continue;
                const std::vector<SeenPage> seen = stage.seen();
                const std::vector<Region>& regions = stage.compose(model).regions;
                for (std::size_t n = 0; n < regions.size(); ++n) {
                    const Rect& rect = regions[n].rect;
                    const Point at = rect.centre();
                    const std::vector<std::string> layers = model.layers();
                    const bool layer = std::find(layers.begin(), layers.end(), regions[n].id) != layers.end();
                    if (!size.area.contains(at) || layer) continue;
                    if (regions[n].id.starts_with("kind.")) continue;  // a frame
                    const bool under = std::any_of(regions.begin(), regions.end(), [&](const Region& other) {
                        return &other != &regions[n] && other.rect.contains(at) &&
                               (&other > &regions[n] || other.rect.width() < rect.width());
                    });
                    if (under) continue;
                    const std::optional<Hit> hit = pick(stage.atlas, stage.lens(), seen, at);
                    // A frame's middle may be on a page that hides it.
                    if (regions[n].id.starts_with("component.")) continue;
                    ASSERT_TRUE(hit) << model.name << text_of(size) << ": " << regions[n].id << " zoom "
                                     << stage.camera.zoom;
                    EXPECT_EQ(hit->id, regions[n].id) << model.name << text_of(size) << " zoom " << stage.camera.zoom;
                    ++compared;
                }
            }
        }
    EXPECT_GT(compared, 2000);
}

// The box of the lit row on a matrix of a page.
const Box* lit_on(const Stage& stage, const Leaf& leaf, const Slab& slab) {
    const WorldRect rect = placement_of(stage.atlas, leaf).world(slab.rect);
    const Point min = stage.lens().project(rect.min), max = stage.lens().project(rect.max);
    const Rect grown{{min.x - 1.5F, min.y - 1.5F}, {max.x + 1.5F, max.y + 1.5F}};
    for (const Box& box : stage.drawing.boxes) {
        if ((box.fill & 0xFFFFFFU) != (stage_selection & 0xFFFFFFU)) continue;
        const Point from = screen_of(stage, static_cast<double>(box.min_x), static_cast<double>(box.min_y)),
                    to = screen_of(stage, static_cast<double>(box.max_x), static_cast<double>(box.max_y));
        if (from.x >= grown.min.x && from.y >= grown.min.y && to.x <= grown.max.x && to.y <= grown.max.y) return &box;
    }
    return nullptr;
}

TEST(ComposeCells, ATokensRowIsLitInEveryActivationThatHasOneForIt) {
    std::vector<Model> models = preset_models();
    models.emplace_back(preset("llama-3-8b"), Input{.tokens = 60, .cached = 100}, "llama-3-8b cached");
    for (const Model& model : models) {
        std::vector<std::string> ids = model.pages();
        ids.insert(ids.begin(), "");
        for (const std::string& id : ids) {
            Stage stage(model, canvas_sizes[1]);
            const Stop stop = *find_place(stage.atlas, id);
            stage.go(stop);
            stage.compose(model, 0.25);
            for (const Slab& slab : stage.atlas.pages[stop.leaf.page].scene.slabs) {
                const Tensor* tensor = model.graph.find(slab.id);
                if (!tensor || slab.grid_columns > 0 || slab.look == SlabLook::ghost || slab.id == "tokens") continue;
                // Not a state, nor what is made of the first token alone.
                const bool rows = uses(tensor->shape, Symbol::tokens) && slab.look != SlabLook::hollow;
                const Box* lit = lit_on(stage, stop.leaf, slab);
                EXPECT_EQ(lit != nullptr, rows) << model.name << ", page '" << id << "': " << slab.id;
                if (!lit || slab.cut || slab.cut_right) continue;
                // A quarter of this pass's tokens down, after those that are cached; across where they are columns.
                const std::int64_t tokens = model.number(Symbol::tokens);
                const double before = static_cast<double>((slab.transposed ? slab.columns : slab.rows) - tokens);
                const auto share = static_cast<float>((before + 0.25 * static_cast<double>(tokens)) /
                                                      (before + static_cast<double>(tokens)));
                const WorldRect rect = placement_of(stage.atlas, stop.leaf).world(slab.rect);
                const Point min = stage.lens().project(rect.min), max = stage.lens().project(rect.max);
                const Point from = screen_of(stage, static_cast<double>(lit->min_x), static_cast<double>(lit->min_y)),
                            to = screen_of(stage, static_cast<double>(lit->max_x), static_cast<double>(lit->max_y));
                if (slab.transposed) {
                    EXPECT_NEAR((from.x + to.x) / 2, min.x + share * (max.x - min.x), 4) << slab.id;
                    EXPECT_NEAR(to.y - from.y, max.y - min.y, 2) << slab.id;
                } else {
                    EXPECT_NEAR((from.y + to.y) / 2, min.y + share * (max.y - min.y), 4) << slab.id;
                    EXPECT_NEAR(to.x - from.x, max.x - min.x, 2) << slab.id;
                }
            }
        }
    }
}

TEST(ComposeCells, SayTheNumbersThatARunGivesThem) {
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    const std::string weights = stage.in_layer("attention.query.weight");
    stage.go(*find_cell(stage.atlas, weights, 0, {5, 17}));
    const NumberSource numbers = [&](std::string_view id, std::int64_t) -> std::optional<CellNumbers> {
        if (id != weights) return std::nullopt;
        return CellNumbers{4096, 18, 0.5F,
                           [](std::int64_t, std::int64_t column) { return column == 17 ? -0.5F : 0.25F; }};
    };
    const auto says = [&](const Drawing& drawing, std::string_view text) {
        return std::count_if(drawing.labels.begin(), drawing.labels.end(),
                             [&](const PlacedLabel& label) { return label.text == text; });
    };
    const auto heat = [](const Drawing& drawing) {
        return std::count_if(drawing.boxes.begin(), drawing.boxes.end(),
                             [](const Box& box) { return box.pattern == CellPattern::heat; });
    };
    const Drawing symbolic = stage.compose(model);
    EXPECT_EQ(says(symbolic, "W_q[5, 17]"), 1);
    EXPECT_EQ(heat(symbolic), 0);
    const Drawing& real = stage.compose(model, {}, numbers);
    EXPECT_EQ(says(real, "W_q[5, 17]"), 0);
    EXPECT_GT(says(real, "-0.500"), 1);
    EXPECT_GT(says(real, "0.250"), 1);
    EXPECT_EQ(says(real, "W_q[5, 18]"), 1) << "of which the run has none";
    EXPECT_EQ(heat(real), 1);
    EXPECT_GE(std::count(real.values.begin(), real.values.end(), -1.0F), says(real, "-0.500"));
}

TEST(ComposeCells, CellsTooSmallToBeSeenAreDrawnSeveralAsOne) {
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    const std::string weights = stage.in_layer("attention.query.weight");
    std::int64_t asked = 0;
    const NumberSource numbers = [&](std::string_view id, std::int64_t) -> std::optional<CellNumbers> {
        if (id != weights) return std::nullopt;
        return CellNumbers{4096, 4096, 1, [&](std::int64_t row, std::int64_t) {
                               ++asked;
                               return row < 2048 ? 0.5F : -1.0F;
                           }};
    };
    const auto check = [&](const Drawing& drawing) {
        const auto heat = std::find_if(drawing.boxes.begin(), drawing.boxes.end(),
                                       [](const Box& box) { return box.pattern == CellPattern::heat; });
        ASSERT_NE(heat, drawing.boxes.end());
        EXPECT_LE(drawing.values.size(), 60'000U);
        EXPECT_LE(asked, 16 * std::ssize(drawing.values) + 16) << "not every number is read";
        const std::size_t rows = drawing.values.size() / static_cast<std::size_t>(heat->value_columns);
        EXPECT_GE((heat->max_y - heat->min_y) / static_cast<float>(rows), 1.9F);
        EXPECT_GT(drawing.values.front(), 0);
        EXPECT_LT(drawing.values.back(), 0);
    };
    check(stage.compose(model, {}, numbers));
    stage.go(*find_place(stage.atlas, weights));  // it fills the canvas, and a cell is still no pixel
    asked = 0;
    check(stage.compose(model, {}, numbers));
}

TEST(ComposeCells, InkIsReadOnDarkAndOnBrightNumbers) {
    Palette palette = stage_palette();
    palette.ground = 0xFF110F0FU;
    palette.text_high = 0xFFF5F2F0U;
    palette.zero = 0xFF1D1815U;
    const Part part = Part::query;
    Palette::Hue& hue = palette.parts[static_cast<std::size_t>(part)];
    hue.fill = 0xFF66C8FFU;
    hue.negative = 0xFFD68F6CU;
    EXPECT_EQ(ink_on_heat(palette, part, 0), palette.text_high);
    EXPECT_EQ(ink_on_heat(palette, part, 0.2F), palette.text_high);
    EXPECT_EQ(ink_on_heat(palette, part, 1), palette.ground);
    EXPECT_EQ(ink_on_heat(palette, part, -0.2F), palette.text_high);
    std::swap(palette.ground, palette.text_high);
    palette.zero = 0xFFF6F3F1U;
    EXPECT_EQ(ink_on_heat(palette, part, 0), palette.text_high) << "on paper";
}

TEST(ComposeCells, ARowWhoseNumbersAreReadIsFramedAndTheRunsEndIsSaid) {
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    const std::string id = stage.in_layer("attention.queries");
    const Stop stop = *find_cell(stage.atlas, id, 0, {25, 17});
    const auto slab_of = [&](const Leaf& leaf) {
        const std::vector<Slab>& all = stage.atlas.pages[leaf.page].scene.slabs;
        return *std::find_if(all.begin(), all.end(), [&](const Slab& slab) { return slab.id == id; });
    };
    stage.compose(model, 25.0 / 99);
    const Stop home = *find_place(stage.atlas, "");
    const Box* far = lit_on(stage, home.leaf, slab_of(home.leaf));
    ASSERT_TRUE(far);
    EXPECT_GT(far->fill >> 24U, 0xC0U) << "a thin row is one band";
    stage.go(stop);
    const NumberSource numbers = [&](std::string_view tensor, std::int64_t) -> std::optional<CellNumbers> {
        if (tensor != id) return std::nullopt;
        return CellNumbers{23, 4096, 1, [](std::int64_t, std::int64_t) { return 0.5F; }};
    };
    const Drawing& near = stage.compose(model, 25.0 / 99, numbers);
    const auto framed = std::count_if(near.boxes.begin(), near.boxes.end(), [](const Box& box) {
        return box.edge == stage_selection && (box.fill & 0xFFFFFFU) == (stage_selection & 0xFFFFFFU) &&
               box.fill >> 24U < 0x40U;
    });
    EXPECT_EQ(framed, 1) << "its numbers show through";
    EXPECT_TRUE(std::any_of(near.labels.begin(), near.labels.end(),
                            [](const PlacedLabel& label) { return label.text == "the last run had 23 tokens"; }));
    // While the newest token's row is to come, there is one token more than rows.
    const NumberSource stepping = [&](std::string_view tensor, std::int64_t copy) {
        std::optional<CellNumbers> made = numbers(tensor, copy);
        if (made) made->tokens = 24;
        return made;
    };
    const Drawing& during = stage.compose(model, 25.0 / 99, stepping);
    EXPECT_TRUE(std::none_of(during.labels.begin(), during.labels.end(),
                             [](const PlacedLabel& label) { return label.text.starts_with("the last run"); }));
}

// In a head's card, too, whose words are no matrix's own.
TEST(ComposeCells, WordsOnTheNumbersOfTheirMatrixStandOnGround) {
    Architecture small = preset("llama-2-7b");
    for (const auto& [field, value] : {std::pair{Field::heads, "8"}, {Field::kv_heads, "4"}, {Field::dim, "128"}})
        small = *with_field(small, field, value);
    const Model model(small, {.tokens = 9});
    const NumberSource numbers = [](std::string_view, std::int64_t) -> std::optional<CellNumbers> {
        return CellNumbers{9, 16, 1, [](std::int64_t, std::int64_t) { return 0.5F; }};
    };
    int on = 0;
    for (const Size& size : canvas_sizes) {
        Stage stage(model, size);
        stage.go(*find_place(stage.atlas, stage.in_layer("attention.head"), 0));
        for (const PlacedLabel& label : stage.compose(model, std::nullopt, numbers).labels)
            for (const SeenPage& seen : stage.seen())
                for (const Slab& slab : stage.atlas.pages[seen.leaf.page].scene.slabs) {
                    if (slab.id != label.id || slab.grid_columns > 0 || seen.clarity < 1) continue;
                    const Point min = stage.lens().project(seen.placement.world(slab.rect.min)),
                                max = stage.lens().project(seen.placement.world(slab.rect.max));
                    const Point middle{label.at.x + label.width / 2, label.at.y + label.height / 2};
                    if (middle.x < min.x || middle.x > max.x || middle.y < min.y || middle.y > max.y) continue;
                    EXPECT_NE(label.ground, 0U) << label.text << text_of(size);
                    ++on;
                }
    }
    EXPECT_GT(on, 0);
}

TEST(ComposeCells, WordsThatALitRowRunsThroughStandOnGround) {
    Architecture small = preset("llama-2-7b");
    for (const auto& [field, value] : {std::pair{Field::heads, "4"}, {Field::kv_heads, "4"}, {Field::dim, "128"}})
        small = *with_field(small, field, value);
    const Model model(small);
    Stage stage(model, canvas_sizes[1]);
    const std::string id = stage.in_layer("attention.queries");
    const NumberSource numbers = [&](std::string_view tensor, std::int64_t) -> std::optional<CellNumbers> {
        if (tensor != id) return std::nullopt;
        return CellNumbers{23, 128, 1, [](std::int64_t, std::int64_t) { return 0.5F; }};
    };
    const auto said = [](const Drawing& drawing) {
        const auto found = std::find_if(drawing.labels.begin(), drawing.labels.end(), [](const PlacedLabel& label) {
            return label.text == "the last run had 23 tokens";
        });
        return found == drawing.labels.end() ? PlacedLabel{} : *found;
    };
    stage.go(*find_cell(stage.atlas, id, 0, {26, 17}));
    int struck = 0;
    for (int farther = 0; farther < 12; ++farther, stage.camera.zoom /= 2) {
        if (said(stage.compose(model, std::nullopt, numbers)).text.empty()) continue;
        EXPECT_EQ(said(stage.compose(model, std::nullopt, numbers)).ground, 0U) << "nothing runs through it";
        for (int token = 0; token < 100; ++token) {
            const Drawing& drawing = stage.compose(model, token / 99.0, numbers);
            const PlacedLabel label = said(drawing);
            const float top = label.at.y, foot = label.at.y + label.height, end = label.at.x + label.width;
            for (const Lit& lit : drawing.lit) {
                const bool beside = lit.rect.max.x < label.at.x || lit.rect.min.x > end;
                const auto through = [&](float y) { return y > top + 5 && y < foot - 5; };
                if (!lit.row || beside || !(through(lit.rect.min.y) || through(lit.rect.max.y))) continue;
                EXPECT_NE(label.ground, 0U) << token;
                ++struck;
            }
        }
    }
    EXPECT_GT(struck, 0);
}

TEST(ComposeCells, AMatrixThatFillsTheScreenHasItsHeadsNumberedAndKeepsItsName) {
    const Model model(preset("llama-3-8b"));
    Stage stage(model, canvas_sizes[1]);
    const Stop place = *find_place(stage.atlas, "layer.attention.query.weight");
    stage.go(place);
    const auto says = [&](const std::string& text) {
        const std::vector<PlacedLabel>& labels = stage.drawing.labels;
        return std::any_of(labels.begin(), labels.end(), [&](const PlacedLabel& label) {
            return label.id == "layer.attention.query.weight" && label.text == text;
        });
    };
    stage.compose(model);
    for (const char* text : {"W_q", "0", "30", "500", "4000"}) EXPECT_TRUE(says(text)) << text;
    // So near that its edges are off the screen.
    for (const double nearer : {4.0, 10.0}) {
        stage.go(place);
        stage.camera.zoom *= nearer;
        stage.compose(model);
        EXPECT_TRUE(says("W_q  4096 × 4096")) << nearer;
        EXPECT_TRUE(says("16")) << nearer;
    }
}

}  // namespace
}  // namespace headcount
