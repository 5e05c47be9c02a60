// The matrices in the middle of the Run view: real weights and activations as heat maps, and where a cell's number
// comes from. Its window leaves nothing around.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Without a painter it has words, frames and cells that answer, and no colours.
Intents draw_run_matrices(const Ui& ui, const Session& session, const ScenePainter& painter = {});

}  // namespace headcount
