// The window while it presents: the diagram, the breakdown, one sentence. Large, for the last row.
#pragma once

#include "app/parts/panel_frame.hpp"

namespace headcount {

struct PresenterLayout {
    Area bar, canvas, breakdown, caption;
};

// In whole pixels, with one pixel between neighbours for a line. `caption_height` in pixels.
PresenterLayout presenter_layout(ImVec2 display, float scale, float caption_height);

// How many times larger things are than in the Explore view: 1.6, and more in a window larger than the design's.
float presenter_scale(ImVec2 display, float density);
// The largest scale at which the diagram has the room that it has in the least window; in few steps, and never below 1.
float largest_presenter_scale(ImVec2 display);

// Opens a window for every panel and fills them. Returns where notices may stand.
Area draw_presenter(const PanelFrame& frame);

}  // namespace headcount
