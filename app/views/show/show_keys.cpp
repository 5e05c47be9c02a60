// Which of a presenter's keys are pressed now.
#include "app/views/show/show_keys.hpp"

#include <algorithm>
#include <array>

#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

bool any_pressed(std::initializer_list<ImGuiKey> keys) {
    return std::any_of(keys.begin(), keys.end(), [](ImGuiKey key) { return compat::key_pressed(key, false); });
}

}  // namespace

Intents pressed_show_keys(const Session& session, const Intents& asked) {
    const View& view = session.view;
    const bool shows_tours = view.workspace == explore_view || view.workspace == run_view;
    const bool covered = view.task || view.help || view.asking || !shows_tours;
    const bool taken = ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open() || covered;
    if (taken || !current_step(session)) return {};
    // A button that the keyboard is on has stepped it already.
    const bool stepped = std::any_of(asked.begin(), asked.end(), [](const Intent& intent) {
        return std::holds_alternative<StepTour>(intent) || std::holds_alternative<LeaveTour>(intent);
    });
    const bool presents = view.show.presenting;
    const bool arrows =
        presents && any_pressed({ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow});
    if (arrows) compat::keep_focus();
    if (stepped) return {};
    if (any_pressed({ImGuiKey_PageDown}) ||
        (presents && any_pressed({ImGuiKey_Space, ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_Enter})))
        return {StepTour{1}};
    if (any_pressed({ImGuiKey_PageUp}) ||
        (presents && any_pressed({ImGuiKey_LeftArrow, ImGuiKey_UpArrow, ImGuiKey_Backspace})))
        return {StepTour{-1}};
    return {};
}

}  // namespace headcount
