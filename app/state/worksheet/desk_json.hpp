// The desk in the saved document: what was answered in every sheet.
#pragma once

#include <nlohmann/json.hpp>

#include "app/state/fields.hpp"
#include "app/state/worksheet/desk.hpp"

namespace headcount {

nlohmann::ordered_json desk_json(const DeskState& desk);

// Whatever is not as it should be is left out: an answer lost must not cost the others.
DeskState desk_from(const Fields& saved);

}  // namespace headcount
