// Bars made of segments, one below the other at one scale, against a mark: memory against a device's capacity.
#pragma once

#include "app/charts/axis.hpp"

namespace headcount {

struct StackSegment {
    double value = 0;  // bytes
    ImU32 colour = 0;
    int bar = 0;  // index into StackedBars::bars
    std::string label;
    std::string text;       // "12.55 GiB"
    ChartNote note = {};    // beside the pointer
    std::string name = {};  // recorded as `<chart>.<this>`; empty: by index
    bool selected = false, lit = false;
};

struct StackBar {
    std::string label;  // above the bar; empty: none
    std::string text;   // the whole, at the right of the label: "14.96 GiB"
};

struct StackedBars {
    std::string title;
    std::span<const StackBar> bars;
    std::span<const StackSegment> segments;  // a bar's in their order
    double capacity = 0;                     // 0: no mark
    std::string capacity_text;               // "24 GiB": beside the mark
    float bar_height = 20;                   // unscaled
};

struct StackSpan {
    float from = 0, to = 0;  // pixels of the width
};
// One for each segment. The scale holds the longest bar and the capacity; a segment that is not 0 is at least one
// pixel wide, and none overlaps another.
std::vector<StackSpan> stack_spans(const StackedBars& chart, float width);
double stack_scale(const StackedBars& chart);  // the value at the right end

// At the cursor, at the available width; indices are of segments.
ChartResult stacked_bars(const Ui& ui, std::string_view name, const StackedBars& chart);

}  // namespace headcount
