// The small editor below a field's chip: the field's own row, and the other side's value to take over.
#pragma once

#include "app/ui/ui.hpp"
#include "app/views/compare/sides.hpp"

namespace headcount {

// Where it opens; in the window in which it is drawn.
void open_compare_editor(const Ui& ui, CompareSide side, Field field, ImVec2 at);

// In every frame; nothing where it is closed.
Intents draw_compare_editor(const Ui& ui, const BothSides& both, CompareSide side);

}  // namespace headcount
