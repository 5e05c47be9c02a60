// What one step more of every number adds: as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/analysis/sensitivity.hpp"
#include "core/report/table.hpp"

namespace headcount {

// The field, where from and where to, and what that adds to each metric; what moves the metric most first.
Table sensitivity_table(const Sensitivity& all, Metric by);

// {"by", "now": {metrics}, "steps": [{"field", "from", "to", and what is added: "total", "active", ...}], "without":
// [keys]}.
nlohmann::ordered_json sensitivity_json(const Sensitivity& all, Metric by);

}  // namespace headcount
