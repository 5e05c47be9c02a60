// What the top bar is made of: its menus of files, of the other model and of tours, the ask field, the exact total.
#pragma once

#include "app/state/in_view.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

inline constexpr float top_bar_gap = 12;        // unscaled: between the bar's parts
inline constexpr float file_button_width = 66;  // unscaled
inline constexpr float swap_margin = 6, between_menus = size::icon_button + 2 * swap_margin;  // from A's to B's

// Open, open again, save, export. With its left side, centred, at `left_centre`. Returns its right end. Records
// topbar.file, and while it is open topbar.file.item.<key>: a task's key, "notes", "recent.<number>".
float draw_file_menu(const Ui& ui, const Session& session, ImVec2 left_centre, Intents& intents);

// In Compare: the swap of both sides, and the menu of the model that the document is compared with. Right of
// `left_centre`; returns its right end. Records topbar.swap, topbar.other, and while that is open
// topbar.other.item.<preset id>, topbar.other.usual, topbar.other.pin, topbar.other.recent.<number>.
float draw_other_menu(const Ui& ui, const Session& session, ImVec2 left_centre, float width, Intents& intents);

// "Tours", or its icon alone, and the list that it and Ctrl+T open, which has presenting too. With its left side,
// centred, at `left_centre`. Records topbar.tours, and while it is open topbar.tours.item.<key>.
void draw_tour_menu(const Ui& ui, const Session& session, ImVec2 left_centre, bool named, Intents& intents);
float tour_button_width(const Ui& ui, bool named);

// Looks like a field with a question in it, and opens the ask bar. As wide as ask_field_width says: what has the
// longest words that `room` (in pixels) holds, and never less than "Ask" takes. Records topbar.ask.
void draw_ask_field(const Ui& ui, ImVec2 left_centre, float width, Intents& intents);
float ask_field_width(const Ui& ui, float room);

// What the total would take, in pixels, with its unit and its change, or how many a token uses; or the exact one alone.
float top_bar_total_width(const Ui& ui, const Session& session, bool alone);

// "+503,316,480   7,241,732,096 parameters | 7.24 B", ending at `right`. What does not fit right of `from` is left out:
// first the rounded total, then the change, then the word; where even the exact one does not fit, the rounded one
// stands for it, or nothing. In Compare it is by how much B differs from A. Returns the exact one, to be copied.
std::string draw_top_bar_total(const Ui& ui, const Session& session, float from, float right, float centre,
                               Intents& intents);

}  // namespace headcount
