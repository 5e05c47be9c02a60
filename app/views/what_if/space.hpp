// The What-if view: sweeps, sensitivity, solving for a size, and all presets on one chart.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_what_if_space(const PanelFrame& frame);

inline constexpr ViewKind what_if_kind{
    .key = what_if_view,
    .name = "What-if",
    .help = "Sweeps, which field matters, a model of a wanted size, and all presets on one chart.",
    .draw = draw_what_if_space};

}  // namespace headcount
