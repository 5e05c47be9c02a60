// The panels of the Costs view: what is asked for; memory; arithmetic. Their windows leave 16 px around.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_costs_settings(const Ui& ui, const Session& session);
Intents draw_costs_memory(const Ui& ui, const Session& session);
Intents draw_costs_arithmetic(const Ui& ui, const Session& session);

}  // namespace headcount
