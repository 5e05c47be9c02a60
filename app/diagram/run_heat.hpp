// The colours of a run's numbers, and how large what is looked at is. Negative is slate, positive the hue of the block,
// zero almost the paper.
#pragma once

#include "app/state/run/snapshot.hpp"
#include "app/ui/theme.hpp"

namespace headcount {

// What magnitudes are raised to before they are drawn: small ones are most of what there is, and are told apart too.
inline constexpr float heat_power = 0.7F;

// `limit` > 0 is where the colour is at its strongest. What is no number is the colour of an error.
ImU32 heat_of(const Theme& theme, ImU32 hue, float value, float limit);

// A share from 0 to 1 of attention.
ImU32 attention_heat(const Theme& theme, float share);

// The greatest magnitude in a matrix; 0 where there is none.
float heat_limit(const MatrixView& matrix);

// What takes the place of what is masked, or was never computed.
ImU32 no_heat(const Theme& theme);

}  // namespace headcount
