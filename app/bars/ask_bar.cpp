// The ask bar: what is asked of what, and what a chosen row does.
#include "app/bars/ask_bar.hpp"

#include <algorithm>

#include "app/bars/ask_bar_parts.hpp"
#include "app/state/model_in_view.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"

namespace headcount {

using namespace ask_bar;

namespace {

// One of each kind of question, to start from.
constexpr std::array<std::string_view, 5> examples{"queries, one head, 100 tokens, llama 7b",
                                                   "params of ffn in llama 3 8b", "kv cache 8k tokens", "4096x11008",
                                                   "head size"};

std::vector<AskCommand> commands_of(std::vector<Command>& meant) {
    std::vector<AskCommand> commands;
    meant.clear();
    for (const Shortcut& shortcut : shortcuts()) {
        const Command command = shortcut.command;
        const bool known = std::find(meant.begin(), meant.end(), command) != meant.end();
        if (command == Command::none || command == Command::leave || command == Command::ask || known) continue;
        commands.push_back({shortcut.keys, shortcut.meaning});
        meant.push_back(command);
    }
    return commands;
}

void work_out(AskState& bar, const Session& session) {
    const Document& document = model_in_view(session).document;
    const bool as_shipped = document.architecture == document.base;
    AskedOf of{bar.text.data(), as_shipped ? document.preset : "", document.architecture, document.input,
               pass_options(session)};
    if (of == bar.of) return;
    bar.of = std::move(of);
    const std::vector<AskCommand> commands = commands_of(bar.commands);
    bar.asked = ask(bar.of.text, {.architecture = bar.of.architecture,
                                  .input = bar.of.input,
                                  .preset = bar.of.preset,
                                  .presets = session.presets,
                                  .commands = commands,
                                  .memory = &bar.memory,
                                  .pass = bar.of.pass,
                                  .devices = session.costs.devices});
    bar.rows = bar.asked.matches;
    if (bar.of.text.empty())
        for (std::string_view example : examples)
            bar.rows.push_back({.kind = AskMatch::Kind::wording,
                                .id = std::string(example),
                                .title = std::string(example),
                                .detail = ""});
    bar.row = 0;
    bar.follow = true;
}

// Lights what belongs to an answer and goes there, in the model that it is about.
Intents show(const std::string& preset, const std::string& light, const std::string& place) {
    Intents intents;
    if (!preset.empty()) {
        intents.emplace_back(OpenPreset{preset});
        intents.emplace_back(ShowWorkspace{Workspace::explore});
    }
    if (!light.empty()) intents.emplace_back(Select{subject_from_key(light)});
    if (!place.empty() || light == "total") intents.emplace_back(GoTo{{place, 0, std::nullopt}});
    intents.emplace_back(Ask{false});
    return intents;
}

void take(AskState& bar, int row, AskBarResult& result) {
    const std::optional<AskAnswer>& answer = bar.asked.answer;
    if (answer && row == 0) {
        result.intents = show(answer->preset, answer->light, answer->place);
        return;
    }
    const std::size_t index = static_cast<std::size_t>(row - (answer ? 1 : 0));
    if (index >= bar.rows.size()) return;
    const AskMatch& match = bar.rows[index];
    switch (match.kind) {
        case AskMatch::Kind::wording:
            set_text(bar, match.id);
            return;
        case AskMatch::Kind::tensor:
        case AskMatch::Kind::dimension:
            result.intents = show(match.preset, match.id, match.place);
            return;
        case AskMatch::Kind::preset:
            result.intents = {OpenPreset{match.id}, ShowWorkspace{Workspace::explore}, Ask{false}};
            return;
        case AskMatch::Kind::command:
            result.command = bar.commands[match.command];
            result.intents = {Ask{false}};
            return;
    }
}

void obey_keys(AskState& bar, AskBarResult& result) {
    const int rows = static_cast<int>(bar.rows.size()) + (bar.asked.answer ? 1 : 0);
    const int step =
        (compat::key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (compat::key_pressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (step != 0) {
        compat::keep_focus();
        bar.row = std::clamp(bar.row + step, 0, std::max(0, rows - 1));
        bar.follow = true;
    }
    if (compat::key_pressed(ImGuiKey_Escape, false))
        result.intents = {Ask{false}};
    else if (compat::enter_pressed())
        take(bar, bar.row, result);
}

}  // namespace

AskBarResult draw_ask_bar(const Ui& ui, const Session& session) {
    AskState& bar = kept<AskState>(ui, "ask");
    AskBarResult result;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) bar = {};
    draw_field(ui, bar);
    work_out(bar, session);
    // The key that opened it is none of its own.
    if (appears)
        ui.memory.animating = true;
    else
        obey_keys(bar, result);
    draw_readings(ui, bar);
    gap(ui, 8);
    if (bar.asked.answer && draw_answer(ui, *bar.asked.answer, bar.row == 0)) take(bar, 0, result);
    if (const std::optional<int> pressed = draw_rows(ui, bar)) {
        bar.row = *pressed;
        take(bar, *pressed, result);
    }
    gap(ui, 8);
    draw_keys(ui, bar);
    ui.memory.tab_stops.clear();  // Tab stays here
    if (bar.replace_text) ui.memory.animating = true;
    return result;
}

}  // namespace headcount
