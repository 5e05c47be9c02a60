// The panels of the Claims view: published statements, and the one that is chosen. Their windows leave 16 px and 24 px
// around.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_claims_list(const Ui& ui, const Session& session);
Intents draw_claim(const Ui& ui, const Session& session);

}  // namespace headcount
