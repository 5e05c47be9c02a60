// What the top bar is made of: its menus of files, of the other model and of tours, and the exact total.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

inline constexpr float top_bar_gap = 12;        // unscaled: between the bar's parts
inline constexpr float file_button_width = 66;  // unscaled
inline constexpr float swap_margin = 6, between_menus = size::icon_button + 2 * swap_margin;  // from A's to B's

inline bool shows_both(const Session& session) {
    return session.view.workspace == compare_view && session.comparison.other;
}

// Open, open again, save, export. With its left side, centred, at `left_centre`. Returns its right end. Records
// topbar.file, and while it is open topbar.file.item.<key>: a task's key, "notes", "recent.<number>".
float draw_file_menu(const Ui& ui, const Session& session, ImVec2 left_centre, Intents& intents);

// In Compare: the swap of both sides, and the menu of the model that the document is compared with. Right of
// `left_centre`; returns its right end. Records topbar.swap, topbar.other, and while that is open
// topbar.other.item.<preset id>, topbar.other.usual, topbar.other.pin, topbar.other.recent.<number>.
float draw_other_menu(const Ui& ui, const Session& session, ImVec2 left_centre, float width, Intents& intents);

// The tours, which an icon of the top bar and Ctrl+T open.
void draw_tour_menu(const Ui& ui, const Session& session, ImVec2 top_left, Intents& intents);

// "+503,316,480   7,241,732,096 parameters | 7.24 B", ending at `right`. What does not fit right of `from` is left out:
// first the change, then the word, then the rounded total (before the word where that says whose total it is); where
// even the exact one does not fit, the rounded one stands for it, or nothing. In Compare it is by how much B differs
// from A. Returns the exact one, to be copied.
std::string draw_top_bar_total(const Ui& ui, const Session& session, float from, float right, float centre,
                               Intents& intents);

}  // namespace headcount
