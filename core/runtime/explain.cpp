// Finds the node that makes a cell, follows what is only shown, and checks that every operand is there. And how cells
// and numbers are written.
#include "core/runtime/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "core/runtime/explain_parts.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace explaining {
CellAt Explainer::input(const Node& node, std::size_t index) const {
    CellAt at = cell;
    at.tensor = node.inputs[index];
    const std::optional<std::size_t> own = graph.layer_of(node.block);
    const Tensor& read = graph.tensors[at.tensor];
    if (graph.layer_of(read.block) == own) {
        if (read.block != node.block && !in_head(graph, read.block) && !in_expert(graph, read.block)) at.copy = 0;
        if (!own) at.layer = 0;
        return at;
    }
    at.copy = 0;
    const std::int64_t before = own ? cell.layer : model.architecture.layers;
    at.layer = std::max<std::int64_t>(before - 1, 0);
    std::optional<std::size_t> group;
    if (before > 0) group = graph.group_of(layer_kind(model.architecture, before - 1));
    at.tensor = graph.last_of(group);
    return at;
}

CellAt Explainer::parameter(const Node& node, std::size_t index) const {
    CellAt at = cell;
    at.tensor = node.parameters[index];
    const BlockIndex block = graph.tensors[at.tensor].block;
    if (!in_expert(graph, block)) at.copy = 0;
    if (!graph.layer_of(block)) at.layer = 0;
    return at;
}

MatrixView Explainer::matrix(const CellAt& at) {
    const MatrixView view = numbers.matrix(at.tensor, at.layer, at.copy);
    if (!view && !error)
        error = Error{"the run has not kept " + std::string(graph.tensors[at.tensor].label),
                      graph.tensors[at.tensor].id, "run a smaller model, of which everything is kept"};
    return view;
}

double Explainer::value(const CellAt& at) {
    const MatrixView view = matrix(at);
    if (!view) return 0;
    if (at.row < 0 || at.column < 0 || at.row >= view.rows || at.column >= view.columns) {
        if (!error) error = Error{"there is no such cell", cell_name(model, at), ""};
        return 0;
    }
    return static_cast<double>(view.at(at.row, at.column));
}

std::int64_t Explainer::number(const Expr& expr) const {
    const Result<std::int64_t> value = evaluate(expr, bindings(model.architecture, Input{}));
    return value ? *value : 0;
}

std::int64_t Explainer::expert_of(std::int64_t row, std::int64_t which) {
    const std::span<const std::int32_t> all =
        numbers.experts ? numbers.experts(cell.layer) : std::span<const std::int32_t>{};
    const std::int64_t at = row * number(Symbol::experts_per_token) + which;
    if (at >= 0 && at < static_cast<std::int64_t>(all.size())) return all[static_cast<std::size_t>(at)];
    if (!error) error = Error{"the run has not kept which experts a token was sent to", "", ""};
    return 0;
}

void Explainer::add_product(std::int64_t index, std::vector<Operand> factors) {
    double product = 1;
    for (const Operand& factor : factors) product *= factor.value;
    out.terms.push_back({index, std::move(factors), product});
    out.sum += product;
    out.products = true;
}

void Explainer::then(std::string text, double value, std::vector<Operand> operands) {
    out.after.push_back({std::move(text), std::move(operands), value});
}

void Explainer::capped(std::optional<double> cap) {
    if (!cap) return;
    then("capped: " + cell_text(*cap) + " · tanh(x / " + cell_text(*cap) + ")", *cap * std::tanh(last() / *cap));
}

std::string place(const std::string& symbol, const Index& row, const Index& column) {
    return symbol + "[" + row.text + ", " + column.text + "]";
}

std::optional<CellAt> Explainer::shown_by(const Node& node) const {
    CellAt at = input(node, 0);
    switch (node.op) {
        case Op::append_cache:
            return at;
        case Op::keep_window:
            at.row += tokens() - std::min(tokens(), node.rule<Mask>().size);
            return at;
        case Op::take_columns:
            at.column += number(node.rule<ColumnRange>().first);
            return at;
        case Op::take_head: {
            const auto& rule = node.rule<HeadRule>();
            at.column += cell.copy / number(rule.share) * number(rule.step) + number(rule.first);
            if (node.inputs.size() == 2) {  // behind the head's own columns those that all heads share
                const CellAt shared = input(node, 1);
                const std::int64_t own = columns_of(node.output) - columns_of(shared.tensor);
                if (cell.column >= own) {
                    at = shared;
                    at.column = cell.column - own;
                }
            }
            at.copy = 0;
            return at;
        }
        case Op::join_heads: {
            const std::int64_t columns = columns_of(node.inputs.front());
            at.copy = cell.column / columns;
            at.column = cell.column % columns;
            return at;
        }
        default:
            return std::nullopt;
    }
}

namespace {

// What only shows others' cells was followed before.
void explain_node(Explainer& to, const Node& node) {
    constexpr std::pair<Op, void (Explainer::*)(const Node&)> ways[] = {
        {Op::embed, &Explainer::embed},    {Op::add_positions, &Explainer::add_positions},
        {Op::norm, &Explainer::norm},      {Op::linear, &Explainer::linear},
        {Op::rotate, &Explainer::rotate},  {Op::activate, &Explainer::activate},
        {Op::gate, &Explainer::gate},      {Op::add, &Explainer::add},
        {Op::scores, &Explainer::scores},  {Op::masked_softmax, &Explainer::masked_softmax},
        {Op::mix, &Explainer::mix},        {Op::route, &Explainer::route},
        {Op::combine, &Explainer::combine}};
    for (const auto& [op, way] : ways)
        if (node.op == op) return (to.*way)(node);
}

// Where the values are no numbers, these come first.
std::vector<std::size_t> by_size(const std::vector<Term>& terms) {
    std::vector<std::size_t> order(terms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) { return std::isnan(terms[i].value) ? HUGE_VAL : std::abs(terms[i].value); };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    return order;
}

}  // namespace
}  // namespace explaining

MatrixView RunNumbers::matrix(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Role role = model->graph.tensors[tensor].role;
    if (role == Role::parameter || role == Role::buffer) return model->weights.view(tensor, layer, copy);
    return role == Role::input || !activation ? MatrixView{} : activation(tensor, layer, copy);
}

std::optional<float> RunNumbers::value(const CellAt& cell) const {
    const MatrixView view = matrix(cell.tensor, cell.layer, cell.copy);
    const bool there = view && cell.row >= 0 && cell.column >= 0 && cell.row < view.rows && cell.column < view.columns;
    return there ? std::optional(view.at(cell.row, cell.column)) : std::nullopt;
}

RunNumbers numbers_of(const Run& run) {
    return {&run.model(), run.ids(),
            [&run](TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
                return run.activation(tensor, layer, copy);
            },
            [&run](std::int64_t layer) { return run.experts(layer); }};
}

Result<Explanation> explain(const RunNumbers& numbers, const CellAt& cell) {
    using explaining::Explainer;
    const ModelGraph& graph = numbers.model->graph;
    if (cell.tensor >= graph.tensors.size()) return Error{"there is no such tensor", "", ""};
    const std::optional<float> kept = numbers.value(cell);
    if (!kept)
        return Error{"the run has no such number", graph.tensors[cell.tensor].id,
                     "point at a cell of a matrix that is shown"};
    CellAt of = cell;
    const Node* node = graph.producer(of.tensor);
    while (node) {
        const std::optional<CellAt> shown = Explainer(numbers, of).shown_by(*node);
        if (!shown) break;
        of = *shown;
        node = graph.producer(of.tensor);
    }
    Explainer to(numbers, of);
    to.out.cell = cell;
    to.out.of = of;
    to.out.kept = static_cast<double>(*kept);
    if (node) {
        explaining::explain_node(to, *node);
        to.out.result = to.last();
    } else {
        const bool trained = graph.tensors[of.tensor].role == Role::parameter;
        to.out.what = trained ? "a weight: training has set it" : "a number of the file: no gradient has set it";
        to.out.result = to.out.kept;
    }
    if (to.error) return *to.error;
    to.out.largest = explaining::by_size(to.out.terms);
    return std::move(to.out);
}

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
