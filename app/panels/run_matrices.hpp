// The matrices in the middle of the Run view: real weights and activations as heat maps, and where a cell's number
// comes from. The shell's window leaves nothing around.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_run_matrices(const Ui& ui, const Session& session);

}  // namespace headcount
