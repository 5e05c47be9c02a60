// A model's parameters and memory as a spreadsheet whose cells are formulas of its fields: who changes one there sees
// all others follow.
#pragma once

#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {

// The bytes of an .xlsx (ECMA-376) with three sheets. Inputs: those fields and numbers of what goes through the model
// that a formula reads, each a named cell, and below them what it was `made_for`. Parameters: each tensor, how many
// numbers it holds and how often it is there, sums by component and in all. Memory: weights by component, cache,
// states, activations, in training gradients and optimizer, and their sum. The activations are those at the operation
// at which they are the most with these inputs. `model` and `memory` are of the same graph. Fails where no file can be
// written for a moment, and in a build that has no libxlsxwriter.
Result<std::string> workbook(const CountedModel& model, const Memory& memory, const std::string& made_for);

}  // namespace headcount
