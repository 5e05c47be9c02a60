// The window while it presents: Explore as the diagram, the breakdown, one sentence; another view as it is. Large, for
// the last row.
#pragma once

#include "app/parts/panel_frame.hpp"
#include "app/parts/views.hpp"

namespace headcount {

// How many times larger things are than in the Explore view: 1.6, and more in a window larger than the design's.
float presenter_scale(ImVec2 display, float density);
// The largest scale at which the diagram has the room that it has in the least window; in few steps, and never below 1.
float largest_presenter_scale(ImVec2 display);

// What lies over the picture while it presents: its window takes the pointer where there is a pen or a curtain. After
// everything else; draws nothing where there is nothing.
Intents draw_aids(const Ui& ui, const View& view);

// Between NewFrame and the panels. While one steps by the keys, the pointer and what it would light and explain are
// away, until it moves; `stepped` says that a key has just stepped.
void keep_pointer_away(const Ui& ui, const View& view);
// Behind the panels: where it really is.
void bring_pointer_back(const Ui& ui);
void pointer_stepped(const Ui& ui);

// Opens a window for every panel and fills them. Returns where notices may stand.
Area draw_presenter(const PanelFrame& frame);

// The breakdown alone in its column, which leaves 20 px around: the donut as large as there is room for, and below it a
// table.
Intents draw_large_breakdown(const Ui& ui, const Shown& model);

// The bar over what is shown to a class: which model, its total, and the way back. Of a lesson's model no number is
// said.
Intents draw_presenter_bar(const Ui& ui, const Session& session);

// The keys that step a tour, or the view: those of a clicker, and while the window presents Space and the arrows too.
// After the panels and the other keys: `asked` is what those want already.
Intents pressed_show_keys(const Views& views, const Session& session, const Intents& asked);

}  // namespace headcount
