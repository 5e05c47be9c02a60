// The Explore view: sliders, diagram, tables, breakdown and inspector.
#pragma once

#include "app/parts/views.hpp"

namespace headcount {

Area draw_explore(const PanelFrame& frame);

inline constexpr ViewKind explore_kind{
    .key = explore_view,
    .name = "Explore",
    .help = "A model as one picture, from the whole to a single cell, with what each number is made of.",
    .draw = draw_explore};

}  // namespace headcount
