// Rates, shares and rules of thumb that are shown beside what is counted.
#pragma once

#include <cstdint>

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {

// Operations of so many tokens by the rule: 2·N a token forwards, and twice as much again backwards, so 6·N in training
// (Kaplan et al. 2020, section 2.1), of N parameters that are multiplied for each token. It leaves scores out.
inline double operations_by_rule(std::int64_t multiplied, double tokens, bool training) {
    return (training ? 6.0 : 2.0) * static_cast<double>(multiplied) * tokens;
}

// Operations that count a byte, of an operation or of a pass; 0 where nothing is moved.
inline double intensity_of(const Flops& flops, std::int64_t bytes) {
    return bytes == 0 ? 0 : static_cast<double>(flops.counted()) / static_cast<double>(bytes);
}

// Of a roofline (Williams et al. 2009), in operations a byte: with fewer, the memory's bandwidth decides.
inline double ridge_of(const Roof& roof) {
    return roof.flops / roof.bandwidth;
}

// 0 where that takes no time.
inline double tokens_per_second(std::int64_t tokens, double seconds) {
    return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

// Of all parameters, in percent; 0 of none.
inline double percent_of(const Parameters& parameters, Component component) {
    if (parameters.total == 0) return 0;
    return 100 * static_cast<double>(parameters.of(component)) / static_cast<double>(parameters.total);
}

}  // namespace headcount
