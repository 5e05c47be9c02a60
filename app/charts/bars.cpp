// The bars' geometry and drawing.
#include "app/charts/bars.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"

namespace headcount {
namespace {

constexpr float gap = 12;  // unscaled, between label, bar and value

const Font& label_font(const Ui& ui, const Bar& bar) { return bar.selected ? ui.fonts.body_bold : ui.fonts.body; }

struct Columns {
    float label = 0, value = 0;  // pixels
    float from = 0, width = 0;   // of the bars, from the left
};

Columns columns_of(const Ui& ui, const BarChart& chart, float width) {
    Columns columns;
    for (const Bar& bar : chart.bars) {
        float label = text_width(label_font(ui, bar), bar.label);
        if (!bar.symbol.empty()) label += ui.px(8) + symbol_width(ui.fonts.mono_caption, bar.symbol);
        columns.label = std::max(columns.label, label);
        columns.value = std::max(columns.value, text_width(ui.fonts.mono, bar.text));
    }
    columns.label = std::min(std::ceil(columns.label), 0.4F * width);
    columns.value = std::min(std::ceil(columns.value), 0.45F * width);
    columns.from = columns.label > 0 ? columns.label + ui.px(gap) : 0;
    columns.width = std::max(1.0F, width - columns.from - columns.value - (columns.value > 0 ? ui.px(gap) : 0));
    return columns;
}

void draw_label(const Ui& ui, Pen& pen, const Bar& bar, ImVec2 min, ImVec2 max) {
    const Font& font = label_font(ui, bar);
    const float symbol =
        bar.symbol.empty() ? 0 : std::min(symbol_width(ui.fonts.mono_caption, bar.symbol), max.x - min.x);
    const ImVec2 end(max.x - (symbol > 0 ? symbol + ui.px(8) : 0), max.y);
    pen.text_in(font, min, end, bar.faded ? ui.theme.text_low : ui.theme.text_high, bar.label);
    if (symbol <= 0) return;
    const float left = std::min(min.x + text_width(font, bar.label) + ui.px(8), end.x + ui.px(8));
    pen.text_in(ui.fonts.mono_caption, {left, min.y}, max, ui.theme.text_low, bar.symbol, Align::left, true);
}

}  // namespace

std::vector<BarSpan> bar_spans(std::span<const Bar> bars, float width, float* zero) {
    double least = 0, most = 0;
    for (const Bar& bar : bars) {
        if (!std::isfinite(bar.value)) continue;
        least = std::min(least, bar.value);
        most = std::max(most, bar.value);
    }
    const double range = most - least;
    const double scale = range > 0 ? static_cast<double>(width) / range : 0;
    const auto at_zero = static_cast<float>(-least * scale);
    if (zero) *zero = at_zero;
    std::vector<BarSpan> spans;
    for (const Bar& bar : bars) {
        const double value = std::isfinite(bar.value) ? bar.value : 0;
        auto length = static_cast<float>(std::abs(value) * scale);
        if (value != 0) length = std::max(length, 1.0F);
        BarSpan span = value < 0 ? BarSpan{at_zero - length, at_zero} : BarSpan{at_zero, at_zero + length};
        // The least length may reach beyond an end.
        if (span.to > width) span = {std::max(0.0F, width - length), width};
        if (span.from < 0) span = {0, std::min(width, length)};
        spans.push_back(span);
    }
    return spans;
}

ChartResult bar_chart(const Ui& ui, std::string_view name, const BarChart& chart) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0F, available_width()), row = std::round(ui.px(chart.row_height));
    const ChartArea area{start, {start.x + width, start.y + row * static_cast<float>(chart.bars.size())}};
    const Columns columns = columns_of(ui, chart, width);
    std::vector<ChartTarget> targets;
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const float y = start.y + row * static_cast<float>(i);
        targets.push_back({{start.x, y}, {area.max.x, y + row}, chart.bars[i].name});
    }
    const auto note = [&](std::size_t index) { return chart.bars[index].note; };
    const ChartResult pointed = explain_chart(ui, name, area, targets, note);
    const std::optional<int> hovered = pointed.hovered;
    float zero = 0;
    const std::vector<BarSpan> spans = bar_spans(chart.bars, columns.width, &zero);
    const auto draw = [&](Pen& pen) {
        const float left = start.x + columns.from;
        const float inset = std::round(std::max(ui.px(3), (row - ui.px(14)) / 2));
        for (std::size_t i = 0; i < chart.bars.size(); ++i) {
            const Bar& bar = chart.bars[i];
            const auto& [min, max, unused] = targets[i];
            const bool lit = bar.lit || hovered == static_cast<int>(i);
            if (bar.selected || lit)
                pen.fill(min - ImVec2(ui.px(8), 0), max + ImVec2(ui.px(8), 0),
                         bar.selected ? selected_tint(ui.theme) : hover_tint(ui.theme), ui.px(size::radius_field));
            {
                const Aside aside;
                const About own(bar.note.about);
                draw_label(ui, pen, bar, min, {min.x + columns.label, max.y});
            }
            const About about(bar.note.about);
            const ImU32 colour = bar.colour ? bar.colour : ui.theme.text_low;
            if (bar.value != 0)
                pen.fill({left + spans[i].from, min.y + inset}, {left + spans[i].to, max.y - inset},
                         with_alpha(colour, bar.faded && !lit ? 0.35F : 1), ui.px(size::radius_matrix));
            pen.text_in(ui.fonts.mono, {max.x - columns.value, min.y}, max,
                        bar.faded ? ui.theme.text_low : ui.theme.text_high, bar.text, Align::right);
        }
        const bool signs = zero > 0;
        if (signs) pen.line({left + zero, start.y}, {left + zero, area.max.y}, ui.theme.strong_line);
    };
    const auto numbers = [&] {
        ChartTable table{{"name", chart.value_title}, {}};
        for (const Bar& bar : chart.bars) table.rows.push_back({bar.label, chart_number(bar.value)});
        return table;
    };
    return finish_chart(ui, name, chart.title, area, pointed, draw, numbers);
}

}  // namespace headcount
