// What a worksheet still asks for is no more to be read elsewhere than off its question.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/worksheet/desk.hpp"

namespace headcount {

// What the frame's veil calls them all together. The worksheet's own panels lift it: there stands what is given and
// what the student has typed.
inline constexpr std::string_view unfound_key = "worksheet";

// Every text that tells an answer of the open sheet that is neither found nor shown: a count in any form, bytes, a
// shape either way round and what it makes. No number below 1000 alone and no dimension that is given, which stand in
// many places. Nothing while the key is shown.
std::vector<std::string> unfound_answers(const Desk& desk);

// For the sheet's own diagrams, where such numbers would be seen in another matrix: the sides of shapes and the counts
// that are still to be found, alone. Not what is given, nor what was found in another answer, nor a single digit.
std::vector<std::string> unfound_sides(const Desk& desk);

}  // namespace headcount
