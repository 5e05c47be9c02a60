// Reads a goal, and says what it is.
#include "core/analysis/goal.hpp"

#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

Result<Metric> parse_metric(std::string_view key, std::string_view what) {
    for (const MetricInfo& each : metrics)
        if (each.called(key)) return each.metric;
    return Error{quote(key) + " is no figure", std::string(what),
                 "give one of " + listed(metrics, [](const MetricInfo& each) { return each.key; })};
}

Result<double> parse_amount_of(Metric metric, std::string_view text, std::string_view what) {
    const Unit unit = info(metric).unit;
    if (is_timed(metric)) return parse_real_amount(text, what, unit == Unit::seconds);
    const Result<std::int64_t> amount =
        unit == Unit::tokens || unit == Unit::sequences ? parse_count(text, what) : parse_amount(text, what, unit);
    if (!amount) return amount.error();
    return static_cast<double>(*amount);
}

Result<Goal> parse_goal(std::string_view text, std::string_view what) {
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return Error{quote(text) + " is no condition", std::string(what),
                     "write it as seconds<=50ms, memory<=24GiB or tokens_per_second>=30"};
    const Result<Metric> metric = parse_metric(text.substr(0, sign), what);
    if (!metric) return metric.error();
    std::string_view amount = text.substr(sign + 1);
    if (amount.starts_with('=')) amount.remove_prefix(1);
    const Result<double> number = parse_amount_of(*metric, amount, what);
    if (!number) return number.error();
    return Goal{*metric, text[sign] == '>', *number};
}

std::string figure_text(Metric metric, double amount) {
    constexpr double most = 9e18;
    if (info(metric).unit == Unit::seconds) return seconds_text(amount);
    if (is_timed(metric)) return real_text(amount);
    return exact_amount_text(static_cast<std::int64_t>(amount < most ? amount : most), metric);
}

std::string figure_words(Metric metric, double amount) {
    const auto unit = [&]() -> std::string_view {
        switch (info(metric).unit) {
            case Unit::parameters: return " parameters";
            case Unit::tokens_per_second: return " tokens a second";
            case Unit::tokens: return " tokens of context";
            case Unit::sequences: return " sequences";
            default: return "";
        }
    };
    return figure_text(metric, amount).append(unit());
}

std::string goal_words(const Goal& goal) {
    return (goal.least ? "at least " : "at most ") + figure_words(goal.metric, goal.amount);
}

}  // namespace headcount
