// What is wrong with a wish of a search, or with all that it found, as sentences.
#pragma once

#include "core/analysis/solve.hpp"

namespace headcount {

// By itself.
std::optional<Error> wrong_wish(const Wish& wish);

// What is held is the same whatever the field is.
Error no_dependence(const Wish& wish, Field field);

// No value of what is free makes an amount of 64 bits.
Error never_fits(const Wish& wish);

Error nothing_possible(const Architecture& arch, const Wish& wish);

// All answers are more than the budget; `least` is the nearest.
Error never_met(const Wish& wish, const Answer& least);

}  // namespace headcount
