// Cells in the colours of their numbers, mixed as shaders/box.frag does: those of a matrix that are seen, as one box.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/canvas/draw/page_view.hpp"

namespace headcount {
namespace {

constexpr float least_cell = 2;         // pixels: of smaller cells several are drawn as one
constexpr std::int64_t most_tried = 4;  // of these along each side, evenly apart

// Relative luminance of the Web Content Accessibility Guidelines 2.1.
double luminance(const std::array<float, 3>& colour) {
    const auto linear = [](float part) {
        const auto share = static_cast<double>(part) / 255;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

std::array<float, 3> parts_of(Rgba colour) {
    return {static_cast<float>(colour & 0xFFU), static_cast<float>(colour >> 8U & 0xFFU),
            static_cast<float>(colour >> 16U & 0xFFU)};
}

}  // namespace

float heat_strength(float value, float largest) {
    if (!std::isfinite(value)) return value;
    // Small magnitudes are most of what there is: they are told apart too.
    return largest > 0 ? std::copysign(std::pow(std::min(1.0F, std::abs(value) / largest), 0.7F), value) : 0;
}

std::optional<CellNumbers> shown_numbers(const PageView& view, const Slab& slab) {
    // A cut one shows all of its numbers in the room that it has: its cells are not to scale.
    const bool cells = slab.rows > 0 && slab.columns > 0 && slab.grid_columns == 0;
    const bool drawn = view.looks.numbers && cells && view.clarity(slab.door) >= clear_enough && view.flat();
    if (!drawn) return std::nullopt;
    std::optional<CellNumbers> numbers = view.looks.numbers(slab.id, view.seen.leaf.copy);
    return numbers && numbers->at ? std::move(numbers) : std::nullopt;
}

Rgba ink_on_heat(const Palette& palette, Part part, float strength) {
    const Palette::Hue& hue = palette.parts[static_cast<std::size_t>(part)];
    const Rgba end = strength < 0 ? hue.negative : hue.fill;
    std::array<float, 3> cell = parts_of(palette.zero);
    const std::array<float, 3> full = parts_of(end);
    const float share = std::isfinite(strength) ? std::abs(strength) : 0;
    for (std::size_t i = 0; i < cell.size(); ++i) cell[i] += (full[i] - cell[i]) * share;
    const double below = luminance(cell) + 0.05;
    const auto contrast = [&](Rgba ink) {
        const double own = luminance(parts_of(ink)) + 0.05;
        return std::max(own, below) / std::min(own, below);
    };
    return contrast(palette.ground) > contrast(palette.text_high) ? palette.ground : palette.text_high;
}

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

// So many cells along a side are drawn as one.
std::int64_t drawn_as_one(float cell) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(least_cell / std::max(cell, 1e-6F))));
}

// Of cells that are drawn as one the number that is farthest from 0, among those that are tried.
float strongest(const Slab& slab, const CellNumbers& numbers, std::int64_t copy, CellRange down, CellRange across) {
    const auto step = [](const CellRange& range) { return (range.end - range.first + most_tried - 1) / most_tried; };
    float most = 0;
    for (std::int64_t i = down.first; i < down.end; i += step(down))
        for (std::int64_t j = across.first; j < across.end; j += step(across)) {
            const auto [row, column] = cell_in(slab, copy, i, j);
            if (!slab.sees(row, column) || !numbers.has(row, column)) continue;
            const float value = numbers.at(row, column);
            if (!std::isfinite(value)) return value;
            if (std::abs(value) > std::abs(most)) most = value;
        }
    return most;
}

}  // namespace

bool draw_numbers(const Brush& brush, const Slab& slab, const Rect& rect) {
    const std::optional<CellNumbers> numbers = shown_numbers(brush.view, slab);
    if (numbers) draw_heat(brush, slab, rect, *numbers, brush.view.copy_of(slab));
    return numbers.has_value();
}

void draw_heat(const Brush& brush, const Slab& slab, const Rect& rect, const CellNumbers& numbers, std::int64_t copy) {
    const float wide = rect.width() / static_cast<float>(slab.columns),
                high = rect.height() / static_cast<float>(slab.rows);
    const Cell first = first_cell(slab, copy);
    CellRange across = range_of(rect.min.x, wide, slab.columns, brush.sight.min.x, brush.sight.max.x),
              down = range_of(rect.min.y, high, slab.rows, brush.sight.min.y, brush.sight.max.y);
    // Where the run has fewer tokens than the picture.
    const std::int64_t rows = numbers.rows - first.row, columns = numbers.columns - first.column;
    across.end = std::min(across.end, slab.transposed ? rows : columns);
    down.end = std::min(down.end, slab.transposed ? columns : rows);
    // From whole groups on, so that none is another while one moves.
    std::int64_t columns_in_one = drawn_as_one(wide), rows_in_one = drawn_as_one(high);
    const auto groups = [](const CellRange& range, std::int64_t in_one) {
        return range.end <= range.first ? 0 : (range.end - 1) / in_one - range.first / in_one + 1;
    };
    while (groups(across, columns_in_one) * groups(down, rows_in_one) > most_cells)
        columns_in_one *= 2, rows_in_one *= 2;
    const std::int64_t width = groups(across, columns_in_one), height = groups(down, rows_in_one);
    if (width <= 0 || height <= 0) return;
    across.first -= across.first % columns_in_one;
    down.first -= down.first % rows_in_one;
    Box box{.bottom = brush.view.height(slab), .top = brush.view.height(slab)};
    box.fill = brush.hue(slab.part).fill;
    box.zero = brush.palette.zero;
    box.negative = brush.hue(slab.part).negative;
    box.ink = faded(brush.palette.ground, 0.6F);
    box.pattern = CellPattern::heat;
    box.columns_a_pixel = 1 / (wide * static_cast<float>(columns_in_one));
    box.rows_a_pixel = 1 / (high * static_cast<float>(rows_in_one));
    box.values = static_cast<std::uint32_t>(brush.drawing.values.size());
    box.value_columns = static_cast<std::int32_t>(width);
    box.largest = 1;
    for (std::int64_t i = down.first; i < down.end; i += rows_in_one)
        for (std::int64_t j = across.first; j < across.end; j += columns_in_one) {
            const float value = strongest(slab, numbers, copy, {i, std::min(down.end, i + rows_in_one)},
                                          {j, std::min(across.end, j + columns_in_one)});
            brush.drawing.values.push_back(heat_strength(value, numbers.largest));
        }
    box.min_x = rect.min.x + static_cast<float>(across.first) * wide;
    box.min_y = rect.min.y + static_cast<float>(down.first) * high;
    box.max_x = rect.min.x + static_cast<float>(across.end) * wide;
    box.max_y = rect.min.y + static_cast<float>(down.end) * high;
    brush.drawing.add(box);
}

}  // namespace headcount
