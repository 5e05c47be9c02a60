// Works out what a tab of the What-if view shows.
#pragma once

#include <span>

#include "app/state/what_if/found.hpp"
#include "core/files/presets.hpp"

namespace headcount {

FoundSweep find_sweep(const WhatIfQuestion& question, const SweepPlace& place);
FoundSensitivity find_sensitivity(const WhatIfQuestion& question, Metric metric);
FoundSolve find_solve(const WhatIfQuestion& question, const SolvePlace& place, std::span<const Architecture> siblings);

// The published sizes of the preset's family, itself among them; none for a file.
std::vector<Architecture> siblings_of(std::span<const Preset> presets, std::string_view id);

}  // namespace headcount
