// Where a value stands on a slider and which value a place on it means. Arithmetic only, no drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headcount {

struct SliderScale {
    std::int64_t minimum = 0, maximum = 1;
    bool logarithmic = false;
    std::int64_t step = 1;                       // values are multiples of this
    std::span<const std::int64_t> allowed = {};  // ascending; where given, only these are reached by dragging
};

// 0 at the minimum, 1 at the maximum; clamped, so a typed value beyond the range sits at the end.
float position_of(const SliderScale& scale, std::int64_t value);

// The nearest value that the slider may take; never outside the range.
std::int64_t value_at(const SliderScale& scale, float position);

// The next value in a direction (-1 or +1), `steps` at a time. It need not be on the grid to begin with.
std::int64_t stepped(const SliderScale& scale, std::int64_t value, int direction, int steps);

// A whole number as a person types it, its thousands grouped (by comma, space, underscore, apostrophe) or not:
// "11,008". Nothing where it is none, is grouped otherwise, or does not fit 64 bits.
std::optional<std::int64_t> typed_number(std::string_view text);

}  // namespace headcount
