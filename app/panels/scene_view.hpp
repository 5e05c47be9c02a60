// Draws a scene with ImDrawList: the only place where the canvas meets ImGui.
#pragma once

#include "app/canvas/layout.hpp"
#include "app/panels/part_colours.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// Which things of the scene are lit and which one is selected.
struct SceneLight {
    const Subject& selection;
    const Subject& hover;
    const ModelGraph& graph;
};

// The face that a role of text is set in.
const Font& font_of(const Fonts& fonts, TextRole role);

// Draws everything and records `canvas.<tensor id>` for slabs and `canvas.block.layer.<component>` for frames.
void draw_scene(const Ui& ui, ImDrawList& list, const Scene& scene, const SceneLight& light);

}  // namespace headcount
