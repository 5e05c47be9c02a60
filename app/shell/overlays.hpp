// What lies over the Explore view: the help sheet, and the notice about what just happened.
#pragma once

#include <string_view>

#include "app/shell/explore_layout.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Dims the view, takes pointer and Tab away from it, and shows the sheet in the middle. A press beside it closes it.
Intents draw_help_sheet(const Ui& ui, const Session& session);

// At the lower end of `area`, over everything; it takes no input.
void draw_notice(const Ui& ui, std::string_view notice, const Area& area);

}  // namespace headcount
