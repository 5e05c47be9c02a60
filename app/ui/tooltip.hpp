// A tooltip: the value first, the derivation below.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/ui.hpp"

namespace headcount {

// Where a tooltip may stand, in pixels of the screen, and what it shall not cover there.
struct TooltipRoom {
    ImVec2 min, max;
    std::vector<std::pair<ImVec2, ImVec2>> clear = {};
    std::vector<std::pair<ImVec2, ImVec2>> words = {};  // covered where it has to go elsewhere, but not gladly
};

struct Tooltip {
    std::string_view title = {};        // words: "Up projection"
    std::string_view value = {};        // mono, high: "45,088,768"
    std::string_view derivation = {};   // mono with scripts, mid: "d x d_ff = 4096 x 11008"
    std::string_view remark = {};       // words, mid, wraps
    std::optional<ImVec2> end = {};     // the middle of its right side; beside the pointer where there is none
    const TooltipRoom* room = nullptr;  // of what stands beside the pointer
    std::string_view about = {};        // the key of what the value is about besides: see veil.hpp
};

// How long the pointer is on something before it is explained. Not again from one thing to the next.
inline constexpr double tooltip_wait = 0.3;

// The upper left corner of a tooltip of this size: beside the pointer where it covers nothing that is to stay clear,
// else the nearest place where it covers none or little of that. What has no place in the room still is on the display.
ImVec2 tooltip_corner(const TooltipRoom& room, ImVec2 pointer, ImVec2 size, ImVec2 display, float scale);

// Shows it after the wait; call where the thing is hovered.
void show_tooltip(const Ui& ui, const Tooltip& tooltip);

// One sentence, after the same wait, for the last item.
void hint(const Ui& ui, std::string_view text);

}  // namespace headcount
