// The value of one number of an architecture that brings its total nearest to a wish.
#pragma once

#include <cstdint>
#include <vector>

#include "core/arch/fields.hpp"

namespace headcount {

struct Wish {
    Field field;
    std::int64_t total = 1;
    std::int64_t multiple = 1;  // of which the value is to be one
    std::size_t answers = 5;    // at most so many
};

struct Answer {
    std::int64_t value;
    std::int64_t total;

    bool operator==(const Answer&) const = default;
};

// Possible values, the nearest total first; of two that are as near, the smaller value. No possible value between two
// answers comes nearer than both. Fails for a field that is no number, and for one on which the total does not depend.
Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish);

}  // namespace headcount
