// A sub-block laid out from its graph alone: operations from left to right as the data flows, side by side where they
// do not depend on each other, each with its parameters and what it makes; the blocks inside it that are there many
// times, heads or experts, as a grid of squares. It knows no kind of sub-block.
#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/block_layout.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::optional<Component> BlockLayout::component() const {
    const auto named = std::ranges::find_if(graph_.tensors, [&](const Tensor& tensor) {
        return tensor.component != Component::norm && graph_.blocks[tensor.block].id == block_;
    });
    return named == graph_.tensors.end() ? std::nullopt : std::optional(named->component);
}

// The block's name and count, where its frame on the page around has them.
void BlockLayout::block_title() {
    const std::optional<Component> own = component();
    if (!own) return;
    if (repeated()) return title_of_copy(*own);
    Sketch::block_title(block_, input_.area);
}

// One of many that are alike: which of them, and how many parameters each has.
void BlockLayout::title_of_copy(Component component) {
    const Block& block = *graph_.find_block(block_);
    std::int64_t sum = 0;
    for (const Tensor& tensor : graph_.tensors)
        if (tensor.role == Role::parameter && graph_.blocks[tensor.block].id == block_) sum += count(tensor);
    const Point at{input_.area.min.x + px(room::padding), input_.area.min.y + px(7)};
    const std::string id = component_id(component);
    title(at, capitalized(block.name) + " {i} of " + grouped(value(block.repeat, 1)), id);
    if (sum > 0) number({at.x, at.y + px(18)}, grouped(sum), id);
}

void BlockLayout::name_matrix(const Tensor& tensor, const Rect& slab, Point name_at, float below) {
    const std::string text = name_text(tensor);
    name(name_at, text, tensor.id);
    if (says_cached(tensor))
        label({name_at.x + width_of(text, TextRole::name) + px(6), name_at.y + px(2)}, "cached", TextRole::number,
              Tone::cached, Anchor::left, tensor.id);
    number({slab.min.x, below}, shape_text(tensor), tensor.id);
    if (tensor.role == Role::parameter) detail({slab.min.x, below + number_line()}, grouped(count(tensor)), tensor.id);
    if (tensor.role != Role::state || !repeated()) return;
    float y = below + number_line();
    for (const std::string_view words : {"state: the same for", "any number of tokens"}) {
        label({slab.min.x, y}, words, TextRole::caption, Tone::cached, Anchor::left, tensor.id);
        y += number_line();
    }
}

void BlockLayout::place(std::size_t index) {
    const BlockItem& item = items_[index];
    const BlockColumn& column = columns_[static_cast<std::size_t>(item.level)];
    Ends& ends = rects_[index];
    ends = {column.left, column.left, y_of(item)};
    if (item.block) return place_grid(item, ends);
    float x = column.left;
    if (has_mark(item)) {
        const Point centre{x + px(8), ends.y};
        const Op op = item.node->op;
        const MarkKind kind = op == Op::gate || op == Op::mix_blocks ? MarkKind::multiply
                              : op == Op::combine || op == Op::sum   ? MarkKind::add
                                                                     : MarkKind::apply;
        mark(centre, kind, graph_.tensors[item.output].id);
        ends.right = centre.x + px(8);
    }
    x += column.mark;
    if (!has_mark(item)) ends.left = ends.right = x;  // in a column of others that have one
    Rect weight{};
    if (item.node && item.node->op == Op::norm) {
        const std::string made = graph_.tensors[item.output].id, norm = norm_of(item);
        weight = norm_slab(norm, {x, ends.y}, scale_, made);
        const std::string named = has(norm + ".weight") ? norm + ".weight" : made;
        name({weight.min.x, weight.min.y - px(label_above)}, "Norm", named);
        number({weight.min.x, below_all()}, norm_size(*this, norm), named);
    } else if (item.node && !item.node->parameters.empty()) {
        const auto& parameters = item.node->parameters;
        weight = slab(graph_.tensors[parameters.front()].id, {x, ends.y}, scale_);
        const bool again = std::any_of(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(index),
                                       [&](const BlockItem& other) {
                                           return other.node && !other.node->parameters.empty() &&
                                                  other.node->parameters.front() == parameters.front();
                                       });
        if (again) outline_last();  // what stands before it has drawn it
        Rect last = weight;         // of several vectors one below the other
        for (std::size_t i = 1; i < parameters.size() && !again; ++i)
            last = bias_below(graph_.tensors[parameters[i]].id, last, scale_);
        // Close to it where that is clear of a wider one in the lane above.
        const float above_line = name_line() + px(1);
        const float end = lane_height_ / 2 >= above_line * ways_.shrunk ? weight.width() : column.widest;
        const Point behind{x + end + px(beside_name), ends.y - above_line};
        name_matrix(graph_.tensors[parameters.front()], weight, named_behind(item) ? behind : above(weight),
                    below_all());
    }
    if (weight.width() > 0) {
        x += column.weights + within();
        ends.right = weight.max.x;
    }
    if (item.output_elsewhere) return;
    const Tensor& made = graph_.tensors[item.output];
    const Rect drawn = slab(made.id, {x, ends.y}, scale_, is_whole(item) ? 0 : tallest());
    show_mask(scene.slabs.back());
    name_matrix(made, drawn, above(drawn), drawn.max.y + px(4));
    if (ends.right > ends.left) line({{ends.right, ends.y}, {drawn.min.x, ends.y}}, made.id);
    ends.right = drawn.max.x;
}

Point least_block_size(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).least_size();
}

Scene layout_block(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).lay_out();
}

namespace {

constexpr double wider_than_tall = 2, nearly = 0.4;  // of a grid, and how far off that one of equal rows may be
constexpr float least_filled = 12;                   // design pixels: a lower square of a grid holds no matrices

// "scores"
std::string lowered(std::string_view label) {
    std::string text(label);
    text.front() = lower(text.front());
    return text;
}

}  // namespace

std::int64_t columns_of_grid(std::int64_t count) {
    const double wished = std::sqrt(wider_than_tall * static_cast<double>(count));
    const auto off = [&](std::int64_t columns) { return std::abs(std::log(static_cast<double>(columns) / wished)); };
    const auto otherwise = std::clamp<std::int64_t>(std::llround(std::ceil(wished)), 1, count);
    std::int64_t best = 0;
    constexpr double rounding = 1e-9;  // of two that are as far off, the wider one
    for (std::int64_t columns = 1; columns <= std::min(count, 2 * otherwise); ++columns)
        if (count % columns == 0 && (best == 0 || off(columns) <= off(best) + rounding)) best = columns;
    return best > 0 && off(best) <= nearly ? best : otherwise;
}

float lay_out_grid(Sketch& sketch, const GridOf& of, Point left, Point room, bool centred) {
    const std::int64_t columns = columns_of_grid(of.count);
    const std::int64_t rows = (of.count + columns - 1) / columns;
    const float cell = std::min(room.x / static_cast<float>(columns), head_aspect * room.y / static_cast<float>(rows));
    const float half = cell / head_aspect * static_cast<float>(rows) / 2;
    if (centred) left.x += (room.x - cell * static_cast<float>(columns)) / 2;
    const Rect rect{{left.x, left.y - half}, {left.x + cell * static_cast<float>(columns), left.y + half}};
    sketch.scene.slabs.push_back({.id = of.shown.id,
                                  .rect = rect,
                                  .part = of.shown.part,
                                  .rows = rows,
                                  .columns = columns,
                                  .grid_columns = static_cast<int>(columns),
                                  .grid_cells = of.count});
    sketch.show_mask(sketch.scene.slabs.back());
    sketch.scene.doors.push_back(
        {.block = std::string(of.block), .rect = rect, .columns = columns, .count = of.count, .grid = true});
    return cell / head_aspect;
}

void BlockLayout::place_grid(const BlockItem& item, Ends& ends) {
    const std::int64_t count = std::max<std::int64_t>(1, value(item.block->repeat, 1));
    // What a repeat computes that is no part of another tensor: its scores, or what an expert makes.
    const BlockIndex inside = graph_.tensors[item.output].block;
    const bool chosen = item.chosen_by.has_value();
    const auto is_weights = [&](const Tensor& tensor) {
        return std::ranges::any_of(graph_.nodes, [&](const Node& node) {
            return node.op == Op::masked_softmax && &graph_.tensors[node.output] == &tensor;
        });
    };
    // With a run's numbers it is the weights of attention that say where a head looks.
    const bool weights = !chosen && input().values && std::ranges::any_of(graph_.tensors, [&](const Tensor& tensor) {
        return tensor.block == inside && is_weights(tensor);
    });
    const Node* const scores = graph_.first(Op::scores, inside);
    const Tensor& shown = *std::ranges::find_if(graph_.tensors, [&](const Tensor& tensor) {
        if (chosen) return tensor.id == graph_.tensors[item.output].id;
        if (weights) return tensor.block == inside && is_weights(tensor);
        if (scores) return &tensor == &graph_.tensors[scores->output];
        return tensor.block == inside && (!tensor.view || tensor.id == graph_.tensors[item.output].id);
    });
    const float high = lay_out_grid(*this, {shown, item.block->id, count}, {ends.left, ends.y},
                                    {grid_width(), grid_height(item)}, true);
    scene.doors.back().entry_tensor = graph_.tensors[item.inputs.front()].id;
    const Rect rect = scene.doors.back().rect;
    const Result<std::int64_t> runs = evaluate(item.block->runs, input_.model.bindings);
    if (chosen && runs) scene.slabs.back().grid_lit = *runs;
    const std::string plural = std::string(item.block->name) + (count == 1 ? "" : "s");
    const std::string some = chosen && runs ? grouped(*runs) + " a token" : "";
    const std::string all = grouped(count) + " " + plural;
    const float wide = some.empty() ? 0 : width_of(all + ", " + some, TextRole::name) * ways_.shrunk;
    const bool in_one = !some.empty() && wide <= grid_width() + 2 * arrow();
    name({rect.centre().x, rect.min.y - px(label_above)}, in_one ? all + ", " + some : all, shown.id, Anchor::centre);
    number({rect.centre().x, rect.max.y + px(4)}, shape_text(shown), shown.id, Anchor::centre);
    caption({rect.centre().x, rect.max.y + px(4) + number_line()},
            !some.empty() && !in_one ? some : "in each: " + lowered(shown.label), shown.id, Anchor::centre);
    ends.left = rect.min.x;
    ends.right = rect.max.x;
    if (high >= words_px(least_filled)) fill_cells(scene.doors.back(), inside, shown.id);
    if (!item.held.empty()) place_held(item, rect);
}

// Their matrices in every square, at one scale: else it looks as if there were nothing in it.
void BlockLayout::fill_cells(const Door& door, BlockIndex inside, std::string_view named_by) {
    struct Matrix {
        const Tensor* tensor;
        Sides sides;
    };
    std::vector<Matrix> matrices;
    double rows = 0, columns = 0;
    for (const Tensor& tensor : graph_.tensors) {
        if (tensor.block != inside || tensor.role != Role::parameter || tensor.shape.rank() < 2) continue;
        matrices.push_back({&tensor, sides(tensor.id)});
        rows = std::max(rows, matrices.back().sides.rows);
        columns += matrices.back().sides.columns;
    }
    if (matrices.empty()) return;
    const Rect first = door.cell(0);
    const float gap = first.width() / 12, room = first.width() - gap * static_cast<float>(matrices.size() + 1);
    const double scale =
        std::min(static_cast<double>(room) / columns, static_cast<double>(first.height()) * 0.76 / rows);
    const auto pixels = [&](double side) { return static_cast<float>(side * scale); };
    const float left = (first.width() - pixels(columns) - gap * static_cast<float>(matrices.size() - 1)) / 2;
    for (std::int64_t i = 0; i < door.count; ++i) {
        const Rect cell = door.cell(i);
        float x = cell.min.x + left;
        for (const Matrix& matrix : matrices) {
            const float half = pixels(matrix.sides.rows) / 2, width = pixels(matrix.sides.columns);
            scene.slabs.push_back({.id = matrix.tensor->id,
                                   .rect = {{x, cell.centre().y - half}, {x + width, cell.centre().y + half}},
                                   .part = matrix.tensor->part,
                                   .look = SlabLook::parameter,
                                   .named_by = std::string(named_by)});
            x += width + gap;
        }
    }
}

// What all of them use and is no part of any: below their words, one beside the other, with words of its own; several
// by their letters.
void BlockLayout::place_held(const BlockItem& item, const Rect& grid) {
    const float y = grid.max.y + px(10 + grid_below()), gap = px(12);
    const auto called = [&](const Tensor& tensor) { return item.held.size() == 1 ? tensor.label : tensor.symbol; };
    const auto wide = [&](const Tensor& tensor) {
        return std::max({thick(sides(tensor.id).columns, scale_), width_of(called(tensor), TextRole::name),
                         width_of(shape_text(tensor), TextRole::number)});
    };
    float all = -gap;
    for (const TensorIndex parameter : item.held) all += wide(graph_.tensors[parameter]) + gap;
    const Rect& area = input_.area;
    float x = std::max(std::min(grid.centre().x - all / 2, area.max.x - all), area.min.x);
    for (const TensorIndex parameter : item.held) {
        const Tensor& tensor = graph_.tensors[parameter];
        const Sides own = sides(tensor.id);
        const float room = wide(tensor), width = thick(own.columns, scale_), height = thick(own.rows, scale_);
        const Rect bar = slab(tensor.id, {x + (room - width) / 2, y + height / 2}, scale_);
        name({bar.centre().x, bar.max.y + px(3)}, called(tensor), tensor.id, Anchor::centre);
        number({bar.centre().x, bar.max.y + px(3) + name_line()}, shape_text(tensor), tensor.id, Anchor::centre);
        x += room + gap;
    }
}

}  // namespace headcount
