// The breakdown: a donut of components and tensors with a legend of exact counts, or a treemap, or bars.
#include <algorithm>
#include <cmath>

#include "app/parts/breakdown_charts.hpp"
#include "app/parts/words.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/explore/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// A narrow panel takes from the chart, so that the legend's words stay whole.
constexpr float widest_chart = 146, smallest_chart = 108, legend_room = 158, column_gap = 18;

float chart_width(const Ui& ui) {
    const float left = available_width() / ui.scale - column_gap - legend_room;
    return std::clamp(left, smallest_chart, widest_chart);
}

constexpr float switch_side = 24;

// A ring, tiles, bars: what each button of the switch stands for.
void draw_glyph(const Ui& ui, ImDrawList& list, BreakdownChart chart, ImVec2 centre, ImU32 ink) {
    const float half = ui.px(5.5F);
    const ImVec2 min(std::round(centre.x - half), std::round(centre.y - half));
    const auto box = [&](float x, float y, float to_x, float to_y) {
        const float unit = 2 * half;
        list.AddRectFilled({min.x + std::round(x * unit), min.y + std::round(y * unit)},
                           {min.x + std::round(to_x * unit), min.y + std::round(to_y * unit)}, ink);
    };
    switch (chart) {
        case BreakdownChart::donut: list.AddCircle(centre, ui.px(4.5F), ink, 0, ui.px(2.5F)); return;
        case BreakdownChart::treemap:
            box(0, 0, 0.55F, 1);
            box(0.65F, 0, 1, 0.5F);
            box(0.65F, 0.6F, 1, 1);
            return;
        case BreakdownChart::bars:
            box(0, 0, 1, 0.24F);
            box(0, 0.38F, 0.65F, 0.62F);
            box(0, 0.76F, 0.35F, 1);
            return;
    }
}

// At the right end of the title's line.
void draw_switch(const Ui& ui, BreakdownChart shown, ImVec2 right_top, Intents& intents) {
    constexpr std::array<std::string_view, breakdown_chart_keys.size()> words{
        "As a donut of components and tensors", "As tiles, one for each tensor", "As bars, one for each component"};
    const float side = std::round(ui.px(switch_side));
    float x = right_top.x - side * static_cast<float>(words.size());
    for (std::size_t i = 0; i < words.size(); ++i, x += side) {
        const auto chart = static_cast<BreakdownChart>(i);
        const ImVec2 min(x, right_top.y), max(x + side, right_top.y + side);
        const IdScope scope(breakdown_chart_keys[i]);
        ui.recorder.record("breakdown.as", breakdown_chart_keys[i], min, max);
        const Press press = press_area(ui, "as", min, max, size::radius_field);
        hint(ui, words[i]);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const bool current = chart == shown;
        if (current || press.hovered)
            list.AddRectFilled(min, max, current ? ui.theme.hover : ui.theme.raised, ui.px(size::radius_field));
        draw_glyph(ui, list, chart, {(min.x + max.x) / 2, (min.y + max.y) / 2},
                   current ? ui.theme.text_high : ui.theme.text_low);
        if (press.pressed && !current) intents.push_back(ShowBreakdown{chart});
    }
}

void draw_header(const Ui& ui, const Parameters& parameters, BreakdownChart chart, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), side = std::round(ui.px(switch_side));
    const ImVec2 end(start.x + width - side * static_cast<float>(breakdown_chart_keys.size()) - ui.px(8),
                     start.y + ui.px(24));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    constexpr std::string_view title = "Where the parameters are";
    draw_text_in(list, ui.fonts.body_bold, start, end, ui.theme.text_high, title);
    const std::string active = active_text(parameters);
    const About about(total_key);
    const float taken = text_width(ui.fonts.body_bold, title) + ui.px(12);
    if (start.x + taken + text_width(ui.fonts.caption, active) <= end.x)
        draw_text_in(list, ui.fonts.caption, start, end, ui.theme.text_low, active, Align::right);
    draw_switch(ui, chart, {start.x + width, start.y}, intents);
    place(start, {width, ui.px(24)});
}

void draw_legend(const Ui& ui, const Shown& model, Intents& intents) {
    const Counted& shown = model.derived.shown;
    const BreakdownFocus selected = breakdown_focus(shown.graph, model.look.selection);
    for (const Component component : listed_components(shown)) {
        const std::int64_t count = shown.parameters.of(component);
        const bool tied = component == Component::output && shown.graph.tied_head && count == 0;
        const std::string share = percent(count, shown.parameters.total);
        const std::string exact = tied ? "is the embedding" : grouped(count);
        std::array<char, 48> name{};
        const std::string_view key = component_key(component);
        std::snprintf(name.data(), name.size(), "breakdown.legend.%.*s", static_cast<int>(key.size()), key.data());
        const std::string about = subject_key(component);
        LegendRow row{.name = component_name(component),
                      .percent = share,
                      .count = exact,
                      .about = about,
                      .colour = component_colour(ui.theme, component)};
        row.selected = selected.component == component;
        row.lit = lights(model.look.hover, shown.graph, component);
        row.faded = (selected.component && !row.selected) || count == 0;
        const LegendResult result = legend_row(ui, name.data(), row);
        if (result.hovered) point_at_part(intents, component, false);
        if (result.clicked) intents.push_back(Select{component});
    }
}

void draw_donut_and_legend(const Ui& ui, const Shown& model, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = chart_width(ui);
    const float height =
        std::round(ui.px(size::legend_row)) * static_cast<float>(listed_components(model.derived.shown).size());
    ImGui::SetCursorScreenPos(ImVec2(start.x, start.y + std::round((height - ui.px(width)) / 2)));
    draw_breakdown_donut(ui, model, width, intents);
    // A group keeps the legend's rows at the chart's right.
    ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(width + column_gap), start.y));
    ImGui::BeginGroup();
    draw_legend(ui, model, intents);
    ImGui::EndGroup();
}

}  // namespace

Intents draw_breakdown(const Ui& ui, const Shown& model, BreakdownChart chart) {
    Intents intents;
    draw_header(ui, model.derived.shown.parameters, chart, intents);
    gap(ui, 4);
    const auto rows = static_cast<float>(listed_components(model.derived.shown).size());
    switch (chart) {
        case BreakdownChart::donut: draw_donut_and_legend(ui, model, intents); break;
        case BreakdownChart::treemap: draw_breakdown_treemap(ui, model, size::legend_row * rows, intents); break;
        case BreakdownChart::bars: draw_breakdown_bars(ui, model, size::legend_row, intents); break;
    }
    return intents;
}

}  // namespace headcount
