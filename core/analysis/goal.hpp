// What a model shall keep to: a figure, and the most or the least that it may be. "memory<=24GiB",
// "tokens_per_second>=30", "longest_context>=32k".
#pragma once

#include <string>
#include <string_view>

#include "core/analysis/metric.hpp"
#include "core/base/result.hpp"

namespace headcount {

struct Goal {
    Metric metric;
    bool least = false;  // the figure is to be so much or more; else so much or less
    double amount = 1;   // in the figure's unit

    bool keeps(double figure) const { return least ? figure >= amount : figure <= amount; }
    bool operator==(const Goal&) const = default;
};

// By its key; errors say which there are.
Result<Metric> parse_metric(std::string_view key, std::string_view what);
// An amount of it as people type it: "24GiB", "8B", "50ms", "30", "32k".
Result<double> parse_amount_of(Metric metric, std::string_view text, std::string_view what);
// "seconds<=50ms", with < and > too. Errors name what is wrong.
Result<Goal> parse_goal(std::string_view text, std::string_view what);

// "24.0 GiB", "50 ms", "30", "32,768": in a table
std::string figure_text(Metric metric, double amount);
// "24.0 GiB", "30 tokens a second", "32,768 tokens of context"
std::string figure_words(Metric metric, double amount);
// "at most 24.0 GiB", "at least 30 tokens a second"
std::string goal_words(const Goal& goal);

}  // namespace headcount
