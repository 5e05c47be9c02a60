// The overview strip: runs of pixels from sizes, picking, drawing.
#include "app/charts/strip.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace headcount {
namespace {

constexpr float separated = 6, distinct = 2;  // pixels that a cell needs for a gap, and to be drawn by itself

// Parts that stand together: one, or all neighbours of a group.
struct Cell {
    std::size_t first = 0, end = 0;
    std::int64_t repeat = 1;
    double size = 0;  // of one repetition
};

// Calls visit(cell) from left to right.
template <class Visit>
void for_each_cell(std::span<const StripPart> parts, Visit&& visit) {
    for (std::size_t i = 0; i < parts.size();) {
        Cell cell{i, i + 1, std::max<std::int64_t>(1, parts[i].repeat), std::max(0.0, parts[i].size)};
        while (parts[i].group >= 0 && cell.end < parts.size() && parts[cell.end].group == parts[i].group)
            cell.size += std::max(0.0, parts[cell.end++].size);
        visit(cell);
        i = cell.end;
    }
}

double whole_size(std::span<const StripPart> parts) {
    double whole = 0;
    for_each_cell(parts, [&](const Cell& cell) { whole += cell.size * static_cast<double>(cell.repeat); });
    return whole;
}

void add_cell(std::span<const StripPart> parts, const Cell& cell, double from, double scale, std::int64_t layer,
              std::vector<StripRun>& runs) {
    const bool gap = cell.repeat > 1 && cell.size * scale >= static_cast<double>(separated);
    const double end = from + cell.size * scale - (gap ? 1 : 0);
    double at = from;
    for (std::size_t i = cell.first; i < cell.end; ++i) {
        const double to = std::min(end, at + std::max(0.0, parts[i].size) * scale);
        if (to > at)
            runs.push_back({static_cast<float>(at), static_cast<float>(to), static_cast<int>(i), layer, false});
        at += std::max(0.0, parts[i].size) * scale;
    }
}

bool matches(const std::optional<StripHit>& wanted, int id, std::int64_t layer) {
    return wanted && wanted->id == id && (wanted->layer < 0 || wanted->layer == layer);
}

// A band of cells too thin to be seen one by one: their parts lie on top of each other in true proportion, and
// fine stripes say that it is many.
void draw_merged(const Ui& ui, ImDrawList& list, std::span<const StripPart> parts, const StripRun& run, ImVec2 min,
                 ImVec2 max, const Strip& chart) {
    double size = 0;
    const auto first = static_cast<std::size_t>(run.part);
    std::size_t end = first;
    while (end < parts.size() && parts[end].group == parts[first].group) size += parts[end++].size;
    float y = min.y;
    for (std::size_t i = first; i < end && size > 0; ++i) {
        const float to = y + static_cast<float>(parts[i].size / size) * (max.y - min.y);
        list.AddRectFilled(ImVec2(min.x, y), ImVec2(max.x, to), parts[i].colour);
        const bool lit =
            (chart.lit && chart.lit->id == parts[i].id) || (chart.selected && chart.selected->id == parts[i].id);
        if (lit) list.AddRect(ImVec2(min.x, y), ImVec2(max.x, to), ui.theme.selection);
        y = to;
    }
    const float pitch = ui.px(4);
    for (float x = min.x + pitch; x < max.x; x += pitch)
        list.AddRectFilled(ImVec2(x, min.y), ImVec2(x + 1, max.y), with_alpha(ui.theme.panel, 0.45F));
}

}  // namespace

std::vector<StripRun> strip_runs(std::span<const StripPart> parts, float width) {
    std::vector<StripRun> runs;
    const double whole = whole_size(parts);
    if (whole <= 0 || width <= 0) return runs;
    const double scale = static_cast<double>(width) / whole;
    double at = 0;
    for_each_cell(parts, [&](const Cell& cell) {
        const double step = cell.size * scale, room = step * static_cast<double>(cell.repeat);
        if (cell.repeat > 1 && step < static_cast<double>(distinct)) {
            runs.push_back(
                {static_cast<float>(at), static_cast<float>(at + room), static_cast<int>(cell.first), 0, true});
        } else {
            for (std::int64_t layer = 0; layer < cell.repeat; ++layer)
                add_cell(parts, cell, at + step * static_cast<double>(layer), scale, layer, runs);
        }
        at += room;
    });
    return runs;
}

std::optional<StripPlace> strip_place(std::span<const StripPart> parts, float width, float x) {
    const double whole = whole_size(parts);
    if (whole <= 0 || width <= 0 || x < 0 || x >= width) return std::nullopt;
    double left = static_cast<double>(x) / static_cast<double>(width) * whole;
    std::optional<StripPlace> hit;
    for_each_cell(parts, [&](const Cell& cell) {
        const double room = cell.size * static_cast<double>(cell.repeat);
        if (hit || left >= room) {
            left -= room;
            return;
        }
        const auto layer = std::min(cell.repeat - 1, static_cast<std::int64_t>(left / cell.size));
        double inside = left - static_cast<double>(layer) * cell.size;
        std::size_t part = cell.first;
        while (part + 1 < cell.end && inside >= parts[part].size) inside -= parts[part++].size;
        hit = StripPlace{part, layer};
    });
    return hit;
}

void draw_strip_mark(const Ui& ui, ImDrawList& list, int mark, ImVec2 centre, float most, ImU32 colour) {
    const float radius = std::min(ui.px(1.75F), most / 2), half = std::min(ui.px(4), most / 2), thin = ui.px(0.75F);
    const auto bar = [&](float y) {
        list.AddRectFilled({centre.x - half, y - thin}, {centre.x + half, y + thin}, colour);
    };
    if (mark == 1) list.AddCircleFilled(centre, radius, colour);
    if (mark == 2) bar(centre.y);
    if (mark != 3) return;
    bar(centre.y - ui.px(1.5F));
    bar(centre.y + ui.px(1.5F));
}

namespace {

// Below the first part of each cell, in the middle of the cell.
void draw_marks(const Ui& ui, ImDrawList& list, const Strip& chart, std::span<const StripRun> runs, ImVec2 start) {
    const float y = start.y + ui.px(chart.height + chart.marks / 2 + 1);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const StripPart& part = chart.parts[static_cast<std::size_t>(runs[i].part)];
        std::size_t last = i;
        const auto same_cell = [&](const StripRun& other) {
            const StripPart& of = chart.parts[static_cast<std::size_t>(other.part)];
            return part.group >= 0 && of.group == part.group && other.layer == runs[i].layer;
        };
        while (last + 1 < runs.size() && same_cell(runs[last + 1])) ++last;
        const float width = runs[last].to - runs[i].from;
        const ImU32 colour = part.shown ? ui.theme.text_high : ui.theme.text_low;
        draw_strip_mark(ui, list, part.mark, {start.x + (runs[i].from + runs[last].to) / 2, y},
                        runs[i].merged ? ui.px(8) : std::max(width - 1, 1.0F), colour);
        i = last;
    }
}

}  // namespace

StripResult strip(const Ui& ui, std::string_view name, const Strip& chart) {
    StripResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(std::max(1.0F, ImGui::GetContentRegionAvail().x),
                        std::round(ui.px(chart.height + chart.marks)));
    const float foot = start.y + std::round(ui.px(chart.height));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "strip", start, end, size::radius_matrix, false);
    if (press.hovered) {
        if (const auto at = strip_place(chart.parts, extent.x, ImGui::GetIO().MousePos.x - start.x)) {
            result.hovered = StripHit{chart.parts[at->part].id, at->layer};
            result.part = at->part;
        }
        if (press.pressed) result.clicked = result.hovered;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::string part_name;
    const std::vector<StripRun> runs = strip_runs(chart.parts, extent.x);
    if (chart.marks > 0) draw_marks(ui, list, chart, runs, start);
    for (const StripRun& run : runs) {
        const ImVec2 min(start.x + run.from, start.y), max(start.x + run.to, foot);
        const StripPart& part = chart.parts[static_cast<std::size_t>(run.part)];
        if (run.layer == 0 && !part.name.empty()) {
            part_name.assign("part.").append(part.name);
            ui.recorder.record(name, part_name, min, max);
        }
        if (run.merged) {
            draw_merged(ui, list, chart.parts, run, min, max, chart);
            continue;
        }
        list.AddRectFilled(min, max, part.colour);
        const bool lit = matches(chart.lit, part.id, run.layer) ||
                         (result.hovered && *result.hovered == StripHit{part.id, run.layer});
        const bool selected = matches(chart.selected, part.id, run.layer);
        if (lit) list.AddRectFilled(min, max, with_alpha(ui.theme.selection, 0.35F));
        if (selected)
            list.AddRect(ImVec2(min.x - 1, min.y - ui.px(2)), ImVec2(max.x + 1, max.y + ui.px(2)), ui.theme.selection,
                         0, 0, ui.px(1.5F));
    }
    place(start, extent);
    return result;
}

}  // namespace headcount
