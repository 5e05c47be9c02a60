// The What-if view: sweeps, sensitivity, solving for a size, and all presets on one chart.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_what_if_space(const PanelFrame& frame);

// Its panels, given what each reads: the one of the tab that is chosen, and the settings at its left.
Intents draw_what_if_panel(const Ui& ui, const Session& session);
Intents draw_what_if_settings_panel(const Ui& ui, const Session& session);

inline constexpr ViewKind what_if_kind{
    .key = what_if_view,
    .name = "What-if",
    .help = "Sweeps, which field matters, a model of a wanted size, and all presets on one chart.",
    .draw = draw_what_if_space};

}  // namespace headcount
