// Blanks that are chosen, not typed: one of several answers, and steps put in order.
#include <algorithm>
#include <cmath>

#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

// A row with words that wrap: where it is, and where its words begin.
struct WordRow {
    ImVec2 min, max;
    float words_left = 0, words_width = 0;
};

WordRow row_of(const Ui& ui, std::string_view words, float left, float right) {
    WordRow row;
    row.min = ImGui::GetCursorScreenPos();
    const float width = available_width();
    row.words_left = row.min.x + left;
    row.words_width = width - left - right;
    const float height = wrapped_extent(ui.fonts.body, words, row.words_width).y + ui.px(18);
    row.max = ImVec2(row.min.x + width, row.min.y + std::round(std::max(height, ui.px(38))));
    return row;
}

void draw_box_of(const Ui& ui, const WordRow& row, Mark mark, bool chosen, bool hovered) {
    const Theme& theme = ui.theme;
    ImU32 fill = hovered ? theme.hover : theme.dark ? theme.field : theme.panel, border = theme.strong_line;
    if (chosen) border = theme.text_mid;
    if (chosen && mark == Mark::right) fill = mix(theme.panel, theme.right, 0.1F), border = theme.right;
    if (chosen && mark == Mark::wrong) fill = theme.wrong_fill, border = theme.wrong;
    draw_box(*ImGui::GetWindowDrawList(), row.min, row.max, fill, border, ui.px(size::radius_button));
}

void draw_words(const Ui& ui, const WordRow& row, std::string_view words) {
    const float height = wrapped_extent(ui.fonts.body, words, row.words_width).y;
    draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body,
                 ImVec2(row.words_left, std::round((row.min.y + row.max.y - height) / 2)), ui.theme.text_high, words,
                 row.words_width);
}

void draw_mark(const Ui& ui, const WordRow& row, Mark mark) {
    if (mark != Mark::right && mark != Mark::wrong) return;
    draw_icon(*ImGui::GetWindowDrawList(), mark == Mark::right ? Icon::check : Icon::cross,
              ImVec2(row.max.x - ui.px(18), (row.min.y + row.max.y) / 2), ui.px(15),
              mark == Mark::right ? ui.theme.right : ui.theme.wrong);
}

void draw_radio(const Ui& ui, ImVec2 centre, bool chosen) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCircle(centre, ui.px(7), chosen ? ui.theme.text_high : ui.theme.edge, 24, std::max(1.0F, ui.px(1.5F)));
    if (chosen) list.AddCircleFilled(centre, ui.px(3.5F), ui.theme.text_high, 16);
}

void choose(SheetView& view, const Blank& blank, std::string answer) {
    view.memory.blank = blank.id;
    view.ask(GiveAnswer{blank.id, answer});
    view.leave({blank.id, std::move(answer), Mark::typed});
}

// As it stands: what was given, else as it is shown.
std::vector<std::size_t> order_of(const SheetView& view, const Blank& blank) {
    const std::size_t count = view.question.steps.size();
    const Result<std::vector<std::size_t>> given = typed_order(view.of(blank).fields.front().text, count);
    return given ? *given : order_as_shown(count);
}

void move_step(SheetView& view, const Blank& blank, std::vector<std::size_t> order, int from, int to) {
    const std::size_t step = order[static_cast<std::size_t>(from)];
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, step);
    view.memory.blank = blank.id;
    view.ask(GiveAnswer{blank.id, order_text(order)});
}

// One step with its place, the two buttons, and a body that can be dragged. Returns where it is to go.
std::optional<int> draw_step(SheetView& view, int at, int count, std::string_view words, Mark mark) {
    const Ui& ui = view.ui;
    const IdScope scope(words);
    const WordRow row = row_of(ui, words, ui.px(40), ui.px(72));
    const std::string name = "worksheet.step." + std::to_string(at);
    ui.recorder.record(name, row.min, row.max);
    const Press press = press_area(ui, "step", row.min, ImVec2(row.max.x - ui.px(68), row.max.y), -1, false);
    if (press.held && !view.memory.dragged) view.memory.dragged = at;
    const bool held = view.memory.dragged == at && ImGui::IsMouseDown(0);
    draw_box_of(ui, row, mark, mark == Mark::right || mark == Mark::wrong || held, press.hovered || held);
    if (press.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.mono_body, row.min, ImVec2(row.min.x + ui.px(36), row.max.y),
                 ui.theme.text_mid, std::to_string(at + 1), Align::centre);
    draw_words(ui, row, words);
    std::optional<int> to;
    const float top = std::round((row.min.y + row.max.y - ui.px(28)) / 2);
    ImGui::SetCursorScreenPos(ImVec2(row.max.x - ui.px(64), top));
    if (icon_button(ui, name + ".up", Icon::chevron_up, "Earlier", {.disabled = at == 0})) to = at - 1;
    ImGui::SetCursorScreenPos(ImVec2(row.max.x - ui.px(34), top));
    if (icon_button(ui, name + ".down", Icon::chevron_down, "Later", {.disabled = at + 1 == count})) to = at + 1;
    place(row.min, row.max - row.min);
    const float pointer = ImGui::GetIO().MousePos.y;
    if (view.memory.dragged && *view.memory.dragged != at && pointer > row.min.y && pointer < row.max.y && !to)
        to = -1 - at;  // the held one comes here
    return to;
}

}  // namespace

void draw_choice_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    for (const Blank& blank : view.question.blanks) {
        const SheetField& field = view.of(blank).fields.front();
        for (std::size_t i = 0; i < view.question.choices.size(); ++i) {
            const std::string own = letter(i), words = plain_words(view.question.choices[i].text);
            const bool chosen = field.text == own || field.text == view.question.choices[i].text;
            const std::string name = "worksheet." + blank.id + "." + own;
            const IdScope scope(name);
            const WordRow row = row_of(ui, words, ui.px(40), ui.px(40));
            ui.recorder.record(name, row.min, row.max);
            const Press press = press_area(ui, "choice", row.min, row.max, size::radius_button);
            draw_box_of(ui, row, field.mark, chosen, press.hovered);
            draw_radio(ui, ImVec2(row.min.x + ui.px(20), (row.min.y + row.max.y) / 2), chosen);
            draw_words(ui, row, words);
            if (chosen) draw_mark(ui, row, field.mark);
            if (press.pressed && !chosen) choose(view, blank, own);
            place(row.min, row.max - row.min);
            gap(ui, 8);
        }
        draw_hint(view, blank);
    }
}

void draw_order_blanks(SheetView& view) {
    const Ui& ui = view.ui;
    if (!ImGui::IsMouseDown(0)) view.memory.dragged.reset();
    for (const Blank& blank : view.question.blanks) {
        const Mark mark = view.of(blank).fields.front().mark;
        const std::vector<std::size_t> order = order_of(view, blank);
        const int count = static_cast<int>(order.size());
        std::optional<std::pair<int, int>> moved;
        for (int at = 0; at < count; ++at) {
            const std::string words = plain_words(view.question.steps[order[static_cast<std::size_t>(at)]]);
            if (const std::optional<int> to = draw_step(view, at, count, words, mark))
                moved = *to < 0 ? std::pair(*view.memory.dragged, -1 - *to) : std::pair(at, *to);
            gap(ui, 6);
        }
        if (moved) {
            if (view.memory.dragged) view.memory.dragged = moved->second;
            move_step(view, blank, order, moved->first, moved->second);
        }
        draw_hint(view, blank);
    }
}

}  // namespace headcount
