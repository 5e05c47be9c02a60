// The steps of the waterfall: what the difference is made of, split in one of three ways.
#pragma once

#include <vector>

#include "app/charts/waterfall.hpp"
#include "app/panels/compare_sides.hpp"

namespace headcount {

struct CompareStep {
    WaterfallStep step;
    Subject subject;
};

// They sum to the difference. Of both sides, which differ in a number that fits.
std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split);

}  // namespace headcount
