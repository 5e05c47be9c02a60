// What tests of the Costs view's panels share.
#pragma once

#include "app/views/costs/rows.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

inline const ImVec2 column(700, 2400);

template <class Change>
inline void change(Workbench& bench, Change how) {
    CostsPlace place = bench.session.view.costs;
    how(place);
    bench.ask(AtCosts{SetCosts{place}});
}

inline void look(Workbench& bench) {
    bench.ask(ShowWorkspace{costs_view});
}

inline const Costs& costs(const Workbench& bench) {
    return *bench.session.costs.shown;
}

inline const HeldRow* row_of(Workbench& bench, std::string_view key) {
    const CostsRows& rows = costs_rows(bench.screen.ui(), bench.session);
    const auto found =
        std::find_if(rows.held.begin(), rows.held.end(), [&](const HeldRow& row) { return row.key == key; });
    return found == rows.held.end() ? nullptr : &*found;
}

}  // namespace headcount::test
