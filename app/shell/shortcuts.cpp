// Which of the actions' keys are pressed now.
#include <algorithm>

#include "app/shell/frame.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

struct Chord {
    bool ctrl = false, shift = false;
    std::string_view key;
};

Chord chord(std::string_view keys) {
    Chord chord;
    for (bool more = true; more;) {
        more = false;
        for (const auto& [prefix, held] : {std::pair{"Ctrl+", &chord.ctrl}, std::pair{"Shift+", &chord.shift}}) {
            const std::string_view word = prefix;
            if (!keys.starts_with(word) || keys.size() == word.size()) continue;
            *held = more = true;
            keys.remove_prefix(word.size());
        }
    }
    chord.key = keys;
    return chord;
}

// A character without Ctrl comes as text, so that it is found wherever the keyboard's layout has it.
bool typed(char character) {
    const auto& queue = ImGui::GetIO().InputQueueCharacters;
    const auto upper = static_cast<ImWchar>(static_cast<unsigned char>(character));
    const auto lower = static_cast<ImWchar>(upper >= 'A' && upper <= 'Z' ? upper - 'A' + 'a' : upper);
    return std::ranges::any_of(queue, [&](ImWchar each) { return each == lower || each == upper; });
}

bool pressed(std::string_view keys, bool repeats) {
    const ImGuiIO& io = ImGui::GetIO();
    const Chord wanted = chord(keys);
    if (wanted.key.size() == 1 && !wanted.ctrl) {
        const bool letter = wanted.key.front() >= 'A' && wanted.key.front() <= 'Z';
        return !io.KeyCtrl && (!letter || io.KeyShift == wanted.shift) && typed(wanted.key.front());
    }
    // On most layouts + is on a key with Shift and = on it without; both mean "larger".
    const bool shift_matters = wanted.key != "+";
    if (io.KeyCtrl != wanted.ctrl || io.KeyAlt || (shift_matters && io.KeyShift != wanted.shift)) return false;
    if (wanted.key == "Esc") return compat::key_pressed(ImGuiKey_Escape, false);
    // Of the control that has the keyboard's ring, where one has it.
    if (wanted.key == "Space") return !io.NavVisible && compat::key_pressed(ImGuiKey_Space, false);
    return compat::named_key_pressed(wanted.key, repeats);
}

// While keys are `taken`, only those that always work, and no characters.
bool pressed(const Action& action, bool taken) {
    return std::ranges::any_of(action.keys, [&](const std::string& keys) {
        const bool heard = !taken || (action.always && keys.size() > 1);
        return heard && pressed(keys, action.repeats);
    });
}

// Whether both ask for the same thing; of a view's own intents (AtRun and the like) what it is asked for counts.
bool same_kind(const Intent& left, const Intent& right) {
    if (left.index() != right.index()) return false;
    return std::visit(
        [&]<typename Kind>(const Kind& each) {
            if constexpr (requires { each.what.index(); })
                return each.what.index() == std::get<Kind>(right).what.index();
            else
                return true;
        },
        left);
}

}  // namespace

Intents pressed_shortcuts(const Views& views, const Session& session, const Intents& asked, float most) {
    Intents intents;
    const View& view = session.view;
    const bool covered = compat::popup_is_or_was_open() || view.task || view.asking || view.sharing;
    const bool taken = ImGui::GetIO().WantTextInput || covered;
    for (const Action& action : views.actions) {
        if (!pressed(action, taken)) continue;
        const std::optional<Intent> intent = action.does(session, most);
        // Nor does the view below a sheet change.
        if (!intent || (covered && std::holds_alternative<ShowWorkspace>(*intent))) continue;
        // What a panel has asked for in this frame goes first: a table copies itself.
        const bool done = std::ranges::any_of(asked, [&](const Intent& each) { return same_kind(each, *intent); });
        if (!done) intents.push_back(*intent);
    }
    return intents;
}

}  // namespace headcount
