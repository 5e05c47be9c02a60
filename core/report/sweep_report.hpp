// A sweep's points as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/analysis/sweep.hpp"
#include "core/report/table.hpp"

namespace headcount {

// The values, parameters, active ones, bytes of weights and cache, operations; column names as fields of files have
// them.
Table sweep_table(const Sweep& sweep);

// {"vary": [keys], "left_out", "too_large", "points": [{"values", "total", "active", "weights", "kv_cache",
// "kv_cache_per_token", "flops"}]}, with "memory" and "seconds" where they were asked for.
nlohmann::ordered_json sweep_json(const Sweep& sweep);

}  // namespace headcount
