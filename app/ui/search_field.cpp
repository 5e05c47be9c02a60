// A text field with a glass before it.
#include "app/ui/search_field.hpp"

#include <cmath>

#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {

bool search_field(const Ui& ui, const SearchField& field) {
    const ImVec2 start = ImGui::GetCursorScreenPos(), end = start + field.extent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool active = compat::has_focus(ImGui::GetID("##search"));
    const ImU32 fill = field.fill.value_or(ui.theme.field);
    draw_box(list, start, end, fill, field.border.value_or(active ? ui.theme.text_mid : ui.theme.strong_line),
             ui.px(size::radius_field));
    draw_icon(list, Icon::search, ImVec2(start.x + ui.px(field.glass), (start.y + end.y) / 2), ui.px(field.icon),
              ui.theme.text_low);
    const Font& font = field.font ? *field.font : ui.fonts.body;
    const FontScope with(font);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, (end.y - start.y - font.size) / 2));
    for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
        ImGui::PushStyleColor(which, with_alpha(fill, 0));
    ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(field.from), start.y));
    ImGui::SetNextItemWidth(end.x - start.x - ui.px(field.from + field.spare));
    if (field.grabs) ImGui::SetKeyboardFocusHere();
    const ImGuiInputTextFlags flags = field.on_edit ? ImGuiInputTextFlags_CallbackAlways : ImGuiInputTextFlags_None;
    compat::forget_other_text("##search", field.text.data());
    const bool changed =
        ImGui::InputText("##search", field.text.data(), field.text.size(), flags, field.on_edit, field.user);
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
    if (field.text.front() == '\0')
        draw_text_in(list, font, ImVec2(start.x + ui.px(field.from), start.y),
                     ImVec2(end.x - ui.px(field.spare), end.y), ui.theme.text_low, field.prompt);
    place(start, field.extent);
    return changed;
}

bool search_field(const Ui& ui, std::string_view name, std::span<char> text, float width, std::string_view prompt) {
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos(), extent(width, std::round(ui.px(size::button)));
    ui.recorder.record(name, start, start + extent);
    const bool grabs = tab_stop(ui, ImGui::GetID("##search"));
    return search_field(ui, {.text = text, .prompt = prompt, .extent = extent, .grabs = grabs});
}

}  // namespace headcount
