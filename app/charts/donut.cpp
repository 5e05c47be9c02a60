// The donut's geometry, picking and drawing.
#include "app/charts/donut.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

constexpr float turn = 6.2831853F;
constexpr float faded = 0.35F;

// Shares `room` among parts in proportion, none that is not empty getting less than `smallest`; the wide ones pay.
void share(std::span<const double> parts, float room, float smallest, std::vector<float>& widths) {
    widths.assign(parts.size(), 0.0F);
    double whole = 0;
    std::size_t visible = 0;
    for (const double part : parts) {
        whole += std::max(0.0, part);
        visible += part > 0 ? 1 : 0;
    }
    if (visible == 0 || whole <= 0) return;
    const float least = std::min(smallest, room / static_cast<float>(visible));
    // Raising one part shrinks the others, which may bring another under the minimum: at most once for each.
    for (std::size_t round = 0; round <= parts.size(); ++round) {
        double free_parts = 0;
        float free_room = room;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] <= 0) continue;
            if (widths[i] == least)
                free_room -= least;
            else
                free_parts += parts[i];
        }
        bool raised = false;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i] <= 0 || widths[i] == least) continue;
            const auto wanted = static_cast<float>(parts[i] / free_parts) * free_room;
            if (wanted < least) {
                widths[i] = least;
                raised = true;
            }
        }
        if (raised) continue;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i] > 0 && widths[i] != least) widths[i] = static_cast<float>(parts[i] / free_parts) * free_room;
        return;
    }
}

std::optional<int> arc_at(float angle, std::span<const DonutArc> arcs) {
    for (std::size_t i = 0; i < arcs.size(); ++i)
        if (angle >= arcs[i].from && angle < arcs[i].to) return static_cast<int>(i);
    return std::nullopt;
}

ImVec2 on_circle(ImVec2 centre, float radius, float angle) {
    return {centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)};
}

// Along a circle, clockwise or back.
std::vector<ImVec2> arc_points(ImVec2 centre, float radius, float from, float to, int segments) {
    std::vector<ImVec2> points;
    points.reserve(static_cast<std::size_t>(segments) + 1);
    for (int i = 0; i <= segments; ++i)
        points.push_back(
            on_circle(centre, radius, from + (to - from) * static_cast<float>(i) / static_cast<float>(segments)));
    return points;
}

struct Ring {
    Pen& pen;
    ImVec2 centre;
    float gap;         // pixels between neighbours
    ImU32 background;  // what is seen through the gaps
};

// A band of a ring as one thick stroke with anti-aliased edges. Bands touch; `draw_gaps` parts them afterwards.
void fill_band(const Ring& ring, DonutArc arc, float from, float to, ImU32 colour) {
    if (arc.to <= arc.from) return;
    const float radius = (from + to) / 2;
    const int segments = std::max(2, static_cast<int>((arc.to - arc.from) * radius / 7));
    // A whole number of pixels, because ImGui draws such strokes with half the vertices.
    ring.pen.strokes(arc_points(ring.centre, radius, arc.from, arc.to, segments), colour, std::round(to - from));
}

// Straight gaps of one width, as lines of the background over the ends of the bands.
void draw_gaps(const Ring& ring, std::span<const DonutArc> arcs, float from, float to) {
    const auto drawn = std::ranges::count_if(arcs, [](DonutArc arc) { return arc.to > arc.from; });
    if (drawn < 2) return;
    for (const DonutArc arc : arcs)
        if (arc.to > arc.from)
            ring.pen.line(on_circle(ring.centre, from - 1, arc.from), on_circle(ring.centre, to + 1, arc.from),
                          ring.background, ring.gap);
}

void outline_band(const Ring& ring, DonutArc arc, float from, float to, ImU32 colour, float width) {
    const int segments = std::max(2, static_cast<int>((arc.to - arc.from) * to / 7));
    std::vector<ImVec2> points = arc_points(ring.centre, to, arc.from, arc.to, segments);
    const std::vector<ImVec2> back = arc_points(ring.centre, from, arc.to, arc.from, segments);
    points.insert(points.end(), back.begin(), back.end());
    points.push_back(points.front());
    ring.pen.strokes(points, colour, width);
}

struct Shown {
    std::vector<DonutArc> inner, outer;
    DonutRadii radii;
    ImVec2 centre;
};

bool is(const std::optional<int>& wanted, int id) { return wanted && *wanted == id; }

void draw_rings(const Ui& ui, const Ring& ring, const Donut& chart, const Shown& shown,
                const std::optional<DonutHit>& hit) {
    const ImU32 light = with_alpha(ui.theme.selection, 0.18F);
    for (std::size_t i = 0; i < chart.components.size(); ++i) {
        const DonutSlice& slice = chart.components[i];
        const bool fades = chart.focused_component && *chart.focused_component != slice.id;
        const bool lit = is(chart.lit_component, slice.id) || (hit && *hit == DonutHit{false, static_cast<int>(i)});
        fill_band(ring, shown.inner[i], shown.radii.inner_from, shown.radii.inner_to,
                  with_alpha(slice.colour, fades && !lit ? faded : 1));
        if (lit) fill_band(ring, shown.inner[i], shown.radii.inner_from, shown.radii.inner_to, light);
    }
    const DonutSlice* selected = nullptr;
    std::size_t selected_index = 0;
    for (std::size_t i = 0; i < chart.tensors.size(); ++i) {
        const DonutSlice& slice = chart.tensors[i];
        if (is(chart.selected_tensor, slice.id) && shown.outer[i].to > shown.outer[i].from) {
            selected = &slice;
            selected_index = i;
            continue;
        }
        const bool known = slice.component >= 0 && slice.component < static_cast<int>(chart.components.size());
        const bool fades = chart.focused_component && known &&
                           chart.components[static_cast<std::size_t>(slice.component)].id != *chart.focused_component;
        const bool lit = is(chart.lit_tensor, slice.id) || (hit && *hit == DonutHit{true, static_cast<int>(i)});
        fill_band(ring, shown.outer[i], shown.radii.outer_from, shown.radii.outer_to,
                  with_alpha(slice.colour, fades && !lit ? faded : 1));
        if (lit) fill_band(ring, shown.outer[i], shown.radii.outer_from, shown.radii.outer_to, light);
    }
    draw_gaps(ring, shown.inner, shown.radii.inner_from, shown.radii.inner_to);
    draw_gaps(ring, shown.outer, shown.radii.outer_from, shown.radii.outer_to);
    if (!selected) return;
    // Last, so that its edge lies over its neighbours.
    const float lift = ui.px(3);
    const DonutArc arc = shown.outer[selected_index];
    fill_band(ring, arc, shown.radii.outer_from, shown.radii.outer_to + lift, selected->colour);
    outline_band(ring, arc, shown.radii.outer_from, shown.radii.outer_to + lift, ui.theme.selection, ui.px(2));
}

void record_slices(const Ui& ui, std::string_view name, std::span<const DonutSlice> slices,
                   std::span<const DonutArc> arcs, ImVec2 centre, float radius) {
    std::string part;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        if (slices[i].name.empty() || arcs[i].to <= arcs[i].from) continue;
        const ImVec2 middle = on_circle(centre, radius, (arcs[i].from + arcs[i].to) / 2);
        part.assign("slice.").append(slices[i].name);
        ui.recorder.record(name, part, ImVec2(middle.x - 1, middle.y - 1), ImVec2(middle.x + 1, middle.y + 1));
    }
}

// In a hole of this radius, the unit where it has room.
void draw_middle(const Ui& ui, Pen& pen, const Donut& chart, ImVec2 centre, float hole) {
    const About about(chart.about);
    constexpr float large = 170;  // from this diameter on there is room for larger words
    if (chart.diameter >= large) {
        const float reach = ui.px(chart.diameter / 3);
        const ImVec2 left(centre.x - reach, centre.y), right(centre.x + reach, centre.y);
        pen.text_in(ui.fonts.mono_total, left - ImVec2(0, ui.px(22)), right + ImVec2(0, ui.px(4)), ui.theme.text_high,
                    chart.value, Align::centre);
        pen.text_in(ui.fonts.body, left + ImVec2(0, ui.px(6)), right + ImVec2(0, ui.px(24)), ui.theme.text_mid,
                    chart.unit, Align::centre);
        return;
    }
    const float half = ui.px(60);
    const ImVec2 value(centre.x - half, centre.y - ui.px(14)), unit(centre.x - half, centre.y + ui.px(5));
    pen.text_in(ui.fonts.mono_result, value, ImVec2(centre.x + half, centre.y + ui.px(4)), ui.theme.text_high,
                chart.value, Align::centre);
    if (text_width(ui.fonts.caption, chart.unit) > 2 * hole) return;
    pen.text_in(ui.fonts.caption, unit, ImVec2(centre.x + half, centre.y + ui.px(19)), ui.theme.text_low, chart.unit,
                Align::centre);
}

}  // namespace

std::vector<DonutArc> donut_arcs(std::span<const DonutSlice> slices, float smallest) {
    std::vector<double> parts;
    double whole = 0;
    for (const DonutSlice& slice : slices) {
        parts.push_back(slice.fraction);
        whole += std::max(0.0, slice.fraction);
    }
    std::vector<float> widths;
    share(parts, turn * static_cast<float>(std::min(1.0, whole)), smallest, widths);
    std::vector<DonutArc> arcs;
    float at = 0;
    for (const float width : widths) {
        arcs.push_back({at, at + width});
        at += width;
    }
    return arcs;
}

std::vector<DonutArc> outer_arcs(std::span<const DonutSlice> outer, std::span<const DonutArc> inner, float smallest) {
    std::vector<DonutArc> arcs(outer.size());
    std::vector<double> parts(outer.size());
    std::vector<float> widths;
    for (std::size_t component = 0; component < inner.size(); ++component) {
        for (std::size_t i = 0; i < outer.size(); ++i)
            parts[i] = outer[i].component == static_cast<int>(component) ? outer[i].fraction : 0;
        share(parts, inner[component].to - inner[component].from, smallest, widths);
        float at = inner[component].from;
        for (std::size_t i = 0; i < outer.size(); ++i) {
            if (outer[i].component != static_cast<int>(component)) continue;
            arcs[i] = {at, at + widths[i]};
            at += widths[i];
        }
    }
    return arcs;
}

DonutRadii donut_radii(float radius) { return {0.64F * radius, 0.84F * radius, 0.89F * radius, radius}; }

std::optional<DonutHit> donut_pick(ImVec2 point, ImVec2 centre, const DonutRadii& radii,
                                   std::span<const DonutArc> inner, std::span<const DonutArc> outer) {
    const float x = point.x - centre.x, y = point.y - centre.y;
    const float distance = std::sqrt(x * x + y * y);
    float angle = std::atan2(x, -y);
    if (angle < 0) angle += turn;
    // The outer ring may be lifted, so its reach goes a little further.
    if (distance >= radii.outer_from && distance <= radii.outer_to * 1.05F) {
        if (const auto index = arc_at(angle, outer)) return DonutHit{true, *index};
    } else if (distance >= radii.inner_from && distance <= radii.inner_to) {
        if (const auto index = arc_at(angle, inner)) return DonutHit{false, *index};
    }
    return std::nullopt;
}

DonutResult donut(const Ui& ui, std::string_view name, const Donut& chart) {
    DonutResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float side = std::round(ui.px(chart.diameter + 8));  // room for the lift
    const float radius = ui.px(chart.diameter) / 2;
    Shown shown;
    shown.centre = ImVec2(start.x + side / 2, start.y + side / 2);
    shown.radii = donut_radii(radius);
    const float smallest = ui.px(3) / radius;
    shown.inner = donut_arcs(chart.components, smallest);
    shown.outer = outer_arcs(chart.tensors, shown.inner, smallest);

    const ImVec2 end(start.x + side, start.y + side);
    ui.recorder.record(name, "chart", start, end);
    record_slices(ui, name, chart.components, shown.inner, shown.centre,
                  (shown.radii.inner_from + shown.radii.inner_to) / 2);
    record_slices(ui, name, chart.tensors, shown.outer, shown.centre,
                  (shown.radii.outer_from + shown.radii.outer_to) / 2);
    const Press press = press_area(ui, "donut", start, end, -1, false);
    open_chart_menu(ui, {start, end});
    std::optional<DonutHit> hit;
    if (press.hovered) hit = donut_pick(ImGui::GetIO().MousePos, shown.centre, shown.radii, shown.inner, shown.outer);
    if (hit) {
        const auto index = static_cast<std::size_t>(hit->index);
        const int id = hit->outer ? chart.tensors[index].id : chart.components[index].id;
        (hit->outer ? result.hovered_tensor : result.hovered_component) = id;
        if (press.pressed) (hit->outer ? result.clicked_tensor : result.clicked_component) = id;
    }
    const auto draw = [&](Pen& pen) {
        draw_rings(ui, {pen, shown.centre, ui.px(1.5F), ui.theme.panel}, chart, shown, hit);
        draw_middle(ui, pen, chart, shown.centre, shown.radii.inner_from);
    };
    const auto numbers = [&] {
        ChartTable table{{"name", "share"}, {}};
        for (const auto slices : {chart.components, chart.tensors})
            for (const DonutSlice& slice : slices)
                table.rows.push_back({std::string(slice.name), chart_number(slice.fraction)});
        return table;
    };
    place(start, ImVec2(side, side));
    result.asked = finish_chart(ui, {}, chart.title, {start, end}, {}, draw, numbers).asked;
    return result;
}

}  // namespace headcount
