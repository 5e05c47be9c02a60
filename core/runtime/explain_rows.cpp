// Explanations of what takes each token by itself: embedding, norms, linear layers, turns, activation functions, sums.
#include <algorithm>
#include <cmath>

#include "core/graph/formula.hpp"
#include "core/runtime/explain_parts.hpp"

namespace headcount::explaining {

void Explainer::embed(const Node& node) {
    CellAt from = parameter(node, 0);
    from.row = numbers.ids[static_cast<std::size_t>(cell.row)];
    out.what = "the row of token " + std::to_string(from.row) + " in the embedding";
    out.formula = cell_name(model, from);
    add_product(from.row, {operand(from)});
    if (const double scale = node.rule<Scaling>().factor; scale != 1)
        then("times " + cell_text(scale) + ", by which this model scales its embedding", scale * out.sum);
}

void Explainer::add_positions(const Node& node) {
    CellAt position = parameter(node, 0);
    position.row = cell.row + node.rule<PositionRows>().first;
    const CellAt from = input(node, 0);
    out.what = "the token's number plus its position's";
    out.formula = cell_name(model, from) + " + " + cell_name(model, position);
    add_product(0, {operand(from)});
    add_product(1, {operand(position)});
}

void Explainer::norm(const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const bool centred = rule.kind == NormKind::layer;
    CellAt from = input(node, 0);
    const MatrixView row = matrix(from);
    if (!row) return;
    const std::int64_t width = rule.group ? number(*rule.group) : row.columns;
    const std::int64_t first = cell.column / width * width;
    double mean = 0;
    for (std::int64_t k = first; centred && k < first + width; ++k)
        mean += static_cast<double>(row.at(cell.row, k)) / static_cast<double>(width);
    for (std::int64_t k = first; k < first + width; ++k) {
        from.column = k;
        const Operand each = operand(from);
        const double square = (each.value - mean) * (each.value - mean);
        out.terms.push_back({k, {each}, square});
        out.sum += square;
    }
    from.column = cell.column;
    const Operand own = operand(from);
    const std::string x = place(symbol(from), cell.row, "k");
    out.index = "k";
    out.what = own.name +
               (centred ? " less the mean, over the standard deviation of " : " over the root mean square of ") +
               std::to_string(width) + " numbers" + (node.parameters.empty() ? "" : ", weighed") + "; first the sum of";
    out.formula = centred ? "(" + x + " − mean)²" : x + "²";
    const double size = std::sqrt(out.sum / static_cast<double>(width) + rule.epsilon);
    then("over " + std::to_string(width) + ", the root" + (centred ? " (mean " + cell_text(mean) + ")" : ""), size);
    then(centred ? own.name + " less the mean, over that" : own.name + " over that", (own.value - mean) / size, {own});
    weigh(node, width, row.columns);
}

// What a norm's weight and bias make of it; each head, of `width` of the columns, may have its own.
void Explainer::weigh(const Node& node, std::int64_t width, std::int64_t columns) {
    for (std::size_t i = 0; i < node.parameters.size(); ++i) {
        CellAt weight = parameter(node, i);
        const bool bias = graph.tensors[weight.tensor].id.ends_with(".bias");
        const MatrixView weights = matrix(weight);
        if (!weights) return;
        const bool of_each = weights.rows > 1;
        weight.row = of_each ? cell.column / width : 0;
        weight.column = weights.columns == columns ? cell.column : cell.column % width;
        const Operand by = operand(weight);
        const double offset = bias ? 0 : node.rule<NormRule>().offset;
        const std::string one = offset != 0 ? cell_text(offset) + " + " : "";
        if (bias)
            then("plus " + by.name, last() + by.value, {by});
        else
            then("times " + one + by.name, last() * (by.value + offset), {by});
    }
}

void Explainer::linear(const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    CellAt from = input(node, 0), weight = parameter(node, 0);
    const bool expert = in_expert(graph, node.block);
    const std::int64_t which = cell.copy;
    if (expert) weight.copy = expert_of(cell.row, which);
    const bool gathered = expert && !in_expert(graph, graph.tensors[from.tensor].block);
    if (gathered) from.copy = 0;
    const bool table = rule.transposed;
    const MatrixView in = matrix(from), weights = matrix(weight);
    if (!in || !weights) return;
    const std::int64_t inner = in.columns;
    std::optional<Operand> sent;  // how much the expert counts, where that multiplies what it reads
    if (rule.weighed_by) sent = operand({*rule.weighed_by, cell.layer, 0, cell.row, which});
    for (std::int64_t k = 0; k < inner && !error; ++k) {
        from.column = k;
        weight.row = table ? cell.column : k;
        weight.column = table ? k : cell.column;
        std::vector<Operand> factors{operand(from), operand(weight)};
        if (sent) factors.push_back(*sent);
        add_product(k, std::move(factors));
    }
    out.index = "k";
    out.what = "sum over " + std::to_string(inner) + " inputs of";
    out.formula = place(symbol(from), cell.row, "k") + " · " +
                  (table ? place(symbol(weight), cell.column, "k") : place(symbol(weight), "k", cell.column));
    if (sent) out.formula += " · " + sent->name;
    if (node.parameters.size() > 1) {
        CellAt bias = parameter(node, 1);
        bias.row = 0;
        if (expert) bias.copy = weight.copy;
        const Operand by = operand(bias);
        then("plus " + by.name, last() + by.value, {by});
    }
    if (const auto limit = rule.clip) then("kept within ± " + cell_text(*limit), std::clamp(last(), -*limit, *limit));
    if (rule.scale != 1) then("times " + cell_text(rule.scale), last() * rule.scale);
    capped(rule.soft_cap);
}

void Explainer::rotate(const Node& node) {
    const auto& rule = node.rule<Rotation>();
    const Rope& rope = rule.rope;
    CellAt from = input(node, 0);
    const MatrixView in = matrix(from);
    if (!in) return;
    const std::int64_t turned = number(rule.columns), width = number(rule.head);
    const std::int64_t begin = cell.column / width * width + number(rule.first);
    const std::int64_t at = cell.column - begin, pairs = turned / 2;
    if (at < 0 || at >= 2 * pairs) {
        out.what = "not turned: the same number";
        out.formula = cell_name(model, from);
        add_product(0, {operand(from)});
        return;
    }
    const bool halves = rope.pairs == RopePairs::halves;
    const std::int64_t pair = halves ? at % pairs : at / 2;
    const bool is_first = halves ? at < pairs : at % 2 == 0;
    const std::int64_t one = begin + (halves ? pair : 2 * pair), other = halves ? one + pairs : one + 1;
    const std::vector<double> angles = rope_angles(rope, turned, tokens());
    const double angle = static_cast<double>(cell.row) * angles[static_cast<std::size_t>(pair)];
    const double cosine = std::cos(angle) * rope.attention_factor, sine = std::sin(angle) * rope.attention_factor;
    const std::string by = cell_text(angle);
    CellAt a = from, b = from;
    a.column = one;
    b.column = other;
    out.what = "pair " + std::to_string(pair) + " turned by " + std::to_string(cell.row) + " · " +
               cell_text(angles[static_cast<std::size_t>(pair)]) + " = " + by;
    const Operand cos_of{"cos " + by, cosine}, sin_of{"sin " + by, sine}, minus_sin{"−sin " + by, -sine};
    if (is_first) {
        out.formula = cell_name(model, a) + " · cos − " + cell_name(model, b) + " · sin";
        add_product(one, {operand(a), cos_of});
        add_product(other, {operand(b), minus_sin});
    } else {
        out.formula = cell_name(model, b) + " · cos + " + cell_name(model, a) + " · sin";
        add_product(other, {operand(b), cos_of});
        add_product(one, {operand(a), sin_of});
    }
}

void Explainer::activate(const Node& node) {
    const Operand from = operand(input(node, 0));
    const Activation function = node.rule<GateRule>().activation;
    out.what = std::string(info(function).function) + " of";
    out.formula = from.name;
    out.terms.push_back({0, {from}, activated(function, from.value)});
    out.sum = out.terms.back().value;
}

void Explainer::gate(const Node& node) {
    const Operand gate = operand(input(node, 0)), up = operand(input(node, 1));
    const auto& rule = node.rule<GateRule>();
    const Activation function = rule.activation;
    double open = activated(function, gate.value), passes = up.value;
    std::string opened = std::string(info(function).function) + "(" + gate.name + ")", passed = up.name;
    if (const auto& clamped = rule.clamped) {
        const double g = std::min(gate.value, clamped->limit);
        open = g / (1 + std::exp(-clamped->alpha * g));
        passes = std::clamp(up.value, -clamped->limit, clamped->limit) + 1;
        opened = "g · sigmoid(" + cell_text(clamped->alpha) + " · g), g = min(" + gate.name + ", " +
                 cell_text(clamped->limit) + ")";
        passed = "(" + up.name + " + 1)";
    }
    out.what = "the gate times what passes it";
    out.formula = opened + " · " + passed;
    add_product(0, {{opened, open, gate.cell}, {passed, passes, up.cell}});
}

void Explainer::add(const Node& node) {
    const double scale = node.rule<Scaling>().factor;
    out.what = "the residual stream, and what is added to it";
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Operand each = operand(input(node, i));
        out.formula += (i == 0 ? "" : " + ") + each.name;
        std::vector<Operand> factors{each};
        if (i > 0 && scale != 1) factors.push_back({"this model's " + cell_text(scale), scale});
        add_product(static_cast<std::int64_t>(i), std::move(factors));
    }
}

}  // namespace headcount::explaining
