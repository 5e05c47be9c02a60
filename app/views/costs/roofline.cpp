// Draws the roofline (Williams, Waterman and Patterson 2009).
#include <algorithm>
#include <cmath>

#include "app/charts/scatter.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/views/costs/panels.hpp"
#include "core/analysis/rates.hpp"

namespace headcount {
namespace {

struct Points {
    std::vector<ScatterPoint> points;
    std::vector<const RunRow*> rows;  // of each point

    // Operations that take the same lie on each other.
    bool same(std::size_t a, std::size_t b) const { return points[a].x == points[b].x && points[a].y == points[b].y; }

    // The one that a press on a point means: of those that lie there the one behind that which is selected.
    std::size_t pressed(std::size_t point) const {
        std::size_t first = points.size();
        bool after = false;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (!same(i, point)) continue;
            if (after) return i;
            first = std::min(first, i);
            after = points[i].selected;
        }
        return after ? first : point;
    }
};

// As fast as the roof allows; an operation that takes a larger part of the time is a larger point.
ScatterPoint point_of_run(const Shown& model, const Costs& costs, const OperationWork& work, const RunRow& row) {
    constexpr float least = 3.5F, most = 6;
    ScatterPoint point;
    point.x = intensity_of(work.flops, work.bytes);
    point.y = static_cast<double>(work.flops.counted()) / seconds_at(*costs.run.roof, work);
    point.series = static_cast<int>(costs.run.graph.tensors[row.tensor].component);
    point.note = {row.intensity + " operations a byte", row.label + ", " + row.place, {}, row.note};
    point.name = std::string(row.id);
    point.radius = least + most * static_cast<float>(std::sqrt(std::clamp(row.of_time, 0.0, 1.0)));
    point.selected = row_shows(costs.run.graph, row.tensor, model.look.selection);
    point.lit = row_shows(costs.run.graph, row.tensor, model.look.hover);
    return point;
}

Points points_of(const Shown& model, const CostsRows& rows) {
    Points points;
    for (std::size_t i = 0; i < rows.run.size(); ++i) {
        const OperationWork& work = rows.of->run.work.operations[i];
        if (work.flops.counted() == 0 || work.bytes == 0) continue;
        points.points.push_back(point_of_run(model, *rows.of, work, rows.run[i]));
        points.rows.push_back(&rows.run[i]);
    }
    for (std::size_t i = 0; i < points.points.size(); ++i) {
        std::string others;
        for (std::size_t j = 0; j < points.points.size(); ++j)
            if (j != i && points.same(i, j)) others += (others.empty() ? "" : ", ") + points.rows[j]->label;
        if (!others.empty()) points.points[i].note.remark += "\nat the same place: " + others;
    }
    return points;
}

// Up with the traffic, then level at the peak; as wide as the axis.
ScatterLine roof_line(const Ui& ui, const Roof& roof, const Axis& x) {
    const double ridge = ridge_of(roof);
    ScatterLine line;
    line.points = {{x.from, x.from * roof.bandwidth}, {ridge, roof.flops}, {std::max(x.to, ridge), roof.flops}};
    line.colour = ui.theme.lit_edge;
    return line;
}

}  // namespace

void draw_costs_roofline(Inspector& inspector, const CostsRows& rows, float height) {
    const Ui& ui = inspector.ui;
    const Costs& costs = *rows.of;
    const Roof& roof = *costs.run.roof;
    Points points = points_of(inspector.model, rows);
    const double ridge = ridge_of(roof);
    std::vector<double> intensities{ridge, ridge / 100, ridge * 4}, speeds{roof.flops, roof.flops / 100};
    for (const ScatterPoint& point : points.points) {
        intensities.push_back(point.x);
        speeds.push_back(point.y);
    }
    ScatterChart chart;
    chart.title = "Roofline of " + costs.device.name;
    chart.x = axis_over(intensities, true, AxisUnit::plain, "operations a byte");
    chart.y = axis_over(speeds, true, AxisUnit::flop, "a second");
    // The components that there are points of.
    std::vector<ChartSeries> series;
    std::array<int, components.size()> places{};
    for (const Component component : components) {
        if (std::ranges::count(points.points, static_cast<int>(component), &ScatterPoint::series) == 0) continue;
        places[static_cast<std::size_t>(component)] = static_cast<int>(series.size());
        series.push_back({std::string(component_name(component)), component_colour(ui.theme, component)});
    }
    for (ScatterPoint& point : points.points) point.series = places[static_cast<std::size_t>(point.series)];
    const std::array lines{roof_line(ui, roof, chart.x)};
    chart.series = series;
    chart.points = points.points;
    chart.lines = lines;
    chart.height = height;
    const ChartResult result = scatter_chart(ui, "costs.roofline", chart);
    add_chart_intents(inspector.intents, result);
    const auto subject = [&](int index) {
        return subject_of_run(inspector.model, *points.rows[static_cast<std::size_t>(index)]);
    };
    if (result.hovered) inspector.point_at(subject(*result.hovered), false);
    if (result.clicked) {
        const std::size_t chosen = points.pressed(static_cast<std::size_t>(*result.clicked));
        inspector.point_at(subject(static_cast<int>(chosen)), true);
    }
}

}  // namespace headcount
