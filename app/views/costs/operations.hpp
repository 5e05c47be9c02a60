// The operations of the pass as a table, in the order in which they run: in the Costs view, and in Explore's tab
// Compute.
#pragma once

#include "app/parts/inspector_parts.hpp"
#include "app/views/costs/rows.hpp"

namespace headcount {

// To the window's end. In the Costs view with a title, a link to what is selected, and at least some rows high; in
// Explore's tab the table alone.
void draw_costs_operations(Inspector& to, const CostsRows& rows, bool in_view);

}  // namespace headcount
