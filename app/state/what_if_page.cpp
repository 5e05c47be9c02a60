// Works out what the What-if view shows when it is looked at, and changes what it asks.
#include "app/state/what_if_page.hpp"

#include <algorithm>

#include "app/state/overloaded.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if_found.hpp"
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
    if (!session.what_if.looked) read_devices(session.what_if);
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
