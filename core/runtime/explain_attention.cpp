// Tells how pairs of columns are turned, and how weights come of scores.
#include <algorithm>
#include <cmath>

#include "core/runtime/explain_terms.hpp"

namespace headcount {

void Teller::tell_turned(const Formula& formula) {
    const Formula& of = formula.operands[0];
    const std::optional<TurnedPair> pair = turned_pair(cells_, row(), column());
    if (!pair) {
        tell_leaf(of);
        out_.what = "not turned: the same number";
        return;
    }
    const std::string by = cell_text(pair->angle);
    const std::vector<Operand> a = factors(of, row(), pair->first), b = factors(of, row(), pair->second);
    out_.what = "pair " + std::to_string(pair->pair) + " turned by " + std::to_string(pair->position) + " · " +
                cell_text(pair->step) + " = " + by;
    const Operand cosine{"cos " + by, pair->cosine}, sine{"sin " + by, pair->sine}, less{"−sin " + by, -pair->sine};
    const bool is_first = column() == pair->first;
    const Operand &own = is_first ? a.front() : b.front(), &other = is_first ? b.front() : a.front();
    out_.formula = own.name + " · cos " + (is_first ? "− " : "+ ") + other.name + " · sin";
    add_product(is_first ? pair->first : pair->second, {own, cosine});
    add_product(is_first ? pair->second : pair->first, {other, is_first ? less : sine});
}

void Teller::tell_softmax(const Formula& formula) {
    const auto& rule = cells_.node().rule<Mask>();
    const std::int64_t first = rule.first_visible(row()), end = rule.end_visible(row(), cells_.keys());
    std::vector<std::pair<std::int64_t, Operand>> all;
    for (std::int64_t q = first; q < end && !cells_.error; ++q)
        all.emplace_back(q, factors(formula.operands[0], row(), q).front());
    const bool sink = formula.operands.size() > 1;
    if (sink) all.emplace_back(end, factors(formula.operands[1], 0, cells_.cell().copy).front());
    if (cells_.error) return;
    double largest = all.front().second.value;
    for (const auto& [q, score] : all) largest = std::max(largest, score.value);
    for (const auto& [q, score] : all) {
        out_.terms.push_back({q, {score}, std::exp(score.value - largest)});
        out_.sum += out_.terms.back().value;
    }
    const Operand& own = all[static_cast<std::size_t>(column() - first)].second;
    const double share = std::exp(own.value - largest);
    const std::string less = " − " + cell_text(largest) + ")";
    out_.index = "j";
    out_.what = "softmax over what " + token() + " sees: sum of";
    out_.formula = "exp(" + place(formula.operands[0], std::to_string(row()), "j") + less;
    if (sink) out_.formula += ", the sink's too";
    then("exp(" + own.name + less + " = " + cell_text(share) + ", over the sum", share / out_.sum, {own});
}

}  // namespace headcount
