// How the numbers of an architecture are made larger and smaller so that the model stays possible.
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/sweep.hpp"

namespace headcount {

// Of what the field's value is a multiple now and is to stay one: 128 of a width of 4,096, 256 of 11,008, 1 of layers
// and heads, and of a vocabulary of 50,257.
std::int64_t kept_multiple(Field field, std::int64_t value);

// The next multiple up (or down) from where the field is with which the architecture and the input are possible;
// nothing where there is none nearby. `multiple` at least 1.
std::optional<std::int64_t> next_possible(const PointMaker& maker, const Architecture& arch, Field field,
                                          std::int64_t multiple, bool up);

// The architecture with this number; nothing where the field cannot have it.
std::optional<Architecture> with_number(const Architecture& arch, Field field, std::int64_t value);

}  // namespace headcount
