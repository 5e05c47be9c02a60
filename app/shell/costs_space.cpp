// Opens the windows of the Costs view and calls its panels.
#include "app/shell/costs_space.hpp"

namespace headcount {

Area draw_costs_space(const PanelFrame& frame) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0);
    return {explore.architecture.min, explore.inspector.max};
}

}  // namespace headcount
