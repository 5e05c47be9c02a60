// Points, their names, and lines.
#include "app/charts/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headcount {
namespace {

constexpr float name_gap = 4;  // unscaled, between a point and its name

bool overlap(ImVec2 a_min, ImVec2 a_max, ImVec2 b_min, ImVec2 b_max) {
    return a_min.x < b_max.x && b_min.x < a_max.x && a_min.y < b_max.y && b_min.y < a_max.y;
}

float distance(ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

// From a rectangle to a point's edge.
float gap_between(ImVec2 min, ImVec2 max, ImVec2 centre, float radius) {
    return distance(centre, {std::clamp(centre.x, min.x, max.x), std::clamp(centre.y, min.y, max.y)}) - radius;
}

bool holds(const ChartArea& area, ImVec2 point) {
    return point.x >= area.min.x && point.x <= area.max.x && point.y >= area.min.y && point.y <= area.max.y;
}

struct Placed {
    std::vector<ImVec2> centres;
    std::vector<float> radii;
    std::vector<PlacedName> names;
};

// Selected ones first, so that their names have the room.
std::vector<std::size_t> by_importance(const ScatterChart& chart) {
    std::vector<std::size_t> order(chart.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return chart.points[i].selected; });
    return order;
}

std::vector<std::vector<ImVec2>> pieces_of(const ScatterChart& chart, const ScatterLine& line,
                                           const ChartArea& inside) {
    std::vector<ImVec2> points;
    for (const auto& [x, y] : line.points) points.push_back(point_of(inside, chart.x, chart.y, x, y));
    return cut_line(points, inside);
}

Placed place_points(const Ui& ui, const ScatterChart& chart, const ChartArea& inside) {
    Placed placed;
    for (const ScatterPoint& point : chart.points) {
        placed.centres.push_back(point_of(inside, chart.x, chart.y, point.x, point.y));
        placed.radii.push_back(ui.px(point.radius + (point.selected ? 1.0F : 0.0F)));
    }
    std::vector<std::vector<ImVec2>> lines;
    for (const ScatterLine& line : chart.lines)
        for (std::vector<ImVec2>& piece : pieces_of(chart, line, inside)) lines.push_back(std::move(piece));
    const std::vector<std::size_t> order = by_importance(chart);
    std::vector<ImVec2> centres, extents;
    std::vector<float> radii;
    for (const std::size_t i : order) {
        const std::string& label = chart.points[i].label;
        centres.push_back(placed.centres[i]);
        radii.push_back(placed.radii[i]);
        const bool named = !label.empty();
        extents.emplace_back(named ? text_width(ui.fonts.caption, label) : 0, named ? ui.px(14) : 0);
    }
    placed.names = place_names(centres, radii, extents, inside, ui.px(name_gap), lines);
    for (PlacedName& name : placed.names) name.point = static_cast<int>(order[static_cast<std::size_t>(name.point)]);
    return placed;
}

void draw_points(const Ui& ui, Pen& pen, const ScatterChart& chart, const Placed& placed, const ChartArea& inside,
                 std::optional<int> hovered) {
    const auto draw = [&](std::size_t i) {
        const ScatterPoint& point = chart.points[i];
        if (!holds(inside, placed.centres[i])) return;
        const auto series = static_cast<std::size_t>(point.series);
        const ImU32 colour = series < chart.series.size() ? chart.series[series].colour : ui.theme.text_mid;
        const bool lit = point.lit || hovered == static_cast<int>(i);
        pen.circle(placed.centres[i], placed.radii[i], colour);
        if (point.selected || lit)
            pen.ring(placed.centres[i], placed.radii[i] + ui.px(2), ui.theme.selection, ui.px(1.5F));
    };
    for (std::size_t i = 0; i < chart.points.size(); ++i)
        if (!chart.points[i].selected) draw(i);
    for (std::size_t i = 0; i < chart.points.size(); ++i)
        if (chart.points[i].selected) draw(i);
    for (const PlacedName& name : placed.names) {
        const ScatterPoint& point = chart.points[static_cast<std::size_t>(name.point)];
        pen.text_in(ui.fonts.caption, name.min, {name.max.x + 1, name.max.y},
                    point.selected ? ui.theme.text_high : ui.theme.text_mid, point.label);
    }
}

void draw_marks(const Ui& ui, Pen& pen, const LineChart& chart, std::span<const ImVec2> centres,
                std::optional<int> hovered) {
    // Of very many the line says enough.
    const bool marks = chart.points.size() <= 80;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const LinePoint& point = chart.points[i];
        const bool lit = hovered == static_cast<int>(i);
        if (marks || lit || point.selected)
            pen.circle(centres[i], ui.px(lit || point.selected ? 4.5F : 3.0F), ui.theme.text_mid);
        if (lit || point.selected) pen.ring(centres[i], ui.px(6.5F), ui.theme.selection, ui.px(1.5F));
    }
}

}  // namespace

std::vector<PlacedName> place_names(std::span<const ImVec2> centres, std::span<const float> radii,
                                    std::span<const ImVec2> extents, const ChartArea& inside, float gap,
                                    std::span<const std::vector<ImVec2>> lines) {
    std::vector<PlacedName> names;
    const auto is_free = [&](std::size_t own, ImVec2 min, ImVec2 max) {
        if (min.x < inside.min.x || max.x > inside.max.x || min.y < inside.min.y || max.y > inside.max.y) return false;
        for (std::size_t i = 0; i < centres.size(); ++i) {
            const ImVec2 reach(radii[i] + 1, radii[i] + 1);
            if (overlap(min, max, centres[i] - reach, centres[i] + reach)) return false;
            // Beside another point it would be that one's name.
            const bool same_place = distance(centres[own], centres[i]) < 1;
            if (!same_place && gap_between(min, max, centres[i], radii[i]) < 2 * gap) return false;
        }
        if (std::ranges::any_of(lines, [&](const auto& line) { return !cut_line(line, {min, max}).empty(); }))
            return false;
        return std::ranges::none_of(names, [&](const PlacedName& other) {
            const ImVec2 beside(gap, 0);  // words would run into each other
            return overlap(min - beside, max + beside, other.min, other.max);
        });
    };
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const ImVec2 extent = extents[i], at = centres[i];
        if (extent.x <= 0 || !holds(inside, at)) continue;
        const float away = radii[i] + gap;
        const std::array<ImVec2, 8> tries{ImVec2(at.x + away, at.y - extent.y / 2),
                                          ImVec2(at.x - away - extent.x, at.y - extent.y / 2),
                                          ImVec2(at.x - extent.x / 2, at.y - away - extent.y),
                                          ImVec2(at.x - extent.x / 2, at.y + away),
                                          ImVec2(at.x + away, at.y - away - extent.y),
                                          ImVec2(at.x + away, at.y + away),
                                          ImVec2(at.x - away - extent.x, at.y - away - extent.y),
                                          ImVec2(at.x - away - extent.x, at.y + away)};
        for (const ImVec2 min : tries) {
            if (!is_free(i, min, min + extent)) continue;
            names.push_back({static_cast<int>(i), min, min + extent});
            break;
        }
    }
    return names;
}

std::vector<std::vector<ImVec2>> cut_line(std::span<const ImVec2> points, const ChartArea& inside) {
    std::vector<std::vector<ImVec2>> pieces;
    for (std::size_t i = 1; i < points.size(); ++i) {
        // Liang and Barsky: between which shares of the way it is inside of all four edges.
        const ImVec2 from = points[i - 1], way = points[i] - points[i - 1];
        float enters = 0, leaves = 1;
        const std::array<std::array<float, 2>, 4> edges{{{-way.x, from.x - inside.min.x},
                                                         {way.x, inside.max.x - from.x},
                                                         {-way.y, from.y - inside.min.y},
                                                         {way.y, inside.max.y - from.y}}};
        for (const auto& [outwards, room] : edges) {
            if (outwards == 0) {
                if (room < 0) enters = 2;
            } else if (outwards < 0) {
                enters = std::max(enters, room / outwards);
            } else {
                leaves = std::min(leaves, room / outwards);
            }
        }
        if (enters > leaves) continue;
        const ImVec2 first(from.x + enters * way.x, from.y + enters * way.y);
        const ImVec2 last(from.x + leaves * way.x, from.y + leaves * way.y);
        const bool goes_on = !pieces.empty() && pieces.back().back().x == first.x && pieces.back().back().y == first.y;
        if (!goes_on) pieces.push_back({first});
        pieces.back().push_back(last);
    }
    return pieces;
}

ChartResult scatter_chart(const Ui& ui, std::string_view name, const ScatterChart& chart) {
    const AxisChart opened = open_axis_chart(ui, chart.x, chart.y, chart.series, chart.height);
    const ChartArea &area = opened.area, &inside = opened.inside;
    const Placed placed = place_points(ui, chart, inside);
    std::vector<ChartTarget> targets;
    for (std::size_t i = 0; i < chart.points.size(); ++i) {
        const ImVec2 reach(placed.radii[i], placed.radii[i]);
        targets.push_back({placed.centres[i] - reach, placed.centres[i] + reach, chart.points[i].name});
    }
    const auto note = [&](std::size_t index) { return chart.points[index].note; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note, ui.px(6));
    const std::optional<int> hovered = pointed.hovered;
    const auto draw = [&](Pen& pen) {
        draw_axes(ui, pen, inside, chart.x, chart.y);
        for (const ScatterLine& line : chart.lines) {
            const ImU32 colour = line.colour ? line.colour : ui.theme.edge;
            for (const auto& piece : pieces_of(chart, line, inside)) pen.strokes(piece, colour, ui.px(line.width));
        }
        draw_points(ui, pen, chart, placed, inside, hovered);
        draw_axis_legend(ui, pen, opened, chart.series);
    };
    const auto numbers = [&] {
        ChartTable table{{"name", "series", column_title(chart.x, "x"), column_title(chart.y, "y")}, {}};
        for (const ScatterPoint& point : chart.points) {
            const auto series = static_cast<std::size_t>(point.series);
            table.rows.push_back({point.label.empty() ? point.note.title : point.label,
                                  series < chart.series.size() ? chart.series[series].name : "", chart_number(point.x),
                                  chart_number(point.y)});
        }
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

ChartResult line_chart(const Ui& ui, std::string_view name, const LineChart& chart) {
    const AxisChart opened = open_axis_chart(ui, chart.x, chart.y, {}, chart.height);
    const ChartArea &area = opened.area, &inside = opened.inside;
    std::vector<ImVec2> centres;
    std::vector<ChartTarget> targets;
    const float radius = ui.px(4);
    for (const LinePoint& point : chart.points) {
        centres.push_back(point_of(inside, chart.x, chart.y, point.x, point.y));
        targets.push_back({centres.back() - ImVec2(radius, radius), centres.back() + ImVec2(radius, radius), {}});
    }
    const auto note = [&](std::size_t index) { return chart.note ? chart.note(static_cast<int>(index)) : ChartNote{}; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note, ui.px(24));
    const std::optional<int> hovered = pointed.hovered;
    const auto draw = [&](Pen& pen) {
        draw_axes(ui, pen, inside, chart.x, chart.y);
        if (chart.marked) {
            const double share = chart.x.position(*chart.marked);
            const float x =
                inside.min.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (inside.max.x - inside.min.x);
            if (share >= 0 && share <= 1)
                pen.dashes({std::round(x), inside.min.y}, {std::round(x), inside.max.y}, ui.theme.text_mid, ui.px(4));
        }
        for (const std::vector<ImVec2>& piece : cut_line(centres, inside))
            pen.strokes(piece, ui.theme.text_mid, ui.px(2));
        draw_marks(ui, pen, chart, centres, hovered);
    };
    const auto numbers = [&] {
        ChartTable table{{"series", column_title(chart.x, "x"), column_title(chart.y, "y")}, {}};
        for (const LinePoint& point : chart.points)
            table.rows.push_back({chart.y.title, chart_number(point.x), chart_number(point.y)});
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

}  // namespace headcount
