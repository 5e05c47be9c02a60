// The File menu in the top bar: open, open again, save, export.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

inline constexpr float file_button_width = 66;  // unscaled

// With its left side, centred, at `left_centre`. Returns its right end. Records topbar.file, and while it is open
// topbar.file.item.<key>: a task's key, "notes", "recent.<number>".
float draw_file_menu(const Ui& ui, const Session& session, ImVec2 left_centre, Intents& intents);

}  // namespace headcount
