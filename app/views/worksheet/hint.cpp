// What is said below a blank: why it is wrong, without the answer; and the answer where that was asked for.
#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/text.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

// "Rows right. Columns: not yet." and what follows.
std::pair<std::string, std::string> title_and_rest(const Grade& grade) {
    constexpr std::string_view ends[] = {"not yet. ", "swapped: "};
    if (grade.verdict == Outcome::unreadable) {
        const bool whole = grade.hint.ends_with('.') || grade.hint.ends_with(')');
        return {"Not understood.", begun_as_sentence(grade.hint) + (whole ? "" : ".")};
    }
    for (const std::string_view end : ends) {
        const std::size_t at = grade.hint.find(end);
        if (at == std::string::npos || at > 60) continue;
        std::string title = grade.hint.substr(0, at + end.size() - 1);
        if (title.back() == ':') title.back() = '.';
        return {std::move(title), capitalized(grade.hint.substr(at + end.size()))};
    }
    return {"Not yet.", grade.hint};
}

// The three lines behind the answer.
void draw_answer_card(SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const std::string name = "worksheet.answer." + blank.id;
    const Card card(ui, name);
    const bool words = view.question.kind == QuestionKind::text;
    text_line(ui, ui.fonts.body_bold, ui.theme.text_high, words ? "One way to say it" : "The answer");
    gap(ui, 4);
    if (draw_derivation(view, blank)) return;
    std::string answer = right_answer(view.question, blank);
    if (const auto* choice = std::get_if<ChoiceAnswer>(&blank.answer))
        answer += ") " + view.question.choices[choice->right].text;
    paragraph(ui, words ? ui.fonts.body : ui.fonts.mono_body, ui.theme.text_high, plain_words(answer));
}

}  // namespace

bool draw_derivation(const SheetView& view, const Blank& blank) {
    const Ui& ui = view.ui;
    const std::vector<std::string> lines = derivation(view.question, blank);
    if (lines.empty()) return false;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float y = start.y;
    const float sign = ui.px(16), width = available_width() - sign;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool last = i + 1 == lines.size();
        const Font& font = last ? ui.fonts.mono_result : ui.fonts.mono_body;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (i > 0) draw_text(list, font, ImVec2(start.x, y), ui.theme.text_low, "=");
        const bool scripts = i == 0;
        draw_wrapped(list, font, ImVec2(start.x + sign, y), last ? ui.theme.text_high : ui.theme.text_mid, lines[i],
                     width, scripts);
        y += wrapped_extent(font, lines[i], width, scripts).y + ui.px(2);
    }
    place(start, ImVec2(available_width(), y - start.y));
    return true;
}

void draw_hint_card(SheetView& view, std::string_view name, std::string_view title, std::string_view words, bool wrong,
                    const Blank* show_me) {
    const Ui& ui = view.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), padding = std::round(ui.px(14)), icon = ui.px(28);
    const Button button_of{.label = "Show me", .icon = Icon::eye};
    const float button_room = show_me ? button_width(ui, button_of) + 2 * padding : padding;
    const float room = std::max(ui.px(80), width - padding - icon - button_room);
    const float title_height = title.empty() ? 0 : wrapped_extent(ui.fonts.body_bold, title, room).y + ui.px(2);
    const float height = std::round(
        std::max(title_height + wrapped_extent(ui.fonts.body, words, room, true).y, ui.px(size::button)) + 2 * padding);
    const ImVec2 end(start.x + width, start.y + height);
    ui.recorder.record(name, start, end);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, end, wrong ? ui.theme.wrong_fill : ui.theme.raised, ui.px(size::radius_card));
    const float x = start.x + padding + icon;
    float y = start.y + padding;
    draw_icon(list, Icon::bulb, ImVec2(start.x + padding + ui.px(8), y + ui.px(9)), ui.px(17),
              wrong ? ui.theme.wrong : ui.theme.text_mid);
    if (!title.empty()) draw_wrapped(list, ui.fonts.body_bold, ImVec2(x, y), ui.theme.text_high, title, room);
    y += title_height;
    draw_wrapped(list, ui.fonts.body, ImVec2(x, y), title.empty() ? ui.theme.text_high : ui.theme.text_mid, words, room,
                 true);
    if (show_me) {
        ImGui::SetCursorScreenPos(ImVec2(end.x - padding - button_width(ui, button_of),
                                         std::round((start.y + end.y - ui.px(size::button)) / 2)));
        std::vector<ImGuiID>& stops = ui.memory.tab_stops;
        const auto first = static_cast<std::ptrdiff_t>(stops.size());
        if (button(ui, std::string(name) + ".show", button_of)) view.ask(ShowAnswer{show_me->id});
        view.stops_behind.insert(view.stops_behind.end(), stops.begin() + first, stops.end());
        stops.erase(stops.begin() + first, stops.end());
    }
    place(start, end - start);
}

void draw_hint(SheetView& view, const Blank& blank) {
    const AnsweredBlank& answered = view.of(blank);
    const bool wrong = answered.grade.verdict == Outcome::wrong || answered.grade.verdict == Outcome::unreadable;
    const bool shown = answered.shown || view.desk.kept.key;
    if (wrong && !answered.grade.hint.empty()) {
        const auto [title, rest] = title_and_rest(answered.grade);
        gap(view.ui, 4);
        draw_hint_card(view, "worksheet.hint." + blank.id, title, plain_in_quotes(rest), true,
                       shown ? nullptr : &blank);
        gap(view.ui, 8);
    }
    if (const std::string hint = hint_of(view.question, blank);
        !shown && !answered.right() && !hint.empty() && view.desk.progress().hinted.contains(blank.id)) {
        gap(view.ui, 4);
        const std::string name = view.question.blanks.size() > 1 ? "worksheet.told." + blank.id : "worksheet.hint";
        draw_hint_card(view, name, "Hint", plain_words(hint), false, nullptr);
        gap(view.ui, 8);
    }
    if (!shown) return;
    gap(view.ui, 4);
    draw_answer_card(view, blank);
    gap(view.ui, 8);
}

}  // namespace headcount
