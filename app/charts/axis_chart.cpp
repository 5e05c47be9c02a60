// The room of charts of points between two axes.
#include "app/charts/axis_chart.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"

namespace headcount {

AxisChart open_axis_chart(const Ui& ui, const Axis& x, const Axis& y, std::span<const ChartSeries> series, bool legend,
                          float height) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0F, available_width());
    AxisChart chart{.area = {start, {start.x + width, start.y + std::round(ui.px(height))}},
                    .inside = {},
                    .legend = legend && series.size() > 1};
    if (chart.legend) chart.foot = draw_chart_legend(ui, nullptr, series, {0, 0}, width) + ui.px(4);
    chart.inside = inside_axes(ui, {chart.area.min, {chart.area.max.x, chart.area.max.y - chart.foot}}, x, y);
    return chart;
}

void draw_axis_legend(const Ui& ui, Pen& pen, const AxisChart& chart, std::span<const ChartSeries> series) {
    if (!chart.legend) return;
    const ImVec2 min(chart.inside.min.x, chart.area.max.y - chart.foot + ui.px(4));
    draw_chart_legend(ui, &pen, series, min, chart.area.max.x - chart.area.min.x);
}

std::string column_title(const Axis& axis, std::string_view otherwise) {
    return axis.title.empty() ? std::string(otherwise) : axis.title;
}

}  // namespace headcount
