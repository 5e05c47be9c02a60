// Which values the sliders of the architecture reach: ranges that span decades, and in them values that fit together.
#pragma once

#include <vector>

#include "app/ui/slider_scale.hpp"
#include "core/arch/fields.hpp"

namespace headcount {

// The range of a numeric field. Dragging reaches round values that keep the other fields as they are: heads that divide
// the width, key/value heads that divide the heads, widths that the heads divide; and the base's own value, if it fits.
// `allowed` is filled with them (or cleared, where every step will do) and must outlive the scale. Without `listed` it
// stays empty: a slider that nobody moves needs the range alone.
SliderScale slider_range(const Architecture& arch, const Architecture& base, Field field,
                         std::vector<std::int64_t>& allowed, bool listed = true);

// Tokens of one pass: round numbers, decimal and binary.
SliderScale token_range(std::vector<std::int64_t>& allowed, bool listed = true);

}  // namespace headcount
