// The ask bar: what is asked of what, and what a chosen row does.
#include <algorithm>
#include <filesystem>

#include "app/bars/ask_bar_parts.hpp"
#include "app/bars/folder_list.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/page.hpp"
#include "app/state/tour_run.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"

namespace headcount {

using namespace ask_bar;

namespace {

// One of each kind of question, to start from.
constexpr std::array<std::string_view, 7> examples{"queries, one head, 100 tokens, llama 7b",
                                                   "params of ffn in llama 3 8b",
                                                   "kv cache 8k tokens",
                                                   "what is gqa",
                                                   "what if it had 8 kv heads",
                                                   "4096x11008",
                                                   "head size"};

// What was pasted is no question.
void offer(AskState& bar, const std::string& opened, std::string title) {
    bar.asked = {};
    bar.commands = {{OpenFile{opened}}};
    bar.rows = {{.kind = AskMatch::Kind::command, .id = "open", .title = std::move(title), .detail = ""}};
}

// The file, or the folder of a model, that a text is the path of; empty where it is none.
std::string path_in(std::string_view text) {
    if (text.find('/') == std::string_view::npos) return "";
    std::error_code failure;
    const TypedPath typed = typed_path(std::filesystem::current_path(failure), text);
    const std::filesystem::path path = typed.rest.empty() ? typed.folder : typed.folder / typed.rest;
    return std::filesystem::is_regular_file(path, failure) || is_model_folder(path) ? path.string() : "";
}

AskedOf asked_of(const AskState& bar, const Session& session, const Document& document) {
    const bool as_shipped = document.architecture == document.base;
    AskedOf of{bar.text.data(), as_shipped ? document.preset : "", document.architecture, document.input,
               pass_options(session.costs, session.view.costs, document.architecture)};
    of.architecture.name = title_of(document);
    return of;
}

void work_out(AskState& bar, const Session& session, std::span<const Action> actions, float most) {
    const Document& document = model_in_view(session).document;
    AskedOf of = asked_of(bar, session, document);
    if (of == bar.of) return;
    bar.of = std::move(of);
    bar.row = 0;
    bar.follow = true;
    if (is_link(bar.of.text)) return offer(bar, bar.of.text, "Open this link");
    if (const std::string path = path_in(bar.of.text); !path.empty())
        return offer(bar, path, "Open " + std::filesystem::path(path).filename().string());
    if (std::string_view(bar.of.text).starts_with('/') || std::string_view(bar.of.text).starts_with("~/")) {
        bar.asked = {.problem = "There is no file and no model's folder of this name."};
        bar.commands.clear();
        bar.rows.clear();
        return;
    }
    const std::vector<AskCommand> commands = commands_of(bar, session, actions, most, bar.commands);
    const auto asked = [&](const AskedOf& about, const Document& from) {
        return ask(about.text, {.architecture = about.architecture,
                                .input = about.input,
                                .preset = about.preset,
                                .presets = session.presets,
                                .commands = commands,
                                .memory = &bar.memory,
                                .pass = about.pass,
                                .devices = session.costs.devices,
                                .reached = session.costs.reached,
                                .stored = from.stored,
                                .doubt = session.derived.doubt,
                                .weights_doubt = session.derived.weights_doubt,
                                .typing = true});
    };
    bar.asked = asked(bar.of, document);
    // Of another model than the one in view it is asked with the user's own input, not with that of a tour's step, a
    // run or a lesson.
    if (bar.asked.answer && (bar.asked.answer->compares || !bar.asked.answer->preset.empty())) {
        Document own = kept_document(session);
        own.input = without_lent(session.running, own.input);
        AskedOf another = asked_of(bar, session, own);
        another.preset.clear();  // it is not in view, and has to be opened as any other
        if (another.input != bar.of.input) bar.asked = asked(another, own);
    }
    bar.rows = bar.asked.matches;
    add_tour(bar, commands);
    if (bar.of.text.empty())
        for (std::string_view example : examples)
            bar.rows.push_back({.kind = AskMatch::Kind::wording,
                                .id = std::string(example),
                                .title = std::string(example),
                                .detail = ""});
}

// Lights what belongs to an answer and goes there, in the model that it is about, with the input that was said.
Intents show(const std::string& preset, const std::string& light, const std::string& place,
             const std::optional<Input>& input = {}) {
    Intents intents;
    if (!preset.empty()) {
        intents.emplace_back(OpenPreset{preset});
        intents.emplace_back(ShowWorkspace{explore_view});
    }
    if (input) intents.emplace_back(SetInput{*input});
    if (!light.empty()) intents.emplace_back(Select{subject_from_key(light)});
    if (!place.empty() || light == "total") intents.emplace_back(GoTo{{place, 0, std::nullopt}});
    intents.emplace_back(Ask{false});
    return intents;
}

// An answer where it can be looked into, with what the question says of the model's input and of what holds it.
Intents show(const AskAnswer& answer, const CostsPlace& now) {
    if (!answer.compares && !answer.costs) return show(answer.preset, answer.light, answer.place, answer.input);
    Intents intents;
    const std::string& opened = answer.compares ? answer.compares->a : answer.preset;
    if (!opened.empty()) intents.emplace_back(OpenPreset{opened});
    if (answer.compares) intents.emplace_back(AtCompare{CompareWithPreset{answer.compares->b}});
    // The input is that of the model in view, and so the view comes first.
    intents.emplace_back(ShowWorkspace{answer.compares ? compare_view : costs_view});
    if (answer.input) intents.emplace_back(SetInput{*answer.input});
    if (answer.costs) {
        SetCosts held{now};
        if (!answer.costs->device.empty()) held.place.device = answer.costs->device;
        // As the answer was worked out.
        if (answer.costs->training) held.place.how = *answer.costs->training;
        const Phase phase = answer.costs->training ? Phase::training : Phase::prefill;
        held.place.phase = answer.costs->phase.value_or(phase);
        held.place.sharding = answer.costs->sharding;
        held.place.scores = false;
        intents.emplace_back(AtCosts{held});
    }
    if (!answer.light.empty()) intents.emplace_back(Select{subject_from_key(answer.light)});
    intents.emplace_back(Ask{false});
    return intents;
}

void take(AskState& bar, int row, const CostsPlace& now, Intents& intents) {
    const std::optional<AskAnswer>& answer = bar.asked.answer;
    if (answer && row == 0) {
        intents = show(*answer, now);
        return;
    }
    const std::size_t index = static_cast<std::size_t>(row - (answer ? 1 : 0));
    if (index >= bar.rows.size()) return;
    const AskMatch& match = bar.rows[index];
    switch (match.kind) {
        case AskMatch::Kind::wording: set_text(bar, match.id); return;
        case AskMatch::Kind::tensor:
        case AskMatch::Kind::dimension: intents = show(match.preset, match.id, match.place); return;
        case AskMatch::Kind::preset: intents = {OpenPreset{match.id}, ShowWorkspace{explore_view}, Ask{false}}; return;
        case AskMatch::Kind::command:
            intents = bar.commands[match.command];
            intents.insert(intents.begin(), Ask{false});
            return;
    }
}

void obey_keys(AskState& bar, const CostsPlace& now, Intents& intents) {
    const int rows = static_cast<int>(bar.rows.size()) + (bar.asked.answer ? 1 : 0);
    const int step =
        (compat::key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (compat::key_pressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (step != 0) {
        compat::keep_focus();
        bar.row = std::clamp(bar.row + step, 0, std::max(0, rows - 1));
        bar.follow = true;
    }
    if (compat::key_pressed(ImGuiKey_Escape, false))
        intents = {Ask{false}};
    else if (compat::enter_pressed())
        take(bar, bar.row, now, intents);
}

}  // namespace

Intents draw_ask_bar(const Ui& ui, const Session& session, std::span<const Action> actions, float most) {
    AskState& bar = kept<AskState>(ui, "ask");
    const CostsPlace& now = session.view.costs;
    Intents intents;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) {
        bar = {};
        bar.lessons = lessons_of(session.tours);
    }
    draw_field(ui, bar);
    work_out(bar, session, actions, most);
    // The key that opened it is none of its own.
    if (appears)
        ui.memory.animating = true;
    else
        obey_keys(bar, now, intents);
    draw_readings(ui, bar);
    gap(ui, 8);
    if (bar.asked.answer && draw_answer(ui, *bar.asked.answer, bar.row == 0)) take(bar, 0, now, intents);
    if (const std::optional<int> pressed = draw_rows(ui, bar)) {
        bar.row = *pressed;
        take(bar, *pressed, now, intents);
    }
    gap(ui, 8);
    draw_keys(ui, bar);
    ui.memory.tab_stops.clear();  // Tab stays here
    if (bar.replace_text) ui.memory.animating = true;
    return intents;
}

}  // namespace headcount
