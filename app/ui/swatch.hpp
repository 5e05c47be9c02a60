// The small marks before names: filled for parameters, outlined paper with a coloured tab for activations.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

enum class SwatchLook { none, parameter, activation, cached };

struct Swatch {
    SwatchLook look = SwatchLook::none;
    ImU32 colour = 0;
};

// A matrix as it is drawn everywhere: filled, or paper with a tab of this width, or so with the cache's outline.
void draw_matrix(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, const Swatch& swatch, float tab);

// Draws it with its left edge at x, centred on y; `side` unscaled.
void draw_swatch(const Ui& ui, ImDrawList& list, ImVec2 left_centre, const Swatch& swatch, float side = size::swatch);

struct LegendRow {
    std::string_view name = {};
    std::string_view percent = {};  // "64.2 %"
    std::string_view count = {};    // "4,328,521,728"
    std::string_view about = {};    // the key of what both are about: see veil.hpp
    ImU32 colour = 0;
    bool lit = false;
    bool selected = false;
    bool faded = false;
};

struct LegendResult {
    bool hovered = false, clicked = false;
};
// Swatch, name and percentage on one line, the exact count below; 39 px at the available width.
LegendResult legend_row(const Ui& ui, std::string_view name, const LegendRow& row);

// How far one is: dashes of these colours side by side from `min` on, as wide together as `width`. Outside ImGui's
// layout.
void draw_dashes(const Ui& ui, std::span<const ImU32> colours, ImVec2 min, float width);

}  // namespace headcount
