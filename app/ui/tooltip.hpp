// A tooltip: the value first, the derivation below.
#pragma once

#include <optional>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct Tooltip {
    std::string_view title = {};       // words: "Up projection"
    std::string_view value = {};       // mono, high: "45,088,768"
    std::string_view derivation = {};  // mono with scripts, mid: "d x d_ff = 4096 x 11008"
    std::string_view remark = {};      // words, mid, wraps
    std::optional<ImVec2> end = {};    // the middle of its right side; beside the pointer where there is none
};

// How long the pointer is on something before it is explained. Not again from one thing to the next.
inline constexpr double tooltip_wait = 0.3;

// Shows it after the wait; call where the thing is hovered.
void show_tooltip(const Ui& ui, const Tooltip& tooltip);

// One sentence, after the same wait, for the last item.
void hint(const Ui& ui, std::string_view text);

}  // namespace headcount
