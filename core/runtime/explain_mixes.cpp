// Explanations of what is mixed: one head's scores, their softmax and the values; how much each of a token's experts
// counts, and what they give together.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/formula.hpp"
#include "core/runtime/explain_parts.hpp"

namespace headcount::explaining {

std::optional<std::string> Explainer::unseen(const Mask& mask) const {
    const bool later = cell.column > cell.row;
    if (!later && cell.column >= mask.first_visible(cell.row)) return std::nullopt;
    return "masked: token " + std::to_string(cell.row) + " does not see token " + std::to_string(cell.column) +
           (later ? ", which comes later" : ", which is out of its window");
}

void Explainer::scores(const Node& node) {
    if (const std::optional<std::string> why = unseen(mask_of(node))) {  // whether a pass had it or not
        out.what = *why;
        return;
    }
    const auto& rule = node.rule<ScoreRule>();
    CellAt query = input(node, 0), key = input(node, 1);
    key.row = cell.column;
    const MatrixView queries = matrix(query);
    if (!queries) return;
    for (std::int64_t k = 0; k < queries.columns && !error; ++k) {
        query.column = key.column = k;
        add_product(k, {operand(query), operand(key)});
    }
    out.index = "k";
    out.what = "the query of token " + std::to_string(cell.row) + " times the key of token " +
               std::to_string(cell.column) + ": sum of";
    out.formula = place(symbol(query), cell.row, "k") + " · " + place(symbol(key), cell.column, "k");
    const auto distance = static_cast<double>(cell.column - cell.row);
    const bool alibi = rule.alibi.has_value();
    const double slope = alibi ? rule.alibi->slopes[static_cast<std::size_t>(cell.copy)] : 0;
    if (alibi && rule.alibi->rounded_before_scale)
        then("plus the head's slope " + cell_text(slope) + " · " + std::to_string(cell.column),
             last() + static_cast<double>(
                          as_bfloat16(as_bfloat16(static_cast<float>(slope)) * static_cast<float>(cell.column))));
    const double factor = rule.factor_of(cell.layer, cell.row);
    const auto root = static_cast<double>(queries.columns);
    const bool usual = std::abs(factor * std::sqrt(root) - 1) < 1e-9;
    then(usual ? "over the root of " + std::to_string(queries.columns) : "times " + cell_text(factor), last() * factor);
    capped(rule.soft_cap);
    if (alibi && !rule.alibi->rounded_before_scale)
        then("plus the head's slope " + cell_text(slope) + " · " + std::to_string(cell.column - cell.row),
             last() + slope * distance);
}

void Explainer::masked_softmax(const Node& node) {
    CellAt score = input(node, 0);
    const MatrixView all = matrix(score);
    if (!all) return;
    const Mask& mask = node.rule<Mask>();
    if (const std::optional<std::string> why = unseen(mask)) {
        out.what = *why;
        return;
    }
    const std::int64_t first = mask.first_visible(cell.row), end = std::min(cell.row + 1, all.columns);
    std::optional<Operand> sink;
    if (!node.parameters.empty()) {
        CellAt at = parameter(node, 0);
        at.row = 0;
        at.column = cell.copy;
        sink = operand(at);
    }
    double largest = sink ? sink->value : -std::numeric_limits<double>::infinity();
    for (std::int64_t j = first; j < end; ++j) largest = std::max(largest, static_cast<double>(all.at(cell.row, j)));
    const auto add_exponential = [&](std::int64_t index, const Operand& of) {
        out.terms.push_back({index, {of}, std::exp(of.value - largest)});
        out.sum += out.terms.back().value;
    };
    for (std::int64_t j = first; j < end; ++j) {
        score.column = j;
        add_exponential(j, operand(score));
    }
    if (sink) add_exponential(end, *sink);
    score.column = cell.column;
    const Operand own = operand(score);
    out.index = "j";
    out.what = "softmax over what token " + std::to_string(cell.row) + " sees: sum of";
    out.formula = "exp(" + place(symbol(score), cell.row, "j") + " − " + cell_text(largest) + ")";
    if (sink) out.formula += ", the sink's too";
    then("exp(" + own.name + " − " + cell_text(largest) + ") = " + cell_text(std::exp(own.value - largest)) +
             ", over the sum",
         std::exp(own.value - largest) / out.sum, {own});
}

void Explainer::mix(const Node& node) {
    CellAt weight = input(node, 0), value_at = input(node, 1);
    const std::int64_t first = mask_of(node).first_visible(cell.row);
    for (std::int64_t j = first; j <= cell.row && !error; ++j) {
        weight.column = value_at.row = j;
        add_product(j, {operand(weight), operand(value_at)});
    }
    out.index = "j";
    out.what = "values of what the token sees, as much as it looks there: sum of";
    out.formula = place(symbol(weight), cell.row, "j") + " · " + place(symbol(value_at), "j", cell.column);
}

void Explainer::route(const Node& node) {
    const Routing& routing = node.rule<Routing>();
    CellAt score = input(node, 0);
    const MatrixView all = matrix(score);
    if (!all) return;
    const std::int64_t chosen = number(Symbol::experts_per_token), own = expert_of(cell.row, cell.column);
    std::vector<std::int64_t> used;
    for (std::int64_t which = 0; which < chosen; ++which) used.push_back(expert_of(cell.row, which));
    if (error) return;
    const bool each = routing.scores == RouterScores::sigmoid;
    std::vector<std::int64_t> over = used;
    if (routing.scores == RouterScores::softmax) {
        over.clear();
        for (std::int64_t expert = 0; expert < all.columns; ++expert) over.push_back(expert);
    }
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    const auto raw = [&](std::int64_t expert) { return static_cast<double>(all.at(cell.row, expert)); };
    for (const std::int64_t expert : over) largest = std::max(largest, raw(expert));
    for (const std::int64_t expert : over) sum += std::exp(raw(expert) - largest);
    const auto counts = [&](std::int64_t expert) {
        return each ? sigmoid(raw(expert)) : std::exp(raw(expert) - largest) / sum;
    };
    const bool shares = each && routing.normalized;
    out.index = "expert";
    const std::string of = place(symbol(score), cell.row, "e");
    for (const std::int64_t expert : each && !shares ? std::vector{own} : over) {
        score.column = expert;
        const double value = each ? sigmoid(raw(expert)) : std::exp(raw(expert) - largest);
        out.terms.push_back({expert, {operand(score)}, value});
        out.sum += value;
    }
    out.formula = each ? "sigmoid(" + of + ")" : "exp(" + of + " − " + cell_text(largest) + ")";
    out.what = "token " + std::to_string(cell.row) + " goes to expert " + std::to_string(own) + ": sum over " +
               (over.size() == used.size() ? "its experts" : "all experts") + " of";
    score.column = own;
    const Operand mine = operand(score);
    const std::string name = each ? "sigmoid(" + mine.name + ")" : "exp of " + mine.name;
    if (each && !shares)
        out.what = "token " + std::to_string(cell.row) + " goes to expert " + std::to_string(own) + ": how much of it";
    else
        then(name + " over the sum", each ? counts(own) / out.sum : counts(own), {mine});
    if (routing.normalized && routing.scores == RouterScores::softmax) {
        double total = 0;
        for (const std::int64_t expert : used) total += counts(expert);
        then("over " + cell_text(total) + ", what all its experts have", last() / total);
    }
    if (routing.scaling != 1) then("times " + cell_text(routing.scaling), last() * routing.scaling);
}

void Explainer::combine(const Node& node) {
    CellAt expert = input(node, 0), weight = input(node, 1);
    weight.copy = 0;
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const bool on_input = node.rule<Routing>().on_input;
    out.index = "expert";
    for (std::int64_t which = 0; which < chosen && !error; ++which) {
        expert.copy = which;
        weight.column = which;
        std::vector<Operand> factors{operand(expert)};
        if (!on_input) factors.push_back(operand(weight));
        add_product(expert_of(cell.row, which), std::move(factors));
    }
    out.what = "the token's " + std::to_string(chosen) + " experts, each as much as it counts: sum of";
    out.formula = place(symbol(expert), cell.row, cell.column);
    if (!on_input) out.formula += " · " + place(symbol(weight), cell.row, "e");
    if (node.inputs.size() < 3) return;
    CellAt shared = input(node, 2);
    shared.copy = 0;
    const Operand from = operand(shared);
    double factor = 1;
    std::vector<Operand> operands{from};
    if (node.inputs.size() > 3) {
        CellAt gate = input(node, 3);
        gate.copy = gate.column = 0;
        operands.push_back(operand(gate));
        factor = sigmoid(operands.back().value);
    }
    then("plus " + from.name + (factor != 1 ? " · sigmoid(" + operands.back().name + ")" : ", the shared experts'"),
         last() + factor * from.value, operands);
}

}  // namespace headcount::explaining
