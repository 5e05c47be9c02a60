// Reads a goal, and says what it is.
#include "core/analysis/goal.hpp"

#include "core/analysis/amount_text.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

Result<Measure> parse_measure(std::string_view key, std::string_view what) {
    std::vector<std::string_view> known;
    for (const Measure& each : measures) {
        if (each.key == key) return each;
        known.push_back(each.key);
    }
    return Error{quote(key) + " is no figure", std::string(what),
                 "give one of " + listed(known, [](std::string_view each) { return each; })};
}

Result<double> parse_amount_of(const Measure& measure, std::string_view text, std::string_view what) {
    if (measure.from == FigureFrom::rate || measure.metric == Metric::seconds)
        return parse_real_amount(text, what, measure.from == FigureFrom::itself);
    const Result<std::int64_t> amount = measure.from == FigureFrom::itself
                                            ? parse_amount(text, what, info(measure.metric).unit)
                                            : parse_count(text, what);
    if (!amount) return amount.error();
    return static_cast<double>(*amount);
}

Result<Goal> parse_goal(std::string_view text, std::string_view what) {
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return Error{quote(text) + " is no condition", std::string(what),
                     "write it as seconds<=50ms, memory<=24GiB or tokens_per_second>=30"};
    const Result<Measure> measure = parse_measure(text.substr(0, sign), what);
    if (!measure) return measure.error();
    std::string_view amount = text.substr(sign + 1);
    if (amount.starts_with('=')) amount.remove_prefix(1);
    const Result<double> number = parse_amount_of(*measure, amount, what);
    if (!number) return number.error();
    return Goal{*measure, text[sign] == '>', *number};
}

std::string figure_text(const Measure& measure, double amount) {
    constexpr double most = 9e18;
    const auto whole = static_cast<std::int64_t>(amount < most ? amount : most);
    if (measure.from == FigureFrom::rate) return real_text(amount);
    if (measure.from != FigureFrom::itself) return room_text(whole);
    return measure.metric == Metric::seconds ? seconds_text(amount) : exact_amount_text(whole, measure.metric);
}

std::string figure_words(const Measure& measure, double amount) {
    const std::string_view unit = measure.from == FigureFrom::rate                ? " tokens a second"
                                  : measure.from == FigureFrom::context           ? " tokens of context"
                                  : measure.from == FigureFrom::batch             ? " sequences"
                                  : info(measure.metric).unit == Unit::parameters ? " parameters"
                                                                                  : "";
    return figure_text(measure, amount) + std::string(unit);
}

std::string goal_words(const Goal& goal) {
    return (goal.least ? "at least " : "at most ") + figure_words(goal.measure, goal.amount);
}

}  // namespace headcount
