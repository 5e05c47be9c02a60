// What a model shall keep to: a figure, and the most or the least that it may be. "memory<=24GiB",
// "tokens_per_second>=30", "longest_context>=32k".
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/analysis/metric.hpp"
#include "core/base/result.hpp"

namespace headcount {

// How a figure follows from a metric.
enum class FigureFrom {
    itself,
    rate,     // the pass's tokens by its seconds
    context,  // the most tokens of each sequence whose memory there is room for
    batch,    // the most sequences
};

struct Measure {
    std::string_view key, label;  // "tokens_per_second": in tables, files and flags; on the screen
    Metric metric;
    FigureFrom from = FigureFrom::itself;

    // Whether one model is the better for having more of it: parameters, speed, room.
    bool more() const { return from != FigureFrom::itself || metric == Metric::total || metric == Metric::active; }
    bool operator==(const Measure&) const = default;
};

constexpr Measure measure_of(Metric metric) {
    const bool rate = metric == Metric::tokens_per_second;
    return {info(metric).key, info(metric).label, rate ? Metric::seconds : metric,
            rate ? FigureFrom::rate : FigureFrom::itself};
}

// Every metric, in its order, and what follows from one.
inline constexpr auto measures = [] {
    std::array<Measure, metrics.size() + 2> all{};
    for (const MetricInfo& each : metrics) all[static_cast<std::size_t>(each.metric)] = measure_of(each.metric);
    all[metrics.size()] = {"longest_context", "Longest context", Metric::memory, FigureFrom::context};
    all[metrics.size() + 1] = {"largest_batch", "Largest batch", Metric::memory, FigureFrom::batch};
    return all;
}();

struct Goal {
    Measure measure;
    bool least = false;  // the figure is to be so much or more; else so much or less
    double amount = 1;   // in the figure's unit

    bool keeps(double figure) const { return least ? figure >= amount : figure <= amount; }
    bool operator==(const Goal&) const = default;
};

// By its key; errors say which there are.
Result<Measure> parse_measure(std::string_view key, std::string_view what);
// An amount of it as people type it: "24GiB", "8B", "50ms", "30", "32k".
Result<double> parse_amount_of(const Measure& measure, std::string_view text, std::string_view what);
// "seconds<=50ms", with < and > too. Errors name what is wrong.
Result<Goal> parse_goal(std::string_view text, std::string_view what);

// "24.0 GiB", "50 ms", "30", "32,768": in a table
std::string figure_text(const Measure& measure, double amount);
// "24.0 GiB", "30 tokens a second", "32,768 tokens of context"
std::string figure_words(const Measure& measure, double amount);
// "at most 24.0 GiB", "at least 30 tokens a second"
std::string goal_words(const Goal& goal);

}  // namespace headcount
