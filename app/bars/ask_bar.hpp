// The ask bar: a question is typed, and its answer stands below it while one types.
#pragma once

#include <optional>

#include "app/state/session.hpp"
#include "app/state/shortcuts.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct AskBarResult {
    Intents intents;
    std::optional<Command> command;  // one that was chosen: the shell knows what it does
};

// Fills a window that the shell has opened. Asks about the model whose diagram is on the screen. Records ask.field,
// ask.answer, ask.row.<number> and ask.unknown.
AskBarResult draw_ask_bar(const Ui& ui, const Session& session);

}  // namespace headcount
