// What a convolution and a head's state come to at one cell, token by token from the first.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/graph/weighed_sums.hpp"
#include "core/runtime/evaluator.hpp"

namespace headcount {

// Over the tokens that there are; before the first all is 0.
double Evaluator::convolved(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::int64_t kernel = number(formula.size);
    double sum = 0;
    for (std::int64_t j = std::max<std::int64_t>(0, kernel - 1 - row); j < kernel && !error; ++j)
        sum += at(formula.operands[0], row - kernel + 1 + j, column) * at(formula.operands[1], j, column);
    return sum;
}

CellAt Evaluator::cell_before(std::int64_t row, std::int64_t column) const {
    CellAt before = cell_;
    before.row = row - 1;
    before.column = column;
    return before;
}

double Evaluator::faded(const Formula& formula, std::int64_t row, std::int64_t column) {
    const double added = at(formula.operands[1], row, column);
    if (row == 0) return added;
    const double left = at(formula.operands[0], row, column);
    return left * value(cell_before(row, column)) + std::sqrt(1 - left * left) * added;
}

std::vector<double> Evaluator::shares(const Formula& formula, std::int64_t row, std::int64_t column) {
    const double fades = std::exp(at(formula.operands[2], 0, column));
    std::vector<double> weights;
    for (std::int64_t token = 0; token <= row && !error; ++token) {
        const double later =
            token == row ? at(formula.operands[3], 0, column) : -static_cast<double>(row - 1 - token) * fades;
        weights.push_back(at(formula.operands[0], token, column) + later);
    }
    if (error || weights.empty()) return {};
    const double largest = *std::ranges::max_element(weights);
    double sum = 0;
    for (double& each : weights) sum += each = std::exp(each - largest);
    for (double& each : weights) each /= sum;
    return weights;
}

double Evaluator::weighed(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::vector<double> weights = shares(formula, row, column);
    double sum = 0;
    for (std::size_t token = 0; token < weights.size() && !error; ++token)
        sum += weights[token] * at(formula.operands[1], static_cast<std::int64_t>(token), column);
    return sum;
}

double Evaluator::summed_up(const Formula& formula, std::int64_t row, std::int64_t column) {
    WeighedSums<double> sums;
    const double fades = std::exp(at(formula.operands[2], 0, column));
    for (std::int64_t token = 0; token < tokens() && !error; ++token)
        sums.add(at(formula.operands[0], token, column), at(formula.operands[1], token, column), fades);
    return row == 0 ? sums.largest : row == 1 ? sums.weights : sums.values;
}

const Node& Evaluator::state_writer() const {
    return node_.op == Op::update_state ? node_ : *graph_.producer(node_.inputs[1]);
}

bool Evaluator::fades_by_row(const Node& update) const {
    return !update.rule<StateRule>().fading && !(graph_.tensors[update.inputs[2]].shape[1] == Expr(1));
}

Evaluator::StateColumn Evaluator::state_column(const Node& update, std::int64_t token, std::int64_t column) {
    StateColumn state;
    const auto rows = static_cast<std::size_t>(number(graph_.tensors[update.output].shape[0]));
    state.before.resize(rows);
    state.after.resize(rows);
    std::array<MatrixView, 5> read;  // keys, values; decays and strengths, where these are no constants, or as `apart`
    for (std::size_t i = 0; i < update.inputs.size(); ++i) {
        const CellAt first{update.inputs[i], cell_.layer, copy_, 0, 0};
        value(first);
        read[i] = numbers_.matrix(first.tensor, first.layer, first.copy);
    }
    if (error) return state;
    const StateRule& rule = update.rule<StateRule>();
    const bool by_row = fades_by_row(update), measured = !rule.apart && update.inputs.size() > 3;
    const double fixed = rule.fading ? std::exp(-rule.fading->rate(copy_, cell_.layer)) : 0;
    const auto of = [&](std::size_t which, std::int64_t t, std::int64_t at) {
        return static_cast<double>(read[which].at(t, at));
    };
    for (std::int64_t t = 0; t <= token; ++t) {
        state.before = state.after;
        const auto left = [&](std::size_t i) {
            return rule.fading ? fixed : of(2, t, by_row ? static_cast<std::int64_t>(i) : 0);
        };
        state.found = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            const auto at = static_cast<std::int64_t>(i);
            state.found += (rule.apart ? of(3, t, at) : of(0, t, at) * left(i)) * state.before[i];
        }
        const bool replaces = rule.replaces && !rule.apart;
        const double written = (measured ? of(3, t, 0) : 1) * (of(1, t, column) - (replaces ? state.found : 0));
        for (std::size_t i = 0; i < rows; ++i) {
            const auto at = static_cast<std::int64_t>(i);
            state.after[i] = left(i) * state.before[i] + of(0, t, at) * written;
            if (rule.apart) state.after[i] -= of(4, t, at) * state.found;
        }
    }
    return state;
}

double Evaluator::read_state(const Formula& formula, std::int64_t row, std::int64_t column) {
    const StateColumn state = state_column(state_writer(), row, column);
    const std::vector<double>& cells = state_writer().rule<StateRule>().read_first ? state.before : state.after;
    double sum = 0;
    for (std::size_t i = 0; i < cells.size() && !error; ++i)
        sum += at(formula.operands[0], row, static_cast<std::int64_t>(i)) * cells[i];
    return sum;
}

}  // namespace headcount
