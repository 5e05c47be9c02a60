// Works out what the What-if view shows when it is looked at, and changes what it asks.
#include "app/state/what_if_page.hpp"

#include <algorithm>

#include "app/state/overloaded.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if_answers.hpp"
#include "core/files/devices.hpp"

namespace headcount {
namespace {

void read_devices(WhatIfPage& page) {
    page.looked = true;
    Result<std::vector<Device>> devices = shipped_devices();
    if (devices)
        page.devices = std::move(*devices);
    else
        page.problem = sentence(devices.error());
}

}  // namespace

const Device* what_if_device(const WhatIfPage& page, const WhatIfPlace& place) {
    for (const Device& device : page.devices)
        if (device.id == place.device) return &device;
    const auto fast = std::find_if(page.devices.begin(), page.devices.end(), [](const Device& device) {
        return device.bandwidth && device.flops_16 && device.flops_32;
    });
    return fast == page.devices.end() ? nullptr : &*fast;
}

void look_at_what_if(Session& session) {
    if (session.view.workspace != Workspace::what_if) return;
    WhatIfPage& page = session.what_if;
    if (!page.looked) read_devices(page);
    const WhatIfPlace& place = session.view.what_if;
    const Device* const device = what_if_device(page, place);
    const WhatIfQuestion question{session.document.architecture, session.document.input, device ? device->id : ""};
    switch (place.tab) {
        case WhatIfTab::sweep:
            if (!page.sweep || page.sweep->of != question || page.sweep->place != place.sweep)
                page.sweep = std::make_shared<const FoundSweep>(find_sweep(question, place.sweep, device));
            return;
        case WhatIfTab::sensitivity:
            if (!page.sensitivity || page.sensitivity->of != question || page.sensitivity->metric != place.sensitivity)
                page.sensitivity =
                    std::make_shared<const FoundSensitivity>(find_sensitivity(question, place.sensitivity, device));
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
                   [&](const SetWhatIfDevice& set) { place.device = set.id; },
               },
               intent);
}

}  // namespace headcount
