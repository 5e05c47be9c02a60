// The panels that are seen when a model is shown to a class, beside diagram and caption. Each fills its window; its
// window leaves 20 px left and right in the bar, 20 px around the breakdown.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Which model, its total, and the way back.
Intents draw_presenter_bar(const Ui& ui, const Session& session);

// The breakdown alone in its column: the donut as large as there is room for, and below it a table.
Intents draw_large_breakdown(const Ui& ui, const Session& session);

}  // namespace headcount
