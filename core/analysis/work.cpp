// The arithmetic of matrix products, read off a graph.
#include "core/analysis/work.hpp"

namespace headcount {
namespace {

double number(const Expr& expr, const Bindings& bindings) {
    Result<std::int64_t> value = evaluate(expr, bindings);
    return value ? static_cast<double>(*value) : 0.0;
}

}  // namespace

std::optional<Expr> work_formula(const ModelGraph& graph, const Node& node) {
    bool product = node.op == Op::linear || node.op == Op::scores || node.op == Op::mix;
    if (!product) return std::nullopt;
    // The inner dimension is the columns of the first factor; the rest is the shape of the result.
    const Shape& first = graph.tensors[node.inputs.front()].shape;
    return Expr(2) * element_count(graph.tensors[node.output].shape) * first[first.rank() - 1];
}

double work_of_parameter(const ModelGraph& graph, TensorIndex parameter, const Bindings& bindings) {
    double work = 0;
    for (const Node& node : graph.nodes) {
        std::optional<Expr> formula = work_formula(graph, node);
        if (!formula || node.parameters.empty() || node.parameters.front() != parameter) continue;
        const Shape& first = graph.tensors[node.inputs.front()].shape;
        double one = 2 * number(first[1], bindings);
        for (const Expr& dimension : graph.tensors[node.output].shape.dimensions()) one *= number(dimension, bindings);
        for (std::optional<BlockIndex> at = node.block; at; at = graph.blocks[*at].parent)
            one *= number(graph.blocks[*at].repeat, bindings);
        work += one * number(Symbol::batch, bindings);
    }
    return work;
}

}  // namespace headcount
