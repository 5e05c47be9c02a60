// How many tokens a model should be trained on for what the training may cost.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>

namespace headcount {

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
