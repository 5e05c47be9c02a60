// Lines of equal values over a grid, and where their labels stand.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <vector>

#include "app/charts/chart.hpp"

namespace headcount {

// In cells: (0, 0) is the middle of the first one, a whole number the middle of another.
struct Contour {
    double level = 0;
    std::vector<std::vector<ImVec2>> lines;  // each from one end to the other; of a closed one both are the same
};

// One for each level that is met between the middles of cells, where four neighbours have values: marching squares,
// after Lorensen & Cline 1987, between two neighbours in proportion. `values` are rows of so many columns.
std::vector<Contour> contours(std::span<const std::optional<double>> values, std::size_t columns,
                              std::span<const double> levels);

// Where a label of this size stands on the lines, in pixels: inside, over no other box of `taken`, and over no line of
// `others` where there is such a place. Nothing where there is none at all, or the lines are short.
std::optional<ChartArea> label_on(std::span<const std::vector<ImVec2>> lines, ImVec2 size, const ChartArea& inside,
                                  std::span<const ChartArea> taken, std::span<const std::vector<ImVec2>> others);

}  // namespace headcount
