// Whether what was changed in the Run view brings about what a lesson asks for.
#pragma once

#include "app/state/run/trial.hpp"
#include "core/lesson/experiment.hpp"

namespace headcount {

// Behind the experiment's prompt, by parts that are switched off and by nothing else, and by no more than it allows.
bool brings_about(const Experiment& experiment, const RunTrial& trial);

}  // namespace headcount
