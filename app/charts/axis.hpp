// Axes as data: ticks at 1, 2, 5 times powers of ten (or of two, for bytes), their labels, which of them fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/charts/chart.hpp"

namespace headcount {

enum class AxisUnit { plain, count, bytes, flop, seconds, percent };  // 4096; 1.5 B; 2 GiB; 3 TFLOP; 2 ms; 40 %

struct Axis {
    double from = 0, to = 1;  // from < to; both above 0 where logarithmic
    bool logarithmic = false;
    AxisUnit unit = AxisUnit::count;
    std::string title = {};
    bool given = false;  // what varies, as it was asked for: beside a hidden number it tells nothing

    // 0 at `from`, 1 at `to`; beyond for what lies outside.
    double position(double value) const;
    bool operator==(const Axis&) const = default;
};

// An axis that holds all values with a little room at both ends; linear ones of positive values that are not narrow
// begin at 0. Values that are not finite (or not above 0, on a logarithmic axis) are passed over.
Axis axis_over(const std::vector<double>& values, bool logarithmic, AxisUnit unit, std::string title = {});

struct Tick {
    double value = 0, position = 0;  // from 0 to 1
    std::string label;               // empty: a small tick without words
};
// Between `from` and `to`, ascending, about `wanted` of them with labels, at least one where there is any round value.
std::vector<Tick> axis_ticks(const Axis& axis, int wanted);

// "6.8 B", "12 GiB", "2 ms": up to four significant digits.
std::string axis_label(double value, AxisUnit unit);

// Ticks for this length in pixels whose labels never touch; `tall`: the axis is upright.
std::vector<Tick> fitting_ticks(const Ui& ui, const Axis& axis, float length, bool tall);

// Draws two axes with grid lines around the area inside: y's labels at the left, x's below.
void draw_axes(const Ui& ui, Pen& pen, const ChartArea& inside, const Axis& x, const Axis& y);

// Where a value lies in the area.
ImVec2 point_of(const ChartArea& inside, const Axis& x, const Axis& y, double at_x, double at_y);

// What charts of points between two axes begin and end with: their room, the axes, a legend of several series below.
struct AxisChart {
    ChartArea area, inside;  // the whole, and the part between the axes
    bool legend = false;
    float foot = 0;  // of `area`, for the legend
};

// At the cursor, at the available width; `height` is unscaled.
AxisChart open_axis_chart(const Ui& ui, const Axis& x, const Axis& y, std::span<const ChartSeries> series,
                          float height);

void draw_axis_legend(const Ui& ui, Pen& pen, const AxisChart& chart, std::span<const ChartSeries> series);

// A title of an axis in CSV.
std::string column_title(const Axis& axis, std::string_view otherwise);

}  // namespace headcount
