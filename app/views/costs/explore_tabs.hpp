// The tabs Memory and Compute of Explore's bottom panel, which the Costs view itself does not show.
#pragma once

#include <string>

#include "app/state/costs/page.hpp"
#include "app/state/intent.hpp"
#include "app/state/shown.hpp"
#include "app/state/view.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Below the tabs, to the window's end.
Intents draw_memory_tab(const Ui& ui, const Shown& model, const CostsPage& page);
Intents draw_compute_tab(const Ui& ui, const Shown& model, const CostsPage& page);

// "13.7 GiB in all · rtx-4090: 24.0 GiB": what the figures of the tab are of.
std::string costs_context(const CostsPage& page, BottomTab tab);

// The tab's table for the clipboard; empty where there is nothing yet.
std::string costs_as_csv(const CostsPage& page, BottomTab tab);

}  // namespace headcount
