// The arithmetic of matrix products, read off a graph.
#include "core/analysis/arithmetic.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

// A product may pass 64 bits where its factors do not.
double number(const Expr& expr, const Bindings& bindings) {
    if (expr.kind() == Expr::Kind::multiply) return number(expr.left(), bindings) * number(expr.right(), bindings);
    Result<std::int64_t> value = evaluate(expr, bindings);
    return value ? static_cast<double>(*value) : 0.0;
}

// 1 + 2 + ... + n, twice.
Expr triangle_twice(const Expr& n) { return n * (n + 1); }

// What all tokens before position `end` see of their chunks, twice. A chunk may be so long that its square does not
// fit.
Expr seen_in_chunks_twice(const Expr& end) {
    const Expr whole = floor_of(end, Symbol::window) * Symbol::window;
    return whole * Symbol::window + whole + triangle_twice(end - whole);
}

// Pairs of a query and a key that the mask leaves, twice. `pairs` is T × (P + T), or what a window leaves of that.
Expr seen_twice(const Mask& mask, const Shape& pairs) {
    const Expr tokens = Symbol::tokens, chosen = Symbol::index_chosen;
    const bool behind = uses(pairs, Symbol::cached);
    const Expr end = behind ? Symbol::cached + tokens : tokens;
    if (mask.sees_all()) return Expr(2) * pairs[0] * (mask.chosen > 0 ? min(pairs[1], chosen) : pairs[1]);
    if (mask.kind == Mask::Kind::chunk)
        return behind ? seen_in_chunks_twice(end) - seen_in_chunks_twice(Symbol::cached) : seen_in_chunks_twice(end);
    const Expr all = behind ? tokens * (Expr(2) * Symbol::cached + tokens + 1) : triangle_twice(tokens);
    if (mask.kind == Mask::Kind::causal && mask.chosen == 0) return all;
    // The token at position i does not see i - W of those before it: as many as lie outside of a window, or as are left
    // when so many of them are chosen.
    const bool around = mask.kind == Mask::Kind::around;
    Expr width = around ? floor_of(Symbol::window, 2) + 1 : Expr(Symbol::window);
    if (mask.chosen > 0) width = mask.kind == Mask::Kind::causal ? chosen : min(width, chosen);
    const auto lost_twice = [&](const Expr& last) { return triangle_twice(max(0, last - width)); };
    // The same on both sides, where it stands itself but once.
    if (around) return Expr(2) * (all - lost_twice(end)) - Expr(2) * tokens;
    return behind ? all - (lost_twice(end) - lost_twice(Symbol::cached)) : all - lost_twice(end);
}

// Every index head compares each token's query with the key of every token that it may choose, and adds what comes of
// it to the pair's score: d_x multiply-adds, and one more.
Expr index_work(const ModelGraph& graph, const Node& node, Pairs pairs) {
    const Tensor& made = graph.tensors[node.output];
    const Expr twice = pairs == Pairs::full ? Expr(2) * element_count(made.shape) : unmasked_twice(graph, made);
    return graph.tensors[node.inputs[2]].shape[1] * (graph.tensors[node.inputs[1]].shape[1] + 1) * twice;
}

// Of queries with keys of distances, and of keys with queries of them.
Expr distance_work(const ModelGraph& graph, const Node& scores) {
    std::vector<Expr> terms;
    for (const TensorIndex each : graph.distance_sides(scores)) {
        const Tensor& side = graph.tensors[each];
        const Expr met = graph.tensors[scores.inputs[side.part == Part::relative_key ? 0 : 1]].shape[0];
        terms.push_back(Expr(2) * met * element_count(side.shape));
    }
    return sum_of(terms);
}

}  // namespace

const Tensor& scores_of(const ModelGraph& graph, const Node& node) {
    return graph.tensors[node.op == Op::scores ? node.output : node.inputs.front()];
}

Expr unmasked_twice(const ModelGraph& graph, const Tensor& scores) {
    const Node* const made = graph.producer(static_cast<TensorIndex>(&scores - graph.tensors.data()));
    return seen_twice(*mask_over(graph, *made), scores.shape);
}

std::optional<Expr> work_formula(const ModelGraph& graph, const Node& node, Pairs pairs) {
    const Tensor& made = graph.tensors[node.output];
    if (!info(node.op).multiplies) return std::nullopt;
    if (node.op == Op::index_scores) return index_work(graph, node, pairs);
    if (node.op == Op::convolve)  // each number with as many as its filter has
        return Expr(2) * element_count(made.shape) * graph.tensors[node.parameters.front()].shape[0];
    if (node.op == Op::update_state) {  // what is written, and where it replaces, what was there
        const Expr written = Expr(2) * Symbol::tokens * element_count(made.shape);
        return node.rule<StateRule>().replaces ? written + written : written;
    }
    if ((node.op == Op::scores || node.op == Op::mix) && pairs == Pairs::causal) {
        const TensorIndex one = node.op == Op::scores ? node.inputs.front() : node.output;
        const Expr seen = unmasked_twice(graph, scores_of(graph, node)) * graph.tensors[one].shape[1];
        return node.op == Op::scores && node.inputs.size() > 2 ? seen + distance_work(graph, node) : seen;
    }
    if (node.op == Op::mix_blocks) {
        const auto& rule = node.rule<BlockRule>();
        if (rule.in == Expr(1) && rule.out == Expr(1)) return std::nullopt;  // cell by cell, by one number
        return Expr(2) * element_count(made.shape) * rule.in;
    }
    if (node.op == Op::linear && node.rule<LinearRule>().head)
        return Expr(2) * element_count(made.shape) * *node.rule<LinearRule>().head;
    // The inner dimension is the columns of the first factor; the rest is the shape of the result.
    const Shape& first = graph.tensors[node.inputs.front()].shape;
    const Expr product = Expr(2) * element_count(made.shape) * first[first.rank() - 1];
    return node.op == Op::scores && node.inputs.size() > 2 ? product + distance_work(graph, node) : product;
}

double work_of_parameter(const ModelGraph& graph, TensorIndex parameter, const Bindings& bindings) {
    double work = 0;
    for (const Node& node : graph.nodes) {
        std::optional<Expr> formula = work_formula(graph, node);
        if (!formula || node.parameters.empty() || node.parameters.front() != parameter) continue;
        work += number(*formula * graph.runs(node.block) * graph.batch_of(node.output), bindings);
    }
    return work;
}

}  // namespace headcount
