// Which of the table's keys are pressed now, and what that means in this session.
#include "app/shell/shortcuts.hpp"

#include <algorithm>

#include "app/parts/hidden.hpp"
#include "app/state/model_in_view.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/ui/imgui_compat.hpp"
#include "core/base/text.hpp"

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
    return std::any_of(queue.begin(), queue.end(), [&](ImWchar each) { return each == lower || each == upper; });
}

bool pressed(std::string_view keys) {
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
    const bool repeats = wanted.key == "Z" || wanted.key == "Y" || wanted.key == "+" || wanted.key == "-";
    return compat::named_key_pressed(wanted.key, repeats);
}

// A tensor's own number: a parameter's count in one layer, an activation's elements.
std::optional<std::int64_t> number_of(const Derived& derived, const TensorSubject& subject) {
    const Tensor* const tensor = derived.shown.graph.find(subject.id);
    if (!tensor) return std::nullopt;
    const auto count = element_count(tensor->shape, derived.shown.bindings);
    return count ? std::optional(*count) : std::nullopt;
}

std::optional<std::int64_t> number_of(const Shown& shown, const Subject& subject) {
    const Parameters& parameters = shown.derived.shown.parameters;
    if (const auto* tensor = std::get_if<TensorSubject>(&subject)) return number_of(shown.derived, *tensor);
    if (const auto* component = std::get_if<Component>(&subject)) return parameters.of(*component);
    if (const auto* field = std::get_if<Field>(&subject)) return field_number(shown.document.architecture, *field);
    return parameters.total;
}

Intent larger(float scale, float most) {
    if (scale >= most && most < most_scale) return Tell{"The window is too small for a larger interface"};
    return SetScale{next_scale(scale, 1)};
}

// Of the user's own model, so only where that is on the screen.
Intent undo_or_redo(const View& view, Command command) {
    if (!shows_own_model(view.workspace)) return Tell{"Undo is for the model: it is in Explore"};
    return command == Command::undo ? Intent(Undo{}) : Intent(Redo{});
}

Intent hide(const Session& session) {
    if (const std::optional<Subject> subject = number_to_hide(session)) return Hide{*subject};
    return Tell{"Nothing there has a number that could be hidden"};
}

// Closes what is open, else lets go of what is selected.
std::optional<Intent> leave(const Session& session, const Shown& shown) {
    const View& view = session.view;
    if (view.help) return ShowHelp{false};
    if (view.show.presenting) return Present{false};
    if (!shown.look.here.id.empty()) return std::nullopt;  // the canvas goes up
    if (!nothing(shown.look.selection)) return Select{};
    if (session.run && view.workspace == Workspace::explore) return LeaveTour{};
    return std::nullopt;
}

// Space where no control has the keyboard's ring.
std::optional<Intent> play_or_pause(const Session& session, const Intents& asked) {
    const View& view = session.view;
    const bool covered = view.help || view.show.presenting || ImGui::GetIO().NavVisible;
    if (view.workspace != Workspace::run || covered || !compat::key_pressed(ImGuiKey_Space, false)) return std::nullopt;
    const RunModel* const model = session.running.model.get();
    const RunSnapshot* const run = session.running.shown.get();
    const bool pressed =
        std::any_of(asked.begin(), asked.end(), [](const Intent& each) { return std::holds_alternative<AtRun>(each); });
    if (!model || model->wrong || pressed) return std::nullopt;
    return AtRun{PlayRun{!(run && run->playing)}};
}

// Ctrl+1 is the first in the top bar.
std::optional<Intent> chosen_view() {
    for (std::size_t i = 0; i < workspace_keys.size(); ++i)
        if (pressed("Ctrl+" + std::to_string(i + 1))) return ShowWorkspace{static_cast<Workspace>(i)};
    return std::nullopt;
}

bool copies(const Intents& intents) {
    return std::any_of(intents.begin(), intents.end(), [](const Intent& i) { return std::holds_alternative<Copy>(i); });
}

}  // namespace

std::optional<Intent> intent_of(Command command, const Session& session, float most) {
    const View& view = session.view;
    const Shown& shown = model_in_view(session);  // whose diagram the keys steer
    switch (command) {
        case Command::none:
            return std::nullopt;
        case Command::undo:
        case Command::redo:
            return undo_or_redo(view, command);
        case Command::copy:
            return selected_number(shown);
        case Command::larger:
            return larger(view.scale, most);
        case Command::smaller:
            return SetScale{next_scale(std::min(view.scale, most), -1)};  // from what is seen
        case Command::usual_size:
            return SetScale{1};
        case Command::motion:
            return ReduceMotion{!view.reduced_motion};
        case Command::theme:
            return SetTheme{view.theme == ThemeChoice::dark ? ThemeChoice::light : ThemeChoice::dark};
        case Command::help:
            return ShowHelp{!view.help};
        case Command::ask:
            return Ask{true};
        case Command::open:
            return AskForFile{FileTask::open};
        case Command::save:
            return AskForFile{FileTask::save};
        case Command::fit:
            return GoTo{};
        case Command::tilt:
            return Tilt{!shown.look.tilted};
        case Command::log_sides:
            return DrawLogSides{!shown.look.log_sides};
        case Command::hide:
            return hide(session);
        case Command::show_hidden:
            return ShowHidden{};
        case Command::decode:
            return SetInput{with_other_step(shown.document.input)};
        case Command::present:
            return Present{!view.show.presenting};
        case Command::leave:
            return leave(session, shown);
    }
    return std::nullopt;
}

Copy selected_number(const Shown& shown) {
    const auto number = number_of(shown, shown.look.selection);
    const std::string text = grouped(number.value_or(shown.derived.shown.parameters.total));
    return {text, text};
}

Intents pressed_shortcuts(const Session& session, const Intents& asked, float most) {
    Intents intents;
    const bool files = session.view.task.has_value();
    const bool taken = ImGui::GetIO().WantTextInput || compat::popup_is_or_was_open() || files || session.view.asking;
    for (const Shortcut& shortcut : shortcuts()) {
        const Command command = shortcut.command;
        const bool always = command == Command::larger || command == Command::smaller ||
                            command == Command::usual_size || (shortcut.keys == "F1" && !files);
        if (command == Command::none || (taken && !always) || !pressed(shortcut.keys)) continue;
        if (command == Command::copy && copies(asked)) continue;
        // The pinned cell of a run goes first.
        const bool pinned = session.view.workspace == Workspace::run && !session.view.run.trail.empty();
        if (command == Command::leave && pinned && !session.view.help) continue;
        if (const auto intent = intent_of(command, session, most)) intents.push_back(*intent);
    }
    if (const auto view = taken ? std::nullopt : chosen_view()) intents.push_back(*view);
    if (const auto play = taken ? std::nullopt : play_or_pause(session, asked)) intents.push_back(*play);
    return intents;
}

}  // namespace headcount
