// A sweep: lines along one number, a heat map over two. A click makes a point the document.
#include <algorithm>
#include <tuple>

#include "app/charts/bars.hpp"
#include "app/charts/heat_map.hpp"
#include "app/charts/scatter.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/state/what_if/page.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/slider_row.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// "Layers 40 · Width 4096"
std::string name_of(const Sweep& sweep, const SweepPoint& point) {
    std::string text;
    for (std::size_t i = 0; i < sweep.ranges.size() && i < point.values.size(); ++i)
        text += (i > 0 ? " · " : "") + std::string(sweep.ranges[i].label()) + " " +
                value_text(sweep.ranges[i], point.values[i]);
    return text;
}

// "Parameters by layers and width"
std::string title_of(const FoundSweep& found) {
    std::string title = std::string(info(found.place.metric).label) + " by ";
    for (std::size_t i = 0; i < std::min<std::size_t>(found.sweep->ranges.size(), 2); ++i)
        title += (i > 0 ? " and " : "") + inside_title(found.sweep->ranges[i].label());
    return title;
}

ChartNote note_of(const Shown& model, const FoundSweep& found, const SweepPoint& point, bool here) {
    const Metric metric = found.place.metric;
    ChartNote note{value_text(model, point, metric), name_of(*found.sweep, point), {}, {}};
    if (here) {
        note.remark = "The model as it is.";
        return note;
    }
    const std::optional<double> value = value_of(point, metric);
    const std::optional<double> now = found.now ? value_of(*found.now, metric) : std::nullopt;
    if (value && now) {
        std::optional<std::int64_t> whole;
        if (const auto after = whole_value_of(point, metric), before = whole_value_of(*found.now, metric);
            after && before)
            whole = *after - *before;
        note.derivation = change_text(*value - *now, whole, metric) + " beside now";
    }
    note.remark = point.fits == false
                      ? "It does not fit into the device's memory. A click makes it the model all the same."
                      : "A click makes it the model.";
    return note;
}

// "40", "40,4096"
std::string key_of(const std::vector<std::int64_t>& values) {
    std::string key;
    for (const std::int64_t value : values) key += (key.empty() ? "" : ",") + std::to_string(value);
    return key;
}

// The point that is pointed out to a class; null where none is.
const SweepPoint* pointed_point(const FoundSweep& found, const Show& show) {
    if (!show.presenting) return nullptr;
    return find_in(found.sweep->points, show.pointed, [](const SweepPoint& point) { return key_of(point.values); });
}

// The document's own values of what varies.
std::vector<std::int64_t> own_values(const Shown& model, const FoundSweep& found) {
    std::vector<std::int64_t> values;
    const Document& document = model.document;
    for (const ValueRange& range : found.sweep->ranges)
        values.push_back(number_of(range, document.architecture, document.input, found.of.pass).value_or(-1));
    return values;
}

// "Layers 40: 8,357,482,496, +1,619,066,880 beside now"
std::string words_of(const Shown& model, const FoundSweep& found, const SweepPoint* point) {
    if (!point) return "";
    const bool here = point->values == own_values(model, found);
    const ChartNote note = note_of(model, found, *point, here);
    const std::string beside = here ? "the model as it is" : note.derivation;
    return note.title + ": " + note.value + (beside.empty() ? "" : ", " + beside);
}

// What is drawn, and to whom.
struct SweepView {
    const Ui& ui;
    const Shown& model;
    const WhatIfPage& page;
    const FoundSweep& found;  // of the page
    const CostsPlace& costs;
    const SweepPoint* pointed;  // null: none is
    Intents& intents;
};

// The ranges stay as they are: what is suggested would move with the model.
void adopt_point(SweepView& view, const SweepPoint& point) {
    std::vector<NumberOf> numbers;
    CostsPlace costs = view.costs;
    for (std::size_t i = 0; i < point.values.size() && i < view.found.sweep->ranges.size(); ++i) {
        const ValueRange& range = view.found.sweep->ranges[i];
        numbers.push_back({range, point.values[i]});
        if (range.choices && range.choices->of == Choices::Of::device)
            costs.device = range.choices->devices[static_cast<std::size_t>(point.values[i])].id;
    }
    std::optional<Intent> intent = adopt(view.model, numbers);
    if (!intent && costs == view.costs) return;
    view.intents.push_back(AtWhatIf{SetSweep{{view.found.ranges, view.found.place.metric, view.found.place.third}}});
    if (intent) view.intents.push_back(std::move(*intent));
    if (costs != view.costs) view.intents.push_back(AtCosts{SetCosts{std::move(costs)}});
}

float chart_height(const Ui& ui) { return std::max(160.0F, ImGui::GetContentRegionAvail().y / ui.scale); }

// What is drawn of a sweep, made once for it.
struct SweepLine {
    std::vector<LinePoint> points;
    std::vector<std::size_t> which;  // of the sweep's points they are
    std::vector<double> x, y;
};

SweepLine line_of(const FoundSweep& found, const std::vector<std::int64_t>& selected) {
    SweepLine line;
    const std::vector<SweepPoint>& points = found.sweep->points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::optional<double> value = value_of(points[i], found.place.metric);
        if (!value || points[i].values.empty()) continue;
        LinePoint& drawn = line.points.emplace_back();
        drawn.x = static_cast<double>(points[i].values.front());
        drawn.y = *value;
        drawn.selected = points[i].values == selected;
        line.which.push_back(i);
        line.x.push_back(drawn.x);
        line.y.push_back(drawn.y);
    }
    return line;
}

void draw_line(SweepView& view) {
    const FoundSweep& found = view.found;
    const Sweep& sweep = *found.sweep;
    const Metric metric = found.place.metric;
    const std::vector<std::int64_t> own = own_values(view.model, found);
    const std::vector<std::int64_t> selected = view.pointed ? view.pointed->values : own;
    const SweepLine& line =
        made(view.ui, "sweep.line", std::pair(view.page.sweep, selected), [&] { return line_of(found, selected); });
    LineChart chart;
    chart.title = title_of(found);
    if (!line.x.empty()) chart.x = sweep_axis(line.x, std::string(sweep.ranges.front().label()));
    chart.y = axis_over(line.y, false, axis_unit(info(metric).unit), std::string(info(metric).label));
    chart.points = line.points;
    chart.height = chart_height(view.ui);
    chart.marked = static_cast<double>(own.front());
    // What is said is made for the one that is pointed at.
    chart.note = [&](int index) {
        const auto at = static_cast<std::size_t>(index);
        const SweepPoint& point = sweep.points[line.which[at]];
        return note_of(view.model, found, point, point.values == own);
    };
    const ChartResult result = line_chart(view.ui, "sweep.chart", chart);
    if (result.clicked) adopt_point(view, sweep.points[line.which[static_cast<std::size_t>(*result.clicked)]]);
    add_chart_intents(view.intents, result);
}

// Of what is no number a bar each.
void draw_bars(SweepView& view) {
    const FoundSweep& found = view.found;
    const Sweep& sweep = *found.sweep;
    const std::vector<std::int64_t> own = own_values(view.model, found);
    std::vector<Bar> bars;
    std::vector<const SweepPoint*> points;
    for (const SweepPoint& point : sweep.points) {
        const std::optional<double> value = value_of(point, found.place.metric);
        const bool here = point.values == own;
        bars.push_back({.label = value_text(sweep.ranges.front(), point.values.front()),
                        .value = value.value_or(0),
                        .text = (point.fits == false ? "does not fit, " : "") +
                                (value ? value_text(view.model, point, found.place.metric) : "not published"),
                        .note = note_of(view.model, found, point, here),
                        .name = key_of(point.values),
                        .selected = view.pointed ? view.pointed == &point : here,
                        .faded = !value || point.fits == false});
        points.push_back(&point);
    }
    BarChart chart;
    chart.title = title_of(found);
    chart.bars = bars;
    chart.value_title = info(found.place.metric).label;
    const ChartResult result = bar_chart(view.ui, "sweep.chart", chart);
    if (result.clicked) adopt_point(view, *points[static_cast<std::size_t>(*result.clicked)]);
    add_chart_intents(view.intents, result);
}

// For which of the third's values the map is drawn: that of the point which is pointed out, or the one that was chosen.
std::optional<std::int64_t> third_of(const FoundSweep& found, const SweepPoint* pointed) {
    if (found.ranges.size() < 3) return std::nullopt;
    const std::vector<std::int64_t> values = values_of(found.ranges[2]);
    return pointed ? pointed->values[2] : values[std::min(found.place.third, values.size() - 1)];
}

// "Batch 8"
std::string third_words(const FoundSweep& found, std::int64_t third) {
    return std::string(found.ranges[2].label()) + " " + value_text(found.ranges[2], third);
}

// Cells of the grid that the two ranges span, and which point is in which.
struct Cells {
    std::vector<std::string> columns, rows;
    std::vector<std::optional<double>> values;
    std::vector<std::optional<double>> all;  // those of every map
    std::vector<std::size_t> points;         // of the cells that have a value
    std::optional<int> own;
};

// Of three numbers with the third as it is said.
Cells cells_of(const FoundSweep& found, const std::vector<std::int64_t>& own, std::optional<std::int64_t> third) {
    Cells cells;
    const std::vector<std::int64_t> across = values_of(found.ranges[0]), up = values_of(found.ranges[1]);
    for (const std::int64_t value : across) cells.columns.push_back(value_text(found.ranges[0], value));
    for (const std::int64_t value : up) cells.rows.push_back(value_text(found.ranges[1], value));
    cells.values.resize(cells.columns.size() * cells.rows.size());
    cells.points.resize(cells.values.size());
    for (std::size_t i = 0; i < found.sweep->points.size(); ++i) {
        const SweepPoint& point = found.sweep->points[i];
        cells.all.push_back(value_of(point, found.place.metric));
        if (point.values.size() < 2 || (third && point.values[2] != *third)) continue;
        const auto column = static_cast<std::size_t>(std::ranges::find(across, point.values[0]) - across.begin());
        const auto row = static_cast<std::size_t>(std::ranges::find(up, point.values[1]) - up.begin());
        const std::size_t cell = row * cells.columns.size() + column;
        if (column >= cells.columns.size() || cell >= cells.values.size()) continue;
        cells.values[cell] = value_of(point, found.place.metric);
        cells.points[cell] = i;
        if (point.values == own) cells.own = static_cast<int>(cell);
    }
    return cells;
}

void draw_map(SweepView& view) {
    const FoundSweep& found = view.found;
    const Sweep& sweep = *found.sweep;
    const Metric metric = found.place.metric;
    const std::vector<std::int64_t> own = own_values(view.model, found);
    const std::optional<std::int64_t> third = third_of(found, view.pointed);
    const Cells& cells = made(view.ui, "sweep.cells", std::tuple(view.page.sweep, own, third),
                              [&] { return cells_of(found, own, third); });
    HeatMap chart;
    chart.x_title = sweep.ranges[0].label();
    chart.y_title = sweep.ranges[1].label();
    chart.value_title = info(metric).label;
    chart.title = title_of(found);
    if (third) chart.title += ", " + third_words(found, *third);
    chart.lines = !sweep.ranges[0].choices && !sweep.ranges[1].choices;  // between names there is nothing
    chart.of = cells.all;
    chart.columns = cells.columns;
    chart.rows = cells.rows;
    chart.values = cells.values;
    chart.unit = axis_unit(info(metric).unit);
    chart.height = chart_height(view.ui);
    chart.marked = cells.own;
    for (std::size_t cell = 0; view.pointed && cell < cells.values.size(); ++cell)
        if (cells.values[cell] && &sweep.points[cells.points[cell]] == view.pointed)
            chart.selected = static_cast<int>(cell);
    chart.note = [&](int index) {
        const auto cell = static_cast<std::size_t>(index);
        if (cells.values[cell]) return note_of(view.model, found, sweep.points[cells.points[cell]], cells.own == index);
        const std::string name = chart.x_title + " " + cells.columns[cell % cells.columns.size()] + " · " +
                                 chart.y_title + " " + cells.rows[cell / cells.columns.size()];
        return ChartNote{"not possible", name, {}, {}};
    };
    const ChartResult result = heat_map(view.ui, "sweep.chart", chart);
    if (result.clicked && cells.values[static_cast<std::size_t>(*result.clicked)])
        adopt_point(view, sweep.points[cells.points[static_cast<std::size_t>(*result.clicked)]]);
    add_chart_intents(view.intents, result);
}

}  // namespace

std::vector<std::string> sweep_keys(const FoundSweep& found) {
    std::vector<std::string> keys;
    if (!found.sweep) return keys;
    for (const SweepPoint& point : found.sweep->points)
        if (value_of(point, found.place.metric) && !point.values.empty()) keys.push_back(key_of(point.values));
    return keys;
}

std::size_t own_key(const Shown& model, const FoundSweep& found, const std::vector<std::string>& keys) {
    const auto at = found.sweep ? std::ranges::find(keys, key_of(own_values(model, found))) : keys.end();
    return at == keys.end() ? 0 : static_cast<std::size_t>(at - keys.begin());
}

Intents draw_sweep(const Ui& ui, const Shown& model, const WhatIfPage& page, const CostsPlace& costs,
                   const Show& show) {
    Intents intents;
    const FoundSweep* const found = page.sweep.get();
    if (!found) return intents;
    if (!found->sweep || found->sweep->points.empty()) {
        section_title(ui, "Sweep");
        gap(ui, 8);
        draw_what_if_problem(ui, model, "sweep.problem", found->problem, intents);
        return intents;
    }
    const About about(total_key);
    const Sweep& sweep = *found->sweep;
    const SweepPoint* const pointed = pointed_point(*found, show);
    const std::optional<std::int64_t> third = third_of(*found, pointed);
    chart_title(ui, title_of(*found) + (third ? ", " + third_words(*found, *third) : std::string()),
                found->now ? "now " + value_text(model, *found->now, found->place.metric) : std::string());
    draw_pointed_out(ui, show, words_of(model, *found, pointed));
    SweepView to{ui, model, page, *found, costs, pointed, intents};
    if (sweep.ranges.size() > 1 && found->ranges.size() > 1)
        draw_map(to);
    else if (sweep.ranges.front().choices)
        draw_bars(to);
    else
        draw_line(to);
    return intents;
}

}  // namespace headcount
