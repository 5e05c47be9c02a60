// The top bar and the help with the views that ship, as panels.
#pragma once

#include "app/bars/panels.hpp"
#include "app/views/views.hpp"

namespace headcount::test {

inline Intents draw_bar(const Ui& ui, const Session& session) {
    return draw_top_bar(ui, session, shipped_views());
}

inline Intents draw_keys_sheet(const Ui& ui, const Session& session) {
    return draw_help(ui, session, shipped_views());
}

}  // namespace headcount::test
