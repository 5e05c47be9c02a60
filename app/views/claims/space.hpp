// The Claims view: published statements beside the diagram.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

// As draw_explore.
Area draw_claims_space(const PanelFrame& frame, const ScenePainter& painter);

}  // namespace headcount
