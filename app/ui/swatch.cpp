// Swatches, the legend, dashes.
#include "app/ui/swatch.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {

void draw_matrix(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, const Swatch& swatch, float tab) {
    const float radius = std::min({ui.px(size::radius_matrix), (max.x - min.x) / 3, (max.y - min.y) / 3});
    if (swatch.look == SwatchLook::parameter) {
        list.AddRectFilled(min, max, swatch.colour, radius);
        const ImU32 edge = edge_of(ui.theme, swatch.colour);
        if (edge != swatch.colour) list.AddRect(min, max, edge, radius);
        return;
    }
    const bool cached = swatch.look == SwatchLook::cached;
    draw_box(list, min, max, cached ? ui.theme.kv_fill : ui.theme.deck,
             cached ? ui.theme.kv_edge : ui.theme.activation_edge, radius);
    list.AddRectFilled(min, ImVec2(min.x + std::min(tab, (max.x - min.x) / 2), max.y), swatch.colour, radius,
                       ImDrawFlags_RoundCornersLeft);
}

void draw_swatch(const Ui& ui, ImDrawList& list, ImVec2 left_centre, const Swatch& swatch, float side) {
    if (swatch.look == SwatchLook::none) return;
    const float extent = std::round(ui.px(side));
    const ImVec2 min(std::round(left_centre.x), std::round(left_centre.y - extent / 2));
    draw_matrix(ui, list, min, min + ImVec2(extent, extent), swatch, std::round(extent * 0.4F));
}

LegendResult legend_row(const Ui& ui, std::string_view name, const LegendRow& row) {
    const Widget at(ui, name, ImVec2(ImGui::GetContentRegionAvail().x, ui.px(size::legend_row)));
    const Press press = press_area(ui, "row", at.min, at.max, size::radius_button);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (row.selected || row.lit || press.hovered)
        tint_row(ui, at.min, at.max, row.selected ? selected_tint(ui.theme) : hover_tint(ui.theme));
    const float first = at.min.y + ui.px(13), second = at.min.y + ui.px(28);
    const float fade = row.faded ? 0.35F : 1.0F;
    draw_swatch(ui, list, ImVec2(at.min.x, first), {SwatchLook::parameter, with_alpha(row.colour, fade)});
    const float text = at.min.x + ui.px(18);
    const ImVec2 top(text, first - ui.px(8)), bottom(at.max.x, first + ui.px(8));
    const About about(row.about);
    const float percent = text_width(ui.fonts.mono_medium, row.percent);
    draw_text_in(list, ui.fonts.table_medium, top, ImVec2(at.max.x - percent - ui.px(4), bottom.y), ui.theme.text_high,
                 row.name);
    draw_text_in(list, ui.fonts.mono_medium, top, bottom, ui.theme.text_high, row.percent, Align::right);
    draw_text_in(list, ui.fonts.mono_caption, ImVec2(text, second - ui.px(8)), ImVec2(at.max.x, second + ui.px(8)),
                 ui.theme.text_low, row.count);
    return {press.hovered, press.pressed};
}

void draw_dashes(const Ui& ui, std::span<const ImU32> colours, ImVec2 min, float width) {
    if (colours.empty()) return;
    const auto count = static_cast<float>(colours.size());
    const float apart = std::min(ui.px(4), width / count / 3);
    const float each = (width - apart * (count - 1)) / count, height = std::max(3.0F, std::round(ui.px(4)));
    float x = min.x;
    for (const ImU32 colour : colours) {
        draw_pill(*ImGui::GetWindowDrawList(), ImVec2(x, min.y), ImVec2(x + each, min.y + height), colour);
        x += each + apart;
    }
}

}  // namespace headcount
