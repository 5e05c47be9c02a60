// The What-if view: sweeps, sensitivity, solving for a size, and all presets on one chart.
#pragma once

#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_what_if_space(const PanelFrame& frame);

}  // namespace headcount
