// What a pair's matrices are called, how they are packed, and what is made between them. Every number here is taken
// from both sides alike.
#include "app/canvas/arrange/pair_cells.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float between = 8, row_gap = 10, in_words = 8, below_words = 4;  // design pixels
constexpr float apart_numbers = 5;  // further than the matrices: else two seem to be one
constexpr double on_end = 1.5;      // a matrix is so much taller than wide

// How often a layer has it.
std::int64_t copies(const Sketch& sketch, const Tensor& tensor) {
    return sketch.value(sketch.input().model.graph.copies_in_layer(tensor.block), 1);
}

void add(const Pair& pair, std::string id, std::vector<PairCell>& cells) {
    const bool there = std::ranges::any_of(cells, [&](const PairCell& cell) { return cell.id == id; });
    if (there) return;
    PairCell cell{.id = std::move(id), .bias = {}, .most = {0, 0}, .least = {0, 0}, .at = {}};
    for (const Sketch* side : {&pair.own, &pair.other}) {
        if (!side->has(cell.id)) continue;
        const Sides sides = side->sides(cell.id);
        const bool only = cell.most.columns <= 0;
        cell.most = {std::max(cell.most.rows, sides.rows), std::max(cell.most.columns, sides.columns)};
        cell.least =
            only ? sides : Sides{std::min(cell.least.rows, sides.rows), std::min(cell.least.columns, sides.columns)};
    }
    const std::string stem = cell.id.ends_with(".weight") ? cell.id.substr(0, cell.id.size() - 7) : "";
    if (!stem.empty() && (pair.own.has(stem + ".bias") || pair.other.has(stem + ".bias"))) cell.bias = stem + ".bias";
    for (const Pair& side : {pair, Pair{pair.other, pair.own}}) {
        const PairWords words = pair_words(side, cell.id);
        cell.changed |= words.changed;
        const float name = side.own.width_of(words.name, TextRole::name);
        const float shape = side.own.width_of(words.shape, TextRole::number);
        const float mark = side.own.width_of(words.mark, TextRole::number);
        const float shaped = std::max(name, shape);
        const std::array<float, 5> widths{name, std::max(name, mark), shaped, shaped, std::max(shaped, mark)};
        for (std::size_t i = 0; i < widths.size(); ++i) cell.words[i] = std::max(cell.words[i], widths[i]);
    }
    if (cell.most.columns > 0) cells.push_back(std::move(cell));
}

// Ids of a layer as they are written for whichever is shown.
void add_component(const Pair& pair, const Sketch& side, Component component, std::vector<PairCell>& cells) {
    const ModelGraph& graph = side.input().model.graph;
    const BlockIndex layer = side.layer().block;
    const std::string& block = graph.blocks[layer].id;
    for (const Tensor& tensor : graph.tensors) {
        const bool trained = tensor.role == Role::parameter && tensor.component == component;
        if (!trained || !graph.inside(tensor.block, layer)) continue;
        const std::string id = std::string(main_layer) + tensor.id.substr(block.size());
        const bool bias = id.ends_with(".bias") && side.has(id.substr(0, id.size() - 5) + ".weight");
        if (!bias) add(pair, id, cells);
    }
}

// A matrix at a scale, with its words.
struct CellExtent {
    float width, height;
};
CellExtent cell_extent(const Sketch& sketch, PairCell& cell, float scale, PairLines all) {
    const PairLines lines = said_of(cell, all);
    const float words = sketch.label_height(line_count(lines)), wide = cell.words[static_cast<std::size_t>(lines)];
    const CellExtent matrix{sketch.thick(cell.most.columns, scale), cell_height(sketch, cell, scale)};
    cell.inside = static_cast<float>(cell.least.columns) * scale >= wide + sketch.px(2 * in_words) &&
                  static_cast<float>(cell.least.rows) * scale >= words + sketch.px(2);
    if (cell.inside) return matrix;
    const float apart = lines == PairLines::name ? 0 : sketch.px(apart_numbers);
    return {std::max(matrix.width, wide + apart), matrix.height + sketch.px(below_words) + words};
}

struct Packed {
    float height = 0;
    std::vector<Point> at;
};

std::optional<Packed> pack(const Sketch& sketch, const std::vector<PairCell>& cells,
                           const std::vector<CellExtent>& extents, float width, bool beside) {
    const float gap = sketch.px(between);
    const auto stands = [&](std::size_t i) { return beside && cells[i].most.rows > on_end * cells[i].most.columns; };
    Packed packed{0, std::vector<Point>(cells.size())};
    float right = width;
    for (std::size_t i = cells.size(); i-- > 0;) {
        if (!stands(i)) continue;
        right -= extents[i].width;
        packed.at[i] = {right, 0};
        packed.height = std::max(packed.height, extents[i].height);
        right -= gap;
    }
    float x = 0, y = 0, row = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (stands(i)) continue;
        if (x > 0 && x + extents[i].width > right) {
            y += row + sketch.px(row_gap);
            x = row = 0;
        }
        if (x + extents[i].width > right) return std::nullopt;
        packed.at[i] = {x, y};
        x += extents[i].width + gap;
        row = std::max(row, extents[i].height);
    }
    if (right < 0) return std::nullopt;
    packed.height = std::max(packed.height, y + row);
    return packed;
}

}  // namespace

PairWords pair_words(const Pair& pair, std::string_view id) {
    const Tensor *const own = pair.own.find(id), *const there = pair.other.find(id);
    PairWords words;
    if (!own && !there) return words;
    const std::int64_t often = own ? copies(pair.own, *own) : copies(pair.other, *there);
    words.name = std::string(own ? own->symbol : there->symbol);
    if (often > 1) words.name += " × " + std::to_string(often);
    // A decoder's layers have a second attention, whose matrices are called as those of the first.
    if ((own ? pair.own : pair.other).input().model.graph.is((own ? own : there)->block, BlockKind::cross))
        words.name += " cross";
    if (!own) {
        words.shape = "not here";
        return words;
    }
    words.shape = pair.own.shape_text(*own);
    words.changed = true;
    if (!there) {
        words.mark = "only here";
        return words;
    }
    const std::int64_t change = pair.own.count(*own) - pair.other.count(*there);
    const bool reshaped = words.shape != pair.other.shape_text(*there), repeated = often != copies(pair.other, *there);
    words.changed = reshaped || repeated;
    if (!pair.second()) return words;
    words.mark = change != 0 ? signed_short(change) : reshaped ? "other shape" : repeated ? "other number" : "same";
    return words;
}

std::vector<PairCell> pair_cells(const Pair& pair, std::initializer_list<std::string_view> ids) {
    std::vector<PairCell> cells;
    for (const std::string_view id : ids) add(pair, std::string(id), cells);
    return cells;
}

std::vector<PairCell> pair_cells(const Pair& pair, Component component) {
    std::vector<PairCell> cells;
    add_component(pair, pair.first_side(), component, cells);
    add_component(pair, pair.second_side(), component, cells);
    return cells;
}

std::vector<PairCell> mixer_cells(const Pair& pair) {
    std::vector<PairCell> cells;
    std::optional<Component> before;
    for (const Sketch* const side : {&pair.first_side(), &pair.second_side()}) {
        const std::string block = mixer_block(*side);
        if (!side->find_block(block)) continue;
        const Component mixer = component_of(*side, block);
        if (mixer == before) continue;
        before = mixer;
        for (PairCell& cell : pair_cells(pair, mixer)) cells.push_back(std::move(cell));
    }
    return cells;
}

float cell_height(const Sketch& sketch, const PairCell& cell, float scale) {
    const float bias = cell.above_bias ? sketch.px(2) + sketch.thick(sketch.drawn(1), scale) : 0;
    return sketch.thick(cell.most.rows, scale) + bias;
}

std::optional<float> pack_cells(const Sketch& sketch, std::vector<PairCell>& cells, float width, float scale,
                                PairLines lines) {
    for (PairCell& cell : cells)
        cell.above_bias = std::ranges::any_of(
            cells, [&](const PairCell& other) { return !other.bias.empty() && other.most.rows == cell.most.rows; });
    std::vector<CellExtent> extents;
    for (PairCell& cell : cells) extents.push_back(cell_extent(sketch, cell, scale, lines));
    std::optional<Packed> best;
    for (const bool beside : {false, true}) {
        std::optional<Packed> packed = pack(sketch, cells, extents, width, beside);
        if (packed && (!best || packed->height < best->height)) best = std::move(packed);
    }
    if (!best) return std::nullopt;
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].at = best->at[i];
    return best->height;
}

namespace {

constexpr std::string_view hidden_id = "layer.feed_forward.hidden";
constexpr float above_bar = 10, beside_name = 8, below_bar = 8, below_bar_words = 4;  // design pixels

// Where a cell ends, with its words.
Rect taken_by(const Sketch& sketch, const PairCell& cell, Point corner, float scale, PairLines all) {
    const PairLines lines = said_of(cell, all);
    const Point from{corner.x + cell.at.x, corner.y + cell.at.y};
    float width = sketch.thick(cell.most.columns, scale), height = cell_height(sketch, cell, scale);
    if (!cell.inside) {
        width = std::max(width, cell.words[static_cast<std::size_t>(lines)]);
        height += sketch.px(below_bar_words) + sketch.label_height(line_count(lines));
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
    sketch.name_and_size({corner.x, y}, "Hidden", sketch.shape_text(hidden_id), hidden_id, beside_name);
    sketch.hung(hidden_id, bar, scale);
}

}  // namespace headcount
