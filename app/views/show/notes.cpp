// The speaker's notes: what they are, and how they are laid out.
#include "app/views/show/notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/parts/caption.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/rich_text.hpp"
#include "core/grading/grade.hpp"

namespace headcount {
namespace {

constexpr float margin = 28, head_height = 64, next_part = 0.36F, least_next = 260, notes_gap = 18;

std::string of_count(std::size_t at, std::size_t count) {
    return std::to_string(at + 1) + " of " + std::to_string(count);
}

SpeakerNotes notes_of_tour(const Session& session) {
    const TourRun& run = *session.run;
    const std::size_t at = session.view.show.step;
    SpeakerNotes notes{.position = of_count(at, run.tour.steps.size()),
                       .title = run.words.title,
                       .text = run.words.caption,
                       .ask = run.words.ask,
                       .answer = run.words.answer,
                       .next_text = {}};
    if (at + 1 >= run.tour.steps.size()) return notes;
    notes.next_title = run.tour.steps[at + 1].title;
    notes.next_text = run.tour.steps[at + 1].caption;
    return notes;
}

std::string answers_to(const SheetQuestion& question) {
    std::string text;
    for (const Blank& blank : question.blanks)
        text += (text.empty() ? "" : "\n") + (blank.label.empty() ? "" : blank.label + ": ") +
                right_answer(question, blank);
    return text;
}

SpeakerNotes notes_of_sheet(const Desk& desk) {
    const std::vector<SheetQuestion>& questions = desk.sheet->questions;
    const std::size_t at = std::min(desk.progress().question, questions.size() - 1);
    const SheetQuestion& now = questions[at];
    SpeakerNotes notes{.position = of_count(at, questions.size()),
                       .title = now.title,
                       .text = now.why,
                       .ask = now.ask,
                       .answer = answers_to(now),
                       .next_text = {}};
    if (at + 1 >= questions.size()) return notes;
    notes.next_title = questions[at + 1].title;
    notes.next_text = questions[at + 1].ask;
    return notes;
}

// A paragraph at the cursor, and room below it.
void put_words(const Ui& ui, const Font& font, ImU32 colour, std::string_view words, float below) {
    if (words.empty()) return;
    paragraph(ui, font, colour, words, true);
    gap(ui, below);
}

// The largest in which all that is to be said fits, since whoever speaks does not scroll; the smallest where none does.
const Font& font_that_fits(const Ui& ui, const SpeakerNotes& notes, ImVec2 room) {
    const std::array fonts{&ui.fonts.title, &ui.fonts.body_medium, &ui.fonts.table_medium};
    const auto height = [&](const Font& font, std::string_view words, float below) {
        return words.empty() ? 0 : wrapped_extent(font, words, room.x, true).y + ui.px(below);
    };
    for (const Font* const font : fonts)
        if (height(ui.fonts.question, notes.title, notes_gap) + height(*font, notes.text, notes_gap) +
                height(*font, notes.ask, notes_gap / 2) + height(*font, notes.answer, notes_gap) <=
            room.y)
            return *font;
    return *fonts.back();
}

}  // namespace

SpeakerNotes speaker_notes(const Session& session) {
    const std::string_view view = session.view.workspace;
    const bool tour = view != worksheet_view && view != claims_view && current_step(session);
    if (tour) return notes_of_tour(session);
    if (view == worksheet_view && session.desk.sheet) return notes_of_sheet(session.desk);
    Saying said = said_of_selection(session);
    SpeakerNotes notes;
    notes.title = std::move(said.title);
    notes.text = std::move(said.sentence);
    return notes;
}

std::string time_text(std::int64_t seconds) {
    std::array<char, 32> text{};
    const auto all = static_cast<long long>(std::max<std::int64_t>(seconds, 0));
    if (all < 3600)
        std::snprintf(text.data(), text.size(), "%lld:%02lld", all / 60, all % 60);
    else
        std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
    return text.data();
}

void draw_speaker_notes(const Ui& ui, const SpeakerNotes& notes, const SpeakerTime& time) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(display);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(margin), 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.panel);
    ImGui::Begin("notes", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float head = std::round(ui.px(head_height)), left = ui.px(margin), right = display.x - ui.px(margin);
    // "14:05      3 of 8      12:34"
    const ImVec2 from(left, 0), to(right, head);
    const Font& figures = ui.fonts.mono_total;
    const std::string spent = time_text(time.seconds);
    draw_text_in(list, figures, from, to, ui.theme.text_mid, time.clock);
    draw_text_in(list, figures, from, to, ui.theme.text_high, notes.position, Align::centre);
    draw_text_in(list, figures, from, to, ui.theme.text_high, spent, Align::right);
    ui.recorder.record("notes", "position", from, to);
    list.AddRectFilled(ImVec2(0, head), ImVec2(display.x, head + 1), ui.theme.line);
    const bool has_next = !notes.next_title.empty();
    const float share = std::max(display.x * next_part, ui.px(least_next));
    const bool beside = has_next && display.x - share >= ui.px(least_next);
    const float split = beside ? std::round(display.x - share) : display.x;
    const float top = head + ui.px(notes_gap);
    ImGui::SetCursorScreenPos(ImVec2(left, top));
    ImGui::BeginChild("now", ImVec2(split - left - ui.px(notes_gap), display.y - top));
    const Font& words = font_that_fits(ui, notes, ImVec2(split - left - ui.px(notes_gap), display.y - top));
    put_words(ui, ui.fonts.question, ui.theme.text_high, notes.title, notes_gap);
    put_words(ui, words, ui.theme.text_high, notes.text, notes_gap);
    put_words(ui, words, ui.theme.text_mid, notes.ask, notes_gap / 2);
    put_words(ui, words, readable(ui.theme, ui.theme.right), notes.answer, notes_gap);
    const float end = ImGui::GetCursorScreenPos().y;
    ImGui::EndChild();
    ui.recorder.record("notes", "now", ImVec2(left, top), ImVec2(split, display.y));
    ui.recorder.record("notes", "words", ImVec2(left, top), ImVec2(split, end));
    if (beside) {
        list.AddRectFilled(ImVec2(split, head), ImVec2(split + 1, display.y), ui.theme.line);
        ImGui::SetCursorScreenPos(ImVec2(split + ui.px(notes_gap), top));
        ImGui::BeginChild("next", ImVec2(right - split - ui.px(notes_gap), display.y - top));
        put_words(ui, ui.fonts.body_bold, ui.theme.text_mid, "Next", notes_gap / 2);
        put_words(ui, ui.fonts.title, ui.theme.text_high, notes.next_title, notes_gap / 2);
        put_words(ui, ui.fonts.body, ui.theme.text_mid, notes.next_text, notes_gap);
        ImGui::EndChild();
        ui.recorder.record("notes", "next", ImVec2(split, top), ImVec2(right, display.y));
    }
    ImGui::End();
}

}  // namespace headcount
