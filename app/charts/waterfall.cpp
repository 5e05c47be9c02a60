// The waterfall's plan and drawing.
#include "app/charts/waterfall.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/layout.hpp"

namespace headcount {
namespace {

constexpr float axis_room = 32, label_indent = 19, label_gap = 16;  // unscaled
constexpr float step_height = 22;

struct Rows {
    ChartArea area;
    float label = 0, plot_from = 0, plot_to = 0;  // pixels from the left of the screen
    std::vector<ChartTarget> steps;
    ChartTarget from, to;  // the rows of the totals
};

float label_width(const Ui& ui, const Waterfall& chart) {
    float width =
        std::max(text_width(ui.fonts.body_bold, chart.from_label), text_width(ui.fonts.body_bold, chart.to_label));
    for (const WaterfallStep& step : chart.steps) {
        const float below =
            step.words ? text_width(ui.fonts.caption, step.formula) : symbol_width(ui.fonts.mono_caption, step.formula);
        width = std::max(width, ui.px(label_indent) + std::max(text_width(ui.fonts.body_medium, step.label), below));
    }
    return std::ceil(width);
}

float value_width(const Ui& ui, const Waterfall& chart) {
    float width =
        std::max(text_width(ui.fonts.mono_body, chart.from_text), text_width(ui.fonts.mono_body, chart.to_text));
    for (const WaterfallStep& step : chart.steps)
        width = std::max(
            {width, text_width(ui.fonts.mono_body, step.text), symbol_width(ui.fonts.mono_caption, step.second)});
    return std::ceil(width);
}

Rows rows_of(const Ui& ui, const Waterfall& chart, ImVec2 start, float width) {
    Rows rows;
    const float steps = std::round(ui.px(chart.row_height)) * static_cast<float>(chart.steps.size());
    const float whole = std::round(ui.px(axis_room)) + 2 * std::round(ui.px(chart.total_height)) + steps;
    rows.area = {start, {start.x + width, start.y + whole}};
    const float value = std::min(value_width(ui, chart), 0.36F * width);
    // Words may take what the values leave, as long as there is half of it for the bars.
    rows.label = std::min(label_width(ui, chart), std::max(0.36F * width, 0.5F * (width - value)));
    rows.plot_from = start.x + rows.label + ui.px(label_gap);
    rows.plot_to = std::max(rows.plot_from + 1, rows.area.max.x - value - ui.px(label_gap));
    float y = start.y + std::round(ui.px(axis_room));
    const auto row = [&](float height) {
        const float top = y;
        y += std::round(ui.px(height));
        return ChartTarget{{start.x, top}, {rows.area.max.x, y}, {}};
    };
    rows.from = row(chart.total_height);
    for (const WaterfallStep& step : chart.steps) {
        rows.steps.push_back(row(chart.row_height));
        rows.steps.back().name = step.name;
    }
    rows.to = row(chart.total_height);
    return rows;
}

// What draws one waterfall.
struct Painter {
    const Ui& ui;
    Pen& pen;
    const Waterfall& chart;
    const WaterfallPlan& plan;
    const Rows& rows;

    float x(double value) const {
        return rows.plot_from +
               static_cast<float>(std::clamp(plan.axis.position(value), 0.0, 1.0)) * (rows.plot_to - rows.plot_from);
    }
    ChartArea bar(const ChartTarget& row, double from, double to) const {
        const float centre = std::round((row.min.y + row.max.y) / 2), half = std::round(ui.px(step_height) / 2);
        const float left = std::min(x(from), x(to)), right = std::max(x(from), x(to));
        return {{std::round(left), centre - half}, {std::round(right), centre + half}};
    }

    void axis() const;
    void total(const ChartTarget& row, std::string_view label, double value, std::string_view text) const;
    void ground(std::size_t index, bool hovered) const;
    void step(std::size_t index) const;
    void arrow(const ChartArea& bar, bool more, ImU32 ink) const;
    void connector(double value, const ChartTarget& upper, const ChartTarget& lower) const;
};

void Painter::axis() const {
    const float width = rows.plot_to - rows.plot_from, foot = rows.area.min.y + ui.px(axis_room - 8);
    pen.line({rows.plot_from, foot}, {rows.plot_to, foot}, ui.theme.strong_line);
    for (const Tick& tick : fitting_ticks(ui, plan.axis, width, false)) {
        if (tick.label.empty()) continue;
        const float at = std::round(rows.plot_from + static_cast<float>(tick.position) * width);
        pen.line({at, foot - ui.px(4)}, {at, foot}, ui.theme.strong_line);
        pen.text_in(ui.fonts.mono_caption, {at - ui.px(80), rows.area.min.y}, {at + ui.px(80), foot - ui.px(4)},
                    ui.theme.text_low, tick.label, Align::centre);
    }
}

void Painter::total(const ChartTarget& row, std::string_view label, double value, std::string_view text) const {
    pen.text_in(ui.fonts.body_bold, row.min, {row.min.x + rows.label, row.max.y}, ui.theme.text_high, label);
    const About about(chart.about);
    pen.text_in(ui.fonts.mono_body, {rows.plot_to, row.min.y}, row.max, ui.theme.text_high, text, Align::right);
    ChartArea area = bar(row, plan.axis.from <= 0 ? 0.0 : plan.axis.from, value);
    area.max.x = std::max(area.max.x, area.min.x + 1);
    pen.fill(area.min, area.max, ui.theme.text_mid, ui.px(size::radius_matrix));
    if (!plan.broken || area.max.x - area.min.x < ui.px(20)) return;
    // The axis does not begin at 0: two cuts through the bar.
    for (const float offset : {4.0F, 9.0F}) {
        const float left = area.min.x + ui.px(offset), lean = ui.px(4), wide = ui.px(2);
        const std::array<ImVec2, 4> cut{ImVec2(left, area.max.y + 1), ImVec2(left + lean, area.min.y - 1),
                                        ImVec2(left + lean + wide, area.min.y - 1),
                                        ImVec2(left + wide, area.max.y + 1)};
        pen.polygon(cut, ui.theme.panel);
    }
}

void Painter::arrow(const ChartArea& area, bool more, ImU32 ink) const {
    if (area.max.x - area.min.x < ui.px(18)) return;
    const float centre = (area.min.y + area.max.y) / 2, reach = ui.px(4);
    const float tip = more ? area.max.x - ui.px(6) : area.min.x + ui.px(6), back = more ? tip - reach : tip + reach;
    const std::array<ImVec2, 3> points{ImVec2(back, centre - reach), ImVec2(tip, centre), ImVec2(back, centre + reach)};
    pen.strokes(points, ink, ui.px(2));
}

// Below all words: in a low row a formula's feet may reach into the next.
void Painter::ground(std::size_t index, bool hovered) const {
    const WaterfallStep& step = chart.steps[index];
    const ChartTarget& row = rows.steps[index];
    if (!step.selected && !step.lit && !hovered) return;
    const ImVec2 min(row.min.x - ui.px(12), row.min.y + ui.px(1)), max(row.max.x + ui.px(12), row.max.y - ui.px(1));
    pen.fill(min, max, step.selected ? selected_tint(ui.theme) : hover_tint(ui.theme), ui.px(size::radius_field));
    if (step.selected) pen.fill(min, {min.x + ui.px(2), max.y}, ui.theme.selection);
}

void Painter::step(std::size_t index) const {
    const WaterfallStep& step = chart.steps[index];
    const ChartTarget& row = rows.steps[index];
    const float middle = std::round((row.min.y + row.max.y) / 2);
    // Both lines stay in the row, be it ever so low.
    const float apart = std::round(std::min(ui.px(9), (row.max.y - row.min.y) / 4));
    const bool two = !step.formula.empty();
    const float name = two ? middle - apart : middle, text = row.min.x + ui.px(label_indent);
    const float mark = ui.px(size::swatch), end = row.min.x + rows.label;
    pen.fill({row.min.x, name - mark / 2}, {row.min.x + mark, name + mark / 2}, step.colour, size::radius_matrix);
    pen.text_in(ui.fonts.body_medium, {text, name - ui.px(9)}, {end, name + ui.px(9)}, ui.theme.text_high, step.label);
    const About about(step.note.about);
    if (two)
        pen.text_in(step.words ? ui.fonts.caption : ui.fonts.mono_caption, {text, middle + apart - ui.px(8)},
                    {end, middle + apart + ui.px(8)}, ui.theme.text_low, step.formula, Align::left, !step.words);
    const bool second = !step.second.empty();
    const float value = second ? middle - apart : middle;
    const bool nothing = step.change == 0;
    pen.text_in(ui.fonts.mono_body, {rows.plot_to, value - ui.px(9)}, {row.max.x, value + ui.px(9)},
                nothing ? ui.theme.text_low : ui.theme.text_high, step.text, Align::right);
    if (second)
        pen.text_in(ui.fonts.mono_caption, {rows.plot_to, middle + apart - ui.px(8)},
                    {row.max.x, middle + apart + ui.px(8)}, ui.theme.text_low, step.second, Align::right, true);
    const WaterfallBar& values = plan.steps[index];
    ChartArea area = bar(row, values.from, values.to);
    if (area.max.x - area.min.x < ui.px(2)) area.max.x = area.min.x + std::round(ui.px(2));
    pen.fill(area.min, area.max, nothing ? ui.theme.text_low : step.colour, nothing ? 0 : ui.px(size::radius_matrix));
    if (!nothing) arrow(area, values.to > values.from, text_on(step.colour));
}

void Painter::connector(double value, const ChartTarget& upper, const ChartTarget& lower) const {
    const float at = std::round(x(value)), half = std::round(ui.px(step_height) / 2);
    const float from = std::round((upper.min.y + upper.max.y) / 2) + half + 1;
    const float to = std::round((lower.min.y + lower.max.y) / 2) - half - 1;
    if (to > from) pen.dashes({at, from}, {at, to}, ui.theme.edge, ui.px(2));
}

}  // namespace

WaterfallPlan waterfall_plan(double from, double to, std::span<const double> changes) {
    WaterfallPlan plan;
    double at = from, least = std::min(from, to), most = std::max(from, to);
    for (const double change : changes) {
        plan.steps.push_back({at, at + change});
        at += change;
        least = std::min(least, at);
        most = std::max(most, at);
    }
    const double range = most - least;
    // Beside whole totals a change of less than a half of them is hard to see.
    plan.broken = least > 0 && range < 0.5 * most;
    if (plan.broken) {
        const double seen = range > 0 ? range : 0.1 * most;
        plan.axis.from = std::max(0.0, least - 0.22 * seen);
        plan.axis.to = most + 0.08 * seen;
        plan.broken = plan.axis.from > 0;
    } else {
        plan.axis.from = std::min(0.0, least - 0.04 * range);
        plan.axis.to = most > 0 ? most + 0.04 * range : 0;
        if (least >= 0) plan.axis.from = 0;
    }
    if (plan.axis.to <= plan.axis.from) plan.axis.to = plan.axis.from + 1;
    return plan;
}

ChartResult waterfall(const Ui& ui, std::string_view name, const Waterfall& chart) {
    const Rows rows = rows_of(ui, chart, ImGui::GetCursorScreenPos(), std::max(1.0F, available_width()));
    const auto note = [&](std::size_t index) { return chart.steps[index].note; };
    const ChartResult pointed = explain_chart(ui, name, rows.area, rows.steps, note);
    const std::optional<int> hovered = pointed.hovered;
    std::vector<double> changes;
    for (const WaterfallStep& step : chart.steps) changes.push_back(step.change);
    const WaterfallPlan plan = waterfall_plan(chart.from, chart.to, changes);
    const auto draw = [&](Pen& pen) {
        const Painter painter{ui, pen, chart, plan, rows};
        painter.axis();
        for (std::size_t i = 0; i < chart.steps.size(); ++i) painter.ground(i, hovered == static_cast<int>(i));
        for (std::size_t i = 0; i < chart.steps.size(); ++i) painter.step(i);
        painter.total(rows.from, chart.from_label, chart.from, chart.from_text);
        painter.total(rows.to, chart.to_label, chart.to, chart.to_text);
        const ChartTarget* upper = &rows.from;
        for (std::size_t i = 0; i < chart.steps.size(); upper = &rows.steps[i++])
            painter.connector(plan.steps[i].from, *upper, rows.steps[i]);
        painter.connector(plan.steps.empty() ? chart.from : plan.steps.back().to, *upper, rows.to);
    };
    const auto numbers = [&] {
        ChartTable table{{"name", "change", "formula"}, {{chart.from_label, chart_number(chart.from), ""}}};
        for (const WaterfallStep& step : chart.steps)
            table.rows.push_back({step.label, chart_number(step.change), step.words ? "" : step.formula});
        table.rows.push_back({chart.to_label, chart_number(chart.to), ""});
        return table;
    };
    return finish_chart(ui, name, chart.title, rows.area, pointed, draw, numbers);
}

}  // namespace headcount
