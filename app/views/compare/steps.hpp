// The steps of the waterfall: what the difference is made of, split in one of three ways.
#pragma once

#include <vector>

#include "app/charts/waterfall.hpp"
#include "app/views/compare/sides.hpp"

namespace headcount {

struct CompareStep {
    WaterfallStep step;
    Subject subject;
};

// They sum to the difference. Of both sides, which differ in a number that fits.
std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split);

// Whether what is selected or pointed at is this step's.
bool lights_step(const BothSides& both, const Subject& subject, const Subject& step);

}  // namespace headcount
