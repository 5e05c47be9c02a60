// One frame's windows: how a panel gets its own, whichever view it is in.
#pragma once

#include <functional>

#include "app/canvas/drawing.hpp"
#include "app/parts/explore_layout.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

class PanelCache;

using DrawPanel = std::function<Intents(const Ui&, const Session&)>;

inline const ImVec2 padded(size::panel_padding, size::panel_padding);
inline constexpr ImGuiWindowFlags still_panel = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

struct PanelPlace {
    const char* name;
    Area area;
    ImU32 fill = 0;
    ImVec2 padding = {};  // unscaled
    ImGuiWindowFlags flags = 0;
    ImGuiID height_id = 0;  // of the content's height, where the layout asks for it
};

struct PanelFrame {
    const Ui& ui;
    const Session& session;
    PanelCache* cache;  // may be null: then every panel is drawn
    Intents& intents;
    const ScenePainter& painter;  // draws the diagram when the frame is shown; without one it has words alone
    std::string (*made_for)(const Session&) = nullptr;  // of the view: what its charts and tables are of
};

void append(Intents& all, Intents more);

// A line between panels, behind them: their windows leave a pixel free.
void line_between(const Ui& ui, ImVec2 min, ImVec2 max);

// Fills one window with one panel, unless it stays as it was, or has given way: an empty area shows nothing. Records it
// as `panel.<name>`.
void draw_panel(const PanelFrame& frame, const PanelPlace& place, const DrawPanel& draw);

}  // namespace headcount
