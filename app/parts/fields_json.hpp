// A model's fields in the report for tests.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/arch/architecture.hpp"

namespace headcount {

// The values in effect: numbers as numbers, choices and flags as the words in files.
nlohmann::ordered_json fields_json(const Architecture& arch);

}  // namespace headcount
