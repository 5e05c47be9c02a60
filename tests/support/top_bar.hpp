// The top bar with the views that ship, as a panel.
#pragma once

#include "app/bars/panels.hpp"
#include "app/views/views.hpp"

namespace headcount::test {

inline Intents draw_bar(const Ui& ui, const Session& session) {
    return draw_top_bar(ui, session, shipped_views());
}

}  // namespace headcount::test
