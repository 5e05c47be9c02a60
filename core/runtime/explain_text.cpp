// Explanations in words: how cells and numbers are written, and a formula on one line.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/runtime/explain.hpp"

namespace headcount {

std::string symbol_text(const Model& model, const CellAt& cell) {
    std::string symbol(model.graph.tensors[cell.tensor].symbol);
    constexpr std::string_view next = "(i+1)";
    if (const std::size_t at = symbol.find(next); at != std::string::npos)
        symbol.replace(at, next.size(), "(" + std::to_string(cell.layer + 1) + ")");
    return symbol;
}

std::string cell_name(const Model& model, const CellAt& cell) {
    const Tensor& tensor = model.graph.tensors[cell.tensor];
    std::string name = symbol_text(model, cell);
    if (tensor.shape.rank() == 1) return name + "[" + std::to_string(cell.column) + "]";
    return name + "[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + "]";
}

std::string cell_text(double value) {
    if (std::isnan(value)) return "no number";
    const double size = std::abs(value);
    char text[32];
    const bool plain = size == 0 || (size >= 1e-3 && size < 1e5);
    std::snprintf(text, sizeof text, !plain ? "%.2e" : size >= 1000 ? "%.1f" : size >= 100 ? "%.2f" : "%.3f", value);
    return text;
}

std::string formula_text(const Model& model, const Explanation& explanation, std::size_t most) {
    std::string text = cell_name(model, explanation.cell);
    if (explanation.terms.empty()) return text + " = " + cell_text(explanation.kept) + ": " + explanation.what;
    text += " = ";
    const std::vector<std::size_t>& order = explanation.largest;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
        const Term& term = explanation.terms[order[i]];
        if (i > 0) text += " + ";
        if (!explanation.products) text += cell_text(term.value);
        for (std::size_t f = 0; explanation.products && f < term.factors.size(); ++f)
            text += (f == 0 ? "" : "·") + cell_text(term.factors[f].value);
    }
    if (order.size() > most) text += " + ... " + std::to_string(order.size() - most) + " more";
    text += " = " + cell_text(explanation.sum);
    for (const AfterSum& step : explanation.after) text += "; " + step.text + " = " + cell_text(step.value);
    return text;
}

}  // namespace headcount
