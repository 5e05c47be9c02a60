// Lines and their points.
#include "app/charts/lines.hpp"

#include <algorithm>
#include <cmath>

#include "app/charts/scatter.hpp"

namespace headcount {
namespace {

ImU32 colour_of(const Ui& ui, const LineChart& chart, int series) {
    const auto index = static_cast<std::size_t>(series);
    return index < chart.series.size() ? chart.series[index].colour : ui.theme.text_mid;
}

void draw_series(const Ui& ui, Pen& pen, const LineChart& chart, int series, std::span<const ImVec2> centres,
                 const ChartArea& inside) {
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < centres.size(); ++i)
        if (chart.points[i].series == series) points.push_back(centres[i]);
    for (const std::vector<ImVec2>& piece : cut_line(points, inside))
        pen.strokes(piece, colour_of(ui, chart, series), ui.px(2));
}

void draw_marks(const Ui& ui, Pen& pen, const LineChart& chart, std::span<const ImVec2> centres,
                std::optional<int> hovered) {
    // Of very many the line says enough.
    const bool marks = chart.points.size() <= 80 * std::max<std::size_t>(1, chart.series.size());
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const LinePoint& point = chart.points[i];
        const bool lit = hovered == static_cast<int>(i);
        if (marks || lit || point.selected)
            pen.circle(centres[i], ui.px(lit || point.selected ? 4.5F : 3.0F), colour_of(ui, chart, point.series));
        if (lit || point.selected) pen.ring(centres[i], ui.px(6.5F), ui.theme.selection, ui.px(1.5F));
    }
}

}  // namespace

ChartResult line_chart(const Ui& ui, std::string_view name, const LineChart& chart) {
    const AxisChart opened = open_axis_chart(ui, chart.x, chart.y, chart.series, chart.legend, chart.height);
    const ChartArea &area = opened.area, &inside = opened.inside;
    std::vector<ImVec2> centres;
    std::vector<ChartTarget> targets;
    const float radius = ui.px(4);
    for (const LinePoint& point : chart.points) {
        centres.push_back(point_of(inside, chart.x, chart.y, point.x, point.y));
        targets.push_back({centres.back() - ImVec2(radius, radius), centres.back() + ImVec2(radius, radius), {}});
    }
    const auto note = [&](std::size_t index) {
        return chart.note ? chart.note(static_cast<int>(index)) : chart.points[index].note;
    };
    ChartPointing pointing = explain_chart(ui, name, area, targets, note, ui.px(24));
    const std::optional<int> hovered = pointing.result.hovered;
    const auto draw = [&](Pen& pen) {
        draw_axes(ui, pen, inside, chart.x, chart.y);
        if (chart.marked) {
            const double share = chart.x.position(*chart.marked);
            const float x =
                inside.min.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (inside.max.x - inside.min.x);
            if (share >= 0 && share <= 1)
                pen.dashes({std::round(x), inside.min.y}, {std::round(x), inside.max.y}, ui.theme.text_mid, ui.px(4));
        }
        const int series = std::max(1, static_cast<int>(chart.series.size()));
        for (int i = 0; i < series; ++i) draw_series(ui, pen, chart, i, centres, inside);
        draw_marks(ui, pen, chart, centres, hovered);
        draw_axis_legend(ui, pen, opened, chart.series);
    };
    const auto numbers = [&] {
        ChartTable table{{"series", column_title(chart.x, "x"), column_title(chart.y, "y")}, {}};
        for (const LinePoint& point : chart.points) {
            const auto index = static_cast<std::size_t>(point.series);
            table.rows.push_back({index < chart.series.size() ? chart.series[index].name : "", chart_number(point.x),
                                  chart_number(point.y)});
        }
        return table;
    };
    return finish_chart(ui, {name, chart.title}, area, std::move(pointing), draw, numbers);
}

}  // namespace headcount
