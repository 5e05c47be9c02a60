// What a model's file says that Headcount did not read and that may change shapes.
#pragma once

#include <string>
#include <vector>

#include "core/arch/architecture.hpp"

namespace headcount {

// The names of the fields that are carried and not known to change no shape, sorted. A field that says nothing (null,
// false, an empty list) is none of them.
std::vector<std::string> unread_fields(const Architecture& arch);

}  // namespace headcount
