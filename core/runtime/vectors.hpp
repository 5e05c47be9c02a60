// Vectors as wide as each instruction set has them, for files that are compiled once for each set: those that define
// HWY_TARGET_INCLUDE as themselves, and include this before anything else of Highway.
#pragma once

// Vectors whose size is not known when they are compiled cannot stand in arrays, and the tiles of a product are arrays;
// what the other sets would bring over those that stay is little.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
