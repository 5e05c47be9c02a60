// The keys of the program's actions, as ImGui reports them, turned into intents.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

// After the panels: `asked` is what they want already, so that a table's own Ctrl+C is not followed by a second one.
// While a text field has the keyboard or a menu is open, keys belong to it, but for those of actions that are
// `always` there. `most`: the scale that the window has room for; a larger one is not asked for, but a notice says why.
Intents pressed_shortcuts(const Views& views, const Session& session, const Intents& asked, float most = most_scale);

}  // namespace headcount
