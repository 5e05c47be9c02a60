// Where the panels of the Explore view stand for a size of the window: numbers only, nothing is drawn here.
#pragma once

#include <imgui.h>

namespace headcount {

struct Area {
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

struct ExploreLayout {
    Area top_bar, architecture, canvas, tables, breakdown, inspector;
};

// In whole pixels, with one pixel between neighbours for a line. `scale` is the interface's; `breakdown_height` is what
// that panel wants, in pixels, and what it gets unless the inspector would be left with too little.
ExploreLayout explore_layout(ImVec2 display, float scale, float breakdown_height);

}  // namespace headcount
