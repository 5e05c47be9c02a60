// What charts of points between two axes begin and end with: their room, the axes, a legend of several series below.
#pragma once

#include "app/charts/axis.hpp"

namespace headcount {

struct AxisChart {
    ChartArea area, inside;  // the whole, and the part between the axes
    bool legend = false;
    float foot = 0;  // of `area`, for the legend
};

// At the cursor, at the available width; `height` is unscaled.
AxisChart open_axis_chart(const Ui& ui, const Axis& x, const Axis& y, std::span<const ChartSeries> series, bool legend,
                          float height);

void draw_axis_legend(const Ui& ui, Pen& pen, const AxisChart& chart, std::span<const ChartSeries> series);

// A title of an axis in CSV.
std::string column_title(const Axis& axis, std::string_view otherwise);

}  // namespace headcount
