// Buttons, chips, key caps, text that can be copied, rows that open a group.
#include "app/ui/buttons.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/layout.hpp"
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

ButtonLine::ButtonLine(const Ui& ui)
    : ui_(ui), start_(ImGui::GetCursorScreenPos()), room_(available_width()), x_(start_.x), y_(start_.y) {}

bool ButtonLine::put(std::string_view name, const Button& look) {
    const float wide = button_width(ui_, look);
    if (x_ > start_.x && x_ + wide > start_.x + room_) {
        x_ = start_.x;
        y_ += height_ + std::round(ui_.px(6));
    }
    ImGui::SetCursorScreenPos(ImVec2(std::round(x_), y_));
    x_ += wide + ui_.px(8);
    width_ = std::max(width_, x_ - start_.x);
    height_ = std::max(height_, std::round(ui_.px(look.small ? size::small_button : size::button)));
    return button(ui_, name, look);
}

void ButtonLine::end() const { place(start_, ImVec2(width_, y_ + height_ - start_.y)); }

bool button(const Ui& ui, std::string_view name, const Button& button) {
    const Widget box(
        ui, name,
        ImVec2(button_width(ui, button), std::round(ui.px(button.small ? size::small_button : size::button))));
    const Press press = press_area(ui, "button", box.min, box.max, size::radius_button, !button.disabled);
    hint(ui, button.tooltip);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ButtonColours colours = colours_of(ui.theme, button.look, press, button.disabled);
    if (colours.border)
        draw_box(list, box.min, box.max, colours.fill, colours.border, ui.px(size::radius_button));
    else if (colours.fill)
        list.AddRectFilled(box.min, box.max, colours.fill, ui.px(size::radius_button));
    const float words = text_width(ui.fonts.body_medium, button.label);
    const float icon = button.icon == Icon::none ? 0 : ui.px(size::icon + (button.label.empty() ? 0 : 6));
    const float x = box.min.x + (box.extent.x - words - icon) / 2;
    const float half = ui.px(size::icon) / 2;
    if (button.icon != Icon::none)
        draw_icon(list, button.icon,
                  ImVec2(button.icon_behind ? x + words + icon - half : x + half, box.min.y + box.extent.y / 2),
                  ui.px(size::icon - 2), colours.text);
    draw_text_in(list, ui.fonts.body_medium, ImVec2(button.icon_behind ? x : x + icon, box.min.y),
                 ImVec2(box.max.x, box.max.y), colours.text, button.label);
    return press.pressed && !button.disabled;
}

bool icon_button(const Ui& ui, std::string_view name, Icon icon, std::string_view tooltip,
                 const IconButtonOptions& options) {
    const float side = std::round(ui.px(options.side));
    const Widget box(ui, name, ImVec2(side, side));
    const Press press = press_area(ui, "button", box.min, box.max, size::radius_button, !options.disabled);
    hint(ui, tooltip);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool live = !options.disabled;
    if (live && (press.hovered || options.active))
        list.AddRectFilled(box.min, box.max, press.held ? ui.theme.strong_line : ui.theme.hover,
                           ui.px(size::radius_button));
    const ImU32 ink =
        !live ? ui.theme.strong_line : (press.hovered || options.active ? ui.theme.text_high : ui.theme.text_mid);
    draw_icon(list, icon, ImVec2(box.min.x + side / 2, box.min.y + side / 2), std::min(ui.px(size::icon), side), ink);
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
    const Widget box(ui, name, ImVec2(chip_width(ui, text), std::round(ui.px(size::chip))));
    const Press press = press_area(ui, "chip", box.min, box.max, size::chip_radius);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool strong = lit || press.hovered;
    draw_box(list, box.min, box.max, strong ? ui.theme.hover : ui.theme.raised,
             lit ? ui.theme.text_mid : ui.theme.strong_line, ui.px(size::chip_radius));
    draw_text_in(list, ui.fonts.caption_medium, box.min, box.max, strong ? ui.theme.text_high : ui.theme.text_mid, text,
                 Align::centre);
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
    const float height = std::round(std::max(font.size, ui.px(size::chip)));
    const float mark = ui.px(size::icon + 6);
    const float room = std::max(mark, ImGui::GetContentRegionAvail().x);
    const float words = std::min(text_width(font, text), room - mark);
    const float width = mark_always ? room : words + mark;
    const Widget box(ui, name, ImVec2(width, height));
    const Press press = press_area(ui, "copy", box.min, box.max, size::radius_field);
    if (press.hovered) hint(ui, "Copy");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = text_top(font, box.min.y + height / 2);
    draw_text(list, font, ImVec2(box.min.x, top), press.hovered ? ui.theme.text_high : colour, text, words + 1);
    if (mark_always || press.hovered || press.focused)
        draw_icon(list, Icon::copy, ImVec2(box.max.x - ui.px(size::icon) / 2, box.min.y + height / 2), ui.px(14),
                  press.hovered ? ui.theme.text_high : ui.theme.text_mid);
    if (press.pressed) ImGui::SetClipboardText(std::string(text).c_str());
    return press.pressed;
}

bool disclosure_row(const Ui& ui, std::string_view name, const Disclosure& row) {
    const Widget at(ui, name, ImVec2(available_width(), std::round(ui.px(size::choice_row))));
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID open_id = ImGui::GetID("open");
    constexpr int never_pressed = -1;
    const int known = storage.GetInt(open_id, never_pressed);
    bool open = known == never_pressed ? row.open_at_first : known != 0;
    if (row.open_now && !open) storage.SetInt(open_id, open = true);
    const Press press = press_area(ui, "row", at.min, at.max, size::radius_field);
    if (press.pressed) storage.SetInt(open_id, open = !open);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = at.min.y + at.extent.y / 2, chevron = ui.px(14);
    const Font& words = ui.fonts.body_medium;
    const float label_end =
        at.min.x + draw_text(list, words, ImVec2(at.min.x, text_top(words, centre)), ui.theme.text_high, row.label);
    if (row.changed) list.AddCircleFilled(ImVec2(label_end + ui.px(8), centre), ui.px(2), ui.theme.text_mid, 12);
    const float right = at.max.x - chevron - ui.px(8), room = right - label_end - ui.px(row.changed ? 18 : 10);
    const float left = std::round(right - std::min(room, text_width(ui.fonts.table, row.remark)));
    draw_text(list, ui.fonts.table, ImVec2(left, text_top(ui.fonts.table, centre)),
              press.hovered ? ui.theme.text_high : ui.theme.text_mid, row.remark, room);
    draw_icon(list, open ? Icon::chevron_down : Icon::chevron_right, ImVec2(at.max.x - chevron / 2, centre), chevron,
              press.hovered ? ui.theme.text_high : ui.theme.text_low);
    return open;
}

float word_button_width(const Ui& ui, std::string_view word) {
    return std::round(text_width(ui.fonts.caption, word) + ui.px(12));
}

bool word_button(const Ui& ui, std::string_view name, ImVec2 left_centre, std::string_view word,
                 std::string_view tooltip) {
    const IdScope scope(name);
    const float height = ui.px(18);
    const ImVec2 min(std::round(left_centre.x), std::round(left_centre.y - height / 2));
    const ImVec2 max(min.x + word_button_width(ui, word), min.y + std::round(height));
    ui.recorder.record(name, min, max);
    const Press press = press_area(ui, "word", min, max, size::radius_field);
    hint(ui, tooltip);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, min, max, press.hovered ? ui.theme.hover : ui.theme.panel, ui.theme.line, ui.px(size::radius_field));
    draw_text_in(list, ui.fonts.caption, min, max, press.hovered ? ui.theme.text_high : ui.theme.text_mid, word,
                 Align::centre);
    return press.pressed;
}

}  // namespace headcount
