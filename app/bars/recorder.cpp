// The list of what was recorded: each step with its words, its place in the order, and how it is thrown away.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "app/bars/panels.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float recorder_width = 360, recorder_part = 0.62F, recorder_padding = 14, recorder_margin = 12;
constexpr float step_row = 26, words_field = 32, caption_field = 72;
constexpr std::size_t longest_title = 200, longest_caption = 2000;

// A field whose text is `words`, with `prompt` while nobody has written any.
bool field(const Ui& ui, std::string_view name, std::string& words, std::string_view prompt, std::size_t longest,
           int lines) {
    const float height = std::round(ui.px(lines > 1 ? caption_field : words_field));
    const TextFieldResult typed = text_field(
        ui, name, {.text = words, .prompt = prompt, .extent = ImVec2(available_width(), height), .lines = lines});
    gap(ui, 6);
    if (!typed.edited) return false;
    words = whole_letters(*typed.edited, longest);
    return true;
}

// The tour as it stands, and its steps' words as a class reads them.
struct Recorded {
    Tour tour;
    std::vector<StepWords> words;
};

Recorded recorded(const Recording& recording, std::span<const Preset> presets) {
    Recorded made{tour_of(recording, presets), {}};
    for (std::size_t i = 0; i < made.tour.steps.size(); ++i) {
        const TourStep& step = made.tour.steps[i];
        const Caught& caught = recording.steps[i].caught;
        made.words.push_back(words_for(step, caught.architecture, caught.input, presets)
                                 .value_or(StepWords{step.title, step.caption, step.ask, step.answer}));
    }
    return made;
}

// The words that a step has where it stands stay with it when it goes elsewhere.
void keep_words(RecordedStep& step, const TourStep& now) {
    if (step.title.empty()) step.title = now.title;
    if (step.caption.empty()) step.caption = now.caption;
}

// What is done with the chosen step; whether anything was.
bool draw_chosen(const Ui& ui, Recording& recording, const Recorded& now) {
    const StepWords& step = now.words[recording.chosen];
    RecordedStep& chosen = recording.steps[recording.chosen];
    const std::size_t last = recording.steps.size() - 1;
    gap(ui, 4);
    bool changed = field(ui, "recorder.title", chosen.title, step.title, longest_title, 1);
    changed |= field(ui, "recorder.caption", chosen.caption, step.caption, longest_caption, 3);
    changed |= field(ui, "recorder.ask", chosen.ask, "What the class is asked", longest_title, 1);
    if (!chosen.ask.empty()) changed |= field(ui, "recorder.answer", chosen.answer, "The answer", longest_title, 1);
    const auto swap_with = [&](std::size_t other) {
        for (const std::size_t each : {recording.chosen, other})
            keep_words(recording.steps[each], now.tour.steps[each]);
        std::swap(recording.steps[recording.chosen], recording.steps[other]);
        recording.chosen = other;
        changed = true;
    };
    const std::size_t at = recording.chosen;
    ButtonLine line(ui);
    if (line.put("recorder.up", {.label = "Up", .disabled = at == 0, .small = true})) swap_with(at - 1);
    if (line.put("recorder.down", {.label = "Down", .disabled = at == last, .small = true})) swap_with(at + 1);
    if (line.put("recorder.delete",
                 {.label = "Delete", .small = true, .tooltip = "Only what differs is kept of the rest"})) {
        recording.steps.erase(recording.steps.begin() + static_cast<std::ptrdiff_t>(at));
        recording.chosen = std::min(at, std::max<std::size_t>(recording.steps.size(), 1) - 1);
        changed = true;
    }
    line.end();
    gap(ui, 8);
    return changed;
}

void draw_steps(const Ui& ui, const Session& session, const Recorded& now, Intents& intents) {
    const std::vector<StepWords>& said = now.words;
    Recording recording = *session.recording;
    bool changed = field(ui, "recorder.name", recording.title, "My tour", longest_title, 1);
    const std::size_t open = recording.chosen;
    for (std::size_t i = 0; i < said.size(); ++i) {
        const std::string name = "recorder.step." + std::to_string(i + 1);
        const IdScope scope(name);
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const ImVec2 end(start.x + available_width(), start.y + std::round(ui.px(step_row)));
        ui.recorder.record(name, start, end);
        const bool chosen = i == open;
        const Press press = press_area(ui, "step", start, end, size::radius_button);
        if (chosen || press.hovered) tint_row(ui, start, end, chosen ? selected_tint(ui.theme) : hover_tint(ui.theme));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 words(start.x + ui.px(26), start.y);
        draw_text_in(list, ui.fonts.mono_caption, start, end, ui.theme.text_mid, std::to_string(i + 1));
        draw_text_in(list, chosen ? ui.fonts.body_bold : ui.fonts.body, words, end, ui.theme.text_high, said[i].title);
        place(start, end - start);
        if (press.pressed) {
            recording.chosen = i;
            changed = true;
        } else if (chosen) {
            changed |= draw_chosen(ui, recording, now);
        }
    }
    if (changed) intents.push_back(SetRecording{std::move(recording)});
}

}  // namespace

Intents draw_recorder(const Ui& ui, const Session& session, const Area& below) {
    Intents intents;
    const Recorded& now =
        made(ui, "recorder.tour", *session.recording, [&] { return recorded(*session.recording, session.presets); });
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = std::round(ui.px(recorder_margin));
    const float width = std::min(std::round(ui.px(recorder_width)), display.x - 2 * margin);
    const float height = std::round((display.y - below.min.y) * recorder_part);
    ImGui::SetNextWindowPos(ImVec2(display.x - width - margin, display.y - height - margin));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    const float padding = std::round(ui.px(recorder_padding));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(size::radius_card));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.dark ? ui.theme.raised : ui.theme.panel);
    ImGui::Begin("recorder", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    ui.recorder.record("panel", "recorder", ImGui::GetWindowPos(), ImGui::GetWindowPos() + ImGui::GetWindowSize());
    const std::size_t steps = now.words.size();
    section_title(ui, "Recording", std::to_string(steps) + (steps == 1 ? " step" : " steps"));
    gap(ui, 6);
    const bool none = steps == 0;
    ButtonLine line(ui);
    if (line.put("recorder.play", {.label = "Play", .icon = Icon::play, .disabled = none, .small = true}))
        intents.push_back(PlayRecording{});
    if (line.put("recorder.save",
                 {.label = "Save...", .disabled = none, .small = true, .tooltip = "As a file of a tour"}))
        intents.push_back(AskForFile{FileTask::tour});
    bool& asks = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("asks"));
    const bool stop = line.put(
        "recorder.stop",
        {.label = asks ? "Really throw away" : "Throw away", .small = true, .tooltip = "What was not saved is gone"});
    if (stop && (asks || none)) intents.push_back(Record{false});
    if (stop || ImGui::IsMouseReleased(ImGuiMouseButton_Left)) asks = stop && !asks && !none;
    line.end();
    gap(ui, 8);
    if (none)
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Go to a place, select something, drag a field, open a view, type a prompt: each is a step.");
    draw_steps(ui, session, now, intents);
    ImGui::End();
    return intents;
}

}  // namespace headcount
