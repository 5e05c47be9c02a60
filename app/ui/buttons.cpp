// Buttons, icon buttons, chips, key caps, and text that can be copied.
#include "app/ui/buttons.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

struct ButtonColours {
    ImU32 fill = 0, border = 0, text = 0;
};

ButtonColours colours_of(const Theme& theme, ButtonLook look, const Press& press, bool disabled) {
    ButtonColours colours{theme.raised, theme.strong_line, theme.text_high};
    if (look == ButtonLook::primary)
        colours = {theme.selection, theme.selection, theme.selection_ink};
    else if (look == ButtonLook::quiet)
        colours = {0, 0, theme.text_mid};
    if (disabled) {
        if (look == ButtonLook::primary) colours.fill = theme.raised, colours.border = theme.line;
        colours.text = theme.text_low;
        return colours;
    }
    if (look == ButtonLook::primary) {
        if (press.hovered) colours.fill = mix(theme.selection, theme.text_low, press.held ? 0.35F : 0.2F);
    } else if (press.hovered || press.held) {
        colours.fill = press.held ? theme.strong_line : theme.hover;
        colours.text = theme.text_high;
    }
    return colours;
}

}  // namespace

float button_width(const Ui& ui, const Button& button) {
    if (button.width > 0) return std::round(ui.px(button.width));
    const float icon = button.icon == Icon::none ? 0 : ui.px(size::icon + (button.label.empty() ? 0 : 6));
    return std::round(text_width(ui.fonts.body_medium, button.label) + icon + ui.px(button.small ? 20 : 24));
}

bool button(const Ui& ui, std::string_view name, const Button& button) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(button_width(ui, button), std::round(ui.px(button.small ? size::small_button : size::button)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "button", start, end, size::radius_button, !button.disabled);
    hint(ui, button.tooltip);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ButtonColours colours = colours_of(ui.theme, button.look, press, button.disabled);
    if (colours.border)
        draw_box(list, start, end, colours.fill, colours.border, ui.px(size::radius_button));
    else if (colours.fill)
        list.AddRectFilled(start, end, colours.fill, ui.px(size::radius_button));
    const float words = text_width(ui.fonts.body_medium, button.label);
    const float icon = button.icon == Icon::none ? 0 : ui.px(size::icon + (button.label.empty() ? 0 : 6));
    const float x = start.x + (extent.x - words - icon) / 2;
    const float half = ui.px(size::icon) / 2;
    if (button.icon != Icon::none)
        draw_icon(list, button.icon,
                  ImVec2(button.icon_behind ? x + words + icon - half : x + half, start.y + extent.y / 2),
                  ui.px(size::icon - 2), colours.text);
    draw_text_in(list, ui.fonts.body_medium, ImVec2(button.icon_behind ? x : x + icon, start.y), ImVec2(end.x, end.y),
                 colours.text, button.label);
    place(start, extent);
    return press.pressed && !button.disabled;
}

bool icon_button(const Ui& ui, std::string_view name, Icon icon, std::string_view tooltip,
                 const IconButtonOptions& options) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float side = std::round(ui.px(options.side));
    const ImVec2 end(start.x + side, start.y + side);
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "button", start, end, size::radius_button, !options.disabled);
    hint(ui, tooltip);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool live = !options.disabled;
    if (live && (press.hovered || options.active))
        list.AddRectFilled(start, end, press.held ? ui.theme.strong_line : ui.theme.hover, ui.px(size::radius_button));
    const ImU32 ink =
        !live ? ui.theme.strong_line : (press.hovered || options.active ? ui.theme.text_high : ui.theme.text_mid);
    draw_icon(list, icon, ImVec2(start.x + side / 2, start.y + side / 2), std::min(ui.px(size::icon), side), ink);
    place(start, ImVec2(side, side));
    return press.pressed && live;
}

float chip_width(const Ui& ui, std::string_view text, bool mono) {
    return std::round(symbol_width(mono ? ui.fonts.mono_caption : ui.fonts.caption_medium, text) + ui.px(16));
}

void chip(const Ui& ui, std::string_view text, bool mono) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(chip_width(ui, text, mono), std::round(ui.px(size::chip)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, start + extent, ui.theme.raised, ui.theme.line, ui.px(size::chip_radius));
    draw_text_in(list, mono ? ui.fonts.mono_caption : ui.fonts.caption_medium, start, start + extent, ui.theme.text_mid,
                 text, Align::centre, mono);
    place(start, extent);
}

bool chip_button(const Ui& ui, std::string_view name, std::string_view text, bool lit) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(chip_width(ui, text), std::round(ui.px(size::chip)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "chip", start, end, size::chip_radius);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool strong = lit || press.hovered;
    draw_box(list, start, end, strong ? ui.theme.hover : ui.theme.raised,
             lit ? ui.theme.text_mid : ui.theme.strong_line, ui.px(size::chip_radius));
    draw_text_in(list, ui.fonts.caption_medium, start, end, strong ? ui.theme.text_high : ui.theme.text_mid, text,
                 Align::centre);
    place(start, extent);
    return press.pressed;
}

float key_caps(const Ui& ui, std::string_view keys) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::chip));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = start.x;
    while (!keys.empty()) {
        // The last plus of "Ctrl++" is the key itself.
        const std::size_t cut = keys.find('+', 1);
        const std::string_view key = keys.substr(0, cut);
        const float width = std::max(height, std::round(text_width(ui.fonts.mono_caption, key) + ui.px(12)));
        const ImVec2 min(x, start.y), max(x + width, start.y + height);
        draw_box(list, min, max, ui.theme.raised, ui.theme.strong_line, ui.px(size::radius_field));
        list.AddLine(ImVec2(min.x + ui.px(3), max.y - 1.5F), ImVec2(max.x - ui.px(3), max.y - 1.5F),
                     ui.theme.strong_line, 1);
        draw_text_in(list, ui.fonts.mono_caption, min, max, ui.theme.text_high, key, Align::centre);
        x += width + ui.px(4);
        keys = cut == std::string_view::npos ? std::string_view{} : keys.substr(cut + 1);
    }
    place(start, ImVec2(x - start.x, height));
    return x - start.x;
}

bool copyable(const Ui& ui, std::string_view name, std::string_view text, const Font& font, ImU32 colour,
              bool mark_always) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(std::max(font.size, ui.px(size::chip)));
    const float mark = ui.px(size::icon + 6);
    const float room = std::max(mark, ImGui::GetContentRegionAvail().x);
    const float words = std::min(text_width(font, text), room - mark);
    const float width = mark_always ? room : words + mark;
    const ImVec2 end(start.x + width, start.y + height);
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "copy", start, end, size::radius_field);
    if (press.hovered) hint(ui, "Copy");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = text_top(font, start.y + height / 2);
    draw_text(list, font, ImVec2(start.x, top), press.hovered ? ui.theme.text_high : colour, text, words + 1);
    if (mark_always || press.hovered || press.focused)
        draw_icon(list, Icon::copy, ImVec2(end.x - ui.px(size::icon) / 2, start.y + height / 2), ui.px(14),
                  press.hovered ? ui.theme.text_high : ui.theme.text_mid);
    if (press.pressed) ImGui::SetClipboardText(std::string(text).c_str());
    place(start, ImVec2(width, height));
    return press.pressed;
}

}  // namespace headcount
