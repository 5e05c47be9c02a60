// A card that can be dismissed; see the header.
#include "app/ui/notice_card.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {

bool notice_card(const Ui& ui, std::string_view name, std::string_view text) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), padding = ui.px(9), side = std::round(ui.px(20));
    const Font& font = ui.fonts.table;
    const float wrap = std::max(ui.px(60), width - 2 * padding - side);
    const float height = std::round(std::max(wrapped_extent(font, text, wrap).y, side) + 2 * padding);
    const ImVec2 end(start.x + width, start.y + height);
    ui.recorder.record(name, start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_box(list, start, end, ui.theme.raised, ui.theme.line, ui.px(size::radius_button));
    draw_wrapped(list, font, start + ImVec2(padding, padding), ui.theme.text_mid, text, wrap);
    const ImVec2 min(end.x - side - ui.px(5), start.y + ui.px(5)), max = min + ImVec2(side, side);
    ui.recorder.record(name, "dismiss", min, max);
    const Press press = press_area(ui, "dismiss", min, max, size::radius_field);
    hint(ui, "Dismiss");
    if (press.hovered) list.AddRectFilled(min, max, ui.theme.hover, ui.px(size::radius_field));
    draw_icon(list, Icon::cross, ImVec2((min.x + max.x) / 2, (min.y + max.y) / 2), ui.px(12),
              press.hovered ? ui.theme.text_high : ui.theme.text_low);
    place(start, ImVec2(width, height));
    return press.pressed;
}

}  // namespace headcount
