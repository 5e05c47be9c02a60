// What a pair's feed-forwards make between their matrices: a bar below those that it is as wide as.
#include <algorithm>

#include "app/canvas/arrange/pair_cells.hpp"

namespace headcount {
namespace {

constexpr std::string_view hidden_id = "layer.feed_forward.hidden";
constexpr float above_bar = 10, beside_name = 8, below_bar = 8, below_bar_words = 4;  // design pixels

// Where a cell ends, with its words.
Rect taken_by(const Sketch& sketch, const PairCell& cell, Point corner, float scale, PairLines lines) {
    const Point from{corner.x + cell.at.x, corner.y + cell.at.y};
    float width = sketch.thick(cell.most.columns, scale), height = sketch.thick(cell.most.rows, scale);
    if (!cell.bias.empty()) height += sketch.px(2) + sketch.thick(sketch.drawn(1), scale);
    if (!cell.inside) {
        width = std::max(width, cell.words[static_cast<std::size_t>(lines)]);
        height += sketch.px(below_bar_words) + sketch.label_height(static_cast<int>(lines));
    }
    return {from, {from.x + width, from.y + height}};
}

}  // namespace

void lay_out_pair_hidden(Sketch& sketch, const Pair& pair, const std::vector<PairCell>& cells, Point corner, Rect box,
                         float scale, PairLines lines) {
    if (!pair.own.has(hidden_id) || !pair.other.has(hidden_id)) return;
    // Both sides take the same room.
    const Sides most = sketch.sides(hidden_id, true);
    const auto words = [&](const Sketch& side) {
        return side.width_of("Hidden", TextRole::name) + side.px(beside_name) +
               side.width_of(side.shape_text(hidden_id), TextRole::number);
    };
    const float width = std::max({sketch.thick(most.columns, scale), words(pair.own), words(pair.other)});
    float y = corner.y;
    for (const PairCell& cell : cells) {
        const Rect taken = taken_by(sketch, cell, corner, scale, lines);
        if (taken.min.x < corner.x + width) y = std::max(y, taken.max.y);
    }
    y += sketch.px(above_bar);
    const Point bar{corner.x, y + sketch.name_line()};
    if (bar.y + sketch.thick(most.rows, scale) > box.max.y - sketch.px(below_bar) || corner.x + width > box.max.x)
        return;
    sketch.label({corner.x, y}, "Hidden", TextRole::name, Tone::high, Anchor::left, hidden_id);
    sketch.label({corner.x + sketch.width_of("Hidden", TextRole::name) + sketch.px(beside_name), y + sketch.px(1)},
                 sketch.shape_text(hidden_id), TextRole::number, Tone::mid, Anchor::left, hidden_id);
    sketch.hung(hidden_id, bar, scale);
}

}  // namespace headcount
