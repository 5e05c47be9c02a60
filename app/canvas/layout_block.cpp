// A sub-block laid out from its graph alone: operations from left to right as the data flows, side by side where they
// do not depend on each other, each with its parameters and what it makes. It knows no kind of sub-block.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>

#include "app/canvas/block_flow.hpp"
#include "app/canvas/sketch.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A step of the flow, with what it takes to draw it.
struct Item : FlowItem {
    Sides weight{0, 0}, made{0, 0};            // of its first parameter and its output, the model's or the base's
    float weight_words = 0, output_words = 0;  // how wide their labels are
};

// One column of items, in pixels: a mark, the parameters, what comes out.
struct Column {
    float left = 0, mark = 0, weights = 0, outputs = 0;
};

constexpr float padding = 18, inner_arrow = 14, mark_room = 30, label_above = 21;
constexpr float nearly = 0.75F;
constexpr float largest_cell = 24;    // of a model that is very small
constexpr float legible = 40;         // design pixels: words give way before the longest side is shorter
constexpr float head_aspect = 1.45F;  // of a head's page, and of its square in the grid

// As many columns of squares as make these largest, or rows of equal length where those are nearly as large.
std::int64_t grid_columns(std::int64_t count, float width, float height) {
    const auto cell = [&](std::int64_t columns) {
        const std::int64_t rows = (count + columns - 1) / columns;
        return std::min(width / static_cast<float>(columns), height / static_cast<float>(rows));
    };
    const double largest = std::sqrt(static_cast<double>(count) * static_cast<double>(width / height));
    constexpr std::int64_t most_tried = 32;
    const auto middle = std::clamp<std::int64_t>(std::llround(std::ceil(largest)), 1, count);
    std::int64_t best = middle;
    for (std::int64_t columns = std::max<std::int64_t>(1, middle - most_tried);
         columns <= std::min(count, middle + most_tried); ++columns) {
        const bool even = count % columns == 0, was_even = count % best == 0;
        if (even && cell(columns) > (was_even ? 1 : nearly) * cell(best)) best = columns;
    }
    return best;
}

bool has_mark(const Item& item) {
    return item.node && (item.node->op == Op::gate || item.node->op == Op::activate || item.node->op == Op::combine);
}

class BlockLayout {
  public:
    BlockLayout(const LayoutInput& input, const BlockWays& ways, std::string_view block)
        : sketch_(input), input_(input), ways_(ways), graph_(input.model.graph), block_(block) {}

    Scene lay_out() {
        for (FlowItem& item : flow_of(graph_, block_, ways_.elsewhere)) items_.push_back({std::move(item)});
        choose_scale();
        title();
        sketch_.scene.model_scale = sketch_.scene.layer_scale = scale_;
        rects_.resize(items_.size());
        for (std::size_t i = 0; i < items_.size(); ++i) place(i);
        for (std::size_t i = 0; i < items_.size(); ++i) connect(i);
        return sketch_.finished();
    }

    // However small its matrices are drawn, and with no words but names.
    float least_width() {
        for (FlowItem& item : flow_of(graph_, block_, ways_.elsewhere)) items_.push_back({std::move(item)});
        words_ = Words::names;
        measure();
        return arrange(1e-12F);
    }

  private:
    // What columns are wide enough for. The cache's outline says it too; a shape that is in the way is left out until
    // one is nearer.
    enum class Words { all, no_cached, names };
    struct Ends {
        float left = 0, right = 0, y = 0;
    };

    std::optional<Component> component() const;
    void title();
    void title_of_copy(Component component);
    float title_width(Component component) const;
    float beside_title() const;
    void measure();
    void choose_scale();
    void largest_scale();
    float longest_side() const;
    float arrange(float scale);
    float tallest() const { return std::max(lane_height_ - sketch_.px(label_above + 34), sketch_.px(2 * least_side)); }
    float below_all() const { return sketch_.scene.slabs.back().rect.max.y + sketch_.px(4); }  // of an operation
    float y_of(const Item& item) const { return first_y_ + (item.lane - first_lane_) * lane_height_; }
    // How tall a grid of squares may be: as its column has room.
    float grid_height(const Item& item) const {
        const float held = item.held.empty() ? 0 : sketch_.px(36);
        if (item.alone) return input_.area.height() * 0.6F - held;
        return std::max(2 * half_lanes(item) * lane_height_ - sketch_.px(label_above + 38) - held, sketch_.px(24));
    }
    void place_held(const Item& item, const Rect& grid);
    bool repeated() const { return !(graph_.find_block(block_)->repeat == Expr(1)); }
    float arrow() const { return sketch_.px(words_ == Words::all ? 20 : 14); }
    float grid_width() const { return sketch_.px(words_ == Words::all ? 128 : 96); }
    bool says_cached(const Tensor& tensor) const { return words_ == Words::all && tensor.role == Role::cache; }
    float cached_width() const { return sketch_.px(6) + sketch_.width_of("cached", TextRole::number); }
    float label_width(const Tensor& tensor) const {
        const float name = sketch_.width_of(sketch_.name_text(tensor), TextRole::name);
        if (words_ == Words::names) return name;
        const bool parameter = tensor.role == Role::parameter;
        return std::max(name + (says_cached(tensor) ? cached_width() : 0),
                        sketch_.label_width(tensor.id, parameter ? 3 : 2));
    }
    // What a norm's parameters are named after.
    std::string norm_of(const Item& item) const {
        const std::string& made = graph_.tensors[item.output].id;
        if (item.node->parameters.empty()) return made;
        const std::string& id = graph_.tensors[item.node->parameters.front()].id;
        return id.substr(0, id.rfind('.'));
    }
    void place(std::size_t index);
    void place_grid(const Item& item, Ends& ends);
    void name(const Tensor& tensor, const Rect& slab, float below);
    Rect reach(const Item& item, const Ends& at, bool words) const;
    float passing(float from_y, float to_y, int after, int before) const;
    void lead(const Ends& from, int from_level, const Item& item, const Ends& to, const std::string& tensor);
    void connect(std::size_t index);
    void lead_onward(const Ends& from, const Item& item);

    Sketch sketch_;
    const LayoutInput& input_;
    const BlockWays& ways_;
    const ModelGraph& graph_;
    std::string_view block_;
    std::vector<Item> items_;
    std::vector<Column> columns_;
    std::vector<Ends> rects_;
    Words words_ = Words::all;
    float scale_ = 0, lane_height_ = 0, first_lane_ = 0, first_y_ = 0, width_ = 0;
};

std::optional<Component> BlockLayout::component() const {
    const auto named = std::find_if(graph_.tensors.begin(), graph_.tensors.end(), [&](const Tensor& tensor) {
        return tensor.role == Role::parameter && tensor.component != Component::norm &&
               graph_.blocks[tensor.block].id == block_;
    });
    return named == graph_.tensors.end() ? std::nullopt : std::optional(named->component);
}

// The block's name and count, where its frame on the page around has them.
void BlockLayout::title() {
    const std::optional<Component> own = component();
    if (!own) return;
    if (repeated()) return title_of_copy(*own);
    const std::string id = "component." + std::string(component_key(*own));
    const Point at{input_.area.min.x + sketch_.px(room::padding), input_.area.min.y + sketch_.px(7)};
    sketch_.label({at.x + sketch_.px(16), at.y}, std::string(component_name(*own)), TextRole::title, Tone::high,
                  Anchor::left, id);
    sketch_.label({at.x, at.y + sketch_.px(18)}, grouped(sketch_.component_in_layer(*own)), TextRole::number, Tone::mid,
                  Anchor::left, id);
}

// One of many that are alike: which of them, and how many parameters each has.
void BlockLayout::title_of_copy(Component component) {
    const Block& block = *graph_.find_block(block_);
    const Result<std::int64_t> repeat = evaluate(block.repeat, input_.model.bindings);
    std::string name = block.name;
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    std::int64_t count = 0;
    for (const Tensor& tensor : graph_.tensors)
        if (tensor.role == Role::parameter && graph_.blocks[tensor.block].id == block_) count += sketch_.count(tensor);
    const Point at{input_.area.min.x + sketch_.px(room::padding), input_.area.min.y + sketch_.px(7)};
    const std::string id = "component." + std::string(component_key(component));
    sketch_.label(at, name + " {i} of " + grouped(repeat ? *repeat : 1), TextRole::title, Tone::high, Anchor::left, id);
    sketch_.label({at.x, at.y + sketch_.px(18)}, grouped(count), TextRole::number, Tone::mid, Anchor::left, id);
}

float BlockLayout::title_width(Component component) const {
    if (!repeated()) return sketch_.header_width(component);
    return sketch_.width_of("Expert 000 of 000", TextRole::title);
}

// How much farther right the first column begins: a norm is low and stands below the title, matrices beside it.
float BlockLayout::beside_title() const {
    const bool matrices = std::any_of(items_.begin(), items_.end(), [](const Item& item) {
        return item.level == 0 && item.node && item.node->op != Op::norm;
    });
    const std::optional<Component> own = component();
    return matrices && own ? title_width(*own) + arrow() : 0;
}

// Where everything goes at this scale; returns how wide it becomes.
float BlockLayout::arrange(float scale) {
    int levels = 0;
    for (const Item& item : items_) levels = std::max(levels, item.level + 1);
    columns_.assign(static_cast<std::size_t>(levels), {});
    for (const Item& item : items_) {
        Column& column = columns_[static_cast<std::size_t>(item.level)];
        if (has_mark(item)) column.mark = sketch_.px(mark_room);
        if (item.block) column.outputs = std::max(column.outputs, grid_width());
        if (item.weight.columns > 0)
            column.weights = std::max({column.weights, item.weight_words, sketch_.thick(item.weight.columns, scale)});
        if (item.node && !item.output_elsewhere)
            column.outputs = std::max({column.outputs, item.output_words, sketch_.thick(item.made.columns, scale)});
    }
    float x = input_.area.min.x + sketch_.px(padding) + beside_title();
    for (Column& column : columns_) {
        column.left = x;
        x += column.mark + column.weights + (column.weights > 0 && column.outputs > 0 ? sketch_.px(inner_arrow) : 0) +
             column.outputs + arrow();
    }
    return x - input_.area.min.x - (arrow() - sketch_.px(padding + 6));
}

void BlockLayout::measure() {
    for (Item& item : items_) {
        if (!item.node) continue;
        const Tensor& made = graph_.tensors[item.output];
        item.made = sketch_.sides(made.id, true);
        item.output_words = label_width(made);
        item.weight = {0, 0};
        if (item.node->op == Op::norm) {
            const std::string norm = norm_of(item);
            item.weight = sketch_.sides(norm + ".weight", true);
            // As wide as what it scales where it trains nothing.
            if (item.weight.columns <= 0) item.weight = {sketch_.drawn(1), item.made.columns};
            item.weight_words = std::max(sketch_.width_of("Norm", TextRole::name),
                                         sketch_.width_of(norm_size(sketch_, norm), TextRole::number));
        } else if (!item.node->parameters.empty()) {
            const Tensor& weight = graph_.tensors[item.node->parameters.front()];
            item.weight = sketch_.sides(weight.id, true);
            item.weight_words = label_width(weight);
        }
    }
}

void BlockLayout::choose_scale() {
    if (items_.empty()) return;
    float first = 1e9F, last = -1e9F;
    for (const Item& item : items_) {
        first = std::min(first, item.lane - half_lanes(item));
        last = std::max(last, item.lane + half_lanes(item));
    }
    first_lane_ = first + 0.5F;
    lane_height_ = (input_.area.height() - sketch_.px(8)) / (last - first);
    // A matrix has more words below it than above.
    first_y_ = input_.area.min.y + sketch_.px(4) + lane_height_ / 2 - sketch_.px(7);
    const auto longest_with = [&](Words words) {
        words_ = words;
        measure();
        largest_scale();
        return longest_side();
    };
    // Words give way only as far as that makes the matrices larger.
    const float enough = std::min(sketch_.px(legible), nearly * longest_with(Words::names));
    if (longest_with(Words::all) < enough && longest_with(Words::no_cached) < enough) longest_with(Words::names);
    width_ = arrange(scale_);
    // What is left over is shared out among the arrows.
    const float slack = std::max(0.0F, input_.area.width() - width_) / static_cast<float>(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].left += slack * (static_cast<float>(i) + 0.5F);
}

float BlockLayout::longest_side() const {
    double longest = 0;
    for (const Item& item : items_)
        longest = std::max({longest, item.weight.rows, item.weight.columns, item.made.columns});
    return static_cast<float>(longest) * scale_;
}

// The largest at which all columns have room beside each other, and all lanes above each other.
void BlockLayout::largest_scale() {
    // A matrix in the middle may be as tall as all lanes together; the tallest one decides, and the width.
    float high = sketch_.px(largest_cell), low = 0;
    const auto fits = [&](float scale) {
        for (const Item& item : items_) {
            if (!item.node) continue;
            const float bias =
                item.node->parameters.size() > 1
                    ? sketch_.thick(sketch_.sides(graph_.tensors[item.node->parameters[1]].id).rows, scale) +
                          sketch_.px(3)
                    : 0;
            const float room = item.alone ? input_.area.height() - sketch_.px(2 * label_above + 40) : tallest();
            if (static_cast<float>(item.weight.rows) * scale > room - bias) return false;
        }
        return arrange(scale) <= input_.area.width();
    };
    for (int i = 0; i < 32; ++i) {
        const float middle = low > 0 ? std::sqrt(low * high) : high / 16;
        (fits(middle) ? low : high) = middle;
        if (low == 0 && high < 1e-12F) break;
    }
    scale_ = std::max(low, 1e-12F);
}

void BlockLayout::name(const Tensor& tensor, const Rect& slab, float below) {
    const Point above{slab.min.x, slab.min.y - sketch_.px(label_above)};
    const std::string text = sketch_.name_text(tensor);
    sketch_.label(above, text, TextRole::name, Tone::high, Anchor::left, tensor.id);
    if (says_cached(tensor))
        sketch_.label({above.x + sketch_.width_of(text, TextRole::name) + sketch_.px(6), above.y + sketch_.px(2)},
                      "cached", TextRole::number, Tone::cached, Anchor::left, tensor.id);
    sketch_.label({slab.min.x, below}, sketch_.shape_text(tensor), TextRole::number, Tone::mid, Anchor::left,
                  tensor.id);
    if (tensor.role == Role::parameter)
        sketch_.label({slab.min.x, below + sketch_.number_line()}, grouped(sketch_.count(tensor)), TextRole::number,
                      Tone::low, Anchor::left, tensor.id);
}

void BlockLayout::place_grid(const Item& item, Ends& ends) {
    const Result<std::int64_t> repeat = evaluate(item.block->repeat, input_.model.bindings);
    const std::int64_t count = repeat ? std::max<std::int64_t>(1, *repeat) : 1;
    const float width = grid_width(), height = grid_height(item);
    const std::int64_t columns = grid_columns(count, width, head_aspect * height);
    const auto rows = (count + columns - 1) / columns;
    const float cell = std::min(width / static_cast<float>(columns), head_aspect * height / static_cast<float>(rows));
    const float half = cell / head_aspect * static_cast<float>(rows) / 2;
    const float left = ends.left + (width - cell * static_cast<float>(columns)) / 2;
    const Rect rect{{left, ends.y - half}, {left + cell * static_cast<float>(columns), ends.y + half}};
    // What a repeat computes that is no part of another tensor: its scores, or what an expert makes.
    const BlockIndex inside = graph_.tensors[item.output].block;
    const bool chosen = item.chosen_by.has_value();
    const Tensor& shown = *std::find_if(graph_.tensors.begin(), graph_.tensors.end(), [&](const Tensor& tensor) {
        if (chosen) return tensor.id == graph_.tensors[item.output].id;
        return tensor.block == inside && (!tensor.view || tensor.id == graph_.tensors[item.output].id);
    });
    const Result<std::int64_t> runs = evaluate(item.block->runs, input_.model.bindings);
    sketch_.scene.slabs.push_back({.id = shown.id,
                                   .rect = rect,
                                   .part = shown.part,
                                   .look = SlabLook::activation,
                                   .base = {},
                                   .rows = rows,
                                   .columns = columns,
                                   .grid_columns = static_cast<int>(columns),
                                   .grid_cells = count,
                                   .grid_lit = chosen && runs ? *runs : 0});
    sketch_.grid_door(item.block->id, rect, columns, count);
    sketch_.scene.doors.back().entry_tensor = graph_.tensors[item.inputs.front()].id;
    std::string plural = std::string(item.block->name) + (count == 1 ? "" : "s");
    if (chosen && runs) plural += ", " + grouped(*runs) + " a token";
    sketch_.label({rect.centre().x, rect.min.y - sketch_.px(label_above)}, grouped(count) + " " + plural,
                  TextRole::name, Tone::high, Anchor::centre, shown.id);
    sketch_.label({rect.centre().x, rect.max.y + sketch_.px(4)}, sketch_.shape_text(shown), TextRole::number, Tone::mid,
                  Anchor::centre, shown.id);
    sketch_.label({rect.centre().x, rect.max.y + sketch_.px(4) + sketch_.number_line()},
                  "in each: " + std::string(shown.symbol), TextRole::caption, Tone::low, Anchor::centre, shown.id);
    ends.left = rect.min.x;
    ends.right = rect.max.x;
    if (!item.held.empty()) place_held(item, rect);
}

// What all of them use and is no part of any: below their words, with words of its own.
void BlockLayout::place_held(const Item& item, const Rect& grid) {
    float y = grid.max.y + sketch_.px(8) + 2 * sketch_.number_line() + sketch_.px(12);
    for (TensorIndex parameter : item.held) {
        const Tensor& tensor = graph_.tensors[parameter];
        const Sides sides = sketch_.sides(tensor.id);
        const float width = sketch_.thick(sides.columns, scale_), height = sketch_.thick(sides.rows, scale_);
        const Rect bar = sketch_.slab(tensor.id, {grid.centre().x - width / 2, y + height / 2}, scale_);
        const std::string name = std::string(tensor.label);
        sketch_.label({bar.centre().x, bar.max.y + sketch_.px(3)}, name, TextRole::name, Tone::high, Anchor::centre,
                      tensor.id);
        sketch_.label({bar.centre().x, bar.max.y + sketch_.px(3) + sketch_.name_line()}, sketch_.shape_text(tensor),
                      TextRole::number, Tone::mid, Anchor::centre, tensor.id);
        y = bar.max.y + sketch_.px(40);
    }
}

void BlockLayout::place(std::size_t index) {
    const Item& item = items_[index];
    const Column& column = columns_[static_cast<std::size_t>(item.level)];
    Ends& ends = rects_[index];
    ends = {column.left, column.left, y_of(item)};
    if (item.block) return place_grid(item, ends);
    float x = column.left;
    if (has_mark(item)) {
        const Point centre{x + sketch_.px(8), ends.y};
        const MarkKind kind = item.node->op == Op::gate      ? MarkKind::multiply
                              : item.node->op == Op::combine ? MarkKind::add
                                                             : MarkKind::apply;
        sketch_.mark(centre, kind, graph_.tensors[item.output].id);
        ends.right = centre.x + sketch_.px(8);
    }
    x += column.mark;
    if (!has_mark(item)) ends.left = ends.right = x;  // in a column of others that have one
    Rect weight{};
    if (item.node->op == Op::norm) {
        const std::string made = graph_.tensors[item.output].id, norm = norm_of(item);
        weight = sketch_.norm_slab(norm, {x, ends.y}, scale_, made);
        sketch_.label({weight.min.x, weight.min.y - sketch_.px(label_above)}, "Norm", TextRole::name, Tone::high,
                      Anchor::left, made);
        sketch_.label({weight.min.x, below_all()}, norm_size(sketch_, norm), TextRole::number, Tone::mid, Anchor::left,
                      made);
    } else if (!item.node->parameters.empty()) {
        const auto& parameters = item.node->parameters;
        weight = sketch_.slab(graph_.tensors[parameters.front()].id, {x, ends.y}, scale_);
        for (std::size_t i = 1; i < parameters.size(); ++i)
            sketch_.bias_below(graph_.tensors[parameters[i]].id, weight, scale_);
        name(graph_.tensors[parameters.front()], weight, below_all());
    }
    if (weight.width() > 0) {
        x += column.weights + sketch_.px(inner_arrow);
        ends.right = weight.max.x;
    }
    if (item.output_elsewhere) return;
    const Tensor& made = graph_.tensors[item.output];
    const Rect slab = sketch_.slab(made.id, {x, ends.y}, scale_, tallest());
    name(made, slab, slab.max.y + sketch_.px(4));
    if (ends.right > ends.left) sketch_.wire({{ends.right, ends.y}, {slab.min.x, ends.y}}, made.id, false, false);
    ends.right = slab.max.x;
}

// How far up and down what an item draws reaches, with its words or without.
Rect BlockLayout::reach(const Item& item, const Ends& at, bool words) const {
    const double rows = item.block ? 0 : std::max(item.weight.rows, std::min<double>(item.made.rows, 1e9));
    float half = sketch_.thick(rows, scale_) / 2;
    if (item.block)
        half = grid_height(item) / 2;
    else if (item.weight.rows <= 0)
        half = std::min(half, tallest() / 2);
    const float above = words ? sketch_.px(label_above) : sketch_.px(3), below = words ? sketch_.px(34) : sketch_.px(3);
    return {{at.left, at.y - half - above}, {at.right, at.y + half + below}};
}

// The height at which a line from one column to a later one passes those between: that of its end or its begin, else
// one that is free.
float BlockLayout::passing(float from_y, float to_y, int after, int before) const {
    std::vector<float> tried{from_y, to_y, input_.area.min.y + sketch_.px(5), input_.area.max.y - sketch_.px(5)};
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].level <= after || items_[i].level >= before) continue;
        for (bool words : {true, false}) {
            const Rect taken = reach(items_[i], rects_[i], words);
            tried.push_back(taken.min.y - sketch_.px(3));
            tried.push_back(taken.max.y + sketch_.px(3));
        }
    }
    const auto detour = [&](float y) { return std::abs(y - from_y) + std::abs(y - to_y); };
    std::stable_sort(tried.begin() + 2, tried.end(), [&](float a, float b) { return detour(a) < detour(b); });
    for (bool words : {true, false})
        for (float y : tried) {
            const bool inside = y >= input_.area.min.y + sketch_.px(4) && y <= input_.area.max.y - sketch_.px(4);
            bool free = inside;
            for (std::size_t i = 0; i < items_.size() && free; ++i) {
                const Item& item = items_[i];
                if (item.level <= after || item.level >= before) continue;
                const Rect taken = reach(item, rects_[i], words);
                free = y <= taken.min.y || y >= taken.max.y;
            }
            if (free) return y;
        }
    return from_y;
}

void BlockLayout::lead(const Ends& from, int from_level, const Item& item, const Ends& to, const std::string& tensor) {
    const float turn = columns_[static_cast<std::size_t>(item.level)].left - arrow() / 2, end = to.left - sketch_.px(2);
    const float y = passing(from.y, to.y, from_level, item.level);
    std::vector<Point> points{{from.right, from.y}};
    // Turns that lead nowhere are left out.
    const auto add = [&](Point point) {
        if (std::abs(point.x - points.back().x) > 0.5F || std::abs(point.y - points.back().y) > 0.5F)
            points.push_back(point);
    };
    if (std::abs(y - from.y) > 0.5F) {
        const float early = columns_[static_cast<std::size_t>(from_level + 1)].left - arrow() / 2;
        add({early, from.y});
        add({early, y});
    }
    if (std::abs(y - to.y) > 0.5F) {
        add({turn, y});
        add({turn, to.y});
    }
    add({end, to.y});
    sketch_.wire(std::move(points), tensor);
}

void BlockLayout::connect(std::size_t index) {
    const Item& item = items_[index];
    const Ends& to = rects_[index];
    const float inside = columns_[static_cast<std::size_t>(item.level)].left;
    const float turn = inside - arrow() / 2, end = to.left - sketch_.px(2);
    const bool into_mark = has_mark(item);
    for (std::size_t i = 0; i < item.from.size(); ++i) {
        const Ends& from = rects_[item.from[i]];
        const int level = items_[item.from[i]].level;
        const std::string& tensor = graph_.tensors[items_[item.from[i]].output].id;
        const bool free = std::abs(passing(from.y, to.y, level, item.level) - from.y) < 0.5F;
        if (!into_mark) {
            lead(from, level, item, to, tensor);
        } else if (std::abs(from.y - to.y) < 0.5F && free) {
            sketch_.wire({{from.right, from.y}, {to.left, to.y}}, tensor);
        } else {  // from above and below into the circle
            const float x = to.left + sketch_.px(8), y = passing(from.y, from.y, level, item.level);
            const bool above = std::abs(y - to.y) < 0.5F ? from.y < to.y : y < to.y;
            std::vector<Point> points{{from.right, from.y}};
            if (std::abs(y - from.y) > 0.5F) {
                const float early = columns_[static_cast<std::size_t>(level + 1)].left - arrow() / 2;
                points.push_back({early, from.y});
                points.push_back({early, y});
            }
            points.push_back({x, y});
            points.push_back({x, to.y + sketch_.px(above ? -8.0F : 8.0F)});
            sketch_.wire(std::move(points), tensor);
        }
    }
    if (item.from_outside)
        sketch_.wire({ways_.entry, {turn, ways_.entry.y}, {turn, to.y}, {end, to.y}}, ways_.entry_tensor);
    const bool last = index + 1 == items_.size();
    if (ways_.onward && item.node && item.node->op == Op::norm && item.from_outside) lead_onward(to, item);
    if (!last || ways_.exit.empty()) return;
    std::vector<Point> back{{to.right, to.y}, {ways_.exit.front().x, to.y}};
    back.insert(back.end(), ways_.exit.begin(), ways_.exit.end());
    sketch_.wire(std::move(back), graph_.tensors[item.output].id, false, false);
}

// The norm's output is the other sub-block's input too: along the foot of the page to where it leaves.
void BlockLayout::lead_onward(const Ends& from, const Item& item) {
    const float x = from.right + arrow() / 4, foot = input_.area.max.y - sketch_.px(5);
    sketch_.wire({{from.right, from.y}, {x, from.y}, {x, foot}, {ways_.onward->x, foot}, *ways_.onward},
                 graph_.tensors[item.output].id, false, false);
}

}  // namespace

float least_block_width(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).least_width();
}

Scene layout_block(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).lay_out();
}

}  // namespace headcount
