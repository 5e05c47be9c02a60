// The whole program as one frame of ImGui windows: the top bar, the view that it shows, what lies over it, and the
// keys. No window of the system and no OpenGL, so tests and benchmarks draw it as it is.
#pragma once

#include "app/views/views.hpp"

namespace headcount {

class PanelCache;

// Between ImGui::NewFrame and ImGui::Render. Opens a window for every panel, fills them, and adds what the keys ask
// for. Records each window as `panel.<name>`.
// `painter` draws the canvas when the frame is shown. With a cache, panels that would look as in the frame before are
// not drawn again. `most`: see pressed_shortcuts.
Intents draw_frame(const Ui& ui, const Session& session, PanelCache* cache = nullptr, float most = most_scale,
                   const ScenePainter& painter = {}, const Views& views = shipped_views());

}  // namespace headcount
