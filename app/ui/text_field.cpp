// ImGui's text field with a frame of ours, Tab, and lines that wrap; and with a glass before it.
#include "app/ui/text_field.hpp"

#include <algorithm>
#include <cmath>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {
namespace {

// A break that nobody typed. ImGui draws nothing for the first of the two.
constexpr std::string_view soft_break = "\r\n";

struct Typing {
    std::string text;
    const Font* font;
    float width = 0;  // 0: one line
};

// Places in a text with breaks and in the same without.
std::size_t plain_place(std::string_view broken, std::size_t at) {
    std::size_t place = 0;
    for (std::size_t i = 0; i < at && i < broken.size(); ++i)
        if (broken.substr(i).starts_with(soft_break))
            ++i;
        else
            ++place;
    return place;
}
std::size_t broken_place(std::string_view broken, std::size_t plain) {
    std::size_t at = 0;
    for (;; ++at) {
        while (broken.substr(at).starts_with(soft_break)) at += soft_break.size();
        if (plain == 0 || at >= broken.size()) return at;
        --plain;
    }
}

int on_event(ImGuiInputTextCallbackData* data) {
    Typing& typing = *static_cast<Typing*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        typing.text.resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = typing.text.data();
        return 0;
    }
    const std::string now(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::string broken = broken_into_lines(*typing.font, without_breaks(now), typing.width);
    if (broken == now) return 0;
    const std::size_t cursor = plain_place(now, static_cast<std::size_t>(data->CursorPos));
    compat::replace_text(*data, broken, broken_place(broken, cursor));
    return 0;
}

struct Colours {
    ImU32 fill, border;
};

Colours colours_of(const Theme& theme, FieldLook look, bool active, bool hovered) {
    const ImU32 paper = theme.dark ? theme.field : theme.panel;
    Colours colours{paper, hovered ? theme.edge : theme.strong_line};
    if (look == FieldLook::right) colours = {mix(theme.panel, theme.right, 0.1F), mix(theme.panel, theme.right, 0.4F)};
    if (look == FieldLook::wrong) colours = {theme.wrong_fill, theme.wrong};
    if (active) colours = {paper, theme.text_high};
    return colours;
}

void draw_frame(const Ui& ui, ImVec2 min, ImVec2 max, FieldLook look, bool active, bool hovered) {
    const Colours colours = colours_of(ui.theme, look, active, hovered);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(size::radius_field + 1);
    draw_box(list, min, max, colours.fill, colours.border, radius);
    if (active || look == FieldLook::wrong)
        list.AddRect(min, max, colours.border, radius, 0, std::max(1.0F, ui.px(active ? 2 : 1.5F)));
}

bool input(Typing& typing, ImVec2 extent, const TextField& field) {
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize;
    if (field.secret) flags |= ImGuiInputTextFlags_Password;
    char* const text = typing.text.data();
    const std::size_t room = typing.text.capacity() + 1;
    if (typing.font->far) typing.font->far->ask(typing.text);
    compat::forget_other_text("##text", typing.text);
    // Where no hand has put the cursor, what is typed takes the place of what is there, also of a field that is entered
    // again.
    if (field.lines <= 1 && !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) flags |= ImGuiInputTextFlags_AutoSelectAll;
    if (field.lines <= 1) return ImGui::InputText("##text", text, room, flags, on_event, &typing);
    flags |= ImGuiInputTextFlags_CallbackAlways;
    if (field.enter_ends) flags |= ImGuiInputTextFlags_CtrlEnterForNewLine;
    return ImGui::InputTextMultiline("##text", text, room, extent, flags, on_event, &typing);
}

}  // namespace

std::string broken_into_lines(const Font& font, std::string_view text, float width) {
    std::string broken;
    float used = 0;
    while (!text.empty()) {
        if (text.front() == '\n') {
            broken += '\n';
            used = 0;
            text.remove_prefix(1);
            continue;
        }
        // A word with the spaces behind it, which may hang over.
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
        const float word = text_width(font, text.substr(0, end));
        if (used > 0 && used + word > width) {
            broken += soft_break;
            used = 0;
        }
        used += text_width(font, text.substr(0, next));
        broken += text.substr(0, next);
        text.remove_prefix(next);
    }
    return broken;
}

std::string without_breaks(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text.substr(i).starts_with(soft_break))
            ++i;
        else if (text[i] != '\r')
            plain += text[i];
    return plain;
}

void ask_for_text(const Ui& ui, std::string_view name) {
    const IdScope scope(name);
    ui.memory.asked = ImGui::GetID("##text");
    ui.memory.animating = true;
}

TextFieldResult text_field(const Ui& ui, std::string_view name, const TextField& field) {
    TextFieldResult result;
    const IdScope scope(name);
    const ImGuiID id = ImGui::GetID("##text");
    const ImVec2 min = ImGui::GetCursorScreenPos(), max = min + field.extent;
    ui.recorder.record(name, min, max);
    const Font& font = field.font ? *field.font : ui.fonts.body;
    const bool was_active = ImGui::GetActiveID() == id;
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max);
    draw_frame(ui, min, max, field.look, was_active, hovered);

    const float mark = field.look == FieldLook::plain ? 0 : ui.px(size::icon + 6);
    const float inset = std::round(ui.px(11));
    const float vertical = field.lines > 1 ? std::round(ui.px(8)) : std::round((field.extent.y - font.size) / 2);
    const ImVec2 room(field.extent.x - mark, field.extent.y);
    Typing typing{std::string(field.text), &font, field.lines > 1 ? room.x - 2 * inset - ui.px(10) : 0};
    if (typing.width > 0) typing.text = broken_into_lines(font, field.text, typing.width);
    const std::string before = typing.text;

    const bool arrives = field.stop && tab_stop(ui, id);
    if (arrives || ui.memory.asked == id) {
        ui.memory.asked = 0;
        ui.memory.animating = true;
        ImGui::SetKeyboardFocusHere();
        if (!ImGui::IsRectVisible(min, max)) ImGui::SetScrollHereY();
    }
    {
        const BareInput bare(font, ImVec2(inset, vertical));
        ImGui::SetNextItemWidth(room.x);
        input(typing, room, field);
    }
    result.focused = ImGui::IsItemActive();
    result.left = ImGui::IsItemDeactivated();
    // ImGui would take back all that was typed since the field was entered; but each letter has been taken over.
    if (field.lines > 1 && result.left && compat::key_pressed(ImGuiKey_Escape, false)) typing.text = before;
    result.entered = result.left && (field.lines <= 1 || field.enter_ends) && compat::enter_pressed();
    if (result.focused) ui.memory.focus_used = true;
    if (result.focused) ui.memory.writing = {id, min, max};
    if (typing.text != before) result.edited = without_breaks(typing.text);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (typing.text.empty() && !field.prompt.empty())
        draw_text(list, ui.fonts.body, ImVec2(min.x + inset, min.y + vertical), ui.theme.text_low, field.prompt,
                  room.x - 2 * inset);
    if (mark > 0) {
        const bool right = field.look == FieldLook::right;
        const float middle = field.lines > 1 ? min.y + ui.px(18) : (min.y + max.y) / 2;
        draw_icon(list, right ? Icon::check : Icon::cross, ImVec2(max.x - ui.px(15), middle), ui.px(14),
                  right ? ui.theme.right : ui.theme.wrong);
    }
    if (!result.focused && last_item_has_keyboard_focus(ui)) draw_focus_ring(ui, min, max, size::radius_field);
    place(min, field.extent);
    return result;
}

bool search_field(const Ui& ui, const SearchField& field) {
    const ImVec2 start = ImGui::GetCursorScreenPos(), end = start + field.extent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool active = compat::has_focus(ImGui::GetID("##search"));
    const ImU32 fill = field.fill.value_or(ui.theme.field);
    draw_box(list, start, end, fill, field.border.value_or(active ? ui.theme.text_mid : ui.theme.strong_line),
             ui.px(size::radius_field));
    draw_icon(list, field.mark, ImVec2(start.x + ui.px(field.glass), (start.y + end.y) / 2), ui.px(field.icon),
              ui.theme.text_low);
    const Font& font = field.font ? *field.font : ui.fonts.body;
    const BareInput bare(font, ImVec2(0, (end.y - start.y - font.size) / 2));
    ImGui::SetCursorScreenPos(ImVec2(start.x + ui.px(field.from), start.y));
    ImGui::SetNextItemWidth(end.x - start.x - ui.px(field.from + field.spare));
    if (field.grabs) ImGui::SetKeyboardFocusHere();
    const ImGuiInputTextFlags flags =
        (field.on_edit ? ImGuiInputTextFlags_CallbackAlways : ImGuiInputTextFlags_None) |
        (field.completes ? ImGuiInputTextFlags_CallbackCompletion : ImGuiInputTextFlags_None);
    if (font.far) font.far->ask(field.text.data());
    compat::forget_other_text("##search", field.text.data());
    const bool changed =
        ImGui::InputText("##search", field.text.data(), field.text.size(), flags, field.on_edit, field.user);
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
