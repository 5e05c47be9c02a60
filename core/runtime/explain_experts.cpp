// Tells how much an expert counts, and what a token's experts come to together.

#include "core/runtime/explain_terms.hpp"

namespace headcount {

void Teller::tell_chosen(const Formula& formula) {
    const auto& rule = cells_.node().rule<Routing>();
    const std::vector<std::int64_t> used = cells_.experts_of(row());
    if (cells_.error) return;
    std::vector<Operand> scores;
    const std::int64_t all = cells_.number(Symbol::experts);
    for (std::int64_t expert = 0; expert < all; ++expert)
        scores.push_back(factors(formula.operands[0], row(), expert).front());
    std::vector<double> values;
    for (const Operand& each : scores) values.push_back(each.value);
    const ExpertWeight weight = expert_weight(rule, values, used, column());
    const std::int64_t own = used[static_cast<std::size_t>(column())];
    const bool each = by_themselves(rule.scores), shares = !each || rule.normalized;
    for (const std::int64_t expert : shares ? weight.over : std::vector{own}) {
        const Operand& score = scores[static_cast<std::size_t>(expert)];
        out_.terms.push_back({expert, {score}, opened(rule, score.value, weight.largest)});
        out_.sum += out_.terms.back().value;
    }
    const std::string of = place(formula.operands[0], std::to_string(row()), "e");
    out_.index = "expert";
    const std::string opens = rule.scores == RouterScores::root_softplus ? "√softplus(" : "sigmoid(";
    out_.formula = each ? opens + of + ")" : "exp(" + of + " − " + cell_text(weight.largest) + ")";
    out_.what = token() + " goes to expert " + std::to_string(own) + ": ";
    out_.what += !shares                                         ? "how much of it"
                 : rule.scores == RouterScores::softmax_of_close ? "sum over the experts that are nearly as good of"
                 : weight.over.size() == used.size()             ? "sum over its experts of"
                                                                 : "sum over all experts of";
    const Operand& mine = scores[static_cast<std::size_t>(own)];
    if (shares)
        then((each ? opens + mine.name + ")" : "exp of " + mine.name) + " over the sum",
             opened(rule, mine.value, weight.largest) / weight.sum, {mine});
    if (rule.normalized && rule.scores == RouterScores::softmax)
        then("over " + cell_text(weight.used_sum) + ", what all its experts have", last() / weight.used_sum);
    if (rule.scaling != 1) then("times " + number_text(rule.scaling), last() * rule.scaling);
}

void Teller::tell_experts(const Formula& formula) {
    const bool weighed = formula.operands.size() > 1;
    const std::vector<std::int64_t> used = cells_.experts_of(row());
    for (std::size_t which = 0; which < used.size() && !cells_.error; ++which) {
        const auto place_of = static_cast<std::int64_t>(which);
        cells_.read_copy(place_of);
        std::vector<Operand> both = factors(formula.operands[0], row(), column());
        if (weighed)
            for (Operand& factor : factors(formula.operands[1], row(), place_of)) both.push_back(std::move(factor));
        add_product(used[which], std::move(both));
    }
    cells_.read_copy(cells_.cell().copy);
    out_.index = "expert";
    out_.what = "the token's " + std::to_string(used.size()) + " experts, each as much as it counts: sum of";
    out_.formula = place(formula.operands[0], std::to_string(row()), std::to_string(column()));
    if (weighed) out_.formula += " · " + place(formula.operands[1], std::to_string(row()), "e");
}

}  // namespace headcount
