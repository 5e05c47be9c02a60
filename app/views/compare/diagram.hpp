// The two diagrams of the Compare view.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// One side's model, in the window that is open for it; the other side's window is to be as large. Both are drawn at one
// scale and are looked at from the same place: whichever is moved, the other one follows. What differs is in full
// colour, with the other side's size as an outline, and what is pointed at or selected is lit on both. Nothing where
// there is no other model yet.
Intents draw_compare_diagram(const Ui& ui, const Session& session, CompareSide side, const ScenePainter& painter = {});

}  // namespace headcount
