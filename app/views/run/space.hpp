// The Run view: a model that runs, with what it says and every number in it.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_run_space(const PanelFrame& frame, const ScenePainter& painter);

}  // namespace headcount
