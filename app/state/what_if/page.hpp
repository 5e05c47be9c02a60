// What the What-if view shows of the document, worked out when somebody looks. No part of the document.
#pragma once

#include <memory>

#include "app/state/what_if/place.hpp"

namespace headcount {

struct Session;
struct FoundSweep;  // of app/state/what_if/found.hpp, as the others
struct FoundSensitivity;
struct FoundSolve;

struct WhatIfPage {
    // Of the document as it is, each where its tab was looked at; null before.
    std::shared_ptr<const FoundSweep> sweep;
    std::shared_ptr<const FoundSensitivity> sensitivity;
    std::shared_ptr<const FoundSolve> solve;
};

// In the What-if view: works out what the tab that is open shows. Does nothing where it is there already.
void look_at_what_if(Session& session);

void change_what_if(WhatIfPlace& place, const WhatIfIntent& intent);

}  // namespace headcount
