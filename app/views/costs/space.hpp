// The Costs view: the memory and the arithmetic of the model on a device.
#pragma once

#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_costs_space(const PanelFrame& frame);

}  // namespace headcount
