// The bottom tables as text for the clipboard: comma-separated values, every row, counts written plain.
#pragma once

#include <string>

#include "app/state/derived.hpp"
#include "app/state/view.hpp"

namespace headcount {

std::string table_as_csv(const Counted& counted, BottomTab tab);

}  // namespace headcount
