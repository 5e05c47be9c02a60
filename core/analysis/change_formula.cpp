// How the value of a formula changes between two models, in symbols.
#include "core/analysis/change_formula.hpp"

#include <algorithm>

#include "core/analysis/factored.hpp"
#include "core/analysis/totals.hpp"
#include "core/arch/changes.hpp"
#include "core/base/checked.hpp"

namespace headcount {
namespace {

// What stands before `symbol` in all summands that have it; nothing where one has it twice, or where there is more than
// sums, differences and products of symbols.
std::optional<Expr> factor_of(const Expr& formula, Symbol symbol) {
    std::optional<Summands> summands = multiplied_out(formula, Differences::taken_apart);
    if (!summands) return std::nullopt;
    const auto is_symbol = [](const Expr& factor) { return factor.kind() == Expr::Kind::symbol; };
    Summands with;
    for (Summand& summand : *summands) {
        if (!std::all_of(summand.factors.begin(), summand.factors.end(), is_symbol)) return std::nullopt;
        const std::size_t there = std::erase(summand.factors, Expr(symbol));
        if (there > 1) return std::nullopt;
        if (there == 1) with.push_back(std::move(summand));
    }
    const std::optional<Summands> factor = collected(std::move(with));
    return factor && !factor->empty() ? std::optional(written(*factor)) : std::nullopt;
}

// "(2·d + 1)" before a factor, "2·d" as it is.
std::string as_factor(const Expr& expr, std::string text) {
    return expr.kind() == Expr::Kind::add ? "(" + std::move(text) + ")" : text;
}

std::optional<ChangeFormula> by_one_symbol(const Expr& formula, const Bindings& in_a, const Bindings& in_b) {
    const std::vector<Symbol> changed = differing(std::span(&formula, 1), in_a, in_b);
    if (changed.size() != 1 || !in_a[changed[0]] || !in_b[changed[0]]) return std::nullopt;
    const Symbol symbol = changed[0];
    const std::optional<Expr> factor = factor_of(formula, symbol);
    const std::optional<std::int64_t> change = checked_subtract(*in_b[symbol], *in_a[symbol]);
    if (!factor || !change) return std::nullopt;
    const bool alone = *factor == Expr(1);
    const std::string number = *change < 0 ? "(" + std::to_string(*change) + ")" : std::to_string(*change);
    ChangeFormula result{"Δ" + std::string(info(symbol).text), number, symbol};
    if (alone) return result;
    result.symbols = as_factor(*factor, in_symbols(*factor)) + "·" + result.symbols;
    result.numbers = as_factor(*factor, in_numbers(*factor, in_a)) + "·" + result.numbers;
    return result;
}

Expr kind_formula(const ModelGraph& graph, Part part) {
    std::vector<Expr> terms;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::parameter && tensor.part == part)
            terms.push_back(graph.copies(tensor.block) * element_count(tensor.shape));
    return terms.empty() ? Expr(0) : sum_of(terms);
}

std::vector<Expr> formulas_of(const StoredTensor& stored) {
    const std::span<const Expr> dimensions = stored.shape.dimensions();
    std::vector<Expr> all(dimensions.begin(), dimensions.end());
    all.push_back(stored.copies);
    return all;
}

}  // namespace

std::vector<Symbol> differing(std::span<const Expr> formulas, const Bindings& in_a, const Bindings& in_b) {
    std::vector<Symbol> found;
    for (const SymbolInfo& each : symbols()) {
        const bool used = std::any_of(formulas.begin(), formulas.end(),
                                      [&](const Expr& formula) { return uses(formula, each.symbol); });
        if (used && in_a[each.symbol] != in_b[each.symbol]) found.push_back(each.symbol);
    }
    return found;
}

ChangeFormula change_formula(const Expr& a, const Bindings& in_a, const Expr& b, const Bindings& in_b) {
    const Result<std::int64_t> before = evaluate(a, in_a), after = evaluate(b, in_b);
    if (before && after && *before == *after) return {};
    if (a == b)
        if (std::optional<ChangeFormula> one = by_one_symbol(a, in_a, in_b)) return *std::move(one);
    const std::string symbols_a = in_symbols(a), symbols_b = in_symbols(b);
    return {symbols_a == symbols_b ? symbols_a : symbols_a + " → " + symbols_b,
            in_numbers(a, in_a) + " → " + in_numbers(b, in_b), std::nullopt};
}

ChangeFormula component_change(const CountedModel& a, const CountedModel& b, Component component) {
    return change_formula(component_formula(a.graph, component), a.bindings, component_formula(b.graph, component),
                          b.bindings);
}

ChangeFormula kind_change(const CountedModel& a, const CountedModel& b, Part part) {
    return change_formula(kind_formula(a.graph, part), a.bindings, kind_formula(b.graph, part), b.bindings);
}

std::vector<ChangeFormula> field_changes(const CountedModel& a, const CountedModel& b,
                                         const std::vector<FieldDifference>& fields) {
    std::vector<ChangeFormula> changes(fields.size());
    Architecture at = walk_start(a.architecture, b.architecture), formula_of = a.architecture;
    Expr total = total_formula(a.graph);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::optional<Architecture> next = with_row_of(at, b.architecture, fields[i]);
        if (!fields[i].adds || !next) continue;
        if (*fields[i].adds != 0 && fields[i].with.empty() && same_formulas(at, *next)) {
            if (!same_formulas(at, formula_of)) total = total_formula(expand(at));
            formula_of = at;
            ChangeFormula change = change_formula(total, bindings(at, {}), total, bindings(*next, {}));
            // Two totals say nothing about one field.
            if (change.symbol) changes[i] = std::move(change);
        }
        at = *next;
    }
    return changes;
}

std::vector<Symbol> symbols_behind(const TensorDifference& row, const CountedModel& a, const CountedModel& b) {
    if (row.a_shape.empty() || row.b_shape.empty()) return {};
    std::vector<Expr> formulas = formulas_of(a.graph.stored[row.a_stored]);
    const std::vector<Expr> others = formulas_of(b.graph.stored[row.b_stored]);
    formulas.insert(formulas.end(), others.begin(), others.end());
    return differing(formulas, a.bindings, b.bindings);
}

}  // namespace headcount
