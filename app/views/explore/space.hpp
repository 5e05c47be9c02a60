// The Explore view: sliders, diagram, tables, breakdown and inspector.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

// Opens a window for every panel below the top bar and fills them. `painter` draws the canvas when the frame is shown.
// Returns where notices may stand.
Area draw_explore(const PanelFrame& frame, const ScenePainter& painter);

}  // namespace headcount
