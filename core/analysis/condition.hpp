// A condition on what two models differ by: "total>1%", "kv_cache>0", "fields>0".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/sweep.hpp"
#include "core/base/result.hpp"

namespace headcount {

struct Condition {
    std::string text;              // as it was typed
    std::optional<Metric> metric;  // absent: how many fields differ
    bool more = true;              // the change is above the limit, or below it
    bool equal = false;            // or as much
    double limit = 0;              // in the metric's unit, or
    bool percent = false;          // in percent of what it was
};

// "FIGURE>LIMIT", with >=, < and <= too: figures by the keys of metrics, "params" and "kv" for total and kv_cache, and
// "fields"; limits as amounts of the figure's unit, or in percent. Errors name what is wrong and the nearest figure.
Result<Condition> parse_condition(std::string_view text, std::string_view what);

// By how much the figure changes, in the limit's unit; nothing where it is not known, such as the time without a
// device. What was 0 changes by infinitely many percent.
std::optional<double> change_of(const Condition& condition, const SweepPoint& before, const SweepPoint& after,
                                std::size_t fields);
bool holds(const Condition& condition, double change);

}  // namespace headcount
