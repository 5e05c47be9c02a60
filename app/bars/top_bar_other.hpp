// In Compare: the swap of both sides, and the menu of the model that the document is compared with.
#pragma once

#include "app/state/session.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

inline constexpr float swap_margin = 6, between_menus = size::icon_button + 2 * swap_margin;  // from A's to B's

inline bool shows_both(const Session& session) {
    return session.view.workspace == compare_view && session.comparison.other;
}

// Right of `left`, centred; returns its right end. Records topbar.swap, topbar.other, and while that is open
// topbar.other.item.<preset id>, topbar.other.usual, topbar.other.pin, topbar.other.recent.<number>.
float draw_other_menu(const Ui& ui, const Session& session, ImVec2 left_centre, float width, Intents& intents);

}  // namespace headcount
