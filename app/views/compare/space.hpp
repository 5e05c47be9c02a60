// The Compare view: two models side by side, and where their difference comes from.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_compare_space(const PanelFrame& frame, const ScenePainter& painter);

}  // namespace headcount
