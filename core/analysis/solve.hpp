// The values of a few numbers of an architecture that bring its size nearest to a wish and keep to conditions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/goal.hpp"
#include "core/analysis/measured.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/pass.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/input.hpp"

namespace headcount {

struct Freed {
    Field field;
    std::int64_t multiple = 1;              // of which the value is to be one
    std::vector<std::int64_t> listed = {};  // then it takes one of these
    bool follows = false;                   // it goes along with another: nothing need hang on it

    bool operator==(const Freed&) const = default;
};
inline constexpr std::size_t most_freed = 4;

struct Wish {
    std::vector<Freed> free;       // one to most_freed
    Metric held = Metric::total;   // a total is to be met as nearly as can be; a budget of anything else may not be
                                   // exceeded
    std::int64_t amount = 1;       // parameters, bytes or floating-point operations; at least 1
    Input input = {.tokens = 1};   // of memory and arithmetic
    PassOptions pass;              // likewise
    std::size_t answers = 5;       // at most so many
    std::vector<Goal> goals = {};  // what else must hold
    std::shared_ptr<const Reached> reached = {};  // for likely times
    std::vector<Metric> shown = {};               // worked out of each answer besides
    bool friendly = false;                        // heads of 64, 96, 128 or 256 columns, or of as many as the model has
};

struct Answer {
    std::vector<std::int64_t> values;  // of the fields that are free, in their order
    std::int64_t amount = 0;           // of what is held
    Totals parameters = {};
    std::vector<double> figures = {};  // of the wish's goals and of what else is shown, in their order

    bool operator==(const Answer&) const = default;
};

// The largest multiple that a published model's rule rounds to (Llama 2 70B and Llama 3 70B): far beyond it the rule
// would round all widths to one.
inline constexpr std::int64_t largest_rounding = 4096;

// Of which a width is to be a multiple in a shape that hardware likes: 128, or more where it is now.
std::int64_t friendly_multiple(Field field, std::int64_t value);

// What is free where a person frees these fields: multiples are kept. In a shape that hardware likes, where the size of
// heads is the width by their number, heads go along with the width; keys and values have as many heads as one of
// `siblings` has, or as the model has.
std::vector<Freed> freed(const Architecture& arch, std::span<const Field> fields, bool friendly,
                         std::span<const Architecture> siblings);

// Why the best answer is none: a total so small that the nearest possible is more than twice as much.
std::optional<Error> too_small(const Wish& wish, const Answer& best);

// Possible values that keep all conditions. With one field free the nearest amount comes first, of two that are as near
// the smaller values; no possible value between two answers comes nearer than both; multiples that a feed-forward's
// rule rounds to are tried up to `largest_rounding`. With more, a hundredth off the wish weighs as much as a tenth of
// change, so that small changes come first; each answer has another value of some field with those of the others that
// suit it best. Where figures are shown besides, only what is within a hundredth of the wish is an answer. They are
// looked for from what the fields are outwards, up to an eighth and eight times of that, and no step of one field alone
// makes the first answer better. Fails for a field that is no number, for one on which the amount does not depend,
// where no amount fits in 64 bits, and where the conditions are met by nothing: the error names the nearest that is
// possible.
Result<std::vector<Answer>> solve(const Architecture& arch, const Wish& wish);

// Those that no other beats: each other has less of one of these figures (or more of one that should be small), or as
// much of both. Both are places in Answer::figures. In the order of the first figure.
std::vector<std::size_t> front_of(const Wish& wish, std::span<const Answer> answers, std::size_t x, std::size_t y);
// What a place in Answer::figures has.
Metric metric_at(const Wish& wish, std::size_t place);

}  // namespace headcount
