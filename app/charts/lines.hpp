// Lines between two axes: one for each series, with a mark at each of its points.
#pragma once

#include <functional>

#include "app/charts/axis.hpp"

namespace headcount {

struct LinePoint {
    double x = 0, y = 0;
    int series = 0;  // those of one series in ascending x
    ChartNote note = {};
    bool selected = false;
};

struct LineChart {
    std::string title;
    Axis x, y;
    std::span<const ChartSeries> series;
    std::span<const LinePoint> points;
    float height = 320;                       // unscaled
    bool legend = true;                       // where there are several series
    std::function<ChartNote(int)> note = {};  // of a point, when it is pointed at; absent: its own
    std::optional<double> marked = {};        // an x with a dashed line: where the model is now
};

// At the cursor, at the available width; indices are of points.
ChartResult line_chart(const Ui& ui, std::string_view name, const LineChart& chart);

}  // namespace headcount
