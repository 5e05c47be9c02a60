// What all components share: pressing, keyboard focus, motion.
#include "app/ui/ui.hpp"

#include <algorithm>

#include "app/ui/imgui_compat.hpp"

namespace headcount {

// A press elsewhere is meant for what is there, also where that is drawn before the field has let go of the keyboard.
void UiMemory::leave_words() {
    const bool beside = writing.field != 0 && compat::focused_item() == writing.field && ImGui::IsMouseClicked(0) &&
                        !ImGui::IsMouseHoveringRect(writing.min, writing.max, false);
    if (beside) compat::release_active_item();
    writing.field = 0;
}

void UiMemory::begin_frame() {
    animating = false;
    std::swap(tab_stops, last_tab_stops);
    tab_stops.clear();
    tab_target = 0;
    leave_words();
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (popup || last_tab_stops.empty() || ImGui::GetIO().KeyCtrl || !compat::key_pressed(ImGuiKey_Tab)) return;

    compat::keep_focus();
    const auto stops = static_cast<std::ptrdiff_t>(last_tab_stops.size());
    const ImGuiID focused = focus_used ? compat::focused_item() : 0;
    const auto found = std::ranges::find(last_tab_stops, focused);
    focus_used = true;
    const bool back = ImGui::GetIO().KeyShift;
    std::ptrdiff_t next = back ? stops - 1 : 0;
    if (found != last_tab_stops.end()) next = (found - last_tab_stops.begin() + (back ? stops - 1 : 1)) % stops;
    compat::release_active_item();
    tab_target = last_tab_stops[static_cast<std::size_t>(next)];
}

BareInput::BareInput(const Font& font, ImVec2 padding) : font_(font) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    for (const ImGuiCol which : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
        ImGui::PushStyleColor(which, 0);
}

BareInput::~BareInput() {
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar();
}

Widget::Widget(const Ui& ui, std::string_view name, ImVec2 extent_)
    : extent(extent_), min(ImGui::GetCursorScreenPos()), max(min + extent_), scope_(name) {
    ui.recorder.record(name, min, max);
}

Widget::~Widget() { place(min, extent); }

float animated(const Ui& ui, ImGuiID id, float target) {
    auto& motions = ui.memory.motions;
    auto found = std::ranges::find_if(motions, [id](const auto& motion) { return motion.id == id; });
    const int frame = ImGui::GetFrameCount();
    if (found == motions.end()) {
        motions.push_back({id, target, frame});
        return target;
    }
    const bool seen_lately = found->last_frame >= frame - 1;
    found->last_frame = frame;
    if (ui.reduced_motion || !seen_lately) return found->position = target;
    const float step = ImGui::GetIO().DeltaTime / motion_seconds;
    found->position =
        target > found->position ? std::min(target, found->position + step) : std::max(target, found->position - step);
    if (found->position != target) ui.memory.animating = true;
    return found->position;
}

void draw_focus_ring(const Ui& ui, ImVec2 min, ImVec2 max, float radius) {
    const float out = ui.px(size::ring_gap) - 1;
    ImGui::GetWindowDrawList()->AddRect(ImVec2(min.x - out, min.y - out), ImVec2(max.x + out, max.y + out),
                                        ui.theme.selection, ui.px(radius) + out, 0, ui.px(size::ring));
}

bool last_item_has_keyboard_focus(const Ui& ui) {
    // Not while Tab is on its way from this item to a later one, which will have it in this same frame.
    return ui.memory.tab_target == 0 && ImGui::GetIO().NavVisible && ImGui::IsItemFocused();
}

bool tab_stop(const Ui& ui, ImGuiID id) {
    ui.memory.tab_stops.push_back(id);
    if (ui.memory.tab_target != id) return false;
    ui.memory.tab_target = 0;
    ui.memory.animating = true;
    return true;
}

Press press_area(const Ui& ui, const char* name, ImVec2 min, ImVec2 max, float radius, bool stop) {
    Press press;
    const ImGuiID id = ImGui::GetID(name);
    const bool arrives = stop && tab_stop(ui, id);
    press.pressed = compat::press(id, min, max, press.hovered, press.held);
    if (arrives) {
        compat::focus(id);
        if (!ImGui::IsItemVisible()) {
            ImGui::SetCursorScreenPos(max);
            ImGui::SetScrollHereY();
        }
    }
    if (press.held) ui.memory.focus_used = true;
    if (!compat::has_focus(id)) return press;
    press.focused = last_item_has_keyboard_focus(ui);
    if (press.focused && compat::enter_presses()) press.pressed = true;
    if (press.focused && radius >= 0) draw_focus_ring(ui, min, max, radius);
    return press;
}

void place(ImVec2 min, ImVec2 extent) {
    ImGui::SetCursorScreenPos(min);
    ImGui::Dummy(extent);
}

}  // namespace headcount
