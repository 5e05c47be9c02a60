// Walks a formula for one cell.
#include "core/runtime/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/runtime/explain_parts.hpp"

namespace headcount {
namespace explaining {
namespace {

using Kind = Formula::Kind;

class Evaluator {
  public:
    Evaluator(const RunNumbers& numbers, const CellAt& cell, const Node& node)
        : cells_(numbers, cell), node_(node), copy_(cell.copy) {}

    Result<double> evaluate(const Formula& formula) {
        const double value = at(formula, cells_.cell.row, cells_.cell.column);
        if (cells_.error) return *cells_.error;
        return value;
    }

  private:
    double at(const Formula& formula, std::int64_t row, std::int64_t column);
    double tensor_at(TensorIndex tensor, std::int64_t row, std::int64_t column);
    double average(const Formula& formula, std::int64_t row, std::int64_t column, double less, bool squared);
    double product(const Formula& formula, std::int64_t row, std::int64_t column);
    double turned(const Formula& formula, std::int64_t row, std::int64_t column);
    double softmax(const Formula& formula, std::int64_t row, std::int64_t column);
    double chosen(const Formula& formula, std::int64_t row, std::int64_t column);
    double over_experts(const Formula& formula, std::int64_t row, std::int64_t column);

    std::int64_t number(const Expr& expr) const { return cells_.number(expr); }

    Explainer cells_;
    const Node& node_;
    std::int64_t copy_;  // that operands are of: this cell's, but where heads or experts meet
};

double Evaluator::tensor_at(TensorIndex tensor, std::int64_t row, std::int64_t column) {
    const ModelGraph& graph = cells_.graph;
    const Tensor& read = graph.tensors[tensor];
    const auto place_in = [&](const std::vector<TensorIndex>& all) {
        return static_cast<std::size_t>(std::find(all.begin(), all.end(), tensor) - all.begin());
    };
    const std::size_t input = place_in(node_.inputs), parameter = place_in(node_.parameters);
    const std::int64_t width = number(read.shape[read.shape.rank() - 1]);
    // Which of a token's experts counts how much, where it is no operand of its own.
    CellAt cell{tensor, cells_.cell.layer, 0, row, copy_};
    if (input < node_.inputs.size()) {
        cell = cells_.input(node_, input);
        if (in_head(graph, read.block) || in_expert(graph, read.block)) cell.copy = copy_;
        cell.row = row;
        cell.column = width == 1 ? 0 : column;
    } else if (parameter < node_.parameters.size()) {
        cell = cells_.parameter(node_, parameter);
        if (in_expert(graph, read.block)) cell.copy = cells_.expert_of(cells_.cell.row, copy_);
        const bool vector = read.shape.rank() == 1, by_group = node_.op == Op::norm;
        cell.row = by_group && !vector ? column / width : vector ? 0 : row;
        cell.column = by_group ? column % width : column;
    }
    return cells_.value(cell);
}

// Of the group of columns that this one is in.
double Evaluator::average(const Formula& formula, std::int64_t row, std::int64_t column, double less, bool squared) {
    const std::int64_t width = number(formula.size), first = column / width * width;
    double sum = 0;
    for (std::int64_t k = first; k < first + width && !cells_.error; ++k) {
        const double value = at(formula.operands[0], row, k) - less;
        sum += squared ? value * value : value;
    }
    return sum / static_cast<double>(width);
}

double Evaluator::product(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::int64_t inner = node_.op == Op::mix ? row + 1 : number(formula.size);  // no token sees a later one
    double sum = 0;
    for (std::int64_t k = 0; k < inner && !cells_.error; ++k)
        sum += at(formula.operands[0], row, k) * at(formula.operands[1], k, column);
    return sum;
}

double Evaluator::turned(const Formula& formula, std::int64_t row, std::int64_t column) {
    const auto& rule = node_.rule<Rotation>();
    const std::int64_t columns = number(rule.columns), pairs = columns / 2, width = number(rule.head);
    const std::int64_t begin = column / width * width + number(rule.first), place = column - begin;
    if (place < 0 || place >= 2 * pairs) return at(formula.operands[0], row, column);
    const bool halves = rule.rope.pairs == RopePairs::halves;
    const std::int64_t pair = halves ? place % pairs : place / 2;
    const std::int64_t first = begin + (halves ? pair : 2 * pair), second = first + (halves ? pairs : 1);
    const double angle =
        static_cast<double>(row) * rope_angles(rule.rope, columns, cells_.tokens())[static_cast<std::size_t>(pair)];
    const double a = at(formula.operands[0], row, first), b = at(formula.operands[0], row, second);
    const double made =
        column == first ? a * std::cos(angle) - b * std::sin(angle) : b * std::cos(angle) + a * std::sin(angle);
    return made * rule.rope.attention_factor;
}

double Evaluator::softmax(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::int64_t first = node_.rule<Mask>().first_visible(row);
    if (column < first || column > row) return 0;
    std::vector<double> scores;
    for (std::int64_t q = first; q <= row; ++q) scores.push_back(at(formula.operands[0], row, q));
    if (formula.operands.size() > 1) scores.push_back(tensor_at(formula.operands[1].tensor, 0, copy_));
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (const double score : scores) sum += std::exp(score - largest);
    return std::exp(scores[static_cast<std::size_t>(column - first)] - largest) / sum;
}

// Which experts these are, the run says; how much each counts, the formula.
double Evaluator::chosen(const Formula& formula, std::int64_t row, std::int64_t column) {
    const auto& rule = node_.rule<Routing>();
    const std::int64_t used = number(formula.size), all = cells_.columns_of(node_.inputs.front());
    const bool of_chosen = rule.scores == RouterScores::softmax_of_chosen;
    std::vector<std::int64_t> own;
    for (std::int64_t which = 0; which < used; ++which) own.push_back(cells_.expert_of(row, which));
    if (cells_.error) return 0;
    std::vector<double> scores;
    for (std::int64_t expert = 0; expert < all; ++expert) scores.push_back(at(formula.operands[0], row, expert));
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t expert = 0; expert < scores.size(); ++expert) {
        scores[expert] =
            rule.scores == RouterScores::sigmoid ? sigmoid(scores[expert]) : std::exp(scores[expert] - largest);
        const bool counts =
            !of_chosen || std::find(own.begin(), own.end(), static_cast<std::int64_t>(expert)) != own.end();
        if (counts) sum += scores[expert];
    }
    const auto weight = [&](std::int64_t expert) {
        const double score = scores[static_cast<std::size_t>(expert)];
        return rule.scores == RouterScores::sigmoid ? score : score / sum;
    };
    double total = 1;
    if (rule.normalized) {
        total = 0;
        for (const std::int64_t expert : own) total += weight(expert);
    }
    return weight(own[static_cast<std::size_t>(column)]) / total * rule.scaling;
}

double Evaluator::over_experts(const Formula& formula, std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t which = 0; which < number(formula.size) && !cells_.error; ++which) {
        copy_ = which;
        const double made = at(formula.operands[0], row, column);
        copy_ = 0;
        sum += formula.operands.size() > 1 ? made * at(formula.operands[1], row, which) : made;
    }
    copy_ = cells_.cell.copy;
    return sum;
}

double Evaluator::at(const Formula& formula, std::int64_t row, std::int64_t column) {
    const std::vector<Formula>& of = formula.operands;
    const auto operand = [&](std::size_t index) { return at(of[index], row, column); };
    switch (formula.kind) {
        case Kind::number:
            return formula.value;
        case Kind::size:
            return static_cast<double>(number(formula.size));
        case Kind::tensor:
            return tensor_at(formula.tensor, row, column);
        case Kind::query_position:
            return static_cast<double>(row);
        case Kind::key_position:
            return static_cast<double>(column);
        case Kind::slope:
            return node_.rule<ScoreRule>().alibi->slopes[static_cast<std::size_t>(cells_.cell.copy)];
        case Kind::layer_number:
            return static_cast<double>(cells_.cell.layer + 1);
        case Kind::sum:
            return operand(0) + operand(1);
        case Kind::difference:
            return operand(0) - operand(1);
        case Kind::times:
            return operand(0) * operand(1);
        case Kind::over:
            return operand(0) / operand(1);
        case Kind::square:
            return operand(0) * operand(0);
        case Kind::root:
            return std::sqrt(operand(0));
        case Kind::least:
            return std::min(operand(0), operand(1));
        case Kind::within:
            return std::clamp(operand(0), -operand(1), operand(1));
        case Kind::function:
            return formula.apply(operand(0));
        case Kind::mean:
            return average(formula, row, column, 0, false);
        case Kind::variance:
            return average(formula, row, column, average(formula, row, column, 0, false), true);
        case Kind::product:
            return product(formula, row, column);
        case Kind::transposed:
            return at(of[0], column, row);
        case Kind::rows_of:
            return at(of[0], cells_.numbers.ids[static_cast<std::size_t>(row)], column);
        case Kind::positions_of:
            return at(of[0], row + number(formula.size), column);
        case Kind::columns:
            return at(of[0], row, column + number(formula.size));
        case Kind::head_columns: {
            const auto& rule = node_.rule<HeadRule>();
            const std::int64_t first = cells_.cell.copy / number(rule.share) * number(rule.step) + number(rule.first);
            return at(of[0], row, first + column);
        }
        case Kind::beside: {
            const std::int64_t own = number(formula.size);
            return column < own ? operand(0) : at(of[1], row, column - own);
        }
        case Kind::behind_earlier:
            return operand(0);
        case Kind::last_rows:
            return at(of[0], row + cells_.tokens() - std::min(cells_.tokens(), number(formula.size)), column);
        case Kind::heads: {
            const std::int64_t width = number(formula.size);
            copy_ = column / width;
            return at(of[0], row, column % width);
        }
        case Kind::turned:
            return turned(formula, row, column);
        case Kind::masked_softmax:
            return softmax(formula, row, column);
        case Kind::chosen:
            return chosen(formula, row, column);
        case Kind::over_experts:
            return over_experts(formula, row, column);
    }
    return 0;
}

}  // namespace
}  // namespace explaining

Result<double> evaluate_equation(const RunNumbers& numbers, const CellAt& cell) {
    const ModelGraph& graph = numbers.model->graph;
    const Node* node = cell.tensor < graph.tensors.size() ? graph.producer(cell.tensor) : nullptr;
    if (!node) return Error{"nothing makes this number: it has no equation", "", ""};
    return explaining::Evaluator(numbers, cell, *node).evaluate(equation_of(graph, *node).right);
}

}  // namespace headcount
