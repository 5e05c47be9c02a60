// The answers of the What-if view, each with what it is the answer to.
#pragma once

#include <optional>
#include <string>

#include "app/state/document.hpp"
#include "app/state/what_if_place.hpp"

namespace headcount {

// What all answers depend on.
struct WhatIfQuestion {
    Architecture architecture;
    Input input;
    std::string device;

    bool operator==(const WhatIfQuestion&) const = default;
};

struct FoundSweep {
    WhatIfQuestion of;
    SweepPlace place;
};

struct FoundSensitivity {
    WhatIfQuestion of;
};

struct FoundSolve {
    WhatIfQuestion of;
    SolvePlace place;
};

}  // namespace headcount
