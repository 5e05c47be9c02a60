// What a comparison says: the steps of its waterfall, size, the cache, and a sentence on what that means.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/charts/waterfall.hpp"
#include "app/views/compare/panels.hpp"
#include "core/base/expr.hpp"

namespace headcount {

// One figure of both sides, in bytes; nothing where it does not fit in 64 bits.
struct CompareFigure {
    std::string label, key;
    std::array<std::optional<std::int64_t>, 2> bytes;
    std::array<std::string, 2> symbols, numbers;
};
// Size of the weights, cache of one token, cache of the longest sequence: in the document's precision.
std::array<CompareFigure, 3> compare_figures(const BothSides& both);

// "8 KV heads instead of 32: each serves 4 query heads, so the cache is 4× smaller." Only what follows from both sides.
std::string compare_sentence(const BothSides& both);

// Of A and of B: "12.55 GiB", "14.96 GiB". Where four digits do not tell them apart, B's is the change: "+8.00 KiB".
std::array<std::string, 2> figure_texts(const CompareFigure& figure);

struct CompareStep {
    WaterfallStep step;
    Subject subject;
};

// They sum to the difference. Of both sides, which differ in a number that fits.
std::vector<CompareStep> compare_steps(const Theme& theme, const BothSides& both, CompareSplit split);

// Whether what is selected or pointed at is this step's.
bool lights_step(const BothSides& both, const Subject& subject, const Subject& step);

}  // namespace headcount
