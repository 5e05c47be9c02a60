// Finds the node that makes a cell, follows what is only shown, and tells the equation of it. And how cells and numbers
// are written.
#include "core/runtime/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/base/find.hpp"
#include "core/runtime/explain_terms.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

// Where the values are no numbers, these come first.
std::vector<std::size_t> by_size(const std::vector<Term>& terms) {
    std::vector<std::size_t> order(terms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) { return std::isnan(terms[i].value) ? HUGE_VAL : std::abs(terms[i].value); };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    return order;
}

const Borrowed* find_borrowed(const std::vector<Borrowed>& all, TensorIndex tensor) {
    return find_in(all, tensor, &Borrowed::tensor);
}

// "Q4_K stores it as 11 · 1.20e-04 - 0.002".
std::string stored_text(const MatrixView& matrix, std::int64_t row, std::int64_t column) {
    const std::string type(matrix.form->type);
    const std::optional<StoredNumber> stored = matrix.stored(row, column);
    if (!stored) return type + " stores it as it is";
    std::string text = type + " stores it as " + std::to_string(stored->whole) + " · " + cell_text(stored->scale);
    if (stored->less != 0) text += (stored->less < 0 ? " + " : " - ") + cell_text(std::abs(stored->less));
    return text;
}

}  // namespace

MatrixView RunNumbers::matrix(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Role role = model->graph.tensors[tensor].role;
    if (role == Role::parameter || role == Role::buffer) return model->weights.view(tensor, layer, copy);
    const bool ids = role == Role::input && model->graph.tensors[tensor].shape.rank() == 1;
    return ids || !activation ? MatrixView{} : activation(tensor, layer, copy);
}

std::optional<float> RunNumbers::value(const CellAt& cell) const {
    const MatrixView view = matrix(cell.tensor, cell.layer, cell.copy);
    const bool there = view && cell.row >= 0 && cell.column >= 0 && cell.row < view.rows && cell.column < view.columns;
    return there ? std::optional(view.at(cell.row, cell.column)) : std::nullopt;
}

RunNumbers numbers_of(const Run& run) {
    return {&run.model(),
            run.ids(),
            [&run](TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
                return run.activation(tensor, layer, copy);
            },
            [&run](std::int64_t layer, bool encoder) { return run.experts(layer, encoder); },
            run.types(),
            run.source()};
}

std::pair<CellAt, const Node*> made_at(const RunNumbers& numbers, const CellAt& cell) {
    const ModelGraph& graph = numbers.model->graph;
    CellAt of = cell;
    const Node* node = graph.producer(of.tensor);
    const auto lent = borrowed(numbers.model->architecture, graph);
    while (true) {
        if (const Borrowed* const each = node || !lent ? nullptr : find_borrowed(*lent, of.tensor)) {
            of.tensor = each->of;
            of.layer = each->layer;
            node = graph.producer(of.tensor);
        }
        if (!node) break;
        const std::optional<CellAt> shown =
            Evaluator(numbers, of, *node).shown(equation_of(graph, *node).right, of.row, of.column);
        if (!shown || graph.tensors[shown->tensor].role == Role::parameter) break;
        of = *shown;
        node = graph.producer(of.tensor);
    }
    return {of, node};
}

Result<Explanation> explain(const RunNumbers& numbers, const CellAt& cell) {
    const ModelGraph& graph = numbers.model->graph;
    if (cell.tensor >= graph.tensors.size()) return Error{"there is no such tensor", "", ""};
    const std::optional<float> kept = numbers.value(cell);
    if (!kept)
        return Error{"the run has no such number", graph.tensors[cell.tensor].id,
                     "point at a cell of a matrix that is shown"};
    const auto [of, node] = made_at(numbers, cell);
    Explanation made;
    if (node) {
        Evaluator evaluator(numbers, of, *node);
        made = Teller(evaluator).tell(equation_of(graph, *node).right);
        if (evaluator.error) return *evaluator.error;
    } else {
        const bool trained = graph.tensors[of.tensor].role == Role::parameter;
        made.what = trained ? "a weight: training has set it" : "a number of the file: no gradient has set it";
        if (const MatrixView matrix = numbers.matrix(of.tensor, of.layer, of.copy); matrix.form)
            made.what += ", and " + stored_text(matrix, of.row, of.column);
        made.result = static_cast<double>(*kept);
    }
    made.cell = cell;
    made.of = of;
    made.kept = static_cast<double>(*kept);
    made.largest = by_size(made.terms);
    return made;
}

std::string symbol_text(const ModelGraph& graph, const CellAt& cell) {
    std::string symbol(graph.tensors[cell.tensor].symbol);
    constexpr std::string_view next = "(i+1)";
    if (const std::size_t at = symbol.find(next); at != std::string::npos)
        symbol.replace(at, next.size(), "(" + std::to_string(cell.layer + 1) + ")");
    return symbol;
}

std::string cell_name(const ModelGraph& graph, const CellAt& cell) {
    const Tensor& tensor = graph.tensors[cell.tensor];
    std::string name = symbol_text(graph, cell);
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

}  // namespace headcount
