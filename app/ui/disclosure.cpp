// Groups that open, and words that switch.
#include "app/ui/disclosure.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

bool disclosure_row(const Ui& ui, std::string_view name, const Disclosure& row) {
    const IdScope scope(name);
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID open_id = ImGui::GetID("open");
    constexpr int never_pressed = -1;
    const int known = storage.GetInt(open_id, never_pressed);
    bool open = known == never_pressed ? row.open_at_first : known != 0;
    if (row.open_now && !open) storage.SetInt(open_id, open = true);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::choice_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_field);
    if (press.pressed) storage.SetInt(open_id, open = !open);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = start.y + extent.y / 2, chevron = ui.px(14);
    const Font& words = ui.fonts.body_medium;
    const float label_end =
        start.x + draw_text(list, words, ImVec2(start.x, text_top(words, centre)), ui.theme.text_high, row.label);
    if (row.changed) list.AddCircleFilled(ImVec2(label_end + ui.px(8), centre), ui.px(2), ui.theme.text_mid, 12);
    const float right = end.x - chevron - ui.px(8), room = right - label_end - ui.px(row.changed ? 18 : 10);
    const float left = std::round(right - std::min(room, text_width(ui.fonts.table, row.remark)));
    draw_text(list, ui.fonts.table, ImVec2(left, text_top(ui.fonts.table, centre)),
              press.hovered ? ui.theme.text_high : ui.theme.text_mid, row.remark, room);
    draw_icon(list, open ? Icon::chevron_down : Icon::chevron_right, ImVec2(end.x - chevron / 2, centre), chevron,
              press.hovered ? ui.theme.text_high : ui.theme.text_low);
    place(start, extent);
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
