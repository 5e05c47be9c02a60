// The card of one number: what it is, its formula, a bar for every term, the largest of them with their operands.
#pragma once

#include <optional>

#include "app/state/run/snapshot.hpp"
#include "app/ui/ui.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

struct RunCard {
    const RunSnapshot& run;
    const Explanation& said;
    bool pinned = false;  // its operands can be pressed
    bool back = false;    // it was followed from another cell
    bool bars = true;     // a bar for every term, where there is room
};

struct CardAnswer {
    std::optional<CellAt> follow;  // an operand was pressed
    bool back = false, close = false;
};

inline constexpr float run_card_width = 304;  // unscaled

float run_card_height(const Ui& ui, const RunCard& card);

// In two steps: its parts have the pointer before what lies below it, and are drawn over that.
CardAnswer press_run_card(const Ui& ui, const RunCard& card, ImVec2 min);
void draw_run_card(const Ui& ui, const RunCard& card, ImVec2 min);

}  // namespace headcount
