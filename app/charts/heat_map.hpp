// A grid of cells coloured by value, with a scale beside it and lines of equal values over it; a cell without a value
// is left empty.
#pragma once

#include <functional>

#include "app/charts/axis.hpp"

namespace headcount {

struct HeatMap {
    std::string title;
    std::span<const std::string> columns, rows;     // labels; row 0 at the bottom
    std::span<const std::optional<double>> values;  // rows.size() * columns.size(), row by row
    std::string x_title, y_title, value_title;
    AxisUnit unit = AxisUnit::count;
    bool lines = false;                              // of equal values, at round ones, with what they are
    std::span<const std::optional<double>> of = {};  // what the scale spans where this is one of several maps
    float height = 320;                              // unscaled
    std::optional<int> marked = {};                  // a cell: where the model is now
    std::optional<int> selected = {};                // another one
    std::function<ChartNote(int)> note = {};         // of a cell, when it is pointed at
};

// From 0 (least) to 1 (greatest) for each cell that has a value; all 0.5 where they are equal.
// Of several maps with one scale, `of` has all their values.
std::vector<std::optional<double>> heat_shares(std::span<const std::optional<double>> values,
                                               std::span<const std::optional<double>> of = {});

// A share as a colour over the theme's canvas: its contrast grows with it.
ImU32 heat_colour(const Theme& theme, ImU32 hue, double share);

// At the cursor, at the available width; indices are row * columns + column.
ChartResult heat_map(const Ui& ui, std::string_view name, const HeatMap& chart);

}  // namespace headcount
