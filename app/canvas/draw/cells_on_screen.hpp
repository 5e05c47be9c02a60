// The cells of a matrix that are on the screen, and which of them are numbered.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace headcount {

// The stretch of cells that is on the screen.
struct Stretch {
    std::int64_t first = 0, end = 0;
    double size = 0, begin = 0;  // of a cell, and where the first of all begins, in pixels of the screen

    double at(std::int64_t cell) const { return begin + static_cast<double>(cell) * size; }
};

inline Stretch stretch(double begin, double end, std::int64_t count, double from, double to) {
    Stretch cells{.size = (end - begin) / static_cast<double>(count), .begin = begin};
    const auto cell = [&](double position) {
        return static_cast<std::int64_t>(
            std::clamp(std::floor((position - begin) / cells.size), 0.0, static_cast<double>(count)));
    };
    cells.first = cell(from);
    cells.end = std::min(count, cell(to) + 1);
    return cells;
}

// 1, 2, 5, 10, ...: the least number of cells that are `apart` pixels long together.
inline std::int64_t step_of(double size, double apart) {
    std::int64_t decade = 1;
    for (; static_cast<double>(decade) * size * 10 < apart; decade *= 10) continue;
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}})
        if (static_cast<double>(decade * step) * size >= apart) return decade * step;
    return decade * 10;
}

inline constexpr double least_numbered = 13;  // pixels: smaller cells have no numbers but on a ruler

// The cells of a stretch that are numbered: where each is large enough, or along a ruler.
inline std::vector<std::int64_t> numbered(const Stretch& cells, std::int64_t count, float apart, bool ruler) {
    std::vector<std::int64_t> chosen;
    if ((!ruler && cells.size < least_numbered) || count < 2) return chosen;
    const std::int64_t step = step_of(cells.size, static_cast<double>(apart));
    for (std::int64_t i = (cells.first + step - 1) / step * step; i < cells.end; i += step) chosen.push_back(i);
    return chosen;
}

}  // namespace headcount
