// Heights that follow from content: known one frame late, kept in the interface's memory.
#pragma once

#include "app/ui/ui.hpp"

namespace headcount {

// As remembered, or `guess` in the first frame.
float known_height(const Ui& ui, ImGuiID id, float guess);

// Asks for another frame where the height differs from the one that this frame was laid out with.
void remember_height(const Ui& ui, ImGuiID id, float height);

}  // namespace headcount
