// A box of the drawing as SVG: what shaders/box.frag does pixel by pixel, as shapes.
#include <algorithm>
#include <cmath>

#include "app/canvas/svg/boxes.hpp"

namespace headcount::svg {
namespace {

bool opaque(Rgba colour) {
    return alpha(colour) == 0xFF;
}

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
