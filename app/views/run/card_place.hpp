// Where a card of a cell can stand.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "app/ui/ui.hpp"

namespace headcount {

using RunRect = std::pair<ImVec2, ImVec2>;  // least and greatest corner, pixels of the screen

struct CardRoom {
    ImVec2 min, max;                     // what is seen of the page
    std::optional<RunRect> first;        // where it would stand best
    std::span<const RunRect> lit;        // what the card speaks of: not to be covered
    std::span<const RunRect> shown;      // the other matrices
    std::span<const RunRect> cell = {};  // where the cell itself is: to be seen, whatever else is not
    float margin = 0;
};

// The upper left corner at which a card of this size covers least.
ImVec2 place_card(const CardRoom& room, ImVec2 size);

}  // namespace headcount
