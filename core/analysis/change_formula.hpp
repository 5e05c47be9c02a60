// How the value of a formula changes between two models, in symbols: 2·L·d·d_h·Δh_kv. What the change adds up to is in
// core/analysis/difference.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/difference.hpp"

namespace headcount {

// "3·L·d·Δd_ff" and "3·32·4096·3328" where one symbol alone makes the change and stands in every changing term once;
// else the whole formulas with an arrow between. Both are empty where the value stays.
struct ChangeFormula {
    std::string symbols, numbers;
    std::optional<Symbol> symbol;  // that alone makes the change

    bool operator==(const ChangeFormula&) const = default;
};
ChangeFormula change_formula(const Expr& a, const Bindings& in_a, const Expr& b, const Bindings& in_b);

// Of everything in a component; of all parameters of one part.
ChangeFormula component_change(const CountedModel& a, const CountedModel& b, Component component);
ChangeFormula kind_change(const CountedModel& a, const CountedModel& b, Part part);

// Of what each row of a walk adds, where one symbol alone makes it; empty where several do, or where the formula itself
// is another. As many as `fields`.
std::vector<ChangeFormula> field_changes(const CountedModel& a, const CountedModel& b,
                                         const std::vector<FieldDifference>& fields);

// Those that stand in the formulas and have another value, in the order of the symbols.
std::vector<Symbol> differing(std::span<const Expr> formulas, const Bindings& in_a, const Bindings& in_b);

// Because of which dimensions a tensor has another shape, or is there more often: those of its formulas that differ, in
// the order of the symbols. Empty where it is new or gone.
std::vector<Symbol> symbols_behind(const TensorDifference& row, const CountedModel& a, const CountedModel& b);

}  // namespace headcount
