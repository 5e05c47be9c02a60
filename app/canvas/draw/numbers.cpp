// Cells in the colours of their numbers: those of a matrix that are seen, as one box.
#include <algorithm>
#include <cmath>

#include "app/canvas/draw/brush.hpp"
#include "app/canvas/draw/heat.hpp"

namespace headcount {
namespace {

constexpr std::int64_t most_cells = 60'000;

// The cells along a side that are in sight.
struct CellRange {
    std::int64_t first = 0, end = 0;
};
CellRange range_of(float begin, float cell, std::int64_t count, float least, float most) {
    const auto index = [&](float at) {
        return static_cast<std::int64_t>(std::clamp(std::floor((at - begin) / cell), 0.0F, static_cast<float>(count)));
    };
    return {index(least), std::min(count, index(most) + 1)};
}

}  // namespace

void draw_numbers(Brush& brush, const Slab& slab, const Rect& rect) {
    const std::optional<CellNumbers> numbers = shown_numbers(brush.view, slab);
    if (!numbers) return;
    const float wide = rect.width() / static_cast<float>(slab.columns),
                high = rect.height() / static_cast<float>(slab.rows);
    const FirstCell first = first_cell(slab, brush.view.copy_of(slab));
    CellRange across = range_of(rect.min.x, wide, slab.columns, brush.sight.min.x, brush.sight.max.x),
              down = range_of(rect.min.y, high, slab.rows, brush.sight.min.y, brush.sight.max.y);
    // Where the run has fewer tokens than the picture.
    const std::int64_t rows = numbers->rows - first.row, columns = numbers->columns - first.column;
    across.end = std::min(across.end, slab.transposed ? rows : columns);
    down.end = std::min(down.end, slab.transposed ? columns : rows);
    const std::int64_t width = across.end - across.first, height = down.end - down.first;
    if (width <= 0 || height <= 0 || width * height > most_cells) return;
    Box box{.bottom = brush.view.height(slab), .top = brush.view.height(slab)};
    box.fill = brush.hue(slab.part).fill;
    box.zero = brush.palette.zero;
    box.negative = brush.palette.negative;
    box.ink = faded(brush.palette.ground, 0.6F);
    box.pattern = CellPattern::heat;
    box.columns_a_pixel = 1 / wide;
    box.rows_a_pixel = 1 / high;
    box.values = static_cast<std::uint32_t>(brush.drawing.values.size());
    box.value_columns = static_cast<std::int32_t>(width);
    box.largest = 1;
    for (std::int64_t i = down.first; i < down.end; ++i)
        for (std::int64_t j = across.first; j < across.end; ++j) {
            const std::int64_t row = first.row + (slab.transposed ? j : i),
                               column = first.column + (slab.transposed ? i : j);
            const bool future = slab.causal && column > row + std::max<std::int64_t>(0, slab.columns - slab.rows);
            brush.drawing.values.push_back(future ? 0 : heat_strength(numbers->at(row, column), numbers->largest));
        }
    box.min_x = rect.min.x + static_cast<float>(across.first) * wide;
    box.min_y = rect.min.y + static_cast<float>(down.first) * high;
    box.max_x = rect.min.x + static_cast<float>(across.end) * wide;
    box.max_y = rect.min.y + static_cast<float>(down.end) * high;
    brush.drawing.add(box);
}

}  // namespace headcount
