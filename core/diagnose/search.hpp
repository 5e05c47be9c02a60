// The mistakes that make somebody else's numbers.
#pragma once

#include "core/diagnose/diagnose.hpp"
#include "core/diagnose/trial.hpp"

namespace headcount {

// Fills in the causes, and how many mistakes and pairs of them were tried, where what differs first is known.
void search_causes(const Against& with, const DiagnoseOptions& options, Diagnosis& made);

}  // namespace headcount
