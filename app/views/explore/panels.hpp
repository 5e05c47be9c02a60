// The panels of the Explore view. Each fills the window that was opened for it, reads constants, and returns
// what should change. Their windows leave 16 px around, and nothing around the tables, which reach their window's
// edges.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_architecture(const Ui& ui, const Session& session);  // left: fields and input
Intents draw_breakdown(const Ui& ui, const Session& session);     // right, top: where the parameters are
Intents draw_inspector(const Ui& ui, const Session& session);     // right, below: the selection, with its formula
Intents draw_tables(const Ui& ui, const Session& session);        // bottom: activations, one head, tensors

}  // namespace headcount
