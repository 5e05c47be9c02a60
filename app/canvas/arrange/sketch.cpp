// The pencil of the layout: turns tensors into slabs at a scale, and words into labels.
#include "app/canvas/arrange/sketch.hpp"

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::int64_t value_in(const Expr& expr, const Bindings& bindings, std::int64_t otherwise = 0) {
    const Result<std::int64_t> value = evaluate(expr, bindings);
    return value ? *value : otherwise;
}

std::int64_t element_count_in(const Tensor& tensor, const NumberedGraph& numbered) {
    const Result<std::int64_t> count = element_count(tensor.shape, numbered.bindings);
    return count ? *count : 0;
}

Sides sides_in(const NumberedGraph& numbered, std::string_view id) {
    const Tensor* tensor = numbered.graph.find(id);
    if (!tensor) return {0, 0};
    const Shape& shape = tensor->shape;
    double columns = static_cast<double>(value_in(shape[shape.rank() - 1], numbered.bindings));
    if (shape.rank() == 1) return {1, columns};
    return {static_cast<double>(value_in(shape[0], numbered.bindings)), columns};
}

// What the base has in its place: of the same kind of layers, else of the only one.
Sides sides_in_base(const LayoutInput& input, std::string_view id, std::string_view shown) {
    if (input.beside) return sides_in(input.base, in_layer(id, main_layer, input.beside->layer));
    const Sides same = sides_in(input.base, shown);
    return same.columns > 0 ? same : sides_in(input.base, id);
}

}  // namespace

std::string in_layer(std::string_view id, std::string_view from, std::string_view to) {
    const bool inside = id.starts_with(from) && (id.size() == from.size() || id[from.size()] == '.');
    return inside ? std::string(to) + std::string(id.substr(from.size())) : std::string(id);
}

const LayerBlock& layer_shown(const ModelGraph& graph, std::string_view block) {
    for (const LayerBlock& layer : graph.layers)
        if (graph.blocks[layer.block].id == block) return layer;
    return graph.main_layer();
}

Sketch::Sketch(const LayoutInput& input) : input_(input) {
    const ModelGraph& graph = input.model.graph;
    stack_ = graph.blocks[graph.stack_of(layer().block)].id;
    renames_ = input.layer != main_layer || input.attention != attention_block || !stack_.empty();
}

std::string Sketch::shown(std::string_view id) const {
    if (!renames_) return std::string(id);
    const std::string own = in_layer(in_layer(id, attention_block, input_.attention), main_layer, input_.layer);
    if (layer().group.kind.shared) return shared_by(own);
    if (stack_.empty() || own != id) return own;
    const std::string in_stack = stack_ + "." + own;
    return input_.model.graph.find(in_stack) ? in_stack : own;
}

// The parameter of that name, by the name that it has in the first of the layers that share it.
std::string Sketch::shared_by(const std::string& id) const {
    const ModelGraph& graph = input_.model.graph;
    const std::size_t end = id.rfind('.');
    if (end == id.npos || graph.find(id)) return id;
    const Tensor* const made = graph.find(id.substr(0, end));
    const Node* const node = made ? graph.producer(static_cast<TensorIndex>(made - graph.tensors.data())) : nullptr;
    if (!node) return id;
    for (const TensorIndex each : node->parameters)
        if (graph.tensors[each].id.ends_with(id.substr(end))) return graph.tensors[each].id;
    return id;
}

const Sketch::Measures& Sketch::measures(std::string_view id) const {
    const auto known = measures_.find(id);
    if (known != measures_.end()) return known->second;
    const std::string here = shown(id);
    return measures_[std::string(id)] = {sides_in(input_.model, here), sides_in_base(input_, id, here)};
}

Sides Sketch::sides(std::string_view id, bool or_base) const {
    auto [own, base] = measures(id);
    if (or_base && own.rows > 0) own = {std::max(own.rows, base.rows), std::max(own.columns, base.columns)};
    return {drawn(own.rows), drawn(own.columns)};
}

Sides Sketch::numbers(std::string_view id) const { return measures(id).own; }

double Sketch::value(Symbol symbol) const { return static_cast<double>(input_.model.bindings[symbol].value_or(0)); }

std::int64_t Sketch::value(const Expr& expr, std::int64_t otherwise) const {
    return value_in(expr, input_.model.bindings, otherwise);
}

float Sketch::thick(double side, float scale) const {
    return std::max(px(least_side), static_cast<float>(side * static_cast<double>(scale)));
}

SlabLook Sketch::look_of(const Tensor& tensor) const {
    if (tensor.role == Role::parameter) return SlabLook::parameter;
    if (tensor.role == Role::buffer) return SlabLook::ghost;
    return kept_in_cache(tensor) && input_.model.graph.remembers() ? SlabLook::cached : SlabLook::activation;
}

Rect Sketch::slab(std::string_view id, Point left, float scale, float tallest) {
    const Tensor* tensor = find(id);
    if (!tensor) return {left, left};
    const Sides own = sides(id), count = numbers(id);
    Slab made{.id = std::string(id), .rect = {}, .part = tensor->part, .look = look_of(*tensor)};
    made.rows = static_cast<std::int64_t>(count.rows);
    made.columns = static_cast<std::int64_t>(count.columns);
    float width = thick(own.columns, scale), height = thick(own.rows, scale);
    made.thickened = std::min(own.rows, own.columns) * static_cast<double>(scale) < static_cast<double>(px(least_side));
    made.cut = tallest > 0 && height > tallest;
    if (made.cut) height = tallest;
    made.rect = {{left.x, left.y - height / 2}, {left.x + width, left.y + height / 2}};
    Sides base = measures(id).base;
    if (base.rows > 0 && (base.rows != count.rows || base.columns != count.columns) && !made.cut) {
        base = {drawn(base.rows), drawn(base.columns)};
        float base_height = tallest > 0 ? std::min(tallest, thick(base.rows, scale)) : thick(base.rows, scale);
        made.base =
            Rect{{left.x, left.y - base_height / 2}, {left.x + thick(base.columns, scale), left.y + base_height / 2}};
    }
    scene.slabs.push_back(std::move(made));
    return scene.slabs.back().rect;
}

Rect Sketch::hung(std::string_view id, Point corner, float scale, float tallest) {
    if (!has(id)) return {corner, corner};
    const float height = thick(sides(id).rows, scale);
    const float shown = tallest > 0 ? std::min(height, tallest) : height;
    const Rect rect = slab(id, {corner.x, corner.y + shown / 2}, scale, tallest);
    if (std::optional<Rect>& base = scene.slabs.back().base) {
        const float up = base->min.y - rect.min.y;
        base->min.y -= up;
        base->max.y -= up;
    }
    return rect;
}

Rect Sketch::bias_below(std::string_view id, Rect weight, float scale) {
    if (!has(id)) return {weight.min, weight.min};
    return hung(id, {weight.min.x, weight.max.y + px(2)}, scale);
}

Rect Sketch::weight(std::string_view of, Point left, float scale) {
    const Rect rect = slab(std::string(of) + ".weight", left, scale);
    bias_below(std::string(of) + ".bias", rect, scale);
    return rect;
}

Rect Sketch::norm_slab(std::string_view id, Point left, float scale, std::string_view made) {
    const std::string name(id), output(made.empty() ? id : made);
    Rect bar = slab(name + ".weight", left, scale);
    if (const Tensor* normed = find(output); normed && bar.width() <= 0) {
        const Point size{thick(sides(output).columns, scale), thick(drawn(1), scale)};
        bar = {{left.x, left.y - size.y / 2}, {left.x + size.x, left.y + size.y / 2}};
        scene.slabs.push_back({.id = output, .rect = bar, .part = normed->part, .look = SlabLook::hollow});
    }
    bias_below(name + ".bias", bar, scale);
    return bar;
}

Point Sketch::norm_extent(std::string_view id, float scale, std::string_view made) const {
    const std::string name(id), weight = name + ".weight", bias = name + ".bias", output(made.empty() ? id : made);
    const Sides trained = has(weight) ? sides(weight, true) : Sides{drawn(1), sides(output, true).columns};
    const float below = has(bias) ? px(2) + thick(sides(bias, true).rows, scale) : 0;
    return {thick(trained.columns, scale), thick(trained.rows, scale) + below};
}

Slab& Sketch::squares(std::string_view id, Point corner, float cell, std::int64_t columns, std::int64_t rows,
                      std::int64_t cells) {
    const Point end{corner.x + cell * static_cast<float>(columns), corner.y + cell * static_cast<float>(rows)};
    scene.slabs.push_back({.id = std::string(id),
                           .rect = {corner, end},
                           .part = find(id)->part,
                           .thickened = true,
                           .grid_columns = static_cast<int>(columns),
                           .grid_cells = std::min(cells, rows * columns)});
    return scene.slabs.back();
}

void Sketch::label(Point at, std::string_view text, TextRole role, Tone tone, Anchor anchor, std::string_view id) {
    if (text.empty()) return;
    const Tensor* tensor = id.empty() ? nullptr : find(id);
    const bool changed = tensor && role == TextRole::name && text != tensor->symbol && text == name_text(*tensor);
    scene.labels.push_back({.at = at,
                            .anchor = anchor,
                            .role = role,
                            .tone = tone,
                            .text = std::string(text),
                            .part = tensor ? tensor->part : Part::residual,
                            .id = std::string(id),
                            .pivot = at,
                            .width = width_of(text, role),
                            .brief = changed ? std::string(tensor->symbol) : std::string()});
}

void Sketch::name_and_size(Point at, std::string_view name, std::string_view size, std::string_view id, float apart) {
    this->name(at, name, id);
    number({at.x + width_of(name, TextRole::name) + px(apart), at.y + px(1)}, size, id);
}

void Sketch::norm_words(const Rect& bar, std::string_view norm) {
    name({bar.min.x, bar.min.y - px(18)}, "Norm", norm);
    number({bar.min.x, bar.max.y + px(has(std::string(norm) + ".bias") ? 12 : 4)}, norm_size(*this, norm), norm);
}

float Sketch::norm_words_beside(const Rect& bar, std::string_view norm) {
    const Point at{bar.max.x + px(6), bar.centre().y - px(9)};
    const std::string size = norm_size(*this, norm);
    name_and_size(at, "Norm", size, norm, 6);
    return at.x + width_of("Norm", TextRole::name) + width_of(size, TextRole::number) + px(6 + 6);
}

std::string Sketch::shape_text(const Tensor& tensor) const {
    return shape_in_numbers(tensor.shape, input_.model.bindings);
}

std::string Sketch::shape_text(std::string_view id) const {
    const Tensor* tensor = find(id);
    return tensor ? shape_text(*tensor) : "";
}

std::int64_t Sketch::count(const Tensor& tensor) const { return element_count_in(tensor, input_.model); }

std::string Sketch::name_text(const Tensor& tensor) const {
    // Of a pair the second side says it, and of what is trained alone.
    if (input_.beside && (!input_.beside->second || tensor.role != Role::parameter)) return std::string(tensor.symbol);
    const Tensor* before = input_.base.graph.find(tensor.id);
    std::int64_t change = before ? count(tensor) - element_count_in(*before, input_.base) : 0;
    return std::string(tensor.symbol) + (change == 0 ? "" : " " + signed_short(change));
}

void Sketch::wire(std::vector<Point> points, std::string_view tensor, bool stream, bool arrow) {
    scene.wires.push_back({std::move(points), std::string(tensor), stream, arrow});
}

void Sketch::mark(Point centre, MarkKind kind, std::string_view id) {
    scene.marks.push_back({centre, kind, std::string(id)});
}

void Sketch::door(std::string_view block, Rect rect) {
    scene.doors.push_back({.block = std::string(block), .rect = rect});
}

void Sketch::frame(std::string_view id, Rect rect, FrameKind kind, Component component, std::int64_t copies) {
    scene.frames.push_back({std::string(id), rect, kind, component, copies});
}

Scene Sketch::finished() {
    const auto rename = [&](std::string& id) {
        if (!id.empty()) id = shown(id);
    };
    // What flows between layers has its own id already: see stream_into.
    const ModelGraph& graph = input_.model.graph;
    const std::string& between = graph.tensors[graph.last_of(*graph.layer_of(graph.main_layer().block))].id;
    const auto rename_flow = [&](std::string& id) {
        if (id != between) rename(id);
    };
    if (renames_) {
        for (Slab& slab : scene.slabs) {
            rename(slab.id);
            rename(slab.named_by);
        }
        for (Label& label : scene.labels) rename(label.id);
        for (FlowMark& mark : scene.marks) rename(mark.id);
        for (Wire& wire : scene.wires) rename_flow(wire.tensor);
        for (Frame& frame : scene.frames)
            if (frame.kind != FrameKind::choice) rename(frame.id);
        for (Door& door : scene.doors) {
            rename(door.block);
            rename_flow(door.entry_tensor);
        }
    }
    return std::move(scene);
}

}  // namespace headcount
