// Cells, their colours, the scale that explains them.
#include "app/charts/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/charts/contours.hpp"
#include "app/ui/recorder.hpp"

namespace headcount {
namespace {

constexpr float scale_width = 12, scale_room = 96, title_height = 24, label_height = 18;  // unscaled

struct Grid {
    ChartArea inside;
    std::size_t columns = 0, rows = 0;

    ChartArea cell(std::size_t index) const {
        if (columns == 0 || rows == 0) return {inside.min, inside.min};
        const auto x = [&](std::size_t i) {
            const float share = static_cast<float>(i) / static_cast<float>(columns);
            return std::round(inside.min.x + share * (inside.max.x - inside.min.x));
        };
        const auto y = [&](std::size_t i) {
            const float share = static_cast<float>(i) / static_cast<float>(rows);
            return std::round(inside.max.y - share * (inside.max.y - inside.min.y));
        };
        const std::size_t column = index % columns, row = index / columns;
        return {{x(column), y(row + 1)}, {x(column + 1), y(row)}};
    }
};

Grid grid_of(const Ui& ui, const HeatMap& chart, const ChartArea& area) {
    float label = 0;
    for (const std::string& row : chart.rows) label = std::max(label, text_width(ui.fonts.mono_caption, row));
    Grid grid{{}, chart.columns.size(), chart.rows.size()};
    grid.inside.min = {std::round(area.min.x + label + ui.px(8)), area.min.y + ui.px(title_height)};
    grid.inside.max = {std::max(area.max.x - ui.px(scale_room), grid.inside.min.x + 1),
                       std::max(area.max.y - ui.px(label_height + title_height), grid.inside.min.y + 1)};
    return grid;
}

// Labels of columns or rows, as many as fit.
void draw_labels(const Ui& ui, Pen& pen, const HeatMap& chart, const Grid& grid) {
    const Aside aside;  // what varies, as it was asked for
    float end = -1e9F;
    for (std::size_t i = 0; i < grid.columns; ++i) {
        const ChartArea cell = grid.cell(i);
        const float middle = (cell.min.x + cell.max.x) / 2,
                    half = text_width(ui.fonts.mono_caption, chart.columns[i]) / 2;
        if (middle - half < end + ui.px(16)) continue;
        end = middle + half;
        pen.text_in(ui.fonts.mono_caption, {middle - half, grid.inside.max.y + ui.px(2)},
                    {end + 1, grid.inside.max.y + ui.px(label_height)}, ui.theme.text_low, chart.columns[i]);
    }
    float top = 1e9F;
    for (std::size_t i = 0; i < grid.rows; ++i) {
        const ChartArea cell = grid.cell(i * grid.columns);
        const float middle = (cell.min.y + cell.max.y) / 2, half = ui.px(8);
        if (middle + half > top) continue;
        top = middle - half - ui.px(6);
        pen.text_in(ui.fonts.mono_caption, {grid.inside.min.x - ui.px(160), middle - half},
                    {grid.inside.min.x - ui.px(8), middle + half}, ui.theme.text_low, chart.rows[i], Align::right);
    }
    pen.text_in(ui.fonts.caption, {grid.inside.min.x, grid.inside.min.y - ui.px(title_height)},
                {grid.inside.max.x, grid.inside.min.y - ui.px(4)}, ui.theme.text_mid, chart.y_title);
    const float below = grid.inside.max.y + ui.px(label_height);
    pen.text_in(ui.fonts.caption, {grid.inside.min.x, below}, {grid.inside.max.x, below + ui.px(title_height - 4)},
                ui.theme.text_mid, chart.x_title, Align::right);
}

struct Extremes {
    double least = 0, most = 0;
};

// Of what there is.
std::optional<Extremes> extremes_of(std::span<const std::optional<double>> values) {
    std::optional<Extremes> found;
    for (const std::optional<double>& value : values)
        if (value && std::isfinite(*value))
            found = found ? Extremes{std::min(found->least, *value), std::max(found->most, *value)}
                          : Extremes{*value, *value};
    return found;
}

Axis axis_of(const HeatMap& chart, std::span<const std::optional<double>> values) {
    const auto [least, most] = extremes_of(values).value_or(Extremes{1, 2});
    const double end = most > least ? most : least + std::max(1.0, std::abs(least) * 1e-3);
    return {least, end, false, chart.unit, chart.value_title};
}

void draw_scale(const Ui& ui, Pen& pen, const HeatMap& chart, const Grid& grid) {
    const Axis axis = axis_of(chart, chart.of.empty() ? chart.values : chart.of);
    const float left = grid.inside.max.x + ui.px(16), right = left + ui.px(scale_width);
    const float height = grid.inside.max.y - grid.inside.min.y;
    constexpr int bands = 32;
    for (int i = 0; i < bands; ++i) {
        const float from = std::round(grid.inside.max.y - height * static_cast<float>(i) / bands);
        const float to = std::round(grid.inside.max.y - height * static_cast<float>(i + 1) / bands);
        pen.fill({left, to}, {right, from}, heat_colour(ui.theme, ui.theme.text_high, (i + 0.5) / bands));
    }
    for (const Tick& tick : fitting_ticks(ui, axis, height, true)) {
        if (tick.label.empty()) continue;
        const float at = std::round(grid.inside.max.y - static_cast<float>(tick.position) * height);
        pen.line({right, at}, {right + ui.px(3), at}, ui.theme.strong_line);
        pen.text_in(ui.fonts.mono_caption, {right + ui.px(6), at - ui.px(8)}, {right + ui.px(78), at + ui.px(8)},
                    ui.theme.text_low, tick.label);
    }
    const float wide = text_width(ui.fonts.caption, chart.value_title);
    pen.text_in(ui.fonts.caption, {right + ui.px(68) - wide, grid.inside.min.y - ui.px(title_height)},
                {right + ui.px(69), grid.inside.min.y - ui.px(4)}, ui.theme.text_mid, chart.value_title, Align::right);
}

// A line of equal values, and its label's box, in pixels.
struct DrawnContour {
    std::vector<std::vector<ImVec2>> lines;
    std::string label;
    std::optional<ChartArea> box;
};

std::vector<DrawnContour> contours_of(const Ui& ui, const HeatMap& chart, const Grid& grid) {
    constexpr int wanted = 9;
    std::vector<double> levels;
    std::vector<std::string> labels;
    for (const Tick& tick : axis_ticks(axis_of(chart, chart.values), wanted)) {
        if (tick.label.empty()) continue;
        levels.push_back(tick.value);
        labels.push_back(tick.label);
    }
    const auto in_pixels = [&](ImVec2 at) {
        const ImVec2 size{grid.inside.max.x - grid.inside.min.x, grid.inside.max.y - grid.inside.min.y};
        return ImVec2(grid.inside.min.x + (at.x + 0.5F) / static_cast<float>(grid.columns) * size.x,
                      grid.inside.max.y - (at.y + 0.5F) / static_cast<float>(grid.rows) * size.y);
    };
    std::vector<DrawnContour> drawn;
    std::vector<std::vector<ImVec2>> all;
    for (Contour& contour : contours(chart.values, grid.columns, levels)) {
        DrawnContour& each = drawn.emplace_back();
        each.label = labels[static_cast<std::size_t>(std::ranges::find(levels, contour.level) - levels.begin())];
        for (std::vector<ImVec2>& line : contour.lines) {
            for (ImVec2& at : line) at = in_pixels(at);
            all.push_back(line);
            each.lines.push_back(std::move(line));
        }
    }
    std::vector<ChartArea> taken;
    std::size_t first = 0;
    for (DrawnContour& each : drawn) {
        std::vector<std::vector<ImVec2>> others = all;
        const auto own = others.begin() + static_cast<std::ptrdiff_t>(first);
        others.erase(own, own + static_cast<std::ptrdiff_t>(each.lines.size()));
        first += each.lines.size();
        const ImVec2 size{text_width(ui.fonts.mono_caption, each.label) + ui.px(8), ui.px(16)};
        each.box = label_on(each.lines, size, grid.inside, taken, others);
        if (each.box) taken.push_back(*each.box);
    }
    return drawn;
}

// Seen on dark and on light cells.
void draw_contours(const Ui& ui, Pen& pen, std::span<const DrawnContour> contours) {
    for (const auto& [colour, wide] :
         {std::pair{ui.theme.canvas, ui.px(3)}, std::pair{readable(ui.theme, ui.theme.kv_edge), ui.px(1.4F)}})
        for (const DrawnContour& each : contours)
            for (const std::vector<ImVec2>& line : each.lines) pen.strokes(line, colour, wide);
    for (const DrawnContour& each : contours) {
        if (!each.box) continue;
        pen.fill(each.box->min, each.box->max, ui.theme.panel, ui.px(3));
        pen.text_in(ui.fonts.mono_caption, {each.box->min.x + ui.px(4), each.box->min.y}, each.box->max,
                    ui.theme.text_high, each.label);
    }
}

}  // namespace

std::vector<std::optional<double>> heat_shares(std::span<const std::optional<double>> values,
                                               std::span<const std::optional<double>> of) {
    const auto [least, most] = extremes_of(of.empty() ? values : of).value_or(Extremes{});
    std::vector<std::optional<double>> shares;
    for (const std::optional<double>& value : values) {
        std::optional<double>& share = shares.emplace_back();
        if (value && std::isfinite(*value)) share = most > least ? (*value - least) / (most - least) : 0.5;
    }
    return shares;
}

ImU32 heat_colour(const Theme& theme, ImU32 hue, double share) {
    const auto amount = static_cast<float>(0.1 + 0.9 * std::clamp(share, 0.0, 1.0));
    return mix(theme.canvas, hue, amount);
}

ChartResult heat_map(const Ui& ui, std::string_view name, const HeatMap& chart) {
    const ChartArea area = area_here(std::round(ui.px(chart.height)));
    const Grid grid = grid_of(ui, chart, area);
    const std::size_t cells = std::min(chart.values.size(), grid.columns * grid.rows);
    std::vector<ChartTarget> targets;
    for (std::size_t i = 0; i < cells; ++i) targets.push_back({grid.cell(i).min, grid.cell(i).max, {}});
    const auto note = [&](std::size_t index) { return chart.note ? chart.note(static_cast<int>(index)) : ChartNote{}; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note);
    const std::optional<int> hovered = pointed.hovered;
    const std::vector<std::optional<double>> shares = heat_shares(chart.values, chart.of);
    const std::tuple shown(std::vector(chart.values.begin(), chart.values.end()), grid.columns, grid.inside.min.x,
                           grid.inside.min.y, grid.inside.max.x, grid.inside.max.y, chart.lines, ui.scale);
    const std::vector<DrawnContour>& lines = made(ui, std::string(name) + ".lines", shown, [&] {
        return chart.lines ? contours_of(ui, chart, grid) : std::vector<DrawnContour>();
    });
    for (const DrawnContour& each : lines)
        if (each.box) ui.recorder.record(std::string(name) + ".line." + each.label, each.box->min, each.box->max);
    const auto draw = [&](Pen& pen) {
        draw_labels(ui, pen, chart, grid);
        draw_scale(ui, pen, chart, grid);
        for (std::size_t i = 0; i < cells; ++i)
            if (shares[i])
                pen.fill(targets[i].min, targets[i].max, heat_colour(ui.theme, ui.theme.text_high, *shares[i]));
        draw_contours(ui, pen, lines);
        pen.outline(grid.inside.min, grid.inside.max, ui.theme.strong_line);
        const auto frame = [&](int index, float wide) {
            if (index < 0 || static_cast<std::size_t>(index) >= cells) return;
            const ChartTarget& at = targets[static_cast<std::size_t>(index)];
            // Seen on dark and on light cells.
            pen.outline(at.min - ImVec2(1, 1), at.max + ImVec2(1, 1), ui.theme.selection_ink, 0, ui.px(wide) + 2);
            pen.outline(at.min, at.max, ui.theme.selection, 0, ui.px(wide));
        };
        if (chart.marked) frame(*chart.marked, 1);
        if (chart.selected) frame(*chart.selected, 2);
        if (hovered) frame(*hovered, 2);
    };
    const auto numbers = [&] {
        ChartTable table{{chart.y_title, chart.x_title, chart.value_title}, {}};
        for (std::size_t i = 0; i < cells; ++i)
            table.rows.push_back({chart.rows[i / grid.columns], chart.columns[i % grid.columns],
                                  chart.values[i] ? chart_number(*chart.values[i]) : std::string()});
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

}  // namespace headcount
