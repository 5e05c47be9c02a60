// The window while it presents: the diagram, the breakdown, one sentence. Large, for the last row.
#pragma once

#include "app/parts/panel_frame.hpp"

namespace headcount {

// How many times larger things are than in the Explore view: 1.6, and more in a window larger than the design's.
float presenter_scale(ImVec2 display, float density);
// The largest scale at which the diagram has the room that it has in the least window; in few steps, and never below 1.
float largest_presenter_scale(ImVec2 display);

// Opens a window for every panel and fills them. Returns where notices may stand.
Area draw_presenter(const PanelFrame& frame);

// The breakdown alone in its column, which leaves 20 px around: the donut as large as there is room for, and below it a
// table.
Intents draw_large_breakdown(const Ui& ui, const Shown& model);

// The keys that step a tour: those of a clicker, and while the window presents Space and the arrows too. After the
// panels and the other keys: `asked` is what those want already.
Intents pressed_show_keys(const Session& session, const Intents& asked);

}  // namespace headcount
