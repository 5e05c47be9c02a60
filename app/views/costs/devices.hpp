// Every device that ships: whether the model fits, and what would.
#pragma once

#include "app/parts/inspector_parts.hpp"
#include "app/state/costs/page.hpp"

namespace headcount {

// A title and a table at the available width, as high as it has rows. Pressing a row chooses the device.
void draw_costs_devices(Inspector& to, const CostsPage& page, const CostsPlace& place);

}  // namespace headcount
