// Heat maps of many matrices as one drawing: values are copied when they change, boxes every frame. Only
// app/panels/run*.cpp include this.
#pragma once

#include "app/canvas/drawing.hpp"
#include "app/panels/run_figures.hpp"
#include "app/ui/theme.hpp"

namespace headcount {

struct RunHeat {
    Drawing drawing;
    std::vector<std::size_t> starts;  // of each figure's values, line by line
    std::vector<float> limits;        // where each figure's colours are strongest
};

// Of the newest token only what the run has been shown to have made.
void copy_values(RunHeat& heat, const RunSnapshot& run, const std::vector<RunLine>& lines, bool shared);

// `corner` is where the page begins, `min` to `max` what is seen of it, all in pixels of the screen.
void compose_heat(RunHeat& heat, const Theme& theme, const ModelGraph& graph, const std::vector<RunLine>& lines,
                  ImVec2 corner, ImVec2 min, ImVec2 max);

}  // namespace headcount
