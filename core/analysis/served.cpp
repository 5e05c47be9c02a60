// Times and rates of those who are served at once.
#include "core/analysis/served.hpp"

#include "core/analysis/rates.hpp"

namespace headcount {

std::optional<double> value_of(const Served& served, Metric metric) {
    if (metric == Metric::first_token) return served.first_token;
    if (source_of(metric) != Metric::next_token || !served.next_token) return std::nullopt;
    if (metric == Metric::next_token) return served.next_token;
    return tokens_per_second(info(metric).from == FigureFrom::rate_for_one ? 1 : served.users, *served.next_token);
}

}  // namespace headcount
