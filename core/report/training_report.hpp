// The size and the tokens that a training's budget is best spent on, as tables and as JSON: by the rule, and by the
// published laws beside each other.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/rates.hpp"
#include "core/analysis/scaling_laws.hpp"
#include "core/report/table.hpp"

namespace headcount {

struct TrainingPlans {
    TrainingPlan best;  // for the budget
    TrainingPlan here;  // the budget spent on the model
    TrainingPlan rule;  // what the rule asks for the model
};
Table training_table(const TrainingPlans& plans);

// {"flops", "best": {"parameters", "tokens"}, "model": {"parameters", "tokens", "tokens_per_parameter"}, "rule":
// {"tokens", "flops"}, "source"}.
nlohmann::ordered_json training_json(const TrainingPlans& plans);

// The laws beside each other: the best size for the budget, the model trained with it, and what the model is best
// trained with; each with the loss, and where a law is asked about more than it was fitted on.
Table laws_table(std::span<const LawSays> laws);

// [{"law", "source", "counts", "fitted": {"parameters", "tokens", "data"}, "best": {"flops", "parameters", "tokens",
// "tokens_per_parameter", "loss", "outside"}, "model", "own"}].
nlohmann::ordered_json laws_json(std::span<const LawSays> laws);

// Each once, in the laws' order.
std::vector<std::string> sources_of(std::span<const LawSays> laws);

// "1.93", to the last digit that a law is good for; "" where it says none.
std::string loss_text(const LawTraining& training);
// "N above 16.0 B, D above 500 B": of the best, of the model, or of both.
std::string outside_text(const LawSays& says);

}  // namespace headcount
