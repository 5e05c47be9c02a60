// Works out what the What-if view shows when it is looked at, and changes what it asks.
#include "app/state/what_if/page.hpp"

#include "app/state/overloaded.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if/answers.hpp"

namespace headcount {
void look_at_what_if(Session& session) {
    WhatIfPage& page = session.what_if;
    look_at_devices(session);
    const WhatIfPlace& place = session.view.what_if;
    const WhatIfQuestion question{session.document.architecture, session.document.input,
                                  pass_options(session.costs, session.view.costs)};
    switch (place.tab) {
        case WhatIfTab::sweep:
            if (!page.sweep || page.sweep->of != question || page.sweep->place != place.sweep)
                page.sweep = std::make_shared<const FoundSweep>(find_sweep(question, place.sweep));
            return;
        case WhatIfTab::sensitivity:
            if (!page.sensitivity || page.sensitivity->of != question || page.sensitivity->metric != place.sensitivity)
                page.sensitivity =
                    std::make_shared<const FoundSensitivity>(find_sensitivity(question, place.sensitivity));
            return;
        case WhatIfTab::solve:
            if (!page.solve || page.solve->of != question || page.solve->place != place.solve)
                page.solve = std::make_shared<const FoundSolve>(
                    find_solve(question, place.solve, siblings_of(session.presets, session.document.preset)));
            return;
        case WhatIfTab::shelf:
            return;
    }
}

void change_what_if(WhatIfPlace& place, const WhatIfIntent& intent) {
    std::visit(Overloaded{
                   [&](const ShowWhatIfTab& show) { place.tab = show.tab; },
                   [&](const SetSweep& set) {
                       place.sweep = set.sweep;
                       if (place.sweep.ranges.size() > most_ranges) place.sweep.ranges.resize(most_ranges);
                   },
                   [&](const SetSensitivity& set) { place.sensitivity = set.metric; },
                   [&](const SetWish& set) {
                       place.solve = set.solve;
                       if (place.solve.free.size() > most_free) place.solve.free.resize(most_free);
                   },
                   [&](const SetShelf& set) { place.shelf = set.shelf; },
               },
               intent);
}

}  // namespace headcount
