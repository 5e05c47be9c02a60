// Rates, shares and rules of thumb that are shown beside what is counted.
#pragma once

#include <cassert>
#include <cmath>
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
inline double ridge_of(const Roof& roof) { return roof.flops / roof.bandwidth; }

// 0 where that takes no time.
inline double tokens_per_second(std::int64_t tokens, double seconds) {
    return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

// Of all parameters, in percent; 0 of none.
inline double percent_of(const Parameters& parameters, Component component) {
    if (parameters.total == 0) return 0;
    return 100 * static_cast<double>(parameters.of(component)) / static_cast<double>(parameters.total);
}

// Hoffmann et al. 2022, "Training Compute-Optimal Large Language Models" (arXiv:2203.15556): training takes about
// C = 6·N·D operations for N parameters and D tokens (appendix F; after Kaplan et al. 2020), and least loss for a given
// C is where both grow alike, which for the sizes they trained is about 20 tokens a parameter (table 3, approach 1).
// The form used here is exactly that: C = 6·N·D with D = 20·N. It is a rule, found for dense models.
inline constexpr double flops_per_parameter_token = 6, tokens_per_parameter = 20;
inline constexpr const char* compute_optimal_source =
    "Hoffmann et al. 2022, Training Compute-Optimal Large Language Models, arXiv:2203.15556";

struct TrainingPlan {
    double flops = 0, parameters = 0, tokens = 0;

    double tokens_each() const { return tokens / parameters; }  // for each parameter
};

// The size and the tokens that a budget is best spent on: N = √(C / 120), D = 20·N. At least 1 operation.
inline TrainingPlan compute_optimal(double flops) {
    assert(flops >= 1 && "a budget of nothing");
    const double parameters = std::sqrt(flops / (flops_per_parameter_token * tokens_per_parameter));
    return {flops, parameters, tokens_per_parameter * parameters};
}

// What that rule asks for a model of this size, and what it costs.
inline TrainingPlan optimal_training(std::int64_t parameters) {
    const double size = static_cast<double>(parameters), tokens = tokens_per_parameter * size;
    return {flops_per_parameter_token * size * tokens, size, tokens};
}

// What a budget pays for a model of this size: D = C / 6·N.
inline TrainingPlan training_for(double flops, std::int64_t parameters) {
    const double size = static_cast<double>(parameters);
    return {flops, size, flops / (flops_per_parameter_token * size)};
}

}  // namespace headcount
