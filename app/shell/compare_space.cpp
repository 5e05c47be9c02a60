// Opens the windows of the Compare view and calls its panels.
#include "app/shell/compare_space.hpp"

namespace headcount {

Area draw_compare_space(const PanelFrame& frame, const ScenePainter&) {
    const ExploreLayout explore = explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0);
    return {explore.architecture.min, explore.inspector.max};
}

}  // namespace headcount
