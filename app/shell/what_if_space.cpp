// Opens the windows of the What-if view and calls its panels.
#include "app/shell/what_if_space.hpp"

namespace headcount {

Area draw_what_if_space(const PanelFrame& frame) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0);
    return {explore.architecture.min, explore.inspector.max};
}

}  // namespace headcount
