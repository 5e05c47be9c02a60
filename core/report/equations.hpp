// The whole forward pass as equations: one numbered line an operation, as one writes it in a paper.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/report/table.hpp"

namespace headcount {

// How far the model is known: `title` as title_as_known has it, `sign` as doubt_sign (core/files/open.hpp).
struct EquationsOf {
    const CountedModel& model;
    std::string title;
    std::string_view sign;
};

// The table, and below it what the names in it mean.
void write_equations(std::ostream& out, const EquationsOf& equations);
std::string equations_markdown(const EquationsOf& equations);

// An align environment for each stretch of a block, to be pasted into a document that has amsmath and amssymb.
std::string equations_latex(const EquationsOf& equations);

// [{"number", "id", "op", "name", "block", "equation", "latex", "in_symbols", "shape", "times", "where"}]. Of a model
// that is not verified each has also "verified", false.
nlohmann::ordered_json equations_json(const EquationsOf& equations);

}  // namespace headcount
