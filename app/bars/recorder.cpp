// The list of what was recorded: each step with its words, its place in the order, and how it is thrown away.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bars/panels.hpp"
#include "app/parts/explore_layout.hpp"
#include "app/state/recording.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float recorder_width = 360, least_recorder = 272, recorder_part = 0.62F, recorder_padding = 14,
                recorder_margin = 12;
constexpr float step_row = 26, words_field = 32, caption_field = 72, doing_button = 24, doing_buttons = 3,
                title_line = 24;
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

// The tour as it stands, and its steps' words as a class reads them, or why it cannot.
struct Recorded {
    Tour tour;
    std::vector<StepWords> words;
    std::vector<std::string> wrong;  // empty where nothing is

    // Of the first step that is wrong.
    std::string first_wrong() const {
        const auto found = std::ranges::find_if(wrong, [](const std::string& each) { return !each.empty(); });
        return found == wrong.end() ? "" : "Step " + std::to_string(found - wrong.begin() + 1) + ": " + *found;
    }
};

Recorded recorded(const Recording& recording, std::span<const Preset> presets) {
    Recorded made{tour_of(recording, presets), {}, {}};
    for (std::size_t i = 0; i < made.tour.steps.size(); ++i) {
        const TourStep& step = made.tour.steps[i];
        const Caught& caught = recording.steps[i].caught;
        Result<StepWords> words = words_for(step, caught.architecture, caught.input, presets);
        made.wrong.push_back(words ? std::string() : sentence(words.error()));
        made.words.push_back(words ? *std::move(words) : StepWords{step.title, step.caption, step.ask, step.answer});
    }
    return made;
}

// The words that a step has where it stands stay with it when it goes elsewhere.
void keep_words(RecordedStep& step, const TourStep& now) {
    if (step.title.empty()) step.moved_title = now.title;
    if (step.caption.empty()) step.moved_caption = now.caption;
}

// What is done with the chosen step; whether anything was.
bool draw_chosen(const Ui& ui, Recording& recording, const Recorded& now) {
    const StepWords& step = now.words[recording.chosen];
    RecordedStep& chosen = recording.steps[recording.chosen];
    gap(ui, 4);
    if (const std::string& wrong = now.wrong[recording.chosen]; !wrong.empty()) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        paragraph(ui, ui.fonts.table, ui.theme.wrong, begun_as_sentence(wrong));
        ui.recorder.record("recorder.wrong", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
        gap(ui, 6);
    }
    bool changed = field(ui, "recorder.title", chosen.title, step.title, longest_title, 1);
    changed |= field(ui, "recorder.caption", chosen.caption, step.caption, longest_caption, 3);
    changed |= field(ui, "recorder.ask", chosen.ask, "What the class is asked", longest_title, 1);
    if (!chosen.ask.empty()) changed |= field(ui, "recorder.answer", chosen.answer, "The answer", longest_title, 1);
    gap(ui, 2);
    return changed;
}

enum class Doing { nothing, up, down, remove };

// What is done with the chosen step as a whole: at the right of its row, which is in sight when it is chosen.
Doing draw_doings(const Ui& ui, const Recording& recording, float right, float centre) {
    const float side = std::round(ui.px(doing_button));
    Doing asked = Doing::nothing;
    float left = right - side * doing_buttons;
    const auto put = [&](std::string_view name, Icon icon, std::string_view hint, bool disabled, Doing doing) {
        ImGui::SetCursorScreenPos(ImVec2(left, std::round(centre - side / 2)));
        if (icon_button(ui, name, icon, hint, {.disabled = disabled, .side = doing_button})) asked = doing;
        left += side;
    };
    const bool first = recording.chosen == 0, last = recording.chosen + 1 == recording.steps.size();
    put("recorder.up", Icon::chevron_up, "One step earlier", first, Doing::up);
    put("recorder.down", Icon::chevron_down, "One step later", last, Doing::down);
    put("recorder.delete", Icon::cross, "Delete: only what differs is kept of the rest", false, Doing::remove);
    return asked;
}

void carry_out(Doing doing, Recording& recording, const Recorded& now) {
    const std::size_t at = recording.chosen;
    if (doing == Doing::remove) {
        recording.steps.erase(recording.steps.begin() + static_cast<std::ptrdiff_t>(at));
        recording.chosen = std::min(at, std::max<std::size_t>(recording.steps.size(), 1) - 1);
        return;
    }
    const std::size_t other = doing == Doing::up ? at - 1 : at + 1;
    for (const std::size_t each : {at, other}) keep_words(recording.steps[each], now.tour.steps[each]);
    std::swap(recording.steps[at], recording.steps[other]);
    recording.chosen = other;
}

// Which step was chosen, of how many, and how high it was, when the list was scrolled to it.
struct Followed {
    std::size_t chosen = 0, of = 0;
    float height = 0;

    bool operator==(const Followed&) const = default;
};

// Whole where it has room, from `top` on in the list's own coordinates; else its beginning.
void scroll_to(float top, float bottom) {
    const float high = ImGui::GetWindowHeight(), now = ImGui::GetScrollY();
    if (bottom > now + high) ImGui::SetScrollY(std::min(top, bottom - high));
    if (top < now) ImGui::SetScrollY(top);
}

void draw_steps(const Ui& ui, const Recorded& now, Recording& recording, bool& changed) {
    const std::vector<StepWords>& said = now.words;
    const std::size_t open = recording.chosen;
    Followed here{open, said.size()};
    Followed& followed = kept<Followed>(ui, "recorder.followed");
    for (std::size_t i = 0; i < said.size(); ++i) {
        const std::string name = "recorder.step." + std::to_string(i + 1);
        const IdScope scope(name);
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const ImVec2 end(start.x + available_width(), start.y + std::round(ui.px(step_row)));
        ui.recorder.record(name, start, end);
        const bool chosen = i == open;
        const float taken = chosen ? std::round(ui.px(doing_button)) * doing_buttons : 0;
        const ImVec2 said_to(end.x - taken, end.y);
        const Press press = press_area(ui, "step", start, said_to, size::radius_button);
        if (chosen || press.hovered) tint_row(ui, start, end, chosen ? selected_tint(ui.theme) : hover_tint(ui.theme));
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 words(start.x + ui.px(26), start.y);
        draw_text_in(list, ui.fonts.mono_caption, start, end, ui.theme.text_mid, std::to_string(i + 1));
        draw_text_in(list, chosen ? ui.fonts.body_bold : ui.fonts.body, words, said_to,
                     now.wrong[i].empty() ? ui.theme.text_high : ui.theme.wrong, said[i].title);
        const float top = ImGui::GetCursorPosY();
        const Doing doing = chosen ? draw_doings(ui, recording, end.x, (start.y + end.y) / 2) : Doing::nothing;
        place(start, end - start);
        if (press.pressed) {
            recording.chosen = i;
            changed = true;
        } else if (chosen) {
            changed |= draw_chosen(ui, recording, now);
            here.height = ImGui::GetCursorPosY() - top;
            if (!(followed == here)) scroll_to(top, ImGui::GetCursorPosY());
            if (doing != Doing::nothing) carry_out(doing, recording, now);
            changed |= doing != Doing::nothing;
        }
    }
    followed = here;
}

// Over the column at the right where there is one that its words fit in, so that the picture stays free.
float width_of(const Ui& ui) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = std::round(ui.px(recorder_margin));
    const Area column = explore_layout(display, ui.scale, 0, 0, ui.chrome).inspector;
    const float free = column.width() - 2 * margin, width = std::round(ui.px(recorder_width));
    const float wanted = column.empty() ? width : std::clamp(free, std::round(ui.px(least_recorder)), width);
    return std::min(wanted, display.x - 2 * margin);
}

// The line of the title is what the list is drawn elsewhere by.
void drag_by_title(const Ui& ui, ImVec2& away) {
    const ImVec2 corner = ImGui::GetWindowPos(), start = ImGui::GetCursorScreenPos();
    const ImVec2 end(corner.x + ImGui::GetWindowWidth(), start.y + ui.px(title_line));
    ui.recorder.record("recorder.handle", corner, end);
    bool hovered = false, held = false;
    compat::press(ImGui::GetID("handle"), corner, end, hovered, held);
    if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    if (held) away = away + ImGui::GetIO().MouseDelta;
    ImGui::SetCursorScreenPos(start);
}

}  // namespace

Intents draw_recorder(const Ui& ui, const Session& session, const Area& below) {
    Intents intents;
    const Recorded& now =
        made(ui, "recorder.tour", *session.recording, [&] { return recorded(*session.recording, session.presets); });
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float margin = std::round(ui.px(recorder_margin)), width = width_of(ui);
    const float most = std::round((display.y - below.min.y) * recorder_part);
    float& needed = kept<float>(ui, "recorder.height");  // as it came out last
    const float height = needed > 0 ? std::min(needed, most) : most;
    // How far somebody has drawn it away from its corner; never out of the window.
    ImVec2& away = kept<ImVec2>(ui, "recorder.away");
    away.x = std::clamp(away.x, std::min(0.0F, 2 * margin + width - display.x), 0.0F);
    away.y = std::clamp(away.y, std::min(0.0F, below.min.y + height + 2 * margin - display.y), 0.0F);
    ImGui::SetNextWindowPos(ImVec2(display.x - width - margin, display.y - height - margin) + away);
    ImGui::SetNextWindowSize(ImVec2(width, height));
    const float padding = std::round(ui.px(recorder_padding));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(size::radius_card));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.dark ? ui.theme.raised : ui.theme.panel);
    ImGui::Begin("recorder", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar |
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    ui.recorder.record("panel", "recorder", ImGui::GetWindowPos(), ImGui::GetWindowPos() + ImGui::GetWindowSize());
    const std::size_t steps = now.words.size();
    drag_by_title(ui, away);
    section_title(ui, "Recording", std::to_string(steps) + (steps == 1 ? " step" : " steps"));
    gap(ui, 6);
    const bool none = steps == 0;
    const std::string wrong = now.first_wrong();
    const bool ready = !none && wrong.empty();
    ButtonLine line(ui);
    if (line.put("recorder.play",
                 {.label = "Play", .icon = Icon::play, .disabled = !ready, .small = true, .tooltip = wrong}))
        intents.push_back(PlayRecording{});
    const std::string_view save = wrong.empty() ? "As a file of a tour" : std::string_view(wrong);
    if (line.put("recorder.save", {.label = "Save...", .disabled = !ready, .small = true, .tooltip = save}))
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
    if (!can_be_step(session.view))
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "A tour runs and trains the models that ship: what is done here is no step.");
    if (none || !can_be_step(session.view)) gap(ui, 6);
    Recording recording = *session.recording;
    bool changed = field(ui, "recorder.name", recording.title, "My tour", longest_title, 1);
    // The list alone scrolls: what is done with all of it stays in sight.
    const float above = ImGui::GetCursorPosY();
    ImGui::BeginChild("steps", ImVec2(0, std::max(1.0F, height - above - padding)), false,
                      ImGuiWindowFlags_NoBackground);
    draw_steps(ui, now, recording, changed);
    const float wanted = above + ImGui::GetCursorPosY() + padding;
    ImGui::EndChild();
    if (std::abs(wanted - needed) >= 1) {
        needed = wanted;
        ui.memory.animating = true;
    }
    ImGui::End();
    if (changed) intents.push_back(SetRecording{std::move(recording)});
    return intents;
}

}  // namespace headcount
