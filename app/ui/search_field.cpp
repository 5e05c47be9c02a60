// A text field with a glass before it.
#include "app/ui/search_field.hpp"

#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {

bool search_field(const Ui& ui, std::string_view name, std::span<char> text, float width, std::string_view prompt) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 end(start.x + width, start.y + std::round(ui.px(size::button)));
    ui.recorder.record(name, start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImGuiID id = ImGui::GetID("##search");
    const bool active = compat::has_focus(id);
    draw_box(list, start, end, ui.theme.field, active ? ui.theme.text_mid : ui.theme.strong_line,
             ui.px(size::radius_field));
    draw_icon(list, Icon::search, ImVec2(start.x + ui.px(16), (start.y + end.y) / 2), ui.px(14), ui.theme.text_low);
    const Font& font = ui.fonts.body;
    const FontScope with(font);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, (end.y - start.y - font.size) / 2));
    for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
        ImGui::PushStyleColor(which, with_alpha(ui.theme.field, 0));
    ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(30), start.y));
    ImGui::SetNextItemWidth(end.x - start.x - ui.px(38));
    if (tab_stop(ui, id)) ImGui::SetKeyboardFocusHere();
    const bool changed = ImGui::InputText("##search", text.data(), text.size());
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
    if (text.front() == '\0')
        draw_text_in(list, font, ImVec2(start.x + ui.px(30), start.y), ImVec2(end.x - ui.px(8), end.y),
                     ui.theme.text_low, prompt);
    place(start, end - start);
    return changed;
}

}  // namespace headcount
