// Stacked bars: spans, drawing, the mark of the capacity.
#include "app/charts/stacked_bar.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"

namespace headcount {
namespace {

constexpr float bar_label_height = 22, bar_gap = 12, mark_height = 20, axis_height = 24, segment_pad = 6;  // unscaled

std::vector<ChartSeries> series_of(const StackedBars& chart) {
    std::vector<ChartSeries> series;
    for (const StackSegment& segment : chart.segments) {
        const bool known =
            std::ranges::any_of(series, [&](const ChartSeries& each) { return each.name == segment.label; });
        if (!known && segment.value > 0) series.push_back({segment.label, segment.colour});
    }
    return series;
}

float legend_height(const Ui& ui, const StackedBars& chart, float width) {
    return draw_chart_legend(ui, nullptr, series_of(chart), {0, 0}, width) + ui.px(4);
}

float top_of_bars(const Ui& ui, const StackedBars& chart) {
    return chart.capacity > 0 ? std::round(ui.px(mark_height)) : 0;
}

float bar_step(const Ui& ui, const StackedBars& chart, const StackBar& bar) {
    return std::round(
        ui.px((bar.label.empty() && bar.text.empty() ? 0 : bar_label_height) + chart.bar_height + bar_gap));
}

float bars_foot(const Ui& ui, const StackedBars& chart) {
    float height = top_of_bars(ui, chart);
    for (const StackBar& bar : chart.bars) height += bar_step(ui, chart, bar);
    return height;
}

// Where each bar's words and the bar itself begin.
std::vector<ChartArea> bar_areas(const Ui& ui, const StackedBars& chart, const ChartArea& area) {
    std::vector<ChartArea> areas;
    float y = area.min.y + top_of_bars(ui, chart);
    for (const StackBar& bar : chart.bars) {
        const float step = bar_step(ui, chart, bar), height = std::round(ui.px(chart.bar_height));
        const float top = y + step - height - std::round(ui.px(bar_gap));
        areas.push_back({{area.min.x, top}, {area.max.x, top + height}});
        y += step;
    }
    return areas;
}

// The mark is interrupted behind words, which are given from above to below.
void draw_mark(const Ui& ui, Pen& pen, const StackedBars& chart, const ChartArea& area, float foot,
               const std::vector<ChartArea>& words) {
    const double scale = stack_scale(chart);
    const float width = area.max.x - area.min.x;
    const float x = std::round(area.min.x + static_cast<float>(chart.capacity / scale) * width);
    float from = area.min.y + ui.px(mark_height);
    for (const ChartArea& each : words) {
        if (x < each.min.x - ui.px(4) || x > each.max.x + ui.px(4) || each.min.y < from) continue;
        pen.dashes({x, from}, {x, each.min.y}, ui.theme.text_high, ui.px(4), ui.px(1.5F));
        from = each.max.y;
    }
    pen.dashes({x, from}, {x, foot}, ui.theme.text_high, ui.px(4), ui.px(1.5F));
    const float wide = text_width(ui.fonts.mono_caption, chart.capacity_text);
    const float left = std::clamp(x - wide / 2, area.min.x, std::max(area.min.x, area.max.x - wide));
    pen.text_in(ui.fonts.mono_caption, {left, area.min.y}, {left + wide + 1, area.min.y + ui.px(mark_height - 2)},
                ui.theme.text_high, chart.capacity_text);
}

void draw_scale(const Ui& ui, Pen& pen, const StackedBars& chart, const ChartArea& area, float foot) {
    const Axis axis{0, stack_scale(chart), false, AxisUnit::bytes, {}};
    const float width = area.max.x - area.min.x;
    for (const Tick& tick : fitting_ticks(ui, axis, width, false)) {
        if (tick.label.empty()) continue;
        const float x = std::round(area.min.x + static_cast<float>(tick.position) * width);
        const float wide = text_width(ui.fonts.mono_caption, tick.label);
        const float left = std::clamp(x - wide / 2, area.min.x, std::max(area.min.x, area.max.x - wide));
        pen.line({x, area.min.y + top_of_bars(ui, chart)}, {x, foot}, ui.theme.line);
        pen.text_in(ui.fonts.mono_caption, {left, foot}, {left + wide + 1, foot + ui.px(axis_height - 4)},
                    ui.theme.text_low, tick.label);
    }
}

bool has_room(const Ui& ui, const StackSegment& segment, const ChartTarget& at) {
    return text_width(ui.fonts.mono_caption, segment.text) + 2 * ui.px(segment_pad) <= at.max.x - at.min.x;
}

void draw_segment(const Ui& ui, Pen& pen, const StackSegment& segment, const ChartTarget& at, bool hovered) {
    if (at.max.x <= at.min.x) return;
    pen.fill(at.min, at.max, segment.colour, 0);
    if (hovered || segment.lit) pen.fill(at.min, at.max, with_alpha(ui.theme.selection, 0.18F));
    const float out = ui.px(2);
    if (segment.selected)
        pen.outline(at.min - ImVec2(1, out), at.max + ImVec2(1, out), ui.theme.selection, 0, ui.px(1.5F));
    // Its value inside, where it fits.
    const float pad = ui.px(segment_pad);
    const About about(segment.note.about);
    if (has_room(ui, segment, at) && !segment.text.empty())
        pen.text_in(ui.fonts.mono_caption, at.min + ImVec2(pad, 0), at.max - ImVec2(pad, 0), text_on(segment.colour),
                    segment.text);
}

// Where the words of the bars stand, from above to below.
std::vector<ChartArea> words_of(const Ui& ui, const StackedBars& chart, const std::vector<ChartArea>& bars,
                                const std::vector<ChartTarget>& segments) {
    std::vector<ChartArea> words;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const ChartArea& bar = bars[i];
        const float top = bar.min.y - ui.px(bar_label_height), foot = bar.min.y - ui.px(2);
        const float label = text_width(ui.fonts.body, chart.bars[i].label);
        const float value = text_width(ui.fonts.mono, chart.bars[i].text);
        if (label > 0) words.push_back({{bar.min.x, top}, {bar.min.x + label, foot}});
        if (value > 0) words.push_back({{bar.max.x - value, top}, {bar.max.x, foot}});
        for (std::size_t each = 0; each < segments.size(); ++each) {
            const StackSegment& segment = chart.segments[each];
            const ChartTarget& at = segments[each];
            if (segment.bar != static_cast<int>(i) || segment.text.empty() || !has_room(ui, segment, at)) continue;
            const float left = at.min.x + ui.px(segment_pad);
            words.push_back({{left, bar.min.y}, {left + text_width(ui.fonts.mono_caption, segment.text), bar.max.y}});
        }
    }
    return words;
}

}  // namespace

double stack_scale(const StackedBars& chart) {
    std::vector<double> sums(chart.bars.size(), 0.0);
    double most = chart.capacity > 0 ? chart.capacity * 1.02 : 0;
    for (const StackSegment& segment : chart.segments) {
        const auto bar = static_cast<std::size_t>(segment.bar);
        if (segment.bar < 0 || bar >= sums.size() || !(segment.value > 0)) continue;
        sums[bar] += segment.value;
        most = std::max(most, sums[bar]);
    }
    return most > 0 ? most : 1;
}

std::vector<StackSpan> stack_spans(const StackedBars& chart, float width) {
    const double scale = static_cast<double>(width) / stack_scale(chart);
    std::vector<double> values(chart.bars.size(), 0.0);
    std::vector<float> ends(chart.bars.size(), 0.0F);
    std::vector<StackSpan> spans;
    for (const StackSegment& segment : chart.segments) {
        const auto bar = static_cast<std::size_t>(segment.bar);
        if (segment.bar < 0 || bar >= ends.size() || !(segment.value > 0)) {
            spans.push_back({});
            continue;
        }
        values[bar] += segment.value;
        const float from = ends[bar];
        // What is thin takes its pixel from what comes next.
        const float to = std::min(width, std::max(static_cast<float>(values[bar] * scale), from + 1));
        spans.push_back({std::min(from, to), to});
        ends[bar] = to;
    }
    return spans;
}

ChartResult stacked_bars(const Ui& ui, std::string_view name, const StackedBars& chart) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0F, available_width());
    const float height = bars_foot(ui, chart) + std::round(ui.px(axis_height)) + legend_height(ui, chart, width);
    const ChartArea area{start, {start.x + width, start.y + height}};
    const std::vector<ChartArea> bars = bar_areas(ui, chart, area);
    const std::vector<StackSpan> spans = stack_spans(chart, width);
    std::vector<ChartTarget> targets;
    for (std::size_t i = 0; i < chart.segments.size(); ++i) {
        const StackSegment& segment = chart.segments[i];
        const bool known = segment.bar >= 0 && static_cast<std::size_t>(segment.bar) < bars.size();
        const ChartArea bar = known ? bars[static_cast<std::size_t>(segment.bar)] : ChartArea{start, start};
        targets.push_back({{start.x + spans[i].from, bar.min.y}, {start.x + spans[i].to, bar.max.y}, segment.name});
    }
    const auto note = [&](std::size_t index) { return chart.segments[index].note; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note);
    const std::optional<int> hovered = pointed.hovered;
    const auto draw = [&](Pen& pen) {
        const float foot = start.y + bars_foot(ui, chart);
        draw_scale(ui, pen, chart, area, foot);
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const ImVec2 min(start.x, bars[i].min.y - ui.px(bar_label_height)),
                max(area.max.x, bars[i].min.y - ui.px(2));
            const float value = text_width(ui.fonts.mono, chart.bars[i].text);
            pen.text_in(ui.fonts.body, min, {max.x - value - ui.px(8), max.y}, ui.theme.text_high, chart.bars[i].label);
            pen.text_in(ui.fonts.mono, min, max, ui.theme.text_high, chart.bars[i].text, Align::right);
            pen.fill(bars[i].min, bars[i].max, ui.theme.track, ui.px(size::radius_matrix));
        }
        for (std::size_t i = 0; i < targets.size(); ++i)
            draw_segment(ui, pen, chart.segments[i], targets[i], hovered == static_cast<int>(i));
        if (chart.capacity > 0) draw_mark(ui, pen, chart, area, foot, words_of(ui, chart, bars, targets));
        draw_chart_legend(ui, &pen, series_of(chart), {start.x, foot + std::round(ui.px(axis_height))}, width);
    };
    const auto numbers = [&] {
        ChartTable table{{"bar", "name", "value"}, {}};
        for (const StackSegment& segment : chart.segments) {
            const auto bar = static_cast<std::size_t>(segment.bar);
            table.rows.push_back(
                {bar < chart.bars.size() ? chart.bars[bar].label : "", segment.label, chart_number(segment.value)});
        }
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

}  // namespace headcount
