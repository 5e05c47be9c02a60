// Which experts a token was sent to, how much each counts, and what they come to together.
#include <algorithm>
#include <cmath>

#include "core/runtime/evaluator.hpp"
#include "core/runtime/routing.hpp"

namespace headcount {

std::vector<std::int64_t> Evaluator::experts_of(std::int64_t row) {
    const std::int64_t used = number(Symbol::experts_per_token);
    const std::span<const std::int32_t> all = numbers_.experts
                                                  ? numbers_.experts(cell_.layer, graph_.of_source(node_.output))
                                                  : std::span<const std::int32_t>{};
    if (row >= 0 && (row + 1) * used <= static_cast<std::int64_t>(all.size()))
        return {all.begin() + row * used, all.begin() + (row + 1) * used};
    if (!error) error = Error{"the run has not kept which experts a token was sent to", "", ""};
    return {};
}

double opened(const Routing& routing, double score, double largest) {
    return by_themselves(routing.scores) ? by_itself(routing.scores, score) : std::exp(score - largest);
}

ExpertWeight expert_weight(const Routing& routing, const std::vector<double>& scores,
                           const std::vector<std::int64_t>& used, std::int64_t which) {
    ExpertWeight weight;
    const bool each = by_themselves(routing.scores);
    const auto score = [&](std::int64_t expert) { return scores[static_cast<std::size_t>(expert)]; };
    weight.over = used;
    const bool close = routing.scores == RouterScores::softmax_of_close;
    if (routing.scores == RouterScores::softmax || close) {
        weight.over.clear();
        const auto before = used.begin() + which;
        for (std::int64_t expert = 0; expert < std::ssize(scores); ++expert)
            if (!close ||
                (std::find(used.begin(), before, expert) == before && is_close(routing, score(*before), score(expert))))
                weight.over.push_back(expert);
    }
    if (!each)
        for (const std::int64_t expert : weight.over)
            weight.largest = expert == weight.over.front() ? score(expert) : std::max(weight.largest, score(expert));
    const auto added = [&](const std::vector<std::int64_t>& experts) {
        double sum = 0;
        for (const std::int64_t expert : experts) sum += opened(routing, score(expert), weight.largest);
        return sum;
    };
    if (!each || routing.normalized) weight.sum = added(weight.over);
    if (routing.normalized && routing.scores == RouterScores::softmax) weight.used_sum = added(used) / weight.sum;
    return weight;
}

// Which experts these are, the run says; how much each counts, the formula.
double Evaluator::chosen(const Formula& formula, std::int64_t row, std::int64_t column) {
    const auto& rule = node_.rule<Routing>();
    const std::vector<std::int64_t> used = experts_of(row);
    if (error) return 0;
    std::vector<double> scores;
    const std::int64_t all = number(graph_.tensors[node_.inputs.front()].shape[1]);
    for (std::int64_t expert = 0; expert < all; ++expert) scores.push_back(at(formula.operands[0], row, expert));
    const ExpertWeight weight = expert_weight(rule, scores, used, column);
    const double score = scores[static_cast<std::size_t>(used[static_cast<std::size_t>(column)])];
    return opened(rule, score, weight.largest) / weight.sum / weight.used_sum * rule.scaling;
}

double Evaluator::over_experts(const Formula& formula, std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t which = 0; which < number(formula.size) && !error; ++which) {
        read_copy(which);
        const double made = at(formula.operands[0], row, column);
        sum += formula.operands.size() > 1 ? made * at(formula.operands[1], row, which) : made;
    }
    read_copy(cell_.copy);
    return sum;
}

}  // namespace headcount
