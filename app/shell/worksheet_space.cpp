// Opens the windows of the Worksheet view and calls its panels.
#include "app/shell/worksheet_space.hpp"

namespace headcount {

Area draw_worksheet_space(const PanelFrame& frame, const ScenePainter& /*painter*/) {
    return explore_layout(ImGui::GetIO().DisplaySize, frame.ui.scale, 0).canvas;
}

}  // namespace headcount
