// A question worked out on a model's graph: the number, its derivation, and what it lights.
#pragma once

#include "core/analysis/counted_model.hpp"
#include "core/ask/read.hpp"

namespace headcount {

struct AskOutcome {
    std::optional<AskAnswer> answer;
    std::string problem;
    std::vector<AskMatch> found;  // what has these sides or is this number
};
AskOutcome answer_question(const Heard& heard, const CountedModel& model, std::span<const Preset> presets);

// Which tensors have these sides, as they are multiplied or as the checkpoint stores them.
AskOutcome find_sides(std::int64_t rows, std::int64_t columns, const CountedModel& model);
// What there is as many of: dimensions, parameters of tensors and of larger parts, numbers of activations.
AskOutcome find_number(std::int64_t number, const CountedModel& model);

// "LLaMA 7B · 100 tokens · 1,000 cached · 4 sequences · bf16", as far as the answer depends on it.
std::string asked_about(const CountedModel& model, bool input, bool bytes);

// The derivation of a count, and the number itself.
void derive_count(AskAnswer& answer, const Expr& formula, const CountedModel& model, std::string_view unit);
// The same of a tensor's shape; lights the tensor.
AskAnswer shape_answer(const Tensor& tensor, const CountedModel& model);
AskMatch tensor_match(const Tensor& tensor, const CountedModel& model);

}  // namespace headcount
