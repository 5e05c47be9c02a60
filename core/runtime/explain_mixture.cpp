// Explanations of a mixture of experts: how much each of a token's experts counts, and what they give together.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/runtime/explain_parts.hpp"

namespace headcount::explaining {
namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

}  // namespace

void Explainer::route(const Node& node) {
    const Routing& routing = model.computation.routing;
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
    const bool on_input = model.computation.routing.on_input;
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
