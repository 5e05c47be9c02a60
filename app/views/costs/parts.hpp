// What the panels of the Costs view share besides rows: the heading, and a link to Explore.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/views/costs/rows.hpp"

namespace headcount {

// The title, what the figures are of, and where they are not of what is asked for now, that they are not.
void draw_costs_title(const Ui& ui, const CostsPage& page, std::string_view title, const std::string& remark);

// A chip that goes to the tensor in Explore. Records `name`.
void explore_link(const Ui& ui, const Shown& model, std::string_view name, const std::string& words,
                  std::string_view tensor, Intents& intents);

// A line of several columns of a small table that is not scrolled.
struct CostsLine {
    std::string_view label;
    std::span<const std::string> cells;
    int chosen = -1;  // the cell that is written in the high colour
};
// Right-aligned cells of `column` pixels each (unscaled). Returns whether it is pointed at.
bool draw_costs_line(const Ui& ui, const CostsLine& line, float column, bool heading = false);

}  // namespace headcount
