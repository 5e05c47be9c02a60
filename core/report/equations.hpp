// The whole forward pass as equations: one numbered line an operation, as one writes it in a paper.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/report/table.hpp"

namespace headcount {

// The table, and below it what the names in it mean.
void write_equations(std::ostream& out, const CountedModel& model);
std::string equations_markdown(const CountedModel& model);

// An align environment for each stretch of a block, to be pasted into a document that has amsmath and amssymb.
std::string equations_latex(const CountedModel& model);

// [{"number", "id", "op", "name", "block", "equation", "latex", "in_symbols", "shape", "times", "where"}]
nlohmann::ordered_json equations_json(const CountedModel& model);

}  // namespace headcount
