// The colours of a run's numbers. Negative is blue, positive the hue of the block, zero almost the paper.
#pragma once

#include "app/ui/theme.hpp"

namespace headcount {

// `limit` > 0 is where the colour is at its strongest. What is no number is the colour of an error.
ImU32 heat_of(const Theme& theme, ImU32 hue, float value, float limit);

// A share from 0 to 1 of attention.
ImU32 attention_heat(const Theme& theme, float share);

// What takes the place of what is masked, or was never computed.
ImU32 no_heat(const Theme& theme);

}  // namespace headcount
