// Opens the windows of the Run view and calls its panels.
#include "app/shell/run_space.hpp"

namespace headcount {

Area draw_run_space(const PanelFrame& frame) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0);
    return {{explore.canvas.min.x, explore.canvas.min.y}, {explore.top_bar.max.x, explore.inspector.max.y}};
}

}  // namespace headcount
