// The operations of the pass as a table, in the order in which they run. Only app/panels/costs_*.cpp include this.
#pragma once

#include "app/panels/costs_rows.hpp"
#include "app/panels/inspector_parts.hpp"

namespace headcount {

// To the window's end. In the Costs view with a title, a link to what is selected, and at least some rows high; in
// Explore's tab the table alone.
void draw_costs_runs(Inspector& to, const CostsRows& rows, bool in_view);

}  // namespace headcount
