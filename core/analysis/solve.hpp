// The values of one or two numbers of an architecture that bring its size nearest to a wish.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/metric.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/pass.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/input.hpp"

namespace headcount {

struct Freed {
    Field field;
    std::int64_t multiple = 1;  // of which the value is to be one
};

// What may not be exceeded, besides what is held.
struct Limit {
    Metric metric;
    std::int64_t amount = 1;
};

struct Wish {
    std::vector<Freed> free;      // one or two
    Metric held = Metric::total;  // a total is to be met as nearly as can be; a budget of anything else may not be
                                  // exceeded
    std::int64_t amount = 1;      // parameters, bytes or floating-point operations; at least 1
    Input input = {.tokens = 1};  // of memory and arithmetic
    PassOptions pass;             // likewise
    std::size_t answers = 5;      // at most so many
    std::vector<Limit> limits = {};
};

struct Answer {
    std::vector<std::int64_t> values;  // of the fields that are free, in their order
    std::int64_t amount = 0;           // of what is held
    Totals parameters;
    std::vector<std::int64_t> limited = {};  // the amounts of the wish's limits, in their order

    bool operator==(const Answer&) const = default;
};

// The largest multiple that a published model's rule rounds to (Llama 2 70B and Llama 3 70B): far beyond it the rule
// would round all widths to one.
inline constexpr std::int64_t largest_rounding = 4096;

// Why the best answer is none: a total so small that the nearest possible is more than twice as much.
std::optional<Error> too_small(const Wish& wish, const Answer& best);

// Possible values, the nearest amount first; of two that are as near, the smaller values. With one field free no
// possible value between two answers comes nearer than both; multiples that a feed-forward's rule rounds to are tried
// up to `largest_rounding`. With two, each answer has another second value with the first that suits it best; they are
// looked for near what the fields are now, further away as long as nothing is within a hundredth of the wish, and no
// step of either field alone makes the first answer better.
// Of several conditions each is looked for by itself, and what is within the others is kept, the nearest to what is
// held first. Fails for a field that is no number, for one on which the amount does not depend, where no amount fits in
// 64 bits, and where a budget is met by nothing: the error names the nearest that is possible.
Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish);

}  // namespace headcount
