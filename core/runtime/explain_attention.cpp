// Explanations of what one head computes: scores, their softmax, and the values mixed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/runtime/explain_parts.hpp"

namespace headcount::explaining {

std::optional<std::string> Explainer::unseen() const {
    const bool later = cell.column > cell.row;
    if (!later && cell.column >= first_visible(cell.row)) return std::nullopt;
    return "masked: token " + std::to_string(cell.row) + " does not see token " + std::to_string(cell.column) +
           (later ? ", which comes later" : ", which is out of its window");
}

void Explainer::scores(const Node& node) {
    if (const std::optional<std::string> why = unseen()) {  // whether a pass had it or not
        out.what = *why;
        return;
    }
    const Computation& computation = model.computation;
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
    const bool alibi = computation.alibi.has_value();
    const double slope = alibi ? computation.alibi->slopes[static_cast<std::size_t>(cell.copy)] : 0;
    if (alibi && computation.alibi->rounded_before_scale)
        then("plus the head's slope " + cell_text(slope) + " · " + std::to_string(cell.column),
             last() + static_cast<double>(
                          as_bfloat16(as_bfloat16(static_cast<float>(slope)) * static_cast<float>(cell.column))));
    double factor = computation.score_scale;
    if (computation.score_scale_by_layer) factor /= static_cast<double>(cell.layer + 1);
    factor *= query_factor(computation, kind().rotated, cell.row);
    const auto root = static_cast<double>(queries.columns);
    const bool usual = std::abs(factor * std::sqrt(root) - 1) < 1e-9;
    then(usual ? "over the root of " + std::to_string(queries.columns) : "times " + cell_text(factor), last() * factor);
    capped(computation.score_soft_cap);
    if (alibi && !computation.alibi->rounded_before_scale)
        then("plus the head's slope " + cell_text(slope) + " · " + std::to_string(cell.column - cell.row),
             last() + slope * distance);
}

void Explainer::masked_softmax(const Node& node) {
    CellAt score = input(node, 0);
    const MatrixView all = matrix(score);
    if (!all) return;
    if (const std::optional<std::string> why = unseen()) {
        out.what = *why;
        return;
    }
    const std::int64_t first = first_visible(cell.row), end = std::min(cell.row + 1, all.columns);
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
    const std::int64_t first = first_visible(cell.row);
    for (std::int64_t j = first; j <= cell.row && !error; ++j) {
        weight.column = value_at.row = j;
        add_product(j, {operand(weight), operand(value_at)});
    }
    out.index = "j";
    out.what = "values of what the token sees, as much as it looks there: sum of";
    out.formula = place(symbol(weight), cell.row, "j") + " · " + place(symbol(value_at), "j", cell.column);
}

}  // namespace headcount::explaining
