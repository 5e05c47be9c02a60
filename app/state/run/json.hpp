// The Run view's place in saved documents. What is looked at in a run goes with the run.
#pragma once

#include <nlohmann/json.hpp>

#include "app/state/fields.hpp"
#include "app/state/run/place.hpp"

namespace headcount {

nlohmann::json run_json(const RunPlace& place);

// What is not there, or cannot be, is as at first.
RunPlace run_from(const Fields& saved);

}  // namespace headcount
