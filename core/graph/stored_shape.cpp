// Orients what is stored.
#include "core/graph/stored_shape.hpp"

#include <iterator>

namespace headcount {
namespace {

// [out, in, kernel]: what unfolding put side by side, by itself.
Shape over_time_shape(const ModelGraph& graph, TensorIndex weight) {
    const Shape& shape = graph.tensors[weight].shape;
    for (const Node& node : graph.nodes) {
        if (node.parameters.empty() || node.parameters.front() != weight) continue;
        if (node.op == Op::convolve)
            return {shape[1], shape[0] / node.rule<UnfoldRule>().kernel, node.rule<UnfoldRule>().kernel};
        const Node& unfold = *graph.producer(node.inputs.front());
        return {shape[1], graph.tensors[unfold.inputs.front()].shape[1], unfold.rule<UnfoldRule>().kernel};
    }
    return {shape[1], shape[0], 1};
}

}  // namespace

Suffixes suffixes(ModuleKind kind) {
    if (!is_named_alone(kind)) return {};
    if (kind == ModuleKind::packed || kind == ModuleKind::by_head) return {"_weight", "_bias"};
    return {"", is_stacked(kind) ? "_bias" : ""};
}

Shape stored_shape(const ModelGraph& graph, ModuleKind kind, const std::vector<TensorIndex>& parts) {
    const Shape& first = graph.tensors[parts.front()].shape;
    std::vector<Expr> columns;
    for (TensorIndex part : parts) columns.push_back(graph.tensors[part].shape[first.rank() - 1]);
    Expr outputs = sum_of(columns);
    if (is_stacked_behind(kind) && first.rank() == 2) {
        const bool by_output = kind == ModuleKind::stacked_rows;
        return {Expr(Symbol::experts) * (by_output ? outputs : first[0]), by_output ? first[0] : outputs};
    }
    if (kind == ModuleKind::stacked)
        return first.rank() == 1 ? Shape{Symbol::experts, outputs} : Shape{Symbol::experts, first[0], outputs};
    if (is_stacked(kind))
        return first.rank() == 1 ? Shape{Symbol::experts, outputs} : Shape{Symbol::experts, outputs, first[0]};
    const bool of_heads = first[0] == Expr(Symbol::state_heads) * Symbol::state_head_dim;
    if (kind == ModuleKind::by_head && of_heads && first.rank() == 1)
        return {Symbol::state_heads, Symbol::state_head_dim};
    if (kind == ModuleKind::by_head && of_heads && first[1] == Expr(Symbol::state_head_dim))
        return {Symbol::state_heads, first[1], first[1]};
    if (kind == ModuleKind::bare_stack) return {Expr(std::ssize(parts)), first[0], first[1]};
    if (first.rank() > 2) return first;
    if (kind == ModuleKind::each_head) return {first[1]};
    if (kind == ModuleKind::convolution && first.rank() == 2) return {outputs, 1, first[0]};
    if (kind == ModuleKind::bare_row || kind == ModuleKind::buffer_row) return {1, outputs};
    if (kind == ModuleKind::bare_rows) return first.rank() == 1 ? Shape{1, 1, outputs} : Shape{1, first[0], outputs};
    if (kind == ModuleKind::bare_planes) return {1, outputs, 1, 1};
    if (first.rank() == 1) return kind == ModuleKind::bare_heads ? Shape{1, 1, outputs, 1} : Shape{outputs};
    if (kind == ModuleKind::embedding && parts.size() > 1) {  // one behind the other
        std::vector<Expr> rows;
        for (TensorIndex part : parts) rows.push_back(graph.tensors[part].shape[0]);
        return {sum_of(rows), first[1]};
    }
    if (kind == ModuleKind::patches) return {outputs, Symbol::channels, Symbol::patch, Symbol::patch};
    if (kind == ModuleKind::over_time || kind == ModuleKind::bare_over_time)
        return over_time_shape(graph, parts.front());
    if (kind == ModuleKind::linear || kind == ModuleKind::packed) return {outputs, first[0]};
    return {first[0], outputs};
}

}  // namespace headcount
