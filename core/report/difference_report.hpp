// A comparison of two architectures as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/analysis/difference.hpp"
#include "core/report/table.hpp"

namespace headcount {

// Both sides by component with the difference; those that neither has are left out. The total comes last.
Table component_difference_table(const CountedModel& a, const CountedModel& b, const Difference& difference);

// The kinds of tensors that differ, as they are in the model: query projections, key projections, ...
Table kind_difference_table(const Difference& difference);

// A sentence: in which order the fields change, and what interaction is.
std::string_view field_order_words();

// The changed fields in that order: what each adds by itself, because of those above it, and in all.
Table field_difference_table(const Difference& difference);

// The tensors of the checkpoint that differ.
Table tensor_difference_table(const Difference& difference);

// {"a": {"name", "family", "total", "active", "by_component"}, "b", "difference": {"total", "by_component"}, "kinds":
// [{"kind", "label", "a", "b", "difference"}], "fields": [{"field", "a", "b", "own", "interaction", "adds", "with",
// "counted_at"}], "interaction", "changed": [{"name", "a", "b", "a_copies", "b_copies", "difference"}], "repeated":
// [the same], "only_a": [names], "only_b"}.
nlohmann::ordered_json difference_json(const CountedModel& a, const CountedModel& b, const Difference& difference);

}  // namespace headcount
