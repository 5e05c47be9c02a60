// What other values of the fields give, as tables and as JSON: sweeps, sensitivity, searches, sizes of the same shape.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/same_shape.hpp"
#include "core/analysis/sensitivity.hpp"
#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/report/table.hpp"

namespace headcount {

// What a table calls a metric: its key, and memory, where devices share it, what it is of one of them.
std::string metric_title(Metric metric, const Sharding& sharding = {});

// The field, where from and where to, and what that adds to each metric; what moves the metric most first.
Table sensitivity_table(const Sensitivity& all, Metric by, const Sharding& sharding = {});

// {"by", "now": {metrics}, "steps": [{"field", "from", "to", and what is added: "total", "active", ...}], "without":
// [keys]}.
nlohmann::ordered_json sensitivity_json(const Sensitivity& all, Metric by);

// Parameters, active ones, bytes of weights and cache, operations; and what else was asked for.
std::vector<Metric> usual_figures(const PointWants& wants);

// Whether no point is known to need more memory than its device has.
bool all_fit(const Sweep& sweep);
// The values, and these figures; column names as fields of files have them. Where not all fit, which do stands beside.
Table sweep_table(const Sweep& sweep, std::span<const Metric> shown, const Sharding& sharding, bool all_fit);

// {"vary": [keys], "left_out", "too_large", "points": [{"values", each figure by its key, "fits" on a device}]}.
nlohmann::ordered_json sweep_json(const Sweep& sweep, std::span<const Metric> shown);

// A figure that is no whole number: "23.6 ms", "15.3 GFLOP", "66.51"; by how much it differs, with a sign.
std::string real_text(double value, Metric metric);

// Every metric that both points have, side by side: {"figure", "a", "b", "difference"}.
Table both_points_table(const SweepPoint& a, const SweepPoint& b, const Sharding& sharding = {});
nlohmann::ordered_json both_points_json(const SweepPoint& a, const SweepPoint& b);

// The values, what is held, and how far that is from the wish; beside a budget the total too.
Table answers_table(const Wish& wish, std::span<const Answer> answers);

// Of one field and a total: {"field", "wanted", "answers": [{"value", "total", "difference"}]}.
nlohmann::ordered_json answers_json(const Wish& wish, std::span<const Answer> answers);

// {"free": [keys], "held", "wanted", "answers": [{"values": [..], "total", "active", "amount", "difference"}]}; amount
// and difference are of what is held. With goals "limits": [{"figure", "most" or "least"}] and, of each answer,
// "limited". With figures that are shown besides "front": [keys] and, of each answer, all "figures" and whether it is
// of the "front".
nlohmann::ordered_json answers_of_several_json(const Wish& wish, std::span<const Answer> answers,
                                               std::span<const std::size_t> front = {});

// What of the architecture a size changes, the total, and how far that is from what was asked for.
Table sizes_table(std::int64_t total, const Architecture& arch, std::span<const SizedModel> sizes);

// {"wanted", "published_sizes", "answers": [{"fields": {..}, "total", "active", "difference"}]}.
nlohmann::ordered_json sizes_json(std::int64_t total, const Architecture& arch, std::size_t siblings,
                                  std::span<const SizedModel> sizes);

}  // namespace headcount
