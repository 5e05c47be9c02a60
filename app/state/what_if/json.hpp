// The What-if view in the saved document: what it asks.
#pragma once

#include <nlohmann/json.hpp>

#include "app/state/fields.hpp"
#include "app/state/what_if/place.hpp"

namespace headcount {

nlohmann::ordered_json what_if_json(const WhatIfPlace& place);

// Whatever is not as it should be is as at a first start.
WhatIfPlace what_if_from(const Fields& saved);

}  // namespace headcount
