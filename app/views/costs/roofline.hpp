// The roofline of the chosen device with every operation of the pass as a point.
#pragma once

#include "app/parts/inspector_parts.hpp"
#include "app/views/costs/rows.hpp"

namespace headcount {

// At the available width; the device's speed must be published.
void draw_costs_roofline(Inspector& to, const CostsRows& rows, float height);

}  // namespace headcount
