// A field that filters a list by what is typed in it.
#pragma once

#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

// At the cursor, so wide; `text` ends in a zero byte. Returns whether it was changed. Records `name`.
bool search_field(const Ui& ui, std::string_view name, std::span<char> text, float width, std::string_view prompt);

}  // namespace headcount
