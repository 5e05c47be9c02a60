// A waterfall: from one total to another, step by step, each drawn where the one before ended.
#pragma once

#include "app/charts/axis.hpp"

namespace headcount {

struct WaterfallStep {
    std::string label;    // "Feed-forward"
    std::string formula;  // below it, small, with scripts: "3 · L · d · Δd_ff"; or words, see `words`
    double change = 0;
    std::string text;    // "+1,308,622,848"
    std::string second;  // below it, small: "3 × 32 × 4096 × 3328"; empty: none
    ImU32 colour = 0;    // also of the swatch
    bool words = false;  // the line below is words: "no change"
    bool selected = false, lit = false;
    ChartNote note = {};
    std::string name = {};  // recorded as `<chart>.<this>`; empty: by index
};

struct Waterfall {
    std::string title;
    std::string from_label, to_label;  // "Llama 2 7B", "Llama 3 8B"
    double from = 0, to = 0;
    std::string from_text, to_text;  // "6,738,415,616"
    std::string about = {};          // the key of what these are about: see app/ui/veil.hpp
    std::span<const WaterfallStep> steps;
    float row_height = 50, total_height = 50;  // unscaled
};

// As data, in values: where each bar begins and ends, and the axis, which is broken (does not begin at 0) where the
// steps would be too small to be seen beside the totals.
struct WaterfallBar {
    double from = 0, to = 0;  // to < from: it gets less
};
struct WaterfallPlan {
    Axis axis;
    bool broken = false;
    std::vector<WaterfallBar> steps;  // the last ends at `to` if the changes sum to the difference
};
WaterfallPlan waterfall_plan(double from, double to, std::span<const double> changes);

// At the cursor, at the available width; indices are of steps.
ChartResult waterfall(const Ui& ui, std::string_view name, const Waterfall& chart);

}  // namespace headcount
