// What the layout's pencil says of a sub-block: its name, how many parameters it has, what its heads look at.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

namespace headcount {

float Sketch::title_down(const Rect& card) const {
    constexpr float up = 1, low = 37;
    return std::clamp(card.height() - px(low), px(up), px(room::title));
}

void Sketch::block_title(std::string_view block, const Rect& rect, bool counted) {
    const Point at{rect.min.x + px(room::padding), rect.min.y + title_down(rect)};
    const std::string id = component_id(component_of(*this, block));
    title({at.x + px(16), at.y}, name_of_block(block), id);
    if (counted) number({at.x, at.y + px(18)}, grouped(parameters_in(block)), id);
}

void Sketch::block_title_in_row(std::string_view block, const Rect& rect) {
    const Point at{rect.min.x + px(room::padding + 16), rect.min.y + px(room::title_in_row)};
    const std::string id = component_id(component_of(*this, block)), name = name_of_block(block);
    title(at, name, id);
    number({at.x + width_of(name, TextRole::title) + px(10), at.y + px(1)}, grouped(parameters_in(block)), id);
}

BlockIndex used_in(const ModelGraph& graph, const Tensor& tensor) {
    BlockIndex block = tensor.read_in();
    while (tensor.shared_in && graph.is(block, BlockKind::head)) block = *graph.blocks[block].parent;
    return block;
}

namespace {

// Whether an operation inside the block reads what several layers share.
bool reads_shared(const ModelGraph& graph, const Tensor& tensor, BlockIndex block) {
    const auto index = static_cast<TensorIndex>(&tensor - graph.tensors.data());
    return tensor.shared_in && std::ranges::any_of(graph.nodes, [&](const Node& node) {
               return graph.inside(node.block, block) && contains(node.parameters, index);
           });
}

// Of the parameters of one layer those in question, each as often as `times` says of its block.
template <class Counts, class Times>
std::int64_t parameters_of_layer(const Sketch& sketch, Counts counts, Times times) {
    std::int64_t sum = 0;
    const ModelGraph& graph = sketch.input().model.graph;
    for (const Tensor& tensor : graph.tensors) {
        if (tensor.role != Role::parameter) continue;
        const BlockIndex block = used_in(graph, tensor);
        if (counts(tensor, block)) sum += sketch.count(tensor) * sketch.value(times(block), 0);
    }
    return sum;
}

template <class Times>
std::int64_t parameters_of_block(const Sketch& sketch, std::string_view block, Times times) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto own = static_cast<BlockIndex>(sketch.find_block(block) - graph.blocks.data());
    const auto counts = [&](const Tensor& tensor, BlockIndex used) {
        return tensor.component != Component::norm && (graph.inside(used, own) || reads_shared(graph, tensor, own));
    };
    return parameters_of_layer(sketch, counts, times);
}

}  // namespace

std::int64_t Sketch::component_in_layer(Component component) const {
    const ModelGraph& graph = input_.model.graph;
    const BlockIndex own = layer().block;
    const auto counts = [&](const Tensor& tensor, BlockIndex used) {
        return tensor.component == component && (graph.inside(used, own) || reads_shared(graph, tensor, own));
    };
    return parameters_of_layer(*this, counts, [&](BlockIndex block) { return graph.copies_in_layer(block); });
}

std::int64_t Sketch::shared_in_layer() const {
    const ModelGraph& graph = input_.model.graph;
    const BlockIndex own = layer().block;
    return parameters_of_layer(
        *this, [&](const Tensor& tensor, BlockIndex) { return reads_shared(graph, tensor, own); },
        [](BlockIndex) { return Expr(1); });
}

std::int64_t Sketch::parameters_in(std::string_view block) const {
    return parameters_of_block(*this, block, [&](BlockIndex own) { return input_.model.graph.copies_in_layer(own); });
}

std::int64_t Sketch::active_in(std::string_view block) const {
    return parameters_of_block(*this, block, [&](BlockIndex own) { return input_.model.graph.runs_in_layer(own); });
}

// What stands side by side is named after all of it; what attends to its own tokens is told from what attends to
// another stack's where a model has both.
std::string Sketch::name_of_block(std::string_view block) const {
    const ModelGraph& graph = input_.model.graph;
    const auto own = static_cast<BlockIndex>(find_block(block) - graph.blocks.data());
    std::string beside;
    for (const Block& each : graph.blocks)
        if (each.kind == BlockKind::mixer && each.parent == own)
            beside += (beside.empty() ? "" : " + ") + std::string(component_name(component_of(*this, each.id)));
    if (!beside.empty()) return beside;
    const BlockKind kind = graph.blocks[own].kind;
    if (kind == BlockKind::own || kind == BlockKind::copies || kind == BlockKind::shared)
        return words_of(graph.blocks[own]);
    const Component component = component_of(*this, block);
    const bool crosses =
        std::ranges::any_of(graph.blocks, [](const Block& each) { return each.kind == BlockKind::cross; });
    if (!crosses || component != Component::attention) return std::string(component_name(component));
    return find_block(block)->kind == BlockKind::cross ? "Cross-attention" : "Self-attention";
}

float Sketch::header_width(std::string_view block) const {
    float name = px(16) + width_of(name_of_block(block), TextRole::title);
    const std::int64_t all = parameters_in(block), active = says_active() ? active_in(block) : all;
    return std::max({name, width_of(grouped(all), TextRole::number),
                     active < all ? width_of(grouped(active) + " active", TextRole::number) : 0});
}

void Sketch::show_mask(Slab& heads) const {
    const ModelGraph& graph = input_.model.graph;
    const std::string id = shown(heads.id);
    const auto own = std::ranges::find_if(
        graph.nodes, [&](const Node& node) { return graph.tensors[node.output].id == id && mask_over(graph, node); });
    if (own == graph.nodes.end()) return;
    const Sides scores = numbers(heads.id);
    heads.mask = *mask_over(graph, *own);
    heads.rows = static_cast<std::int64_t>(scores.rows);
    heads.columns = static_cast<std::int64_t>(scores.columns);
}

}  // namespace headcount
