// The roofline of the chosen device with every operation of the pass as a point. Only app/panels/costs_arithmetic.cpp
// includes this.
#pragma once

#include "app/panels/costs_rows.hpp"
#include "app/panels/inspector_parts.hpp"

namespace headcount {

// At the available width; the device's speed must be published.
void draw_costs_roofline(Inspector& to, const CostsRows& rows, float height);

}  // namespace headcount
