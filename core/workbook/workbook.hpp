// A model's parameters and memory as a spreadsheet whose cells are formulas of its fields: who changes one there sees
// all others follow.
#pragma once

#include <span>
#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {

// The bytes of an .xlsx (ECMA-376) with these sheets. Inputs: those fields and numbers of what goes through the model
// that a formula reads, each a named cell, and below them what it was `made_for`. Parameters: each tensor, how many
// numbers it holds and how often it is there, sums by component and in all. Memory: weights by component, cache,
// states, activations, in training gradients and optimizer, and their sum. Activations, in inference: every moment at
// which they may be the most, of which the sheet Memory takes the largest. `model`, `memory` and `moments`
// (MemoryFormulas::moments_of_activations) are of the same graph. Fails where no file can be written for a moment, and
// in a build that has no libxlsxwriter.
using MomentsOfActivations = std::span<const MemoryFormulas::MomentOfActivations>;
Result<std::string> workbook(const CountedModel& model, const Memory& memory, MomentsOfActivations moments,
                             const std::string& made_for);

}  // namespace headcount
