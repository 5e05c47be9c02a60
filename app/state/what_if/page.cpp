// Works out what the What-if view shows when it is looked at, and changes what it asks.
#include "app/state/what_if/page.hpp"

#include "app/state/overloaded.hpp"
#include "app/state/what_if/found.hpp"

namespace headcount {

void look_at_what_if(WhatIfPage& page, const WhatIfPlace& place, const Document& document, const PassOptions& pass,
                     std::span<const Preset> presets) {
    const WhatIfQuestion question{document.architecture, document.input, pass};
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
                    find_solve(question, place.solve, siblings_of(presets, document.preset)));
            return;
        case WhatIfTab::shelf:
            return;
    }
}

std::vector<Architecture> siblings_of(std::span<const Preset> presets, std::string_view id) {
    std::vector<Architecture> siblings;
    const Preset* const own = find_preset(presets, id);
    if (!own) return siblings;
    for (const Preset& each : presets)
        if (each.group == own->group) siblings.push_back(each.architecture);
    return siblings;
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
