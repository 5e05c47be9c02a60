// Tab bars and breadcrumbs; see the header.
#include "app/ui/tabs.hpp"

#include <cmath>
#include <string>

#include "app/ui/icons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {

std::optional<int> tab_bar(const Ui& ui, std::string_view name, std::span<const std::string_view> tabs, int current) {
    std::optional<int> chosen;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::tab_bar));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = start.x, end = x;
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        const std::string_view tab = tabs[static_cast<std::size_t>(i)];
        const float width = std::round(text_width(ui.fonts.body_medium, tab));
        const ImVec2 min(x, start.y), max(x + width, start.y + height);
        const std::string part = std::to_string(i);
        ui.recorder.record(name, part, min, max);
        const Press press = press_area(ui, part.c_str(), ImVec2(min.x - ui.px(8), min.y + ui.px(5)),
                                       ImVec2(max.x + ui.px(8), max.y - ui.px(5)), size::radius_field, i == current);
        const bool high = i == current || press.hovered;
        draw_text_in(list, ui.fonts.body_medium, min, ImVec2(max.x + 1, max.y),
                     high ? ui.theme.text_high : ui.theme.text_mid, tab);
        if (i == current) list.AddRectFilled(ImVec2(min.x, max.y - ui.px(2)), ImVec2(max.x, max.y), ui.theme.selection);
        if (press.pressed && i != current) chosen = i;
        end = max.x;
        x = end + ui.px(20);
    }
    place(start, ImVec2(end - start.x, height));
    return chosen;
}

namespace {

constexpr float box_inset = 3;

float box_tab_width(const Ui& ui, std::string_view tab, float padding) {
    return std::round(text_width(ui.fonts.body_medium, tab) + 2 * ui.px(padding));
}

}  // namespace

float tab_box_width(const Ui& ui, std::span<const std::string_view> tabs, float padding) {
    float width = 2 * ui.px(box_inset);
    for (const std::string_view tab : tabs) width += box_tab_width(ui, tab, padding);
    return std::round(width);
}

TabBoxResult tab_box(const Ui& ui, std::string_view name, std::span<const std::string_view> tabs, int current,
                     float padding) {
    TabBoxResult result;
    const Widget box(ui, name, ImVec2(tab_box_width(ui, tabs, padding), std::round(ui.px(32))));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, box.min, box.max, ui.theme.canvas, ui.theme.line, ui.px(size::radius_card));
    const float inset = ui.px(box_inset);
    float x = box.min.x + inset;
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        const std::string_view tab = tabs[static_cast<std::size_t>(i)];
        const float width = box_tab_width(ui, tab, padding);
        const ImVec2 min(x, box.min.y + inset), max(x + width, box.max.y - inset);
        const std::string part = std::to_string(i);
        ui.recorder.record(name, part, min, max);
        const Press press = press_area(ui, part.c_str(), min, max, size::radius_button, i == current);
        if (i == current) list.AddRectFilled(min, max, ui.theme.hover, ui.px(size::radius_button));
        draw_text_in(list, ui.fonts.body_medium, min, max,
                     i == current || press.hovered ? ui.theme.text_high : ui.theme.text_mid, tab, Align::centre);
        if (press.pressed && i != current) result.chosen = i;
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) result.hovered = i;
        x += width;
    }
    return result;
}

std::optional<int> breadcrumb(const Ui& ui, std::string_view name, std::span<const std::string_view> places) {
    std::optional<int> chosen;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::small_button));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = start.x;
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
        const bool last = i + 1 == static_cast<int>(places.size());
        const std::string_view here = places[static_cast<std::size_t>(i)];
        const Font& font = last ? ui.fonts.body_bold : ui.fonts.body;
        const float width = std::round(text_width(font, here));
        const ImVec2 min(x, start.y), max(x + width, start.y + height);
        const std::string part = std::to_string(i);
        ui.recorder.record(name, part, min, max);
        const Press press = press_area(ui, part.c_str(), min, max, size::radius_field);
        draw_text_in(list, font, min, ImVec2(max.x + 1, max.y),
                     last || press.hovered ? ui.theme.text_high : ui.theme.text_mid, here);
        if (press.pressed && !last) chosen = i;
        x += width;
        if (last) break;
        draw_icon(list, Icon::chevron_right, ImVec2(x + ui.px(12), start.y + height / 2), ui.px(12), ui.theme.text_low);
        x += ui.px(24);
    }
    place(start, ImVec2(x - start.x, height));
    return chosen;
}

}  // namespace headcount
