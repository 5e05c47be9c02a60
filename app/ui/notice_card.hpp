// A card with a few quiet sentences, which a cross closes.
#pragma once

#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

// At the cursor, at the available width, as high as the text needs. Returns whether the cross was pressed. Records
// name and name.dismiss.
bool notice_card(const Ui& ui, std::string_view name, std::string_view text);

}  // namespace headcount
