// What the What-if view shows of the document, worked out when somebody looks. No part of the document.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "app/state/what_if/place.hpp"
#include "core/analysis/pass.hpp"
#include "core/files/document.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct FoundSweep;  // of app/state/what_if/found.hpp, as the others
struct FoundSensitivity;
struct FoundSolve;

struct WhatIfPage {
    // Of the document as it is, each where its tab was looked at; null before.
    std::shared_ptr<const FoundSweep> sweep;
    std::shared_ptr<const FoundSensitivity> sensitivity;
    std::shared_ptr<const FoundSolve> solve;
};

// In the What-if view: works out what the tab that is open shows, with a pass counted as in Costs. Does nothing where
// it is there already.
void look_at_what_if(WhatIfPage& page, const WhatIfPlace& place, const Document& document, const PassOptions& pass,
                     std::span<const Preset> presets);

// The published sizes of the preset's family, itself among them; none for a file.
std::vector<Architecture> siblings_of(std::span<const Preset> presets, std::string_view id);

void change_what_if(WhatIfPlace& place, const WhatIfIntent& intent);

}  // namespace headcount
