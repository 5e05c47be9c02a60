// How colours look to people who lack a kind of cone, and how far two colours are apart. Palettes are checked with it.
#pragma once

#include "app/ui/colour.hpp"

namespace headcount {

enum class Vision {
    usual,
    protanopia,    // no long-wave (red) cones
    deuteranopia,  // no middle-wave (green) cones
    tritanopia,    // no short-wave (blue) cones
};

// The colour that somebody with that vision sees: the matrices of Machado, Oliveira and Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at full severity, applied to linear
// light. Alpha stays.
ImU32 seen_with(Vision vision, ImU32 colour);

// In CIE L*a*b* under daylight D65.
struct Lab {
    double lightness = 0, a = 0, b = 0;
};
Lab lab_of(ImU32 colour);

// CIEDE2000, as Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula" (2005) write it: about 1 can just be
// seen side by side, 10 is seen at a glance, black and white are 100 apart.
double difference(const Lab& one, const Lab& other);
double difference(ImU32 one, ImU32 other);

}  // namespace headcount
