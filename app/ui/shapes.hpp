// Shapes that ImGui does not draw as wanted: small pills, dashed rectangles.
#pragma once

#include <imgui.h>

namespace headcount {

// A bar whose ends are half circles, also at three pixels where ImGui's rounding gives up.
void draw_pill(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

void draw_dashed_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float dash, float thickness);

}  // namespace headcount
