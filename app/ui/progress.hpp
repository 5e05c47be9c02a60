// How far one is: a row of dashes; and a switch that stands alone.
#pragma once

#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

// Dashes of these colours side by side from `min` on, as wide together as `width`. Outside ImGui's layout.
void draw_dashes(const Ui& ui, std::span<const ImU32> colours, ImVec2 min, float width);

// 28 x 16 px at the cursor. Returns whether it was pressed. Records `name`.
bool switch_button(const Ui& ui, std::string_view name, bool on, std::string_view tooltip = {});
inline constexpr float switch_width = 28, switch_height = 16;

// Its picture alone, moving with `part` from 0 (off) to 1 (on).
void draw_switch(const Ui& ui, ImVec2 min, float part);

}  // namespace headcount
