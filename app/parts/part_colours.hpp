// Which hue stands for which part of the model. The key/value cache and states have their own in the theme, kv_edge and
// kv_fill.
#pragma once

#include "app/ui/theme.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

ImU32 part_colour(const Theme& theme, Part part);
ImU32 component_colour(const Theme& theme, Component component);

// The hue of a dimension, for its slider and for the factors of a formula; 0 for one that belongs to no single part
// (width, layers, head size, tokens).
ImU32 symbol_colour(const Theme& theme, Symbol symbol);

}  // namespace headcount
