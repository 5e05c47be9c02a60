// An architecture as Headcount saves it: {"type": "llama", "name": ..., "fields": {"dim": "4096", ...},
// "carried": {...}}.
#pragma once

#include <nlohmann/json.hpp>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Every field that applies, by its name, as text: loses nothing, and reads back to an equal value.
nlohmann::ordered_json architecture_to_json(const Architecture& arch);

// Errors name the JSON path. The architecture may be invalid (a slider left on an impossible value), each field by
// itself is not.
Result<Architecture> architecture_from_json(const nlohmann::json& json);

}  // namespace headcount
