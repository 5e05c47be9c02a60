// Follows a formula to what is added up in it, and back out step by step.
#include "core/runtime/explain_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headcount {
namespace {

using Kind = Formula::Kind;

// Whether numbers of other cells are added up in it.
bool adds_up(const Formula& formula) {
    switch (formula.kind) {
        case Kind::mean:
        case Kind::row_mean:
        case Kind::variance:
        case Kind::product:
        case Kind::mixed_blocks:
        case Kind::turned:
        case Kind::masked_softmax:
        case Kind::over_heads:
        case Kind::best:
        case Kind::chosen:
        case Kind::over_experts:
        case Kind::convolved:
        case Kind::faded:
        case Kind::weighed:
        case Kind::summed_up:
        case Kind::written_state:
        case Kind::read_state: return true;
        default: return std::ranges::any_of(formula.operands, adds_up);
    }
}

bool reads(const Formula& formula) {
    return formula.kind == Kind::tensor || std::ranges::any_of(formula.operands, reads);
}

bool is_shown(const Formula& formula) {
    return formula.kind == Kind::tensor || formula.kind == Kind::rows_of || formula.kind == Kind::positions_of ||
           formula.kind == Kind::transposed || formula.kind == Kind::inserted || formula.kind == Kind::distance ||
           formula.kind == Kind::where_chosen || formula.kind == Kind::one_of_heads ||
           formula.kind == Kind::of_expert || formula.kind == Kind::spread || formula.kind == Kind::row_by_row;
}

bool is_sum_of_products(const Formula& formula) {
    return formula.kind == Kind::product || (formula.kind == Kind::sum && is_sum_of_products(formula.operands[0]) &&
                                             is_sum_of_products(formula.operands[1]));
}

}  // namespace

void Teller::add_product(std::int64_t index, std::vector<Operand> factors) {
    double product = 1;
    for (const Operand& factor : factors) product *= factor.value;
    out_.terms.push_back({index, std::move(factors), product});
    out_.sum += product;
    out_.products = true;
}

void Teller::then(std::string text, double value, std::vector<Operand> operands) {
    out_.after.push_back({std::move(text), std::move(operands), value});
}

std::string Teller::words(const Formula& formula) {
    const std::vector<Formula>& of = formula.operands;
    if (formula.kind == Kind::root && !reads(formula)) return "the root of " + words(of[0]);
    if (formula.kind == Kind::size) return std::to_string(cells_.number(formula.size));
    if (formula.kind == Kind::number) return number_text(formula.value);
    if (formula.kind == Kind::times && of[0].kind == Kind::slope)
        return "the head's slope " + cell_text(at(of[0])) + " · " + number_text(at(of[1]));
    if (!reads(formula)) return cell_text(at(formula));
    if (is_shown(formula)) return cells_.operand(*cells_.shown(formula, row(), column())).name;
    switch (formula.kind) {
        case Kind::function: return std::string(formula.function->name) + "(" + words(of[0]) + ")";
        case Kind::least: return "min(" + words(of[0]) + ", " + words(of[1]) + ")";
        case Kind::most: return "max(" + words(of[0]) + ", " + words(of[1]) + ")";
        case Kind::within: return words(of[0]) + " within ± " + words(of[1]);
        case Kind::sum: return "(" + words(of[0]) + " + " + words(of[1]) + ")";
        case Kind::difference: return "(" + words(of[0]) + " − " + (adds_up(of[1]) ? "mean" : words(of[1])) + ")";
        case Kind::times: return words(of[0]) + " · " + words(of[1]);
        case Kind::mean: return "the mean " + cell_text(at(formula));
        default: return cell_text(at(formula));
    }
}

std::vector<Operand> Teller::operands(const Formula& formula) {
    if (is_shown(formula)) return {cells_.operand(*cells_.shown(formula, row(), column()))};
    std::vector<Operand> all;
    for (const Formula& each : formula.operands)
        if (!adds_up(each))
            for (Operand& operand : operands(each)) all.push_back(std::move(operand));
    return all;
}

std::vector<Operand> Teller::first_operands(const Formula& formula) {
    if (is_shown(formula)) return {cells_.operand(*cells_.shown(formula, 0, 0))};
    std::vector<Operand> all;
    for (const Formula& each : formula.operands)
        for (Operand& operand : first_operands(each)) all.push_back(std::move(operand));
    return all;
}

std::vector<Operand> Teller::factors(const Formula& formula, std::int64_t row, std::int64_t column) {
    if (is_shown(formula)) return {cells_.operand(*cells_.shown(formula, row, column))};
    if (formula.kind == Kind::row_before) {
        if (row == 0) return {{"0 before the first token", 0}};
        return factors(formula.operands[0], row - 1, column);
    }
    if (formula.kind == Kind::times) {
        std::vector<Operand> both = factors(formula.operands[0], row, column);
        for (Operand& factor : factors(formula.operands[1], row, column)) both.push_back(std::move(factor));
        return both;
    }
    const std::vector<Operand> read = operands(formula);
    return {{words(formula), cells_.at(formula, row, column), read.empty() ? std::nullopt : read.front().cell}};
}

std::string Teller::place(const Formula& formula, const std::string& row, const std::string& column) {
    if (formula.kind == Kind::transposed) return place(formula.operands[0], column, row);
    if (formula.kind == Kind::times)
        return place(formula.operands[1], row, column) + " · " + words(formula.operands[0]);
    const std::optional<CellAt> cell = cells_.shown(formula, 0, 0);
    if (formula.kind == Kind::distance)
        return symbol_text(cells_.model().graph, *cell) + "[" + std::to_string(cell->row) + ", " + column + "]";
    return (cell ? symbol_text(cells_.model().graph, *cell) : "") + "[" + row + ", " + column + "]";
}

// One product behind the other.
void Teller::tell_products(const Formula& formula) {
    if (formula.kind == Kind::product) return tell_product(formula);
    tell_products(formula.operands[0]);
    const std::string before = std::exchange(out_.formula, "");
    tell_products(formula.operands[1]);
    out_.formula = before + " + " + out_.formula;
    out_.what = "the query of " + token() + " and the key of token " + std::to_string(column()) +
                ", against each other and against what stands for their distance: sum of";
}

void Teller::tell_product(const Formula& formula) {
    const Op op = cells_.node().op;
    const bool mixes = op == Op::mix;
    const Evaluator::Summed over = cells_.summed(formula, row(), column());
    for (std::int64_t k = over.first; k < over.end && !cells_.error; ++k) {
        std::vector<Operand> both = factors(formula.operands[0], row(), k);
        for (Operand& factor : factors(formula.operands[1], k, over.column)) both.push_back(std::move(factor));
        add_product(k, std::move(both));
    }
    out_.index = mixes ? "j" : "k";
    out_.formula = place(formula.operands[0], std::to_string(row()), out_.index) + " · " +
                   place(formula.operands[1], out_.index, std::to_string(over.column));
    out_.what = mixes ? "values of what the token sees, as much as it looks there: sum of"
                : op == Op::scores
                    ? "the query of " + token() + " times the key of token " + std::to_string(column()) + ": sum of"
                    : "sum over " + std::to_string(over.end - over.first) + " inputs of";
}

void Teller::tell_mixed_blocks(const Formula& formula) {
    const Evaluator::Blocks of = cells_.blocks(formula, column());
    for (std::int64_t i = 0; i < of.count && !cells_.error; ++i) {
        std::vector<Operand> both = factors(formula.operands[1], row(), of.share + i);
        for (Operand& factor : factors(formula.operands[0], row(), of.column + i * of.step))
            both.push_back(std::move(factor));
        add_product(i, std::move(both));
    }
    const std::string at_row = std::to_string(row());
    out_.index = "i";
    out_.what = "of " + std::to_string(of.count) + (of.count == 1 ? " block" : " blocks") +
                " of columns as much as the row says: sum of";
    out_.formula = place(formula.operands[1], at_row, std::to_string(of.share) + " + i") + " · " +
                   place(formula.operands[0], at_row, std::to_string(of.column) + " + i · " + std::to_string(of.step));
}

void Teller::tell_row_mean(const Formula& formula, std::int64_t column) {
    const auto [first, end] = cells_.rows_of_mean(formula);
    for (std::int64_t k = first; k < end && !cells_.error; ++k) add_product(k, factors(formula.operands[0], k, column));
    out_.index = "k";
    out_.what = "the mean of a column of " + words(formula.operands[0]) + "; first the sum of";
    out_.formula = place(formula.operands[0], "k", std::to_string(column));
    const std::int64_t rows = end - first;
    then("over " + std::to_string(rows), out_.sum / static_cast<double>(rows));
}

// Of squares, or of squares of what is left without the mean.
void Teller::tell_mean(const Formula& formula) {
    const bool centred = formula.kind == Kind::variance;
    if (!centred && formula.operands[0].kind == Kind::times) return tell_mean_of_products(formula);
    const Formula& each = centred ? formula.operands[0] : formula.operands[0].operands[0];
    const Evaluator::Group columns = cells_.group(formula, column());
    const double mean = centred ? cells_.at(Formula(Kind::mean, {each}, formula.size), row(), column()) : 0;
    for (std::int64_t k = columns.first; k < columns.first + columns.width && !cells_.error; ++k) {
        std::vector<Operand> own = factors(each, row(), k);
        const double square = (own.front().value - mean) * (own.front().value - mean);
        out_.terms.push_back({k, std::move(own), square});
        out_.sum += square;
    }
    const std::string x = place(each, std::to_string(row()), "k");
    const auto* const norm = std::get_if<NormRule>(&cells_.node().attributes);
    out_.index = "k";
    out_.what = words(each) +
                (centred || !norm             ? " less the mean, over the standard deviation of "
                 : norm->kind == NormKind::l2 ? " over the length of "
                                              : " over the root mean square of ") +
                std::to_string(columns.width) + " numbers" + (cells_.node().parameters.empty() ? "" : ", weighed") +
                "; first the sum of";
    if (!norm)
        out_.what = centred ? words(each) + " above a threshold of all " + std::to_string(columns.width) +
                                  " numbers of its row; first the sum of"
                            : "the root mean square of " + std::to_string(columns.width) + " numbers; first the sum of";
    out_.formula = centred ? "(" + x + " − mean)²" : x + "²";
    then("over " + std::to_string(columns.width) + (centred ? " (mean " + cell_text(mean) + ")" : ""),
         out_.sum / static_cast<double>(columns.width));
}

// Of two parts one or none of which adds up.
void Teller::tell_pair(const Formula& formula) {
    const bool second = adds_up(formula.operands[1]);
    const Formula& inner = formula.operands[second ? 1 : 0];
    const Formula& other = formula.operands[second ? 0 : 1];
    tell_of(inner);
    const double by = at(other);
    switch (formula.kind) {
        case Kind::sum: return then("plus " + words(other), last() + by, operands(other));
        case Kind::times: return then("times " + words(other), last() * by, operands(other));
        case Kind::difference: {
            std::vector<Operand> read = adds_up(other) ? first_operands(other) : operands(other);
            if (second) return then(words(other) + " less that", by - last(), std::move(read));
            return then("less " + words(other), last() - by, std::move(read));
        }
        case Kind::over:
            if (second) return then(words(other) + " over that", by / last(), operands(other));
            return then("over " + words(other), last() / by, operands(other));
        case Kind::most: return then("at least " + words(other), std::max(last(), by), operands(other));
        case Kind::least: return then("at most " + words(other), std::min(last(), by), operands(other));
        default:  // within
            return then("kept within ± " + words(other), std::clamp(last(), -by, by));
    }
}

// The terms of a sum, none of which adds up more.
void Teller::tell_terms(const Formula& formula) {
    if (formula.kind == Kind::sum) {
        tell_terms(formula.operands[0]);
        out_.formula += " + ";
        return tell_terms(formula.operands[1]);
    }
    if (formula.kind == Kind::difference) {
        tell_terms(formula.operands[0]);
        out_.formula += " − " + words(formula.operands[1]);
        std::vector<Operand> taken{{"−1", -1}};
        for (Operand& factor : factors(formula.operands[1], row(), column())) taken.push_back(std::move(factor));
        return add_product(static_cast<std::int64_t>(out_.terms.size()), std::move(taken));
    }
    out_.formula += words(formula);
    add_product(static_cast<std::int64_t>(out_.terms.size()), factors(formula, row(), column()));
}

// Of a function, a bound or a share of what reads several numbers: that first, then what becomes of it.
bool Teller::tell_inner_first(const Formula& formula) {
    const bool function = formula.kind == Kind::function, over = formula.kind == Kind::over;
    const bool least = formula.kind == Kind::least, most = formula.kind == Kind::most;
    const bool times =
        formula.kind == Kind::times && !reads(formula.operands[0]) && formula.operands[1].kind == Kind::function;
    if (!function && !over && !least && !most && !times) return false;
    const Formula& inner = formula.operands[over || times ? 1 : 0];
    if (operands(inner).size() < 2) return false;
    tell_leaf(inner);
    if (function) {
        then(std::string(formula.function->name) + " of that", formula.function->apply(last()));
        return true;
    }
    const Formula& other = formula.operands[over || times ? 0 : 1];
    const double by = at(other);
    if (over)
        then(words(other) + " over that", by / last(), operands(other));
    else if (times)
        then("times " + words(other), last() * by);
    else
        then((least ? "at most " : "at least ") + words(other), least ? std::min(last(), by) : std::max(last(), by));
    return true;
}

void Teller::tell_leaf(const Formula& formula) {
    if (tell_inner_first(formula)) return;
    if (formula.kind == Kind::unfolded) {
        const std::optional<CellAt> cell = cells_.shown(formula, row(), column());
        if (cell) return add_product(cell->row, {cells_.operand(*cell)});
        out_.what = "a row outside of what is read: all are 0";
        return;
    }
    if (formula.kind == Kind::last_rows) return void(out_.what = "a row before the first token: all are 0");
    if (formula.kind == Kind::function) {
        const Operand from = factors(formula.operands[0], row(), column()).front();
        out_.what = std::string(formula.function->name) + " of";
        out_.formula = from.name;
        out_.terms.push_back({0, {from}, formula.function->apply(from.value)});
        out_.sum = out_.terms.back().value;
        return;
    }
    if (formula.kind == Kind::times) {  // of a sum and a number, which may be one that is read
        const bool second = formula.operands[1].kind == Kind::sum;
        const Formula &sum = formula.operands[second ? 1 : 0], &by = formula.operands[second ? 0 : 1];
        if (sum.kind == Kind::sum && (!reads(by) || is_shown(by))) {
            tell_terms(sum);
            return then("times " + words(by), last() * at(by), operands(by));
        }
    }
    if (is_shown(formula)) {
        const Operand from = factors(formula, row(), column()).front();
        out_.formula = from.name;
        return add_product(from.cell ? from.cell->row : 0, {from});
    }
    tell_terms(formula);
}

void Teller::tell_of(const Formula& formula) {
    switch (formula.kind) {
        case Kind::product: return tell_product(formula);
        case Kind::mean:
        case Kind::variance: return tell_mean(formula);
        case Kind::row_mean: return tell_row_mean(formula, column());
        case Kind::beside:
            if (const std::int64_t own = cells_.number(formula.size); adds_up(formula) && column() >= own)
                return tell_row_mean(formula.operands[1], column() - own);
            return tell_leaf(formula);
        case Kind::mixed_blocks: return tell_mixed_blocks(formula);
        case Kind::turned: return tell_turned(formula);
        case Kind::masked_softmax: return tell_softmax(formula);
        case Kind::over_heads: return tell_heads(formula);
        case Kind::best: return tell_best(formula);
        case Kind::chosen: return tell_chosen(formula);
        case Kind::over_experts: return tell_experts(formula);
        case Kind::convolved: return tell_convolved(formula);
        case Kind::weighed: return tell_weighed(formula);
        case Kind::summed_up: return tell_summed_up(formula);
        case Kind::faded: return tell_faded(formula);
        case Kind::written_state: return tell_written_state();
        case Kind::read_state: return tell_read_state(formula);
        default: break;
    }
    if (!adds_up(formula)) return tell_leaf(formula);
    if (is_sum_of_products(formula)) return tell_products(formula);
    if (formula.operands.size() == 2) return tell_pair(formula);
    tell_of(formula.operands[0]);
    if (formula.kind == Kind::root) return then("the root", std::sqrt(last()));
    then(std::string(formula.function->name) + " of that", formula.function->apply(last()));
}

Explanation Teller::tell(const Formula& formula) {
    out_.what = info(cells_.node().op).words;
    const bool attends = info(cells_.node().op).of_pairs;
    const bool later = attends && column() >= cells_.mask().end_visible(row(), cells_.keys());
    if (attends && (later || column() < cells_.mask().first_visible(row()))) {
        out_.masked = true;
        out_.what = "masked: " + token() + " does not see token " + std::to_string(column()) +
                    (later ? ", which comes later" : ", which is out of its window");
        return std::move(out_);
    }
    tell_of(formula);
    out_.result = last();
    return std::move(out_);
}

}  // namespace headcount
