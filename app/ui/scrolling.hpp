// Bringing something into sight in a window that scrolls.
#pragma once

#include <imgui.h>

#include <algorithm>

namespace headcount {

// Scrolls no further than it needs for these heights of the screen, with so many pixels above and below, to be seen.
inline void scroll_into_sight(float top, float bottom, float margin) {
    const float above = ImGui::GetWindowPos().y, below = above + ImGui::GetWindowSize().y;
    if (top - margin < above)
        ImGui::SetScrollY(std::max(0.0F, ImGui::GetScrollY() - (above - top + margin)));
    else if (bottom + margin > below)
        ImGui::SetScrollY(ImGui::GetScrollY() + bottom + margin - below);
}

}  // namespace headcount
