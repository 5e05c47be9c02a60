// How far the residual stream of one run is from another's of the same tokens.
#pragma once

#include <vector>

#include "app/state/run/snapshot.hpp"

namespace headcount {

// By layer (0: as embedded) and token, as a share of the stream's length before. Empty where a run has not kept it.
std::vector<std::vector<double>> moved(const RunValues& before, const RunValues& after, bool encoder);

}  // namespace headcount
