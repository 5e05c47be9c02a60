// The panels of the Costs view: what is asked for; memory; arithmetic. Their windows leave 16 px around.
#pragma once

#include "app/state/costs/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

Intents draw_costs_settings(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place);
Intents draw_costs_memory(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place);
Intents draw_costs_arithmetic(const Ui& ui, const Shown& model, const CostsPage& page);

}  // namespace headcount
