// How many bytes counted tensors take in the number format at hand, as `headcount memory` counts them.
#pragma once

#include <span>

#include "core/analysis/counted_model.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

// `numbers` is their sum. Where groups of numbers share a scale each tensor is rounded up for itself, as the checkpoint
// stores it, so that what is fused is one.
Expr stored_bytes(const CountedModel& model, const Expr& numbers, std::span<const CountedTensor> counted);

}  // namespace headcount
