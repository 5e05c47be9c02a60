// Shapes that ImGui does not draw as wanted, or not cheaply: boxes, small pills, dashed rectangles.
#pragma once

#include <imgui.h>

namespace headcount {

// A filled, rounded rectangle with a border of one pixel, as one mesh: a third of the work of ImGui's two calls.
void draw_box(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 fill, ImU32 border, float radius);

// A circle without smoothed edges, for what lies under another shape or on its own colour.
void draw_plain_circle(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour);

// A bar whose ends are half circles, also at three pixels where ImGui's rounding gives up.
void draw_pill(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// Straight across or straight down.
void draw_dashed_line(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness);
void draw_dashed_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float dash, float thickness);

}  // namespace headcount
