// Where a window is put again, so that it can be reached on the screens that there are now.
#pragma once

#include <span>

#include "app/state/view.hpp"

namespace headcount {

// The part of a screen that no task bar covers.
struct ScreenArea {
    int x = 0, y = 0, width = 0, height = 0;
};

// On its screen, no larger than that, and wholly within it. Without a corner where its screen has gone: the system then
// chooses one.
WindowPlace reachable(WindowPlace left, std::span<const ScreenArea> screens);

}  // namespace headcount
