// The equations of convolutions over tokens and of recurrences: what fades, what a state is written and read by.
#include <algorithm>
#include <utility>

#include "core/graph/op_formulas.hpp"

namespace headcount::formulas {

using Kind = Formula::Kind;

Formula convolve(const ModelGraph& graph, const Node& node) {
    const Expr filter = graph.tensors[node.parameters.front()].shape[0];
    Formula made(Kind::convolved, {input(node), parameter(node)}, filter);
    return node.parameters.size() > 1 ? std::move(made) + parameter(node, 1) : made;
}

Formula step(const ModelGraph&, const Node& node) {
    const auto& rule = node.rule<StepRule>();
    Formula raw = node.parameters.empty() ? input(node) : input(node) + parameter(node);
    Formula made = Formula::of(functions::softplus, std::move(raw));
    if (rule.least > 0) made = Formula(Kind::most, {std::move(made), rule.least});
    return rule.most ? Formula(Kind::least, {std::move(made), *rule.most}) : made;
}

// What is kept is the logarithm of the rate: one a head, whose rows may have steps of their own, or one for each row of
// the head's state.
Formula decay(const ModelGraph& graph, const Node& node) {
    const auto exp = [](Formula x) { return Formula::of(functions::exp, std::move(x)); };
    const auto& rule = node.rule<DecayRule>();
    const auto rate_of = [&](Formula a) {
        if (rule.of == DecayRule::Rate::exponential) return exp(std::move(a));
        const bool soft = rule.of == DecayRule::Rate::softplus;
        return scaled(rule.factor, Formula::of(soft ? functions::softplus : functions::sigmoid, std::move(a)));
    };
    if (rule.by_token) return Formula(1.0) / exp(rate_of(input(node) + parameter(node)));
    Formula rates = parameter(node), steps = input(node);
    if (const Shape& shape = graph.tensors[node.parameters.front()].shape; shape.rank() == 2) {
        rates = Formula(Kind::row_by_row, {std::move(rates)}, shape[1]);
        steps = Formula(Kind::spread, {std::move(steps)}, shape[1]);
    } else if (graph.tensors[node.output].shape[1] != shape[0]) {
        rates = Formula(Kind::spread, {std::move(rates)}, Symbol::state_dim);
    }
    return Formula(1.0) / exp(rate_of(std::move(rates)) * std::move(steps));
}

Formula fade(const ModelGraph&, const Node& node) {
    return {Kind::faded, {input(node), input(node, 1), Formula::of(node.output)}};
}

Formula blend(const ModelGraph&, const Node& node) {
    const Formula x = input(node), before(Kind::row_before, {x});
    const Formula share = parameter(node);
    if (!node.rule<BlendRule>().of_before) return x * share + before * (Formula(1) - share);
    const Formula blended = x + (before - x) * share;
    return node.inputs.size() > 1 ? blended + (before - x) * input(node, 1) : blended;
}

Formula weigh(const ModelGraph&, const Node& node) {
    return {Kind::weighed, {input(node), input(node, 1), parameter(node), parameter(node, 1)}};
}

// Its weights fade as those of the mean that it is of.
Formula sum_up(const ModelGraph& graph, const Node& node) {
    const auto mean = std::ranges::find_if(
        graph.nodes, [&](const Node& each) { return each.op == Op::weigh && each.inputs == node.inputs; });
    return {Kind::summed_up, {input(node), input(node, 1), parameter(*mean)}};
}

Formula update_state(const ModelGraph&, const Node& node) {
    std::vector<Formula> of;
    for (const TensorIndex each : node.inputs) of.push_back(Formula::of(each));
    return {Kind::written_state, std::move(of)};
}

Formula read_state(const ModelGraph&, const Node& node) {
    Formula made(Kind::read_state, {input(node), input(node, 1)}, Expr(Symbol::state_dim));
    if (node.rule<StateRule>().query_factor != 1)
        made = std::move(made) / Formula(Kind::root, {Formula(Expr(Symbol::state_dim))});
    return node.inputs.size() > 2 ? std::move(made) + parameter(node) * input(node, 2) : made;
}

// Its weights are one row a head.
Formula bonus(const ModelGraph& graph, const Node& node) {
    const Expr columns = graph.tensors[node.parameters.front()].shape[1];
    const Formula weights(Kind::row_by_row, {parameter(node)}, columns);
    const Formula agree(Kind::mean, {input(node) * input(node, 1) * weights}, columns);
    return Formula(columns) * agree * input(node, 2);
}

}  // namespace headcount::formulas
