// The tabs Memory and Compute of Explore's bottom panel: all of the Costs view in compact form.
#pragma once

#include <string>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Below the tabs, to the window's end.
Intents draw_memory_tab(const Ui& ui, const Session& session);
Intents draw_compute_tab(const Ui& ui, const Session& session);

// "13.7 GiB in all · rtx-4090: 24.0 GiB": what the figures of the tab are of.
std::string costs_context(const Session& session, BottomTab tab);

// The tab's table for the clipboard; empty where there is nothing yet.
std::string costs_as_csv(const Session& session, BottomTab tab);

}  // namespace headcount
