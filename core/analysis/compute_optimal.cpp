// The rule of Hoffmann et al.
#include "core/analysis/compute_optimal.hpp"

#include <cassert>
#include <cmath>

namespace headcount {

TrainingPlan compute_optimal(double flops) {
    assert(flops >= 1 && "a budget of nothing");
    const double parameters = std::sqrt(flops / (flops_per_parameter_token * tokens_per_parameter));
    return {flops, parameters, tokens_per_parameter * parameters};
}

TrainingPlan optimal_training(std::int64_t parameters) {
    const double size = static_cast<double>(parameters), tokens = tokens_per_parameter * size;
    return {flops_per_parameter_token * size * tokens, size, tokens};
}

TrainingPlan training_for(double flops, std::int64_t parameters) {
    const double size = static_cast<double>(parameters);
    return {flops, size, flops / (flops_per_parameter_token * size)};
}

}  // namespace headcount
