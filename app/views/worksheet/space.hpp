// The Worksheet view: a sheet's questions beside the diagram.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_worksheet_space(const PanelFrame& frame, const ScenePainter& painter);

}  // namespace headcount
