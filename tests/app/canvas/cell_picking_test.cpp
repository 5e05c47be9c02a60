// From a cell to the screen and back, at random points, flat and tilted, from the whole matrix to one cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "app/canvas/draw/page_view.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

// A page and one of its matrices.
struct Target {
    Leaf leaf;
    const Slab* slab = nullptr;
};

Target target(const Stage& stage, std::string_view block, std::string_view id, std::int64_t copy = 0) {
    for (PageIndex i = 0; i < stage.atlas.pages.size(); ++i) {
        if (stage.atlas.pages[i].block != block) continue;
        for (const Slab& slab : stage.atlas.pages[i].scene.slabs)
            if (slab.id == id && slab.grid_columns == 0) return {{i, copy}, &slab};
    }
    ADD_FAILURE() << "no " << id << " on page '" << block << "'";
    return {};
}

WorldPoint middle_of(const WorldRect& rect, const Slab& slab, Cell shown) {
    return {rect.min.x + (static_cast<double>(shown.column) + 0.5) / static_cast<double>(slab.columns) * rect.width(),
            rect.min.y + (static_cast<double>(shown.row) + 0.5) / static_cast<double>(slab.rows) * rect.height()};
}

// Random cells of a matrix, each seen somewhere on the screen from between `least` and the largest zoom at which its
// page is what one sees; says which cell of the tensor each is.
template <class CellOf>
void try_cells(Stage& stage, const Target& target, View view, double least, CellOf cell_of, int rounds = 1500) {
    Chance chance(static_cast<std::uint64_t>(rounds) + static_cast<std::uint64_t>(target.leaf.copy));
    const Slab& slab = *target.slab;
    const WorldRect rect = placement_of(stage.atlas, target.leaf).world(slab.rect);
    const Rect& area = stage.size.area;
    int tried = 0;
    for (int i = 0; i < rounds; ++i) {
        const Cell shown{chance.whole(0, slab.rows - 1), chance.whole(0, slab.columns - 1)};
        const WorldPoint world = middle_of(rect, slab, shown);
        Camera& camera = stage.camera;
        camera = {.x = world.x, .y = world.y, .zoom = std::min(most_zoom, least * chance.ratio(1, 1e7))};
        if (view == View::tilted) {
            camera.tilt = chance.between(0.1, most_tilt);
            camera.turn = chance.between(-3.2, 3.2);
        }
        // Anywhere on the screen, as long as its page is still the one in the middle.
        const Point away{static_cast<float>(chance.between(area.min.x + 4, area.max.x - 4)),
                         static_cast<float>(chance.between(area.min.y + 4, area.max.y - 4))};
        const Camera moved = panned(camera, area, area.centre(), away);
        const WorldRect page = placement_of(stage.atlas, target.leaf).world(stage.atlas.pages[target.leaf.page].bounds);
        if (page.contains({moved.x, moved.y})) camera = moved;
        const Point screen = stage.lens().project(world);
        if (!area.contains(screen)) continue;
        ++tried;
        const std::optional<Hit> hit = stage.hit(screen);
        ASSERT_TRUE(hit) << slab.id << " cell " << shown.row << ", " << shown.column << " at zoom " << camera.zoom;
        EXPECT_EQ(hit->id, slab.id) << "zoom " << camera.zoom << " tilt " << camera.tilt;
        EXPECT_EQ(hit->leaf, target.leaf) << "zoom " << camera.zoom << " tilt " << camera.tilt;
        if (hit->id != slab.id) return;
        ASSERT_TRUE(hit->cell);
        EXPECT_EQ(*hit->cell, cell_of(shown))
            << slab.id << " shown " << shown.row << ", " << shown.column << ": found " << hit->cell->row << ", "
            << hit->cell->column << " at zoom " << camera.zoom << " tilt " << camera.tilt << " turn " << camera.turn;
    }
    EXPECT_GT(tried, rounds / 2);
}

Cell itself(Cell shown) { return shown; }

TEST(CellPicking, IsExactInAMatrixOf128256Times16384) {
    const Model model(preset("llama-3.1-405b"));
    for (const Size& size : canvas_sizes) {
        if (size.log_sides) continue;
        Stage stage(model, size);
        const Target table = target(stage, "", "embedding.weight");
        ASSERT_EQ(table.slab->rows, 128'256);
        ASSERT_EQ(table.slab->columns, 16'384);
        try_cells(stage, table, View::flat, 1, itself);
        try_cells(stage, table, View::tilted, 1, itself);
    }
}

TEST(CellPicking, IsExactInTheMatricesOfASubBlock) {
    const Model model(preset("llama-3.1-405b"), {.tokens = 4096});
    Stage stage(model, canvas_sizes[1]);
    for (std::string_view id : {"layer.feed_forward.up.weight", "layer.feed_forward.down.weight"})
        for (View view : views) try_cells(stage, target(stage, "layer.feed_forward", id), view, 4, itself);
    for (std::string_view id : {"layer.attention.query.weight", "layer.attention.output.weight"})
        for (View view : views) try_cells(stage, target(stage, "layer.attention", id), view, 4, itself);
}

// A thin matrix is found by a pointer beside it too, but not where another one is.
TEST(CellPicking, AThinNeighbourDoesNotTakeTheLastCells) {
    const Model model(preset("gpt2"));
    Stage stage(model, canvas_sizes[1]);
    const Target weight = target(stage, "", "layer.feed_forward.up.weight");
    const WorldRect rect = Placement{}.world(weight.slab->rect);
    for (const double zoom : {0.1, 0.3, 1.0}) {
        const Cell last{weight.slab->rows - 1, 100};
        const WorldPoint at = middle_of(rect, *weight.slab, last);
        stage.camera = {.x = at.x, .y = at.y, .zoom = zoom};
        const std::optional<Hit> hit = stage.hit(stage.size.area.centre());
        ASSERT_TRUE(hit && hit->cell);
        EXPECT_EQ(hit->id, weight.slab->id) << zoom;
        EXPECT_EQ(*hit->cell, last) << zoom;
    }
}

// The zoom at which a head's page is what one sees.
double near_enough(const Stage& stage, const Target& target) {
    return 1.2 / placement_of(stage.atlas, target.leaf).scale;
}

TEST(CellPicking, AHeadsSlicesBeginWhereTheHeadDoes) {
    const Model model(preset("llama-3.1-405b"));  // 128 heads of 128, 8 key/value heads
    Stage stage(model, canvas_sizes[1]);
    for (std::int64_t head : {0, 1, 15, 16, 77, 127}) {
        const auto at = [&](std::string_view id) { return target(stage, "layer.attention.head", id, head); };
        const Target queries = at("layer.attention.query.weight"), keys = at("layer.attention.key.weight"),
                     values = at("layer.attention.value.weight"), output = at("layer.attention.output.weight");
        for (View view : views) {
            const double zoom = near_enough(stage, queries);
            try_cells(
                stage, queries, view, zoom,
                [&](Cell c) {
                    return Cell{c.row, c.column + head * 128};
                },
                200);
            try_cells(
                stage, keys, view, zoom,
                [&](Cell c) {
                    return Cell{c.row, c.column + head / 16 * 128};
                },
                200);
            try_cells(
                stage, values, view, zoom,
                [&](Cell c) {
                    return Cell{c.row, c.column + head / 16 * 128};
                },
                200);
            try_cells(
                stage, output, view, zoom,
                [&](Cell c) {
                    return Cell{c.row + head * 128, c.column};
                },
                200);
        }
    }
}

TEST(CellPicking, TransposedKeysAnswerWithTheirOwnRowsAndColumns) {
    const Model model(preset("llama-3-8b"), {.tokens = 50, .cached = 30});
    Stage stage(model, canvas_sizes[1]);
    const Target keys = target(stage, "layer.attention.head", "layer.attention.head.keys", 5);
    ASSERT_TRUE(keys.slab->transposed);
    ASSERT_EQ(keys.slab->columns, 80);
    for (View view : views)
        try_cells(
            stage, keys, view, near_enough(stage, keys),
            [](Cell c) {
                return Cell{c.column, c.row};
            },
            400);
    const Target scores = target(stage, "layer.attention.head", "layer.attention.head.scores", 5);
    try_cells(stage, scores, View::flat, near_enough(stage, scores), itself, 400);
}

TEST(CellPicking, ALastCellIsStillInsideAndOneBeyondIsNot) {
    const Model model(preset("llama-3.1-405b"));
    Stage stage(model, canvas_sizes[1]);
    const Target table = target(stage, "", "embedding.weight");
    const WorldRect rect = Placement{}.world(table.slab->rect);
    for (const Cell corner : {Cell{0, 0}, Cell{0, 16'383}, Cell{128'255, 0}, Cell{128'255, 16'383}}) {
        const WorldPoint at = middle_of(rect, *table.slab, corner);
        stage.camera = {.x = at.x, .y = at.y, .zoom = 1e5};
        const std::optional<Hit> hit = stage.hit(stage.size.area.centre());
        ASSERT_TRUE(hit && hit->cell);
        EXPECT_EQ(*hit->cell, corner);
        const double cell = rect.width() / 16'384 * 1e5;
        ASSERT_GT(cell, 10);
        // One cell further out, past the corner.
        const Point middle = stage.size.area.centre();
        const Point outside{middle.x + static_cast<float>(corner.column > 0 ? cell : -cell), middle.y};
        EXPECT_FALSE(stage.hit(outside)) << corner.row << ", " << corner.column;
    }
}

// Heads in a grid: 1 to 1,024 of them, each square is its head's.
TEST(CellPicking, EverySquareOfAGridIsItsHead) {
    for (std::int64_t heads : {1, 7, 32, 97, 128, 1000, 1024})
        for (const Size& size : canvas_sizes) {
            Architecture arch = preset("llama-2-7b");
            arch.layer.attention.heads = heads;
            arch.layer.attention.kv_heads = 1;
            arch.layer.attention.head_dim = 64;
            const Model model(arch);
            Stage stage(model, size);
            stage.go(*find_place(stage.atlas, "layer.attention"));
            for (View view : views) {
                if (view == View::tilted) {
                    stage.camera.tilt = 0.6;
                    stage.go(*find_place(stage.atlas, "layer.attention"));
                }
                const PageIndex page = find_place(stage.atlas, "layer.attention.head")->leaf.page;
                const std::vector<SeenPage> seen = stage.seen();
                for (std::int64_t head = 0; head < heads; ++head) {
                    const Leaf leaf{page, head};
                    const WorldRect square = placement_of(stage.atlas, leaf).world(stage.atlas.pages[page].bounds);
                    const std::optional<Hit> hit =
                        pick(stage.atlas, stage.lens(), seen, stage.lens().project(square.centre()));
                    ASSERT_TRUE(hit) << head << " of " << heads << text_of(size);
                    // With few heads their pages are clear already; with many they are squares.
                    if (hit->leaf == leaf) continue;
                    ASSERT_TRUE(hit->behind) << hit->id << ", " << head << " of " << heads << text_of(size);
                    EXPECT_EQ(*hit->behind, leaf) << heads << " heads" << text_of(size);
                    ASSERT_TRUE(hit->square) << heads << " heads" << text_of(size);
                    EXPECT_EQ(hit->square->count == heads ? hit->square->index : head, head) << text_of(size);
                }
                EXPECT_FALSE(find_place(stage.atlas, "layer.attention.head", heads));
                EXPECT_FALSE(find_place(stage.atlas, "layer.attention.head", -1));
            }
        }
}

TEST(ComposeCells, WhatASubBlockAddsToTheStreamHasItsName) {
    for (const char* id : {"llama-2-7b", "gpt2"}) {
        const Model model(preset(id));
        Stage stage(model, canvas_sizes[1]);
        for (const char* made : {"attention.output", "feed_forward.output"}) {
            const Target target = headcount::target(stage, "", stage.in_layer(made));
            ASSERT_TRUE(target.slab) << id << made;
            const std::vector<Label>& labels = stage.atlas.pages[target.leaf.page].scene.labels;
            EXPECT_TRUE(std::ranges::any_of(labels, [&](const Label& label) { return names(label, *target.slab); }))
                << id << made;
        }
    }
}

TEST(ComposeCells, EachRowInSightHasItsWordWhereThereIsRoom) {
    constexpr double room = 24;  // pixels: of a row
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    const std::string id = stage.in_layer("attention.queries");
    stage.go(*find_cell(stage.atlas, id, 0, {31, 243}));
    const Looks looks{.unit = 1,
                      .glow = [](std::string_view) { return Glow::none; },
                      .text_width = [](std::string_view text, TextRole role) { return stage_width(text, role, 1); },
                      .token_word = [](std::int64_t token) { return "word" + std::to_string(token); }};
    int neighbours = 0;
    for (int farther = 0; farther < 12; ++farther, stage.camera.zoom /= 1.3) {
        compose(stage.atlas, stage.seen(), {model.graph, model.numbers}, stage.lens(), stage_palette(), looks,
                stage.drawing);
        std::map<int, double> heights;
        for (const PlacedLabel& label : stage.drawing.labels)
            if (label.id == id && label.text.starts_with("word"))
                heights[std::stoi(label.text.substr(4))] = static_cast<double>(label.at.y);
        for (auto next = heights.begin(); next != heights.end(); ++next) {
            if (next == heights.begin()) continue;
            const auto [row, y] = *std::prev(next);
            if ((next->second - y) / (next->first - row) < room) continue;
            EXPECT_EQ(next->first, row + 1);
            ++neighbours;
        }
    }
    EXPECT_GT(neighbours, 10);
}

TEST(ComposeCells, NoRowsWordGivesWayToTheLetterOfItsSide) {
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    const std::string id = stage.in_layer("attention.queries");
    for (const std::string word : {"word", "77777"}) {  // a token may be digits
        SCOPED_TRACE(word);
        stage.go(*find_cell(stage.atlas, id, 0, {11, 2}));
        const Looks looks{.unit = 1,
                          .glow = [](std::string_view) { return Glow::none; },
                          .text_width = [](std::string_view text, TextRole role) { return stage_width(text, role, 1); },
                          .token_word = [&](std::int64_t token) { return word + std::to_string(token); }};
        int letters = 0, rows = 0;
        for (int farther = 0; farther < 12; ++farther, stage.camera.zoom /= 1.3) {
            compose(stage.atlas, stage.seen(), {model.graph, model.numbers}, stage.lens(), stage_palette(), looks,
                    stage.drawing);
            std::vector<int> words;
            for (const PlacedLabel& label : stage.drawing.labels) {
                if (label.id != id) continue;
                letters += label.text == "T";
                if (label.text.starts_with(word)) words.push_back(std::stoi(label.text.substr(word.size())));
            }
            if (words.size() < 3) continue;
            ++rows;
            std::ranges::sort(words);
            const int step = words[1] - words[0];
            for (std::size_t i = 1; i < words.size(); ++i) EXPECT_EQ(words[i], words[0] + static_cast<int>(i) * step);
        }
        EXPECT_GT(letters, 0);
        EXPECT_GT(rows, 3);
    }
}

}  // namespace
}  // namespace headcount
