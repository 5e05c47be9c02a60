// The top bar with the views that ship, as a panel.
#pragma once

#include <string>

#include "app/bars/panels.hpp"
#include "app/ui/veil.hpp"
#include "app/views/views.hpp"
#include "tests/support/screen.hpp"

namespace headcount::test {

inline Intents draw_bar(const Ui& ui, const Session& session) { return draw_top_bar(ui, session, shipped_views()); }

inline constexpr float least_bar = 1120;  // of the smallest window

// All that stands in the bar.
inline std::string bar_text(Screen& screen, const Session& session) {
    std::string text;
    for (int frame = 0; frame < 2; ++frame)
        screen.frame([&](const Ui& ui) {
            text.clear();
            Veil nothing_hidden;
            nothing_hidden.beside = &text;
            const VeilOver over(nothing_hidden);
            draw_bar(ui, session);
        });
    return text;
}

}  // namespace headcount::test
