// One small square for each head of a sub-block.
#include <algorithm>
#include <string>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

std::string heads_text(std::int64_t heads) {
    return std::to_string(heads) + (heads == 1 ? " head" : " heads");
}

// Squares between the words above and below; below them what all heads use, and the shape of what is in each.
void lay_out_heads(Sketch& sketch, const HeadsOf& of, Point left_edge, float width, const Rect& card) {
    constexpr float above = 21, below = 19, tallest = 44, least = 9;  // design pixels
    const std::string_view id = of.shown, held = of.held;
    const Tensor& shown = *sketch.find(id);
    const std::int64_t heads = sketch.value(sketch.input().model.graph.blocks[shown.block].repeat, 1);
    const float y = left_edge.y;
    const float room = 2 * std::min(y - card.min.y - sketch.px(above), card.max.y - y - sketch.px(below));
    const float most_height = std::clamp(room, sketch.px(least), sketch.px(tallest));
    const std::int64_t columns = columns_of_grid(heads), rows = (heads + columns - 1) / columns;
    const float cell =
        std::min({width / static_cast<float>(columns), most_height / static_cast<float>(rows), sketch.px(9)});
    float grid_width = cell * static_cast<float>(columns), grid_height = cell * static_cast<float>(rows);
    float left = left_edge.x + (width - grid_width) / 2;
    Slab& squares = sketch.squares(id, {left, y - grid_height / 2}, cell, columns, rows, heads);
    squares.rect.max.y = y + grid_height / 2;
    squares.look = sketch.look_of(shown);
    sketch.show_mask(squares);
    const Rect grid = squares.rect;
    float centre = left_edge.x + width / 2;
    sketch.name({centre, grid.min.y - sketch.px(19)}, heads_text(heads), id, Anchor::centre);
    float words = grid.max.y + sketch.px(4);
    if (sketch.has(held)) {
        const float scale = sketch.scene.layer_scale, wide = sketch.thick(sketch.sides(held).columns, scale);
        const float half = sketch.thick(sketch.sides(held).rows, scale) / 2;
        const float from = std::clamp(left_edge.x + width - wide, left_edge.x, grid.min.x);
        const Rect bar = sketch.slab(held, {from, grid.max.y + sketch.px(3) + half}, scale);
        sketch.caption({from + wide + sketch.px(5), bar.centre().y - sketch.px(8)}, of.held_name, held);
        words = bar.max.y + sketch.px(5);
    }
    sketch.number({centre, words}, sketch.shape_text(id), id, Anchor::centre);
    words += sketch.number_line();
    if (words + sketch.number_line() > card.max.y) return;
    sketch.caption({centre, words}, of.said, id, Anchor::centre);
}

}  // namespace headcount
