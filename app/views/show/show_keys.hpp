// The keys that step a tour: those of a clicker, and while the window presents Space and the arrows too.
#pragma once

#include "app/state/session.hpp"

namespace headcount {

// After the panels and the other keys: `asked` is what those want already.
Intents pressed_show_keys(const Session& session, const Intents& asked);

}  // namespace headcount
