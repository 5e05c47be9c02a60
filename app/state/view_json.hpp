// What of the view and the selection outlives the program, in the saved document.
#pragma once

#include <nlohmann/json.hpp>

#include "app/state/fields.hpp"
#include "app/state/view.hpp"

namespace headcount {

nlohmann::ordered_json view_json(const View& view, const Subject& selection);

nlohmann::ordered_json window_json(const WindowPlace& place);

// Whatever is not as it should be is as at a first start.
View view_from(const Fields& saved);

}  // namespace headcount
