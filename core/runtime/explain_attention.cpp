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
    const bool chosen = formula.operands[0].kind == Formula::Kind::where_chosen;
    if (!cells_.softens(formula.operands[0], row(), column())) {
        out_.masked = true;
        out_.what = "left out: " + token() + " has not chosen token " + std::to_string(column());
        return;
    }
    std::vector<std::pair<std::int64_t, Operand>> all;
    std::size_t at_own = 0;
    for (std::int64_t q = first; q < end && !cells_.error; ++q) {
        if (q == column()) at_own = all.size();
        if (cells_.softens(formula.operands[0], row(), q))
            all.emplace_back(q, factors(formula.operands[0], row(), q).front());
    }
    const bool sink = formula.operands.size() > 1;
    if (sink) all.emplace_back(end, factors(formula.operands[1], 0, cells_.cell().copy).front());
    if (cells_.error) return;
    double largest = all.front().second.value;
    for (const auto& [q, score] : all) largest = std::max(largest, score.value);
    for (const auto& [q, score] : all) {
        out_.terms.push_back({q, {score}, std::exp(score.value - largest)});
        out_.sum += out_.terms.back().value;
    }
    const Operand& own = all[at_own].second;
    const double share = std::exp(own.value - largest);
    const std::string less = " − " + cell_text(largest) + ")";
    out_.index = "j";
    out_.what = "softmax over what " + token() + (chosen ? " has chosen: sum of" : " sees: sum of");
    out_.formula = "exp(" + place(formula.operands[0], std::to_string(row()), "j") + less;
    if (sink) out_.formula += ", the sink's too";
    then("exp(" + own.name + less + " = " + cell_text(share) + ", over the sum", share / out_.sum, {own});
}

// Of the heads that score keys: how much each counts, times what of its query's product with the key is above 0.
void Teller::tell_heads(const Formula& formula) {
    const Formula &counts = formula.operands[0], &met = formula.operands[1], &both = met.operands[0];
    const std::string key = place(both.operands[1], ":", std::to_string(column()));
    for (std::int64_t head = 0; head < cells_.number(formula.size) && !cells_.error; ++head) {
        cells_.read_head(head);
        std::vector<Operand> two = operands(counts);
        const Operand first = operands(both.operands[0]).front();
        const std::string query = place(both.operands[0], std::to_string(row()), "head " + std::to_string(head));
        two.push_back({"ReLU(" + query + " · " + key + ")", at(met), first.cell});
        add_product(head, std::move(two));
    }
    cells_.read_head(0);
    out_.index = "head";
    out_.what = "what " + token() + " has for the key of token " + std::to_string(column()) + ": sum over " +
                std::to_string(cells_.number(formula.size)) + " index heads of";
    out_.formula = place(counts, std::to_string(row()), "head") + " · ReLU(" +
                   place(both.operands[0], std::to_string(row()), "head") + " · " + key + ")";
    then("where a query and " + key + " point apart nothing is left", out_.sum, operands(both.operands[1]));
}

void Teller::tell_best(const Formula& formula) {
    const std::int64_t better = cells_.better(formula, row(), column()), most = cells_.number(formula.size);
    const Operand own = factors(formula.operands[0], row(), column()).front();
    out_.what = token() + " looks at the " + std::to_string(most) +
                " best keys of those that it sees: " + std::to_string(better) + " are better than that of token " +
                std::to_string(column());
    out_.formula = "1 where " + own.name + " is among these, else 0";
    out_.sum = better < most ? 1 : 0;
    out_.terms.push_back({column(), {own}, out_.sum});
}

}  // namespace headcount
