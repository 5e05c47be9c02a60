// The boxes of a drawing as SVG: what shaders/box.frag does pixel by pixel, as shapes; and their cells: lines between
// them, the causal triangle, heat maps. Of these only what is inside the document is written, so that it is bounded by
// the document's pixels and not by the matrix.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/canvas/svg/svg.hpp"
#include "core/base/svg_text.hpp"

namespace headcount::svg {
namespace {

constexpr double stairs_from = 1.5;  // pixels: smaller cells have a straight diagonal

// One axis of a box, in the document: pixel `begin` is `fraction` into the first cell.
struct Axis {
    double begin = 0, end = 0, cell = 1, fraction = 0;

    double at(double index) const { return begin + (index - fraction) * cell; }
    double index(double pixel) const { return fraction + (pixel - begin) / cell; }
    // The cells that are there, the first one's fraction with them. A hair of one more is rounding.
    double count() const { return std::ceil(index(end) - 1e-3); }
};

Axis axis(float begin, float end, float a_pixel, float fraction) {
    return {static_cast<double>(begin), static_cast<double>(end), a_pixel > 0 ? 1 / static_cast<double>(a_pixel) : 1e9,
            static_cast<double>(fraction)};
}

struct Axes {
    Axis across, down;
};

// How clearly lines are seen that are so far apart, 0 to 1.
double clarity_of(double cell) {
    const double t = std::clamp((cell - 3.5) / 3.5, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

Rgba dimmed(Rgba colour, double share) {
    const auto opacity = static_cast<Rgba>(std::lround(alpha(colour) * share));
    return (colour & 0x00FFFFFFU) | opacity << 24U;
}

// Where the lines between cells begin, each a pixel wide. A border is no line between two cells.
std::vector<double> lines_of(const Axis& along, double size) {
    std::vector<double> lines;
    for (double i = std::max(1.0, std::ceil(along.index(-1)));; ++i) {
        const double line = along.at(i);
        if (line >= std::min(along.end - 0.5, size)) return lines;
        if (line - along.begin >= 0.5) lines.push_back(line);
    }
}

std::string grid(const Box& box, const Axes& axes, Point middle) {
    const auto& [across, down] = axes;
    const double seen_across = clarity_of(across.cell), seen_down = clarity_of(down.cell);
    Path path, other;
    if (seen_across > 0)
        for (const double x : lines_of(across, static_cast<double>(2 * middle.x)))
            path.move(x + 0.5, down.begin).down(down.end);
    Path& rows = std::abs(seen_across - seen_down) < 0.02 ? path : other;
    if (seen_down > 0)
        for (const double y : lines_of(down, static_cast<double>(2 * middle.y)))
            rows.move(across.begin, y + 0.5).across(across.end);
    const auto written = [&](const Path& lines, double seen) {
        const Rgba ink = dimmed(box.ink, seen);
        if (lines.empty() || alpha(ink) == 0) return std::string();
        return lines.element(attribute("fill", "none") + paint("stroke", ink));
    };
    return written(path, &rows == &path ? std::max(seen_across, seen_down) : seen_across) + written(other, seen_down);
}

// Columns that the first row sees beyond the first column: the diagonal, from the corner of the box.
double reach_of(const Box& box) {
    return static_cast<double>(std::int64_t{box.first_row} - box.first_column + box.diagonal);
}

// The first column that a row sees, from the corner of the box; of a row's number from there.
double begins(const Box& box, double row) {
    const double window = box.value_columns;
    if (window <= 0) return -1e18;
    if (box.values == 0) return row + reach_of(box) + 1 - window;
    const double from = box.values - 1, token = row + box.first_row + box.diagonal + from;
    return std::floor(token / window) * window - from - box.first_column;
}

// The cells of a window, each row by itself: between its first column and the diagonal.
Path band(const Box& box, const Axes& axes) {
    const auto& [across, down] = axes;
    Path path;
    // Rows that are thinner than a pixel are drawn several at once.
    const double step = std::max(1.0, std::floor(1 / std::max(down.cell, 1e-9)));
    for (double row = std::floor(down.fraction); row < down.count(); row += step) {
        const double left = std::clamp(across.at(begins(box, row)), across.begin, across.end);
        const double right = std::min(across.at(row + reach_of(box) + 1), across.end);
        const double top = std::max(down.at(row), down.begin), bottom = std::min(down.at(row + step), down.end);
        if (right > left && bottom > top) path.move(left, top).across(right).down(bottom).across(left).close();
    }
    return path;
}

// Cells up to the diagonal, cut along cells.
Path stairs(const Box& box, const Axes& axes) {
    const auto& [across, down] = axes;
    Path path;
    double reached = across.begin;
    for (double row = std::floor(down.fraction); row < down.count(); ++row) {
        const double right = std::min(across.at(row + reach_of(box) + 1), across.end);
        if (right <= reached) continue;
        const double top = std::max(down.at(row), down.begin);
        if (path.empty())
            path.move(across.begin, top);
        else
            path.down(top);
        path.across(right);
        reached = right;
    }
    if (!path.empty()) path.down(down.end).across(across.begin).close();
    return path;
}

// The same where cells are too small for steps to be seen: the rectangle up to the line through their middles.
Path slope(const Box& box, const Axes& axes) {
    const auto &across = axes.across, &down = axes.down;
    const std::array<std::array<double, 2>, 4> corners{
        {{across.begin, down.begin}, {across.end, down.begin}, {across.end, down.end}, {across.begin, down.end}}};
    const auto inside = [&](const std::array<double, 2>& point) {
        return down.index(point[1]) + reach_of(box) + 0.5 - across.index(point[0]);
    };
    Path path;
    const auto visit = [&](double x, double y) {
        if (path.empty())
            path.move(x, y);
        else
            path.line(x, y);
    };
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto& from = corners[i];
        const auto& to = corners[(i + 1) % corners.size()];
        const double here = inside(from), there = inside(to), share = here / (here - there);
        if (here >= 0) visit(from[0], from[1]);
        if (here * there < 0) visit(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
    }
    if (!path.empty()) path.close();
    return path;
}

Rgba mixed(Rgba from, Rgba to, double share) {
    Rgba colour = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const double a = from >> shift & 0xFFU, b = to >> shift & 0xFFU;
        colour |= static_cast<Rgba>(std::lround(a + (b - a) * share)) << shift;
    }
    return colour;
}

Rgba heat_colour(const Box& box, float value) {
    if (std::isnan(value)) return box.zero;
    const Rgba end = std::signbit(value) ? box.negative : box.fill;
    if (std::isinf(value)) return end;
    const float share = box.largest > 0 ? std::min(std::abs(value) / box.largest, 1.0F) : value != 0 ? 1.0F : 0.0F;
    return mixed(box.zero, end, static_cast<double>(share));
}

// One rectangle a value; what is no finite number is struck through.
std::string heat(const Box& box, const Drawing& drawing, const Axes& axes) {
    const auto& [across, down] = axes;
    const double columns = across.count(), rows = down.count();
    if (columns * rows > most_svg_values)
        return "<!-- A heat map of more than " + std::to_string(most_svg_values) + " values is left out. -->\n";
    std::string text;
    Path struck;
    for (double row = 0; row < rows; ++row)
        for (double column = 0; column < columns; ++column) {
            const double index = box.values + row * box.value_columns + column;
            const bool known = index < static_cast<double>(drawing.values.size());
            const float value = known ? drawing.values[static_cast<std::size_t>(index)] : NAN;
            const double left = std::max(across.at(column), across.begin), top = std::max(down.at(row), down.begin);
            const double right = std::min(across.at(column + 1), across.end),
                         bottom = std::min(down.at(row + 1), down.end);
            text += rect({left, top, right - left, bottom - top}, 0,
                         paint("fill", heat_colour(box, value)) + attribute("shape-rendering", "crispEdges"));
            if (!std::isfinite(value)) struck.move(left, bottom).line(right, top);
        }
    if (!struck.empty()) text += struck.element(attribute("fill", "none") + paint("stroke", box.ink));
    return text;
}

// The cells of its pattern that lie within its border.
std::string cells(const Box& box, const Drawing& drawing, Point middle) {
    if (box.pattern == CellPattern::none) return {};
    const Axes axes{axis(box.min_x + middle.x, box.max_x + middle.x, box.columns_a_pixel, box.column_fraction),
                    axis(box.min_y + middle.y, box.max_y + middle.y, box.rows_a_pixel, box.row_fraction)};
    std::string text;
    if (box.pattern == CellPattern::causal && alpha(box.fill) > 0) {
        const bool stepped = std::min(axes.across.cell, axes.down.cell) >= stairs_from;
        const bool windowed = box.value_columns > 0;
        const Path past = windowed ? band(box, axes) : stepped ? stairs(box, axes) : slope(box, axes);
        if (!past.empty()) text += past.element(paint("fill", box.fill));
    }
    if (box.pattern == CellPattern::heat) text += heat(box, drawing, axes);
    if (alpha(box.ink) > 0) text += grid(box, axes, middle);
    return text;
}

bool opaque(Rgba colour) { return alpha(colour) == 0xFF; }

std::string stroke(const Box& box) {
    return paint("stroke", box.edge) +
           (box.edge_width == 1 ? "" : attribute("stroke-width", static_cast<double>(box.edge_width)));
}

// The line along the middle of the edge, which lies inside the rectangle.
struct Border {
    Extent line;
    double radius = 0;
};

Border border_of(const Extent& outer, const Box& box, double radius) {
    const auto width = static_cast<double>(box.edge_width);
    return {{outer.x + width / 2, outer.y + width / 2, outer.width - width, outer.height - width},
            std::max(radius - width / 2, 0.0)};
}

// Each corner is a dash of its own; between two of them each side has a whole number of dashes and gaps.
std::string dashed_border(const Extent& outer, const Box& box, double radius) {
    const auto [line, round] = border_of(outer, box, radius);
    const double left = line.x, top = line.y, right = line.x + line.width, bottom = line.y + line.height;
    const auto dash = static_cast<double>(box.dash);
    const double corner = std::max(radius, dash / 2), half = static_cast<double>(box.edge_width) / 2;
    const double across = outer.width - 2 * corner, down = outer.height - 2 * corner;
    const std::string look = attribute("fill", "none") + stroke(box);
    if (across <= 0 || down <= 0) return rect(line, round, look);
    const double reach = corner - half;  // from the corner along the line
    Path corners;
    corners.move(left, top + reach).down(top + round).corner(round, left + round, top).across(left + reach);
    corners.move(right - reach, top).across(right - round).corner(round, right, top + round).down(top + reach);
    corners.move(right, bottom - reach).down(bottom - round).corner(round, right - round, bottom);
    corners.across(right - reach);
    corners.move(left + reach, bottom).across(left + round).corner(round, left, bottom - round).down(bottom - reach);
    const auto sides = [&](double length, const Path& path) {
        const double period = length / (std::max(std::round(length / dash / 2 - 0.5), 0.0) + 0.5);
        return path.element(look + attribute("stroke-dasharray", period / 2) +
                            attribute("stroke-dashoffset", period / 2));
    };
    Path lying, standing;
    lying.move(left + reach, top).across(right - reach).move(left + reach, bottom).across(right - reach);
    standing.move(left, top + reach).down(bottom - reach).move(right, top + reach).down(bottom - reach);
    return corners.element(look) + sides(across, lying) + sides(down, standing);
}

std::string tab(const Extent& outer, const Box& box, double radius) {
    const double right = outer.x + std::min(static_cast<double>(box.tab_width), outer.width);
    const double bottom = outer.y + outer.height, round = std::min(radius, right - outer.x);
    Path path;
    path.move(right, outer.y).down(bottom).across(outer.x + round);
    if (round > 0) path.corner(round, outer.x, bottom - round);
    path.down(outer.y + round);
    if (round > 0) path.corner(round, outer.x + round, outer.y);
    return path.close().element(paint("fill", box.tab));
}

}  // namespace

std::string box(const Box& box, const Drawing& drawing, Point middle) {
    const Extent outer{static_cast<double>(box.min_x + middle.x), static_cast<double>(box.min_y + middle.y),
                       static_cast<double>(box.max_x - box.min_x), static_cast<double>(box.max_y - box.min_y)};
    if (outer.width <= 0 || outer.height <= 0) return {};
    const double least = std::min(outer.width, outer.height);
    const double radius = std::min(static_cast<double>(box.radius), least / 2);
    const bool edged = box.edge_width > 0 && alpha(box.edge) > 0;
    const std::string inside = cells(box, drawing, middle);
    const bool filled = alpha(box.fill) > 0 && box.pattern != CellPattern::causal && box.pattern != CellPattern::heat;
    std::string text;
    if (edged && least <= static_cast<double>(2 * box.edge_width)) {
        // Nothing but edge.
        if (filled && !opaque(box.edge)) text += rect(outer, radius, paint("fill", box.fill));
        text += rect(outer, radius, paint("fill", box.edge));
    } else {
        // One element where fill under the inner half of the edge cannot be seen, and nothing lies between the two.
        const bool together = edged && box.dash <= 0 && inside.empty() && (opaque(box.edge) || !filled);
        const auto [line, round] = border_of(outer, box, radius);
        if (filled && !together) text += rect(outer, radius, paint("fill", box.fill));
        text += inside;
        if (edged && box.dash > 0)
            text += dashed_border(outer, box, radius);
        else if (edged)
            text += rect(line, round, paint("fill", together && filled ? box.fill : 0) + stroke(box));
    }
    if (box.tab_width > 0 && alpha(box.tab) > 0) text += tab(outer, box, radius);
    return text;
}

}  // namespace headcount::svg
