// Reads a condition, and says whether it holds.
#include "core/analysis/condition.hpp"

#include <cmath>
#include <limits>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/goal.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::string_view of_fields = "fields";

Result<std::optional<Metric>> read_figure(std::string_view text, std::string_view what) {
    if (text == of_fields) return std::optional<Metric>();
    if (text == "params") return std::optional(Metric::total);
    if (text == "kv") return std::optional(Metric::cache);
    std::vector<std::string_view> known{of_fields, "params", "kv"};
    for (const MetricInfo& metric : metrics) {
        if (metric.called(text)) return std::optional(metric.metric);
        known.push_back(metric.key);
    }
    return Error{quote(text) + " is no figure", std::string(what), "give one of " + listed(known)};
}

std::string_view without_blanks_around(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

// Of percent and of counts of fields; nothing where it is no number.
std::optional<double> read_number(std::string_view text) {
    const Result<double> number = parse_operations(text, "");
    if (number) return *number;
    return text == "0" ? std::optional(0.0) : std::nullopt;
}

std::optional<double> read_limit(std::string_view text, const Condition& condition) {
    if (condition.percent || !condition.metric) return read_number(text);
    if (text == "0") return 0;
    const Result<double> amount = parse_amount_of(*condition.metric, text, "");
    return amount ? std::optional(*amount) : std::nullopt;
}

}  // namespace

Result<Condition> parse_condition(std::string_view text, std::string_view what) {
    const Error unreadable{quote(text) + " is no condition", std::string(what),
                           "write it as params>1%, kv>0 or weights>=100MiB"};
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos) return unreadable;
    Condition condition;
    condition.text = text;
    const Result<std::optional<Metric>> figure = read_figure(without_blanks_around(text.substr(0, sign)), what);
    if (!figure) return figure.error();
    condition.metric = *figure;
    condition.more = text[sign] == '>';
    std::string_view limit = text.substr(sign + 1);
    condition.equal = limit.starts_with('=');
    if (condition.equal) limit.remove_prefix(1);
    limit = without_blanks_around(limit);
    condition.percent = limit.ends_with('%');
    if (condition.percent) limit = without_blanks_around(limit.substr(0, limit.size() - 1));
    const bool below = limit.starts_with('-');
    if (below) limit.remove_prefix(1);
    const std::optional<double> number = read_limit(limit, condition);
    if (!number || (condition.percent && !condition.metric)) return unreadable;
    condition.limit = below ? -*number : *number;
    return condition;
}

std::optional<double> change_of(const Condition& condition, const SweepPoint& before, const SweepPoint& after,
                                std::size_t fields) {
    if (!condition.metric) return static_cast<double>(fields);
    const std::optional<double> was = value_of(before, *condition.metric), is = value_of(after, *condition.metric);
    if (!was || !is) return std::nullopt;
    if (!condition.percent) return *is - *was;
    if (*was == 0) return *is == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), *is);
    return 100 * (*is - *was) / *was;
}

bool holds(const Condition& condition, double change) {
    if (condition.equal && change == condition.limit) return true;
    return condition.more ? change > condition.limit : change < condition.limit;
}

}  // namespace headcount
