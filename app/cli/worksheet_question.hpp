// A worksheet's question as text.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "core/worksheet/sheet.hpp"

namespace headcount {

// What is asked, the numbers to look at, the choices and the blanks; with `key` what is right.
void show_question(const SheetQuestion& question, std::size_t number, bool key, std::ostream& out);

}  // namespace headcount
