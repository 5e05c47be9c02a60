// The breakdown as it is shown to a class: the donut as large as there is room for, and a table below it.
#include <algorithm>
#include <cmath>

#include "app/parts/breakdown_charts.hpp"
#include "app/parts/words.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/show/presenter.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float large_row = 26, large_gap = 14, largest_chart = 236, least_large_chart = 96;

// Of the column of shares: "0.0006 %" is wider than most. And whether names and counts fit beside it in every row.
struct LargeRows {
    float shares = 0;
    bool with_counts = true;
};
LargeRows large_rows(const Ui& ui, const Counted& model, float width) {
    LargeRows rows;
    const Parameters& parameters = model.parameters;
    const std::vector<Component> listed = listed_components(model);
    for (const Component component : listed)
        rows.shares =
            std::max(rows.shares, text_width(ui.fonts.mono_body, percent(parameters.of(component), parameters.total)));
    for (const Component component : listed) {
        const float name = text_width(ui.fonts.body_bold, component_name(component));
        const float count = text_width(ui.fonts.mono, grouped(parameters.of(component)));
        rows.with_counts = rows.with_counts && ui.px(20 + 4 + 8) + name + count + rows.shares <= width;
    }
    return rows;
}

// "Feed-forward   4,328,521,728   64.2 %" on one line.
void draw_large_row(const Ui& ui, const Shown& model, Component component, const LargeRows& rows, Intents& intents) {
    const Counted& shown = model.derived.shown;
    const std::int64_t count = shown.parameters.of(component);
    const std::string share = percent(count, shown.parameters.total), exact = grouped(count);
    const std::string_view key = component_key(component);
    const IdScope scope(key);
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(available_width(), std::round(ui.px(large_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record("breakdown.row", key, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_button);
    if (press.hovered) intents.push_back(Hover{component});
    if (press.pressed) intents.push_back(Select{component});
    const bool selected = focused_part(shown.graph, model.look.selection) == component;
    const bool lit = lights(model.look.hover, shown.graph, component);
    if (selected || lit) tint_row(ui, start, end, selected ? selected_tint(ui.theme) : hover_tint(ui.theme));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_swatch(ui, list, ImVec2(start.x, start.y + extent.y / 2),
                {SwatchLook::parameter, component_colour(ui.theme, component)});
    const Font& words = selected ? ui.fonts.body_bold : ui.fonts.body;
    const ImVec2 left(start.x + ui.px(20), start.y);
    draw_text_in(list, words, left, end, ui.theme.text_high, component_name(component));
    const About about(subject_key(component));
    draw_text_in(list, ui.fonts.mono_body, start, end, ui.theme.text_high, share, Align::right);
    if (rows.with_counts)
        draw_text_in(list, ui.fonts.mono, start, ImVec2(end.x - rows.shares - ui.px(8), end.y), ui.theme.text_mid,
                     exact, Align::right);
    place(start, extent);
}

}  // namespace

Intents draw_large_breakdown(const Ui& ui, const Shown& model) {
    Intents intents;
    const float bottom = ImGui::GetCursorScreenPos().y + ImGui::GetContentRegionAvail().y;
    const std::vector<Component> listed = listed_components(model.derived.shown);
    const float rows = std::round(ui.px(large_row)) * static_cast<float>(listed.size());
    text_line(ui, ui.fonts.title, ui.theme.text_high, "Where the parameters are");
    gap(ui, large_gap);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width() / ui.scale, room = (bottom - start.y - rows) / ui.scale - 2 * large_gap;
    const float diameter = std::min({width - 8, room, largest_chart});
    if (diameter >= least_large_chart) {
        const float spare = std::max(room - diameter - 8, 0.0F) / 2;  // what is left over goes above and below
        ImGui::SetCursorScreenPos(ImVec2(start.x + std::round(ui.px((width - diameter - 8) / 2)),
                                         start.y + std::round(ui.px(std::min(spare, 24.0F)))));
        draw_breakdown_donut(ui, model, diameter, intents, true);
        ImGui::SetCursorScreenPos(ImVec2(start.x, ImGui::GetCursorScreenPos().y));
        gap(ui, large_gap + std::min(spare, 24.0F));
    }
    const LargeRows shape = large_rows(ui, model.derived.shown, available_width());
    for (const Component component : listed) draw_large_row(ui, model, component, shape, intents);
    return intents;
}

}  // namespace headcount
