// Tells how a recurrence comes to its numbers: what a convolution adds up, and how a state is written and read.
#include <algorithm>
#include <cmath>

#include "core/runtime/explain_terms.hpp"

namespace headcount {

void Teller::tell_convolved(const Formula& formula) {
    const std::int64_t kernel = cells_.number(formula.size);
    const std::int64_t first = std::max<std::int64_t>(0, kernel - 1 - row());
    for (std::int64_t j = first; j < kernel && !cells_.error; ++j) {
        std::vector<Operand> both = factors(formula.operands[0], row() - kernel + 1 + j, column());
        for (Operand& factor : factors(formula.operands[1], j, column())) both.push_back(std::move(factor));
        add_product(j, std::move(both));
    }
    out_.index = "j";
    out_.what = "column " + std::to_string(column()) + " over the last " + std::to_string(kernel - first) +
                (kernel == first + 1 ? " token: sum of" : " tokens: sum of");
    out_.formula = place(formula.operands[0], std::to_string(row() - kernel + 1) + " + j", std::to_string(column())) +
                   " · " + place(formula.operands[1], "j", std::to_string(column()));
}

// Of the row before, and of what is added.
void Teller::tell_faded(const Formula& formula) {
    std::vector<Operand> added = factors(formula.operands[1], row(), column());
    if (row() == 0) {
        out_.what = "of the first token what is added alone";
        out_.formula = added.front().name;
        return add_product(0, std::move(added));
    }
    std::vector<Operand> left = factors(formula.operands[0], row(), column());
    const double decay = left.front().value;
    added.insert(added.begin(), {"√(1 − " + left.front().name + "²)", std::sqrt(1 - decay * decay), left.front().cell});
    left.push_back(cells_.operand(cells_.cell_before(row(), column())));
    out_.what = "what is left of the row before, and what is added";
    out_.formula = left[0].name + " · " + left[1].name + " + " + added[0].name + " · " + added[1].name;
    add_product(0, std::move(left));
    add_product(1, std::move(added));
}

// Each token's value as much as it counts, which follows from its key.
void Teller::tell_weighed(const Formula& formula) {
    const std::vector<double> shares = cells_.shares(formula, row(), column());
    if (cells_.error) return;
    for (std::size_t token = 0; token < shares.size(); ++token) {
        const auto at_row = static_cast<std::int64_t>(token);
        Operand share = factors(formula.operands[0], at_row, column()).front();
        share.name = "share by " + share.name;
        share.value = shares[token];
        std::vector<Operand> both{std::move(share)};
        for (Operand& value : factors(formula.operands[1], at_row, column())) both.push_back(std::move(value));
        add_product(at_row, std::move(both));
    }
    out_.index = "s";
    out_.what = "values up to " + token() + ", each as much as e to the power of its key, faded, has of all: sum of";
    out_.formula = "share[s] · " + place(formula.operands[1], "s", std::to_string(column()));
    std::vector<Operand> trained = factors(formula.operands[2], 0, column());
    for (Operand& each : factors(formula.operands[3], 0, column())) trained.push_back(std::move(each));
    then("with weights that fade by e^w a token, but of the token itself, which counts e^u times as much", last(),
         std::move(trained));
}

// The sums after the last token, or the largest exponent.
void Teller::tell_summed_up(const Formula& formula) {
    const double all = at(formula), fades = std::exp(cells_.at(formula.operands[2], 0, column()));
    const double largest = cells_.at(formula, 0, column());
    for (std::int64_t token = 0; token < cells_.tokens() && !cells_.error; ++token) {
        Operand weight = factors(formula.operands[0], token, column()).front();
        const double exponent = weight.value - static_cast<double>(cells_.tokens() - 1 - token) * fades;
        weight.name = (row() > 0 ? "weight by " : "exponent by ") + weight.name;
        weight.value = row() > 0 ? std::exp(exponent - largest) : exponent;
        std::vector<Operand> both{std::move(weight)};
        if (row() == 2) both.push_back(factors(formula.operands[1], token, column()).front());
        add_product(token, std::move(both));
    }
    out_.index = "s";
    out_.what = row() == 0 ? "the largest of all exponents, each a key less how far it has faded"
                           : "after the last token, each token by e to the power of its key, faded, less the largest";
    out_.formula = row() == 0 ? "exponent[s]" : "weight[s]";
    if (row() == 2) out_.formula += " · " + place(formula.operands[1], "s", std::to_string(column()));
    then(row() == 0 ? "the largest" : "fading by e^w a token", all, factors(formula.operands[2], 0, column()));
}

// Of what a head's columns of several matrices come to, multiplied.
void Teller::tell_mean_of_products(const Formula& formula) {
    const Formula& each = formula.operands[0];
    const Evaluator::Group columns = cells_.group(formula, column());
    for (std::int64_t k = columns.first; k < columns.first + columns.width && !cells_.error; ++k)
        add_product(k, factors(each, row(), k));
    const auto named = [&](const auto& self, const Formula& factor) -> std::string {
        if (factor.kind == Formula::Kind::times)
            return self(self, factor.operands[0]) + " · " + self(self, factor.operands[1]);
        const bool flat = factor.kind == Formula::Kind::row_by_row;
        return flat ? place(factor.operands[0], "i", "k") : place(factor, std::to_string(row()), "k");
    };
    out_.index = "k";
    out_.formula = named(named, each);
    out_.what = "the mean of " + out_.formula + " over the " + std::to_string(columns.width) +
                " columns of a head; first the sum of";
    then("over " + std::to_string(columns.width), out_.sum / static_cast<double>(columns.width));
}

Operand Teller::cell_of_input(const Node& node, std::size_t index, std::int64_t row, std::int64_t column) {
    return cells_.operand({node.inputs[index], cells_.cell().layer, cells_.cell().copy, row, column});
}

Operand Teller::state_cell(std::int64_t token, std::int64_t row, double value) {
    const std::string name(cells_.model().graph.tensors[cells_.state_writer().output].symbol);
    return {name + "_" + std::to_string(token) + "[" + std::to_string(row) + ", " + std::to_string(column()) + "]",
            value};
}

// Of the state after the last token: what is left of that before, and what the token writes.
void Teller::tell_written_state() {
    const Node& node = cells_.node();
    const std::int64_t token = cells_.tokens() - 1, place_of = row();
    const Evaluator::StateColumn state = cells_.state_column(node, token, column());
    if (cells_.error) return;
    const auto& rule = node.rule<StateRule>();
    Operand value = cell_of_input(node, 1, token, column());
    if (rule.replaces && !rule.apart) {
        value.name = "(" + value.name + " − " + cell_text(state.found) + ")";
        value.value -= state.found;
    }
    const auto& fading = rule.fading;
    const CellAt& cell = cells_.cell();
    add_product(0, {fading ? Operand{"α", std::exp(-fading->rate(cell.copy, cell.layer))}
                           : cell_of_input(node, 2, token, cells_.fades_by_row(node) ? place_of : 0),
                    state_cell(token - 1, place_of, state.before[static_cast<std::size_t>(place_of)])});
    std::vector<Operand> written{cell_of_input(node, 0, token, place_of)};
    if (!rule.apart && node.inputs.size() > 3) written.push_back(cell_of_input(node, 3, token, 0));
    written.push_back(std::move(value));
    add_product(1, std::move(written));
    if (rule.apart)
        add_product(2,
                    {cell_of_input(node, 4, token, place_of), {"(0 − " + cell_text(state.found) + ")", -state.found}});
    out_.what = "what token " + std::to_string(token) + " leaves of the state before it, and what it writes";
    if (rule.replaces) out_.what += rule.apart ? ", less what another key had" : " in the place of what its key had";
    for (const Term& term : out_.terms) {
        if (!out_.formula.empty()) out_.formula += " + ";
        for (const Operand& factor : term.factors)
            out_.formula += (&factor == &term.factors.front() ? "" : " · ") + factor.name;
    }
    if (rule.apart)
        then("where " + cell_text(state.found) + " is what the key that is taken away had in the state before", last(),
             {cell_of_input(node, 3, token, place_of)});
}

void Teller::tell_read_state(const Formula& formula) {
    const Node& writer = cells_.state_writer();
    const Evaluator::StateColumn state = cells_.state_column(writer, row(), column());
    const bool first = writer.rule<StateRule>().read_first;
    const std::vector<double>& read = first ? state.before : state.after;
    const std::int64_t after = first ? row() - 1 : row();  // this token
    for (std::size_t i = 0; i < read.size() && !cells_.error; ++i) {
        const auto k = static_cast<std::int64_t>(i);
        std::vector<Operand> both = factors(formula.operands[0], row(), k);
        Operand cell = state_cell(after, k, read[i]);
        const CellAt kept{writer.output, cells_.cell().layer, cells_.cell().copy, k, column()};
        if (after == cells_.tokens() - 1 && cells_.has(kept)) cell.cell = kept;  // that after the last token alone
        both.push_back(std::move(cell));
        add_product(k, std::move(both));
    }
    out_.index = "k";
    out_.what = "the query of " + token() + " times the state " + (first ? "before" : "after") + " it: sum over its " +
                std::to_string(read.size()) + " rows of";
    const std::string symbol(cells_.model().graph.tensors[writer.output].symbol);
    out_.formula = place(formula.operands[0], std::to_string(row()), "k") + " · " + symbol + "_" +
                   std::to_string(after) + "[k, " + std::to_string(column()) + "]";
}

}  // namespace headcount
