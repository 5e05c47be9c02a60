// The colours of cells whose numbers are known, and the ink that is legible on them.
#pragma once

#include <optional>

#include "app/canvas/draw/page_view.hpp"

namespace headcount {

// The numbers of a slab where its cells are drawn in their colours; nothing where they are not known, or too small.
std::optional<CellNumbers> shown_numbers(const PageView& view, const Slab& slab);

// How far from the colour of zero a number is drawn, -1 to 1, where `largest` is 1. What is not finite stays so.
float heat_strength(float value, float largest);

// Of the palette's ground and its text the one that is easier to read on this cell.
Rgba ink_on_heat(const Palette& palette, Part part, float strength);

}  // namespace headcount
