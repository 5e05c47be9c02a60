// What makes two architectures differ in size, in numbers and in symbols.
#include "core/analysis/difference.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "core/analysis/factored.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/fields.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::string place_in_layer(const ModelGraph& graph, const Tensor& tensor) {
    std::string place = tensor.id;
    if (const std::optional<std::size_t> layer = graph.layer_of(tensor.block))
        place.erase(0, graph.blocks[graph.layers[*layer].block].id.size() + 1);
    return place;
}

namespace {

// "attention.query" from "layer_dense.attention.query.weight".
std::string kind_key(const ModelGraph& graph, const Tensor& tensor) {
    std::string key = place_in_layer(graph, tensor);
    for (std::string_view end : {".weight", ".bias"})
        if (key.ends_with(end)) key.erase(key.size() - end.size());
    return key;
}

// Adds up the parameters of each part on one side, with a place in `kinds` for each.
void add_kinds(std::vector<KindDifference>& kinds, const CountedModel& side, std::int64_t KindDifference::*sum) {
    for (const Tensor& tensor : side.graph.tensors) {
        if (tensor.role != Role::parameter) continue;
        auto kind = std::ranges::find_if(kinds, [&](const KindDifference& each) { return each.holds(tensor); });
        if (kind == kinds.end()) {
            const bool beside = is_extra(tensor.part);
            kinds.push_back(
                {.part = tensor.part,
                 .component = tensor.component,
                 .key = beside ? std::string(component_key(tensor.component)) : kind_key(side.graph, tensor),
                 .label = std::string(beside ? component_name(tensor.component) : tensor.label)});
            kind = std::prev(kinds.end());
        }
        (*kind).*sum += count_of(side.graph, tensor, side.bindings).all;
    }
}

// Kinds of one label, as attention's queries and those of linear attention, by their components.
void tell_apart(std::vector<KindDifference>& kinds) {
    std::vector<std::string> labels;
    for (const KindDifference& kind : kinds) labels.push_back(kind.label);
    for (KindDifference& kind : kinds)
        if (std::ranges::count(labels, kind.label) > 1)
            kind.label += ", " + lower(std::string(component_name(kind.component)));
}

}  // namespace

bool KindDifference::holds(const Tensor& tensor) const {
    return tensor.role == Role::parameter && tensor.part == part && (!is_extra(part) || tensor.component == component);
}

std::string_view change_word(TensorChange change) {
    constexpr std::array<std::string_view, 6> words{"added", "removed", "reshaped", "repeated", "same", "fused"};
    return words[static_cast<std::size_t>(change)];
}

namespace {

// What is left where all fields of `a` are as in b: what the one family's models have, and the other's do not.
std::vector<KindDifference> fieldless_kinds(const CountedModel& a, const CountedModel& b,
                                            const std::vector<FieldDifference>& fields) {
    Architecture end = walk_start(a.architecture, b.architecture);
    for (const FieldDifference& row : fields)
        if (std::optional<Architecture> next = row.adds ? with_row_of(end, b.architecture, row) : std::nullopt)
            end = *std::move(next);
    const Result<CountedModelPtr> made = counted_model(end, {});
    if (!made) return {};
    std::vector<KindDifference> kinds;
    add_kinds(kinds, **made, &KindDifference::a);
    add_kinds(kinds, b, &KindDifference::b);
    std::erase_if(kinds, [](const KindDifference& kind) { return kind.difference() == 0; });
    return kinds;
}

}  // namespace

Result<Difference> difference(const CountedModel& a, const CountedModel& b) {
    Difference result;
    result.total = b.parameters.total - a.parameters.total;
    for (std::size_t i = 0; i < components.size(); ++i)
        result.by_component[i] = b.parameters.by_component[i] - a.parameters.by_component[i];
    add_kinds(result.kinds, a, &KindDifference::a);
    add_kinds(result.kinds, b, &KindDifference::b);
    tell_apart(result.kinds);
    result.tensors = all_tensors(a, b);
    std::erase_if(result.tensors, [](const TensorDifference& row) { return row.change == TensorChange::same; });

    result.fields = field_walk(a, b);
    result.interaction = result.unnamed = result.total;
    for (const FieldDifference& row : result.fields) {
        const std::optional<std::int64_t> rest = checked_subtract(result.interaction, row.own.value_or(0));
        const std::optional<std::int64_t> unnamed = checked_subtract(result.unnamed, row.adds.value_or(0));
        if (!rest || !unnamed)
            return Error{"the sum of what each changed field makes by itself does not fit in 64 bits", "compare",
                         "compare models that differ less"};
        result.interaction = *rest;
        result.unnamed = *unnamed;
    }
    if (result.unnamed != 0) result.fieldless = fieldless_kinds(a, b, result.fields);
    return result;
}

std::string fieldless_text(const Difference& difference) {
    constexpr std::size_t most = 3;
    std::vector<KindDifference> kinds = difference.fieldless;
    std::ranges::stable_sort(kinds, std::ranges::greater(),
                             [](const KindDifference& kind) { return std::abs(kind.difference()); });
    std::vector<std::string> names;
    for (const KindDifference& kind : kinds) {
        std::string name = kind.label;
        if (name.size() > 1 && lower(name[1]) == name[1]) name.front() = lower(name.front());  // not of "FFN norm"
        if (!contains(names, name)) names.push_back(std::move(name));
    }
    const std::size_t others = names.size() > most + 1 ? names.size() - most : 0;
    names.resize(names.size() - others);
    return listed(names) + (others > 0 ? " and " + std::to_string(others) + " others" : "");
}

namespace {

// What stands before `symbol` in all summands that have it; nothing where one has it twice, or where there is more than
// sums, differences and products of symbols.
std::optional<Expr> factor_of(const Expr& formula, Symbol symbol) {
    std::optional<Summands> summands = multiplied_out(formula, Differences::taken_apart);
    if (!summands) return std::nullopt;
    const auto is_symbol = [](const Expr& factor) { return factor.kind() == Expr::Kind::symbol; };
    Summands with;
    for (Summand& summand : *summands) {
        if (!std::ranges::all_of(summand.factors, is_symbol)) return std::nullopt;
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

Expr kind_formula(const ModelGraph& graph, const KindDifference& kind) {
    std::vector<Expr> terms;
    for (const Tensor& tensor : graph.tensors)
        if (kind.holds(tensor)) terms.push_back(graph.copies(tensor.block) * element_count(tensor.shape));
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
        const bool used =
            std::ranges::any_of(formulas, [&](const Expr& formula) { return uses(formula, each.symbol); });
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

ChangeFormula kind_change(const CountedModel& a, const CountedModel& b, const KindDifference& kind) {
    return change_formula(kind_formula(a.graph, kind), a.bindings, kind_formula(b.graph, kind), b.bindings);
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
