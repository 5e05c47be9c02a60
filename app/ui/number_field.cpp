// A number that can be typed: ImGui's text field, right-aligned, with commits that survive every way of leaving it.
#include "app/ui/number_field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_scale.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

using Text = std::array<char, 64>;

ImGuiID field_id(std::string_view name) {
    const IdScope scope(name);
    return ImGui::GetID("##field");
}

std::vector<UiMemory::Rejected>::iterator find_rejected(UiMemory& memory, ImGuiID id) {
    return std::ranges::find_if(memory.rejected, [id](const auto& rejected) { return rejected.field == id; });
}

void forget(UiMemory& memory, ImGuiID id) {
    std::erase_if(memory.rejected, [id](const auto& rejected) { return rejected.field == id; });
}

void keep(UiMemory& memory, UiMemory::Rejected entry) {
    const auto refused = find_rejected(memory, entry.field);
    if (refused != memory.rejected.end())
        *refused = std::move(entry);
    else
        memory.rejected.push_back(std::move(entry));
}

// Who has ended a text with Enter goes on typing where it is refused: the field is entered anew, all of it selected.
void stay_in(UiMemory& memory, ImGuiID id) {
    if (!compat::enter_pressed()) return;
    memory.asked = id;
    memory.animating = true;
}

void show_value(Text& text, std::int64_t value) {
    *std::to_chars(text.data(), text.data() + text.size() - 1, value).ptr = '\0';
}

// What a refused text was refused for: it goes when this changes.
std::int64_t identity(const NumberField& field) {
    return field.text.empty() ? field.value : static_cast<std::int64_t>(std::hash<std::string_view>{}(field.text));
}

// What the field shows while nobody types in it: the value, or the text that was refused for this same value.
Text resting_text(UiMemory& memory, ImGuiID id, const NumberField& field, bool& rejected) {
    Text text{};
    const std::int64_t value = identity(field);
    const auto refused = find_rejected(memory, id);
    rejected = refused != memory.rejected.end();
    if (rejected && refused->value != value) {
        memory.rejected.erase(refused);
        rejected = false;
    }
    if (rejected)
        std::snprintf(text.data(), text.size(), "%s", find_rejected(memory, id)->text.c_str());
    else if (!field.text.empty())
        std::snprintf(text.data(), text.size(), "%.*s", static_cast<int>(field.text.size()), field.text.data());
    else
        show_value(text, field.value);
    return text;
}

// The text is final: a number is handed out, anything else stays in the field.
void commit(UiMemory& memory, ImGuiID id, const NumberField& field, const UiMemory::Edit& edit,
            NumberFieldResult& result) {
    if (std::strcmp(edit.text.data(), edit.before.data()) == 0) {
        if (find_rejected(memory, id) != memory.rejected.end()) stay_in(memory, id);
        return;
    }
    result.typed = edit.text.data();
    const auto value = field.text.empty() ? typed_number(edit.text.data()) : std::nullopt;
    if (value && *value != field.value) result.value = *value;
    if (value || !field.text.empty()) {
        forget(memory, id);
    } else {
        keep(memory, {id, edit.text.data(), field.value, std::string(field.row)});
        stay_in(memory, id);
    }
}

void draw_frame(const Ui& ui, ImVec2 min, ImVec2 max, const NumberField& field, bool hovered, bool editing) {
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool strong = field.changed || hovered || field.lit;
    const float radius = ui.px(size::radius_field);
    ImU32 border = strong ? theme.strong_line : theme.line;
    if (editing) border = theme.text_high;
    if (field.wrong) border = theme.wrong;
    draw_box(list, min, max, strong ? theme.hover : theme.field, border, radius);
    if (editing || field.wrong) list.AddRect(min, max, border, radius, 0, std::max(1.0F, ui.px(1.25F)));
}

// The text field without a frame. Its padding pushes the text to the right end, where the number stands at rest.
void input(const Ui& ui, ImVec2 position, ImVec2 extent, Text& text, bool visible, bool centred) {
    const Font& font = ui.fonts.mono;
    const float words = text_width(font, text.data());
    const float least = ui.px(8);
    const float spare = extent.x - words - least;
    const bool fits = spare >= least;
    const float left = centred ? std::max(least, (extent.x - words) / 2) : std::max(least, spare);
    const BareInput bare(font, ImVec2(std::floor(left), (extent.y - font.size) / 2));
    ImGui::PushStyleColor(ImGuiCol_Text, visible ? ui.theme.text_high : with_alpha(ui.theme.panel, 0));
    ImGui::SetCursorScreenPos(position);
    ImGui::SetNextItemWidth(extent.x);
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_AutoSelectAll;
    if (fits) flags |= ImGuiInputTextFlags_NoHorizontalScroll;
    compat::forget_other_text("##field", text.data());
    ImGui::InputText("##field", text.data(), text.size(), flags);
    ImGui::PopStyleColor();
}

// Follows the field's activity and hands out what was typed when it ends.
void follow(UiMemory& memory, ImGuiID id, const NumberField& field, const Text& text, const Text& resting, bool active,
            NumberFieldResult& result) {
    if (active && memory.edit.field != id) {
        if (memory.edit.field != 0) memory.left = memory.edit;
        memory.edit = {id, text, resting};
    }
    if (memory.edit.field == id) {
        memory.edit.text = text;
        if (!active) {
            commit(memory, id, field, memory.edit, result);
            memory.edit.field = 0;
            // Esc takes back what was refused before, too.
            if (compat::key_pressed(ImGuiKey_Escape, false)) forget(memory, id);
        }
    } else if (memory.left.field == id) {
        commit(memory, id, field, memory.left, result);
        memory.left.field = 0;
    }
}

}  // namespace

float field_width(const Ui& ui, std::string_view text, float room) {
    const float sides = 2 * ui.px(8) + 1, usual = ui.px(size::field_width);
    const float ten_digits = text_width(ui.fonts.mono, "0000000000") + sides;
    const float wanted = std::min(text_width(ui.fonts.mono, text) + sides, std::max(room, ten_digits));
    return std::round(std::max(usual, wanted));
}

void ask_for_typing(const Ui& ui, std::string_view name) {
    ui.memory.asked = field_id(name);
    ui.memory.animating = true;
}

void refuse(const Ui& ui, std::string_view name, std::string_view text, const NumberField& field) {
    keep(ui.memory, {field_id(name), std::string(text), identity(field), std::string(field.row)});
    stay_in(ui.memory, field_id(name));
}

std::string_view refused_text(const Ui& ui, std::string_view name) {
    const auto refused = find_rejected(ui.memory, field_id(name));
    return refused == ui.memory.rejected.end() ? std::string_view{} : std::string_view(refused->text);
}

bool refused_in_sight(const Ui& ui) {
    const std::vector<UiMemory::Rejected>& rejected = ui.memory.rejected;
    return std::ranges::any_of(rejected, [&](const UiMemory::Rejected& text) { return in_sight(ui, text); });
}

bool in_sight(const Ui& ui, const UiMemory::Rejected& refused) { return contains(ui.memory.tab_stops, refused.field); }

void forget_rejected(const Ui& ui, std::string_view name) { forget(ui.memory, field_id(name)); }

NumberFieldResult number_field(const Ui& ui, std::string_view name, ImVec2 position, ImVec2 extent,
                               const NumberField& field) {
    NumberFieldResult result;
    const IdScope scope(name);
    const ImGuiID id = ImGui::GetID("##field");
    const ImVec2 end = position + extent;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (field.disabled) {
        Text text{};
        show_value(text, field.value);
        const std::string_view shown = field.text.empty() ? std::string_view(text.data()) : field.text;
        draw_text_in(list, ui.fonts.mono, position, ImVec2(end.x - ui.px(8), end.y), ui.theme.text_low, shown,
                     Align::right);
        return result;
    }

    UiMemory& memory = ui.memory;
    const bool was_editing = memory.edit.field == id;
    const bool hovering = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(position, end);
    bool rejected = false;
    const Text resting = resting_text(memory, id, field, rejected);
    Text text = was_editing ? memory.edit.text : resting;
    NumberField look = field;
    look.wrong = field.wrong || rejected;
    if (!field.bare) draw_frame(ui, position, end, look, hovering, was_editing);

    const bool summoned = tab_stop(ui, id) || memory.asked == id;
    bool active = false;
    if (was_editing || hovering || summoned || compat::has_focus(id)) {
        if (summoned) {
            memory.asked = 0;
            memory.animating = true;
            ImGui::SetKeyboardFocusHere();
        }
        const bool untouched = was_editing && rejected && std::strcmp(text.data(), resting.data()) == 0;
        const bool taken_back =
            untouched && ImGui::GetIO().KeyCtrl && compat::named_key_pressed("Z", false);  // with nothing to undo in it
        if (taken_back) {
            forget(memory, id);
            memory.edit.field = 0;
            memory.animating = true;
        }
        // A click into refused text that nobody has touched yet enters the field anew, too: what is typed replaces it.
        if (taken_back || (untouched && hovering && ImGui::IsMouseClicked(ImGuiMouseButton_Left)))
            compat::release_active_item();
        if (!taken_back) {
            input(ui, position, extent, text, was_editing, field.centred);
            active = ImGui::IsItemActive();
            result.hovered = ImGui::IsItemHovered();
        }
    } else {
        // ImGui's text field is dear, and a frame has many fields that nobody is near.
        compat::idle_item(id, position, end);
    }
    result.editing = active;
    if (active) memory.focus_used = true;
    if (result.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (!was_editing) {
        const ImU32 ink = look.wrong && rejected ? ui.theme.wrong : ui.theme.text_high;
        const float pad = ui.px(8);
        const bool cut = text_width(ui.fonts.mono, text.data()) > extent.x - 2 * pad;
        draw_text_in(list, ui.fonts.mono, ImVec2(position.x + (cut ? ui.px(4) : pad), position.y),
                     ImVec2(end.x - (cut ? ui.px(3) : pad), end.y), ink, text.data(),
                     cut ? Align::left : (field.centred ? Align::centre : Align::right));
        if (last_item_has_keyboard_focus(ui)) draw_focus_ring(ui, position, end, size::radius_field);
    }
    follow(memory, id, field, text, resting, active, result);
    const auto refused = find_rejected(memory, id);
    if (refused != memory.rejected.end()) result.rejected = refused->text;
    return result;
}

}  // namespace headcount
