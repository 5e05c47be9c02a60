// Opens the windows of the Claims view and calls its panels.
#include "app/shell/claims_space.hpp"

namespace headcount {

Area draw_claims_space(const PanelFrame& frame, const ScenePainter& /*painter*/) {
    return explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0).canvas;
}

}  // namespace headcount
