// Horizontal bars from a zero line, to the right for more and to the left for less; the value at the right.
#pragma once

#include "app/charts/chart.hpp"

namespace headcount {

struct Bar {
    std::string label;
    double value = 0;
    std::string text;         // "+1,308,622,848": at the right
    ImU32 colour = 0;         // 0: the theme's neutral
    ChartNote note = {};      // beside the pointer
    std::string name = {};    // recorded as `<chart>.<this>`; empty: by index
    std::string symbol = {};  // behind the label, low, with scripts: "h_kv"
    bool selected = false, lit = false, faded = false;
};

struct BarChart {
    std::string title;  // of the file and its columns
    std::span<const Bar> bars;
    float row_height = 28;              // unscaled
    std::string value_title = "value";  // of the column in CSV
};

// Of each bar: from where to where, in pixels of a width; from <= to.
struct BarSpan {
    float from = 0, to = 0;
};
// All positive: from 0 on. A value that is not 0 is at least one pixel wide. `zero` gets where the zero line is.
std::vector<BarSpan> bar_spans(std::span<const Bar> bars, float width, float* zero = nullptr);

// At the cursor, at the available width.
ChartResult bar_chart(const Ui& ui, std::string_view name, const BarChart& chart);

}  // namespace headcount
