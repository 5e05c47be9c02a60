// One small square for each head of a sub-block.
#include <algorithm>
#include <string>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

std::string heads_text(std::int64_t heads) { return std::to_string(heads) + (heads == 1 ? " head" : " heads"); }

Slab& lay_out_units(Sketch& sketch, const UnitsOf& of, Point left, Point room) {
    constexpr float largest = 9, smallest = 2;
    const auto cell_in = [&](std::int64_t columns) {
        const std::int64_t rows = (of.count + columns - 1) / columns;
        return std::min({room.x / static_cast<float>(columns), room.y / static_cast<float>(rows), sketch.px(largest)});
    };
    std::int64_t columns = of.columns;
    for (std::int64_t rows = 1; of.columns == 0 && rows * sketch.px(smallest) <= std::max(room.y, 1.0F); ++rows) {
        const std::int64_t tried = std::max<std::int64_t>(1, (of.count + rows - 1) / rows);
        if (columns == 0 || cell_in(tried) > cell_in(columns)) columns = tried;
    }
    columns = std::max<std::int64_t>(columns, 1);
    std::int64_t rows = (of.count + columns - 1) / columns;
    float cell = cell_in(columns);
    if (of.columns == 0 && cell < sketch.px(smallest)) {  // as many as can be told apart
        cell = sketch.px(smallest);
        columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(room.x / cell));
        rows = std::max<std::int64_t>(1, static_cast<std::int64_t>(room.y / cell));
    }
    const float half = cell * static_cast<float>(rows) / 2;
    Slab& squares = sketch.squares(of.shown, {left.x, left.y - half}, cell, columns, rows, of.count);
    squares.rect.max.y = left.y + half;
    squares.grid_lit = std::min(of.lit, squares.grid_cells);
    return squares;
}

// Squares between the words above and below; below them what all heads use, and the shape of what is in each.
Rect lay_out_heads(Sketch& sketch, const HeadsOf& of, Point left_edge, float width, const Rect& card) {
    constexpr float above = 21, below = 19, tallest = 44, least = 9, above_edge = 4;  // design pixels
    const std::string_view id = of.shown;
    const Tensor& shown = *sketch.find(id);
    const std::int64_t heads = sketch.value(sketch.input().model.graph.blocks[shown.block].repeat, 1);
    const float y = left_edge.y;
    const float room = 2 * std::min(y - card.min.y - sketch.px(above), card.max.y - y - sketch.px(below));
    const float most_height = std::clamp(room, sketch.px(least), sketch.px(tallest));
    Slab& squares = lay_out_units(sketch, {.shown = id, .count = heads, .columns = columns_of_grid(heads)}, left_edge,
                                  {width, most_height});
    const float aside = (width - squares.rect.width()) / 2;
    squares.rect.min.x += aside;
    squares.rect.max.x += aside;
    squares.look = sketch.look_of(shown);
    sketch.show_mask(squares);
    const Rect grid = squares.rect;
    float centre = left_edge.x + width / 2;
    sketch.name({centre, grid.min.y - sketch.px(19)}, heads_text(heads), id, Anchor::centre);
    float words = grid.max.y + sketch.px(4);
    float foot = grid.max.y + sketch.px(3), beside = 0;
    for (const std::string_view held : of.held) {  // one below the other
        const float scale = sketch.scene.layer_scale, wide = sketch.thick(sketch.sides(held).columns, scale);
        const float half = sketch.thick(sketch.sides(held).rows, scale) / 2;
        const float from = std::clamp(left_edge.x + width - wide, left_edge.x, grid.min.x);
        const Rect bar = sketch.slab(held, {from, foot + half}, scale);
        beside = std::max(beside, from + wide);
        foot = bar.max.y + sketch.px(2);
        words = bar.max.y + sketch.px(5);
    }
    if (!of.held.empty()) {
        const float middle = (grid.max.y + foot + sketch.px(1)) / 2;
        sketch.caption({beside + sketch.px(5), middle - sketch.px(8)}, of.held_name, of.held.front());
    }
    sketch.number({centre, words}, sketch.shape_text(id), id, Anchor::centre);
    words += sketch.number_line();
    if (words + sketch.number_line() + sketch.px(above_edge) <= card.max.y)
        sketch.caption({centre, words}, of.said, id, Anchor::centre);
    return grid;
}

}  // namespace headcount
