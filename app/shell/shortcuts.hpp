// The keys of app/state/shortcuts.hpp, as ImGui reports them, turned into intents.
#pragma once

#include "app/state/session.hpp"
#include "app/state/shortcuts.hpp"

namespace headcount {

// After the panels: `asked` is what they want already, so that a table's own Ctrl+C is not followed by a second one.
// While a text field has the keyboard or a menu is open, keys belong to it; F1 and the interface's size always work.
// `most`: the scale that the window has room for; a larger one is not asked for, but a notice says why.
Intents pressed_shortcuts(const Session& session, const Intents& asked, float most = most_scale);

// What a command does now; nothing where it does nothing.
std::optional<Intent> intent_of(Command command, const Session& session, float most = most_scale);

// What Ctrl+C copies: the number that belongs to the selection, or the total where nothing is selected.
Copy selected_number(const Shown& shown);

}  // namespace headcount
