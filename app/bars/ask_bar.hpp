// The ask bar: a question is typed, and its answer stands below it while one types.
#pragma once

#include <span>

#include "app/parts/actions.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Fills a window that the shell has opened. Asks about the model whose diagram is on the screen; finds what it can do
// among `actions`, too. Records ask.field, ask.answer, ask.row.<number> and ask.unknown.
Intents draw_ask_bar(const Ui& ui, const Session& session, std::span<const Action> actions, float most = most_scale);

}  // namespace headcount
