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

// The largest multiple that a published model's rule rounds to (Llama 2 70B and Llama 3 70B): far beyond it the rule
// would round all widths to one.
inline constexpr std::int64_t largest_rounding = 4096;

// Possible values, the nearest total first; of two that are as near, the smaller value. No possible value between two
// answers comes nearer than both; multiples that a feed-forward's rule rounds to are tried up to `largest_rounding`.
// Fails for a field that is no number, for one on which the total does not depend, and where no total fits in 64 bits.
Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish);

}  // namespace headcount
