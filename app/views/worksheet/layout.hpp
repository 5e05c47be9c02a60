// Where the panels of the Worksheet view stand for a size of the window: numbers only.
#pragma once

#include "app/parts/explore_layout.hpp"

namespace headcount {

struct WorksheetLayout {
    Area header, list, question, card, diagram, flow;  // diagram and flow are empty where there is none
};

// `card_height` is what the card wants above a diagram, in pixels; without a diagram it takes all.
WorksheetLayout worksheet_layout(ImVec2 display, float scale, float card_height, bool diagram, bool flow);

}  // namespace headcount
