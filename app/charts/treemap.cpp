// Squarified tiles and their drawing.
#include "app/charts/treemap.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace headcount {
namespace {

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
};

// Of a row of areas that sum to `sum` along a side: how far from a square the worst is.
double worst(double least, double most, double sum, double side) {
    const double square = side * side, all = sum * sum;
    return std::max(square * most / all, all / (square * least));
}

// Puts the areas [first, end) along the shorter side of the box and takes that strip from it.
void lay_row(std::span<const double> areas, std::span<const std::size_t> order, double sum, Box& box,
             std::vector<Box>& boxes) {
    const bool upright = box.width >= box.height;  // the row stands at the left
    const double side = upright ? box.height : box.width, depth = side > 0 ? sum / side : 0;
    double at = 0;
    for (const std::size_t i : order) {
        const double length = depth > 0 ? areas[i] / depth : 0;
        boxes[i] = upright ? Box{box.x, box.y + at, depth, length} : Box{box.x + at, box.y, length, depth};
        at += length;
    }
    if (upright) {
        box.x += depth;
        box.width = std::max(0.0, box.width - depth);
    } else {
        box.y += depth;
        box.height = std::max(0.0, box.height - depth);
    }
}

std::vector<Box> squarify(std::span<const double> values, Box box) {
    std::vector<Box> boxes(values.size());
    double whole = 0;
    for (const double value : values) whole += std::isfinite(value) ? std::max(0.0, value) : 0;
    if (whole <= 0 || box.width <= 0 || box.height <= 0) return boxes;
    const double scale = box.width * box.height / whole;
    std::vector<double> areas;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < values.size(); ++i) {
        areas.push_back(std::isfinite(values[i]) ? std::max(0.0, values[i]) * scale : 0);
        if (areas.back() > 0) order.push_back(i);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return areas[a] > areas[b]; });
    const std::span<const std::size_t> all(order);
    for (std::size_t first = 0; first < order.size();) {
        const double side = std::min(box.width, box.height);
        double sum = areas[order[first]];
        std::size_t end = first + 1;
        while (end < order.size()) {
            const double next = areas[order[end]], most = areas[order[first]], least = areas[order[end - 1]];
            if (worst(next, most, sum + next, side) > worst(least, most, sum, side)) break;
            sum += next;
            ++end;
        }
        lay_row(areas, all.subspan(first, end - first), sum, box, boxes);
        first = end;
    }
    return boxes;
}

ChartArea area_of(const Box& box) {
    return {{static_cast<float>(box.x), static_cast<float>(box.y)},
            {static_cast<float>(box.x + box.width), static_cast<float>(box.y + box.height)}};
}

Box box_of(const ChartArea& area) {
    return {static_cast<double>(area.min.x), static_cast<double>(area.min.y),
            static_cast<double>(area.max.x - area.min.x), static_cast<double>(area.max.y - area.min.y)};
}

void draw_tile(const Ui& ui, Pen& pen, const Tile& tile, const ChartTarget& at, bool hovered) {
    // A gap of a pixel at the right and below; what is that thin keeps its pixel.
    const ImVec2 min(std::round(at.min.x), std::round(at.min.y));
    const ImVec2 end(std::round(at.max.x) - 1, std::round(at.max.y) - 1);
    const ImVec2 max(std::max(end.x, min.x + 1), std::max(end.y, min.y + 1));
    if (tile.value <= 0) return;
    const bool lit = hovered || tile.lit;
    pen.fill(min, max, with_alpha(tile.colour, tile.faded && !lit ? 0.35F : 1));
    if (lit) pen.fill(min, max, with_alpha(ui.theme.selection, 0.18F));
    if (tile.selected) pen.outline(min, max, ui.theme.selection, 0, ui.px(2));
    const float pad = ui.px(6), line = ui.px(16), room = max.x - min.x - 2 * pad, tall = max.y - min.y - pad;
    const bool short_of_room = room < text_width(ui.fonts.caption_medium, tile.label);
    if (tall < line ||
        (short_of_room && (tile.symbol.empty() || room < symbol_width(ui.fonts.caption_medium, tile.symbol))))
        return;
    const ImU32 ground = tile.faded && !lit ? mix(ui.theme.panel, tile.colour, 0.35F) : tile.colour;
    const ImU32 ink = text_on(ground);
    pen.text_in(ui.fonts.caption_medium, {min.x + pad, min.y + pad / 2}, {max.x, min.y + pad / 2 + line}, ink,
                short_of_room ? tile.symbol : tile.label, Align::left, short_of_room);
    if (tile.text.empty() || room < text_width(ui.fonts.mono_caption, tile.text) || tall < 2 * line) return;
    const About about(tile.note.about);
    pen.text_in(ui.fonts.mono_caption, {min.x + pad, min.y + pad / 2 + line}, {max.x, min.y + pad / 2 + 2 * line}, ink,
                tile.text);
}

}  // namespace

std::vector<ChartArea> tile_areas(std::span<const Tile> tiles, const ChartArea& area) {
    std::map<int, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < tiles.size(); ++i) groups[tiles[i].group].push_back(i);
    std::vector<double> sums;
    for (const auto& [group, members] : groups)
        sums.push_back(std::accumulate(members.begin(), members.end(), 0.0,
                                       [&](double sum, std::size_t i) { return sum + std::max(0.0, tiles[i].value); }));
    const std::vector<Box> places = squarify(sums, box_of(area));
    std::vector<ChartArea> areas(tiles.size());
    std::size_t place = 0;
    for (const auto& [group, members] : groups) {
        std::vector<double> values;
        for (const std::size_t i : members) values.push_back(tiles[i].value);
        const std::vector<Box> boxes = squarify(values, places[place++]);
        for (std::size_t i = 0; i < members.size(); ++i) areas[members[i]] = area_of(boxes[i]);
    }
    return areas;
}

ChartResult treemap(const Ui& ui, std::string_view name, const Treemap& chart) {
    const ChartArea area = area_here(std::round(ui.px(chart.height)));
    std::vector<ChartTarget> targets;
    const std::vector<ChartArea> places = tile_areas(chart.tiles, area);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const ChartArea tile = chart.tiles[i].value > 0 ? places[i] : ChartArea{area.min, area.min};
        targets.push_back({tile.min, tile.max, chart.tiles[i].name});
    }
    const auto note = [&](std::size_t index) { return chart.tiles[index].note; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note);
    const std::optional<int> hovered = pointed.hovered;
    const auto draw = [&](Pen& pen) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            draw_tile(ui, pen, chart.tiles[i], targets[i], hovered == static_cast<int>(i));
    };
    const auto numbers = [&] {
        ChartTable table{{"name", "value"}, {}};
        for (const Tile& tile : chart.tiles) table.rows.push_back({tile.label, chart_number(tile.value)});
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

}  // namespace headcount
