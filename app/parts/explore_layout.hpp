// Where the panels of the Explore view stand for a size of the window: numbers only, nothing is drawn here.
#pragma once

#include <imgui.h>

namespace headcount {

struct Area {
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    bool empty() const { return width() <= 0 || height() <= 0; }
};

struct ExploreLayout {
    Area top_bar, architecture, canvas, tables, breakdown, inspector;
    Area caption;  // of a tour, below all of them; of no height where there is none
};

// In whole pixels, with one pixel between neighbours for a line. In a window smaller than the least the panels around
// the canvas give way to it, one after the other, and are empty. `scale` is the interface's; `breakdown_height` is what
// that panel wants, in pixels, and what it gets unless the inspector would be left with too little; `caption_height`
// that of a tour's words, for which the tables give way. Without `chrome` there is no bar at the top.
ExploreLayout explore_layout(ImVec2 display, float scale, float breakdown_height, float caption_height = 0,
                             bool chrome = true);

// Of the window, at scale 1; smaller ones crowd the diagram's words.
inline constexpr float least_width = 1120, least_height = 680;

// The largest scale at which the canvas still has room: what stands around it gives way before. Never below 1, and in
// few steps, because each size of the interface has fonts of its own.
float largest_scale(ImVec2 display);

}  // namespace headcount
