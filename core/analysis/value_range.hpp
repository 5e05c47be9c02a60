// The values that one number of an architecture takes in a sweep.
#pragma once

#include <cstdint>

#include "core/arch/fields.hpp"

namespace headcount {

// The values from, from + step, ... up to `to`.
struct ValueRange {
    Field field;
    std::int64_t from = 1, to = 1, step = 1;

    bool operator==(const ValueRange&) const = default;
};

}  // namespace headcount
