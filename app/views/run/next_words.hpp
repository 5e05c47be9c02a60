// The likeliest next words in the diagram of a run.
#pragma once

#include "app/diagram/view.hpp"
#include "app/state/run/page.hpp"

namespace headcount {

// Over the diagram, when that is drawn: what follows the position that is looked at, beside the logits; nothing where
// these are not seen, or leave no room.
void draw_next_words(const Ui& ui, const RunPage& page, const CanvasView& canvas);

}  // namespace headcount
