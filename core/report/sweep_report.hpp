// A sweep's points and a search's answers as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/report/table.hpp"

namespace headcount {

// The values, parameters, active ones, bytes of weights and cache, operations; column names as fields of files have
// them.
Table sweep_table(const Sweep& sweep);

// {"vary": [keys], "left_out", "too_large", "points": [{"values", "total", "active", "weights", "kv_cache",
// "kv_cache_per_token", "flops"}]}.
nlohmann::ordered_json sweep_json(const Sweep& sweep);

// The value, the total, and how far that is from the wish.
Table answers_table(const Wish& wish, std::span<const Answer> answers);

// {"field", "wanted", "answers": [{"value", "total", "difference"}]}.
nlohmann::ordered_json answers_json(const Wish& wish, std::span<const Answer> answers);

}  // namespace headcount
