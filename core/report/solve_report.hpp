// What a search found, sizes of the same shape, and trainings for a budget: as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/rates.hpp"
#include "core/analysis/same_shape.hpp"
#include "core/analysis/solve.hpp"
#include "core/report/table.hpp"

namespace headcount {

// The values, what is held, and how far that is from the wish; beside a budget the total too.
Table answers_table(const Wish& wish, std::span<const Answer> answers);

// Of one field and a total: {"field", "wanted", "answers": [{"value", "total", "difference"}]}.
nlohmann::ordered_json answers_json(const Wish& wish, std::span<const Answer> answers);

// {"free": [keys], "held", "wanted", "answers": [{"values": [..], "total", "active", "amount", "difference"}]}; amount
// and difference are of what is held.
nlohmann::ordered_json answers_of_several_json(const Wish& wish, std::span<const Answer> answers);

// What of the architecture a size changes, the total, and how far that is from what was asked for.
Table sizes_table(std::int64_t total, const Architecture& arch, std::span<const SizedModel> sizes);

// {"wanted", "published_sizes", "answers": [{"fields": {..}, "total", "active", "difference"}]}.
nlohmann::ordered_json sizes_json(std::int64_t total, const Architecture& arch, std::size_t siblings,
                                  std::span<const SizedModel> sizes);

struct TrainingPlans {
    TrainingPlan best;  // for the budget
    TrainingPlan here;  // the budget spent on the model
    TrainingPlan rule;  // what the rule asks for the model
};
Table training_table(const TrainingPlans& plans);

// {"flops", "best": {"parameters", "tokens"}, "model": {"parameters", "tokens", "tokens_per_parameter"}, "rule":
// {"tokens", "flops"}, "source"}.
nlohmann::ordered_json training_json(const TrainingPlans& plans);

}  // namespace headcount
