// The arithmetic of matrix products, read off a graph.
#include "core/analysis/work.hpp"

namespace headcount {
namespace {

// A product may pass 64 bits where its factors do not.
double number(const Expr& expr, const Bindings& bindings) {
    if (expr.kind() == Expr::Kind::multiply) return number(expr.left(), bindings) * number(expr.right(), bindings);
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
        work += number(*formula * graph.runs(node.block) * Symbol::batch, bindings);
    }
    return work;
}

}  // namespace headcount
