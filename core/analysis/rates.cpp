// Quotients of counts; see the header.
#include "core/analysis/rates.hpp"

namespace headcount {

double operations_by_rule(std::int64_t multiplied, double tokens, bool training) {
    return (training ? 6.0 : 2.0) * static_cast<double>(multiplied) * tokens;
}

double intensity_of(const Flops& flops, std::int64_t bytes) {
    return bytes == 0 ? 0 : static_cast<double>(flops.counted()) / static_cast<double>(bytes);
}

double ridge_of(const Roof& roof) {
    return roof.flops / roof.bandwidth;
}

double tokens_per_second(std::int64_t tokens, double seconds) {
    return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

double percent_of(const Parameters& parameters, Component component) {
    if (parameters.total == 0) return 0;
    return 100 * static_cast<double>(parameters.of(component)) / static_cast<double>(parameters.total);
}

}  // namespace headcount
