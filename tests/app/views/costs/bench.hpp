// What tests of the Costs view's panels share.
#pragma once

#include "app/views/costs/panels.hpp"
#include "app/views/costs/rows.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

inline const ImVec2 column(700, 2400);

inline Intents draw_settings(const Ui& ui, const Session& session) {
    return draw_costs_settings(ui, session, session.costs, session.view.costs);
}
inline Intents draw_memory(const Ui& ui, const Session& session) {
    return draw_costs_memory(ui, session, session.costs, session.view.costs);
}
inline Intents draw_arithmetic(const Ui& ui, const Session& session) {
    return draw_costs_arithmetic(ui, session, session.costs);
}

template <class Change>
inline void change(Workbench& bench, Change how) {
    CostsPlace place = bench.session.view.costs;
    how(place);
    bench.ask(AtCosts{SetCosts{place}});
}

inline void look(Workbench& bench) { bench.ask(ShowWorkspace{costs_view}); }

inline const Costs& costs(const Workbench& bench) { return *bench.session.costs.shown; }

inline const HeldRow* row_of(Workbench& bench, std::string_view key) {
    const CostsRows& rows = costs_rows(bench.screen.ui(), bench.session, bench.session.costs);
    const auto found =
        std::find_if(rows.held.begin(), rows.held.end(), [&](const HeldRow& row) { return row.key == key; });
    return found == rows.held.end() ? nullptr : &*found;
}

}  // namespace headcount::test
