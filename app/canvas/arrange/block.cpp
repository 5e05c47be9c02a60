// A sub-block laid out from its graph alone: operations from left to right as the data flows, side by side where they
// do not depend on each other, each with its parameters and what it makes. It knows no kind of sub-block.
#include <cctype>

#include "app/canvas/arrange/block_layout.hpp"
#include "core/base/text.hpp"

namespace headcount {

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
    std::string name = capitalized(block.name);
    std::int64_t count = 0;
    for (const Tensor& tensor : graph_.tensors)
        if (tensor.role == Role::parameter && graph_.blocks[tensor.block].id == block_) count += sketch_.count(tensor);
    const Point at{input_.area.min.x + sketch_.px(room::padding), input_.area.min.y + sketch_.px(7)};
    const std::string id = "component." + std::string(component_key(component));
    sketch_.label(at, name + " {i} of " + grouped(repeat ? *repeat : 1), TextRole::title, Tone::high, Anchor::left, id);
    sketch_.label({at.x, at.y + sketch_.px(18)}, grouped(count), TextRole::number, Tone::mid, Anchor::left, id);
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

void BlockLayout::place(std::size_t index) {
    const BlockItem& item = items_[index];
    const BlockColumn& column = columns_[static_cast<std::size_t>(item.level)];
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

float least_block_width(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).least_width();
}

Scene layout_block(const LayoutInput& input, std::string_view block, const BlockWays& ways) {
    return BlockLayout(input, ways, block).lay_out();
}

}  // namespace headcount
