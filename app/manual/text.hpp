// A page of the manual on the screen: words of several styles in lines that wrap, lists, listings, tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/manual/pages.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// At the cursor, as wide as there is room, and no wider than one reads well. Brings the heading of this anchor to the
// top where `arrives`. Returns the link that was pressed. Records help.text and help.link.ADDRESS.
std::optional<std::string> draw_manual_text(const Ui& ui, const ManualPage& page, std::string_view anchor,
                                            bool arrives);

}  // namespace headcount
