// Groups that open, and words that switch.
#include "app/ui/disclosure.hpp"

#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

bool disclosure_row(const Ui& ui, std::string_view name, std::string_view label, std::string_view remark,
                    bool changed) {
    const IdScope scope(name);
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID open_id = ImGui::GetID("open");
    bool open = storage.GetBool(open_id);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 extent(available_width(), std::round(ui.px(size::choice_row)));
    const ImVec2 end = start + extent;
    ui.recorder.record(name, start, end);
    const Press press = press_area(ui, "row", start, end, size::radius_field);
    if (press.pressed) storage.SetBool(open_id, open = !open);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = start.y + extent.y / 2, chevron = ui.px(14);
    const Font& words = ui.fonts.body;
    const float label_end =
        start.x + draw_text(list, words, ImVec2(start.x, text_top(words, centre)), ui.theme.text_high, label);
    if (changed) list.AddCircleFilled(ImVec2(label_end + ui.px(8), centre), ui.px(2), ui.theme.text_mid, 12);
    draw_text_in(list, ui.fonts.table, start, ImVec2(end.x - chevron - ui.px(8), end.y),
                 press.hovered ? ui.theme.text_high : ui.theme.text_mid, remark, Align::right);
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
