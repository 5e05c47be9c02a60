// Swatches and the legend; see the header.
#include "app/ui/swatch.hpp"

#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {

void draw_swatch(const Ui& ui, ImDrawList& list, ImVec2 left_centre, const Swatch& swatch, float side) {
    if (swatch.look == SwatchLook::none) return;
    const float extent = std::round(ui.px(side));
    const ImVec2 min(std::round(left_centre.x), std::round(left_centre.y - extent / 2));
    const ImVec2 max(min.x + extent, min.y + extent);
    const float radius = ui.px(size::radius_matrix);
    if (swatch.look == SwatchLook::parameter) {
        list.AddRectFilled(min, max, swatch.colour, radius);
        const ImU32 edge = edge_of(ui.theme, swatch.colour);
        if (edge != swatch.colour) list.AddRect(min, max, edge, radius);
        return;
    }
    const bool cached = swatch.look == SwatchLook::cached;
    if (cached) list.AddRectFilled(min, max, ui.theme.kv_fill, radius);
    list.AddRectFilled(min, ImVec2(min.x + std::round(extent * 0.4F), max.y), swatch.colour, radius,
                       ImDrawFlags_RoundCornersLeft);
    list.AddRect(min, max, cached ? ui.theme.kv_edge : ui.theme.activation_edge, radius);
}

LegendResult legend_row(const Ui& ui, std::string_view name, const LegendRow& row) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(ImGui::GetContentRegionAvail().x, ui.px(size::legend_row));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_button);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (row.selected || row.lit || press.hovered)
        tint_row(ui, start, end, row.selected ? selected_tint(ui.theme) : hover_tint(ui.theme));
    const float first = start.y + ui.px(13), second = start.y + ui.px(28);
    const float fade = row.faded ? 0.35F : 1.0F;
    draw_swatch(ui, list, ImVec2(start.x, first), {SwatchLook::parameter, with_alpha(row.colour, fade)});
    const float text = start.x + ui.px(18);
    const ImVec2 top(text, first - ui.px(8)), bottom(end.x, first + ui.px(8));
    const float percent = text_width(ui.fonts.mono_medium, row.percent);
    draw_text_in(list, ui.fonts.table_medium, top, ImVec2(end.x - percent - ui.px(4), bottom.y), ui.theme.text_high,
                 row.name);
    draw_text_in(list, ui.fonts.mono_medium, top, bottom, ui.theme.text_high, row.percent, Align::right);
    draw_text_in(list, ui.fonts.mono_caption, ImVec2(text, second - ui.px(8)), ImVec2(end.x, second + ui.px(8)),
                 ui.theme.text_low, row.count);
    place(start, extent);
    return {press.hovered, press.pressed};
}

void legend_mark(const Ui& ui, const Swatch& swatch, std::string_view word) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = ui.px(size::chip), mark = ui.px(size::swatch + 7);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_swatch(ui, list, ImVec2(start.x, start.y + height / 2), swatch);
    const float width = mark + text_width(ui.fonts.table, word);
    draw_text_in(list, ui.fonts.table, ImVec2(start.x + mark, start.y), ImVec2(start.x + width + 1, start.y + height),
                 ui.theme.text_mid, word);
    place(start, ImVec2(width, height));
}

}  // namespace headcount
