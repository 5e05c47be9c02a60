// What a student is told who asks for help before an answer is right: where to look, never what is there.
#pragma once

#include <string>

#include "core/worksheet/sheet.hpp"

namespace headcount {

// Of the blank: its own words, else what the graph tells of how the matrix is made or the number is counted, else the
// question's. Empty where there is nothing to say.
std::string hint_of(const SheetQuestion& question, const Blank& blank);

// Whether there is a hint for any of its blanks, or for all.
bool has_hint(const SheetQuestion& question);

}  // namespace headcount
