// The question in the middle: what is asked, what is given, the blanks, and what can be done with them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/find.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

constexpr float chip_height = 28;

// Once, with the first question: what the sheet is about, and how long it takes. Returns whether there is anything.
bool draw_about(SheetView& view) {
    const Sheet& sheet = *view.desk.sheet;
    if (view.desk.progress().question > 0 || (sheet.about.empty() && sheet.minutes == 0)) return false;
    const Ui& ui = view.ui;
    std::string words = sheet.about;
    if (sheet.minutes > 0)
        words += (words.empty() ? "" : " ") + std::string("It takes about ") + std::to_string(sheet.minutes) +
                 (sheet.minutes == 1 ? " minute." : " minutes.");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_words(ui, ui.fonts.body, ui.theme.text_mid, words);
    ui.recorder.record("worksheet.about", start, ImVec2(start.x + available_width(), ImGui::GetCursorScreenPos().y));
    return true;
}

void draw_ask(SheetView& view) {
    const Ui& ui = view.ui;
    const std::size_t number = view.desk.progress().question + 1;
    text_line(ui, ui.fonts.body, ui.theme.text_mid, "Question " + std::to_string(number));
    gap(ui, 6);
    constexpr std::size_t longest = 180;
    const Font& font = view.low() || view.question.ask.size() > longest ? ui.fonts.title : ui.fonts.question;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ui.recorder.record("worksheet.ask", start, start + ImVec2(available_width(), font.size));
    draw_words(ui, font, ui.theme.text_high, view.question.ask);
}

// "d = 4096", as many in a line as fit.
void draw_given(SheetView& view) {
    const Ui& ui = view.ui;
    const std::vector<Symbol> symbols = given_symbols(view);
    if (symbols.empty()) return;
    gap(ui, view.low() ? 8 : 14);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Font& font = ui.fonts.mono_body;
    const float width = available_width(), height = std::round(ui.px(chip_height)), apart = ui.px(8);
    float x = 0, y = 0;
    for (const Symbol symbol : symbols) {
        const std::optional<std::int64_t> value = view.question.model->bindings[symbol];
        const std::string name(info(symbol).text), equals = " = ", number = value ? std::to_string(*value) : "?";
        const float wide = std::round(symbol_width(font, name) + text_width(font, equals + number) + ui.px(22));
        if (x > 0 && x + wide > width) x = 0, y += height + apart;
        const ImVec2 min(start.x + x, start.y + y), max(min.x + wide, min.y + height);
        list.AddRectFilled(min, max, ui.theme.raised, ui.px(size::radius_field));
        const float top = text_top(font, (min.y + max.y) / 2);
        float at = min.x + ui.px(11);
        at += draw_symbol(list, font, ImVec2(at, top), ui.theme.text_mid, name);
        at += draw_text(list, font, ImVec2(at, top), ui.theme.text_mid, equals);
        draw_text(list, font, ImVec2(at, top), ui.theme.text_high, number);
        ui.recorder.record("worksheet.given", info(symbol).key, min, max);
        x += wide + apart;
    }
    place(start, ImVec2(width, y + height));
}

std::vector<float> column_widths(const SheetTable& table, const Font& font) {
    std::vector<float> widths(table.rows.empty() ? 0 : table.rows.front().size());
    for (const std::vector<std::string>& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(font, row[i]));
    return widths;
}

// Numbers to look at, in columns as wide as their widest, and large where there is room.
void draw_tables(const SheetView& view) {
    const Ui& ui = view.ui;
    const float apart = ui.px(14);
    for (std::size_t t = 0; t < view.question.tables.size(); ++t) {
        const SheetTable& table = view.question.tables[t];
        text_line(ui, ui.fonts.table, ui.theme.text_mid, table.title);
        gap(ui, 4);
        const std::vector<float> large = column_widths(table, ui.fonts.mono_result);
        const float room = available_width() - apart * static_cast<float>(large.size());
        const bool fits = std::accumulate(large.begin(), large.end(), 0.0F) <= room;
        const Font& font = fits ? ui.fonts.mono_result : ui.fonts.mono;
        const std::vector<float> widths = fits ? large : column_widths(table, font);
        ImVec2 top, bottom;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto line = take_line(ui, fits ? 26 : 20);
            if (row == 0) top = line.first;
            bottom = line.second;
            float right = line.first.x;
            for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
                right += widths[i] + (i > 0 ? apart : 0);
                const bool heading = row == 0 || i == 0;
                draw_text_in(*ImGui::GetWindowDrawList(), font, line.first, ImVec2(right, line.second.y),
                             heading ? ui.theme.text_mid : ui.theme.text_high, table.rows[row][i], Align::right);
            }
        }
        ui.recorder.record("worksheet.numbers." + std::to_string(t), top, bottom);
        gap(ui, 10);
    }
}

void draw_blanks(SheetView& view) {
    draw_tables(view);
    switch (view.question.kind) {
        case QuestionKind::shape: return draw_shape_blanks(view);
        case QuestionKind::choice:
        case QuestionKind::mistake: return draw_choice_blanks(view);
        case QuestionKind::order: return draw_order_blanks(view);
        case QuestionKind::count:
        case QuestionKind::formula:
        case QuestionKind::select:
        case QuestionKind::text:
        case QuestionKind::experiment: return draw_typed_blanks(view);
    }
}

// Every field of the question that has something in it; of the whole sheet where that is checked at once.
std::vector<std::string> filled_fields(const SheetView& view) {
    std::vector<std::string> fields;
    for (const SheetQuestion& question : view.desk.sheet->questions) {
        if (!view.desk.kept.at_end && &question != &view.question) continue;
        for (const Blank& blank : question.blanks)
            for (const SheetField& field : view.of(blank).fields)
                if (field.mark != Mark::empty) fields.push_back(field.id);
    }
    return fields;
}

void check(SheetView& view) {
    bool as_shown = false;
    // The order that is shown is an answer too.
    if (view.question.kind == QuestionKind::order)
        for (const Blank& blank : view.question.blanks) {
            if (view.of(blank).fields.front().mark != Mark::empty) continue;
            view.ask(GiveAnswer{blank.id, order_text(order_as_shown(view.question.steps.size()))});
            view.ask(CheckFields{{blank.id}});
            as_shown = true;
        }
    std::vector<std::string> filled = filled_fields(view);
    if (!filled.empty() || !as_shown) view.ask(CheckFields{std::move(filled)});
}

// "8 of 14 fields right", with the numbers strong: at the right end of the buttons' line, which is taken up to `taken`;
// or below it. Returns whether it is.
bool draw_score(SheetView& view, ImVec2 right_centre, float taken, float below) {
    const Ui& ui = view.ui;
    const Score score = view.desk.score(view.question);
    const bool words = score.of == 0;
    const std::string right = std::to_string(words ? score.filled : score.right);
    const std::string of = std::to_string(words ? score.fields : score.of);
    const std::string after = words ? " answered" : score.of == 1 ? " right" : " fields right";
    const float width = text_width(ui.fonts.body_bold, right + of) + text_width(ui.fonts.body, " of " + after);
    float x = std::round(right_centre.x - width);
    const bool lower = x < taken;
    if (lower) right_centre.y += below;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = text_top(ui.fonts.body, right_centre.y);
    ui.recorder.record("worksheet.score", ImVec2(x, top), ImVec2(right_centre.x, top + ui.fonts.body.size));
    x += draw_text(list, ui.fonts.body_bold, ImVec2(x, top), ui.theme.text_high, right);
    x += draw_text(list, ui.fonts.body, ImVec2(x, top), ui.theme.text_mid, " of ");
    x += draw_text(list, ui.fonts.body_bold, ImVec2(x, top), ui.theme.text_high, of);
    draw_text(list, ui.fonts.body, ImVec2(x, top), ui.theme.text_mid, after);
    return lower;
}

// The blank that a hint would be about: the one in sight, else the first that is open and has one. Null where nothing
// is left to be told.
const Blank* to_be_hinted(const SheetView& view) {
    const std::set<std::string>& hinted = view.desk.progress().hinted;
    const auto helps = [&](const Blank& blank) {
        const AnsweredBlank& answered = view.of(blank);
        return !answered.shown && !answered.right() && !hinted.contains(blank.id) &&
               !hint_of(view.question, blank).empty();
    };
    if (view.desk.solved(view.question)) return nullptr;
    const Blank& sight = blank_in_sight(view);
    if (helps(sight)) return &sight;
    const std::vector<Blank>& blanks = view.question.blanks;
    return find_if_in(blanks, helps);
}

void ask_hint(SheetView& view, const Blank& blank) {
    view.ask(AskHint{blank.id});
    if (view.question.blanks.size() > 1) view.ask(AskHint{view.question.id});  // what is said of all of them
}

ImU32 dash_colour(const Theme& theme, Mark mark) {
    switch (mark) {
        case Mark::right: return theme.right;
        case Mark::wrong:
        case Mark::unreadable: return theme.wrong;
        case Mark::typed:
        case Mark::kept: return theme.text_low;
        case Mark::empty: break;
    }
    return theme.track;
}

void draw_actions(SheetView& view) {
    const Ui& ui = view.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), height = std::round(ui.px(36)), apart = ui.px(10);
    const bool nothing = filled_fields(view).empty() && view.question.kind != QuestionKind::order;
    const Button checks{.label = view.desk.kept.at_end ? "Check the sheet" : "Check", .look = ButtonLook::primary};
    constexpr Button hints{.label = "Hint", .icon = Icon::bulb};
    const Blank* const hinted = to_be_hinted(view);
    const bool asks = view.memory.confirms == view.question.id;
    const Button over{
        .label = asks ? "Really start over" : "Start over", .look = ButtonLook::quiet, .disabled = nothing};
    float x = start.x, y = start.y;
    const auto next = [&](std::string_view name, const Button& one) {
        if (x > start.x && x + button_width(ui, one) > start.x + width) {
            x = start.x;
            y += height;
        }
        ImGui::SetCursorScreenPos(ImVec2(x, y + std::round((height - ui.px(size::button)) / 2)));
        x += button_width(ui, one) + apart;
        return button(ui, name, one);
    };
    const bool words = view.question.kind == QuestionKind::text && !view.desk.kept.at_end;  // nothing to be checked
    if (!words && next("worksheet.check", checks)) check(view);
    // What was written in one's own words is compared with an answer that is not there before.
    const std::set<std::string>& shown = view.desk.progress().shown;
    const bool compares = words && std::ranges::any_of(view.question.blanks,
                                                       [&](const Blank& blank) { return !shown.contains(blank.id); });
    const Button compare{.label = "Compare with a model answer",
                         .look = ButtonLook::primary,
                         .disabled = nothing,
                         .tooltip = nothing ? "Write an answer of your own first" : ""};
    if (compares && next("worksheet.compare", compare))
        for (const Blank& blank : view.question.blanks) view.ask(ShowAnswer{blank.id});
    if (hinted && next("worksheet.ask_hint", hints)) ask_hint(view, *hinted);
    if (words && !hinted && !compares) x -= ui.px(10);  // words alone begin where the text does
    if (next("worksheet.start_over", over)) {
        if (asks) view.ask(StartOver{view.question.id});
        view.memory.confirms = asks ? std::string() : view.question.id;
    } else if (asks && ImGui::IsMouseReleased(0)) {
        view.memory.confirms.clear();
    }
    if (draw_score(view, ImVec2(start.x + width, y + height / 2), x, height)) y += height;
    place(start, ImVec2(width, y - start.y + height));
    gap(ui, 10);
    std::vector<ImU32> dashes;
    for (const Blank& blank : view.question.blanks)
        for (const SheetField& field : view.of(blank).fields) dashes.push_back(dash_colour(ui.theme, field.mark));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_dashes(ui, dashes, at, width);
    place(at, ImVec2(width, ui.px(6)));
}

// The questions before and after this one, by name.
void draw_neighbours(SheetView& view) {
    const Ui& ui = view.ui;
    const std::vector<SheetQuestion>& questions = view.desk.sheet->questions;
    const std::size_t at = view.desk.progress().question;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const auto go = [&](std::size_t to) {
        view.ask(ShowQuestion{to});
        view.memory.blank.clear();
        view.memory.ask_next = true;
    };
    if (at > 0) {
        const Button before{.label = questions[at - 1].title, .icon = Icon::chevron_left, .look = ButtonLook::quiet};
        ImGui::SetCursorScreenPos(start - ImVec2(ui.px(10), 0));
        if (button(ui, "worksheet.previous", before)) go(at - 1);
    }
    if (at + 1 < questions.size()) {
        const Button after{.label = questions[at + 1].title, .icon = Icon::chevron_right, .icon_behind = true};
        ImGui::SetCursorScreenPos(ImVec2(std::round(start.x + width - button_width(ui, after)), start.y));
        if (button(ui, "worksheet.next", after)) go(at + 1);
    }
    place(start, ImVec2(width, std::round(ui.px(size::button))));
}

// Told once all is right, or with the key.
void draw_why(SheetView& view) {
    const Ui& ui = view.ui;
    const bool hinted = view.desk.progress().hinted.contains(view.question.id);
    const bool several = view.question.blanks.size() > 1;  // a single one has its hint below it
    if (several && hinted && !view.question.hint.empty() && !view.desk.solved(view.question)) {
        gap(ui, 12);
        draw_hint_card(view, "worksheet.hint", "Hint", plain_words(view.question.hint), false, nullptr);
    }
    if (view.question.why.empty() || !view.desk.solved(view.question) || view.question.kind == QuestionKind::text)
        return;
    gap(ui, 14);
    draw_words(ui, ui.fonts.body, ui.theme.text_mid, view.question.why);
}

Intents draw_problem(const Ui& ui, const Desk& desk) {
    text_line(ui, ui.fonts.title, ui.theme.text_high, "This worksheet cannot be opened");
    gap(ui, 10);
    paragraph(ui, ui.fonts.body, ui.theme.text_mid, desk.problem);
    gap(ui, 10);
    paragraph(ui, ui.fonts.body, ui.theme.text_mid,
              "What was answered in it is kept. Choose another sheet at the left.");
    return {};
}

void focus_first(SheetView& view) {
    if (!view.memory.ask_next) return;
    view.memory.ask_next = false;
    const bool typed = view.question.kind != QuestionKind::choice && view.question.kind != QuestionKind::order;
    for (const Blank& blank : view.question.blanks)
        for (const SheetField& field : view.of(blank).fields)
            if (typed && field.mark != Mark::right) return ask_for_text(view.ui, "worksheet." + field.id);
}

// Behind Enter: to the next field that is not right, and where there is none, back to one that is not.
void go_on_from_entered(SheetView& view) {
    const std::string from = std::exchange(view.memory.entered, {});
    if (from.empty()) return;
    const SheetField* next = nullptr;
    bool passed = false;
    for (const Blank& blank : view.question.blanks)
        for (const SheetField& field : view.of(blank).fields) {
            const bool here = field.id == from;
            if ((here || (passed && (!next || next->id == from))) && field.mark != Mark::right) next = &field;
            passed = passed || here;
        }
    if (next) ask_for_text(view.ui, "worksheet." + next->id);
}

}  // namespace

bool SheetView::lowest() const {
    constexpr float around = 220, about = 90, blank = 40;  // unscaled, of what is closer together
    const float high = around + (desk.progress().question == 0 ? about : 0);
    return ImGui::GetWindowHeight() < ui.px(high + blank * static_cast<float>(question.blanks.size()));
}

bool SheetView::low() const {
    constexpr float around = 370, about = 100, blank = 55;  // unscaled, of what has all of its room
    const float high = around + (desk.progress().question == 0 ? about : 0);
    return ImGui::GetWindowHeight() < ui.px(high + blank * static_cast<float>(question.blanks.size()));
}

Intents draw_worksheet_question(const Ui& ui, const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    if (!question) return draw_problem(ui, desk);
    SheetView view{ui, desk, *question, sheet_memory(ui), {}};
    // Lines that are too long are hard to read.
    const float spare = available_width() - ui.px(860);
    if (spare > 0) compat::narrow_content(spare);
    focus_first(view);
    go_on_from_entered(view);
    const bool about_below = view.lowest();
    if (!about_below && draw_about(view)) {
        const float around = view.low() ? 8 : 14;
        separator(ui, around, around, false);
    }
    draw_ask(view);
    draw_given(view);
    gap(ui, view.low() ? 8 : 16);
    draw_blanks(view);
    ui.memory.tab_stops.insert(ui.memory.tab_stops.end(), view.stops_behind.begin(), view.stops_behind.end());
    draw_why(view);
    gap(ui, view.low() ? 10 : 20);
    draw_actions(view);
    gap(ui, view.low() ? 8 : 16);
    if (about_below && draw_about(view)) gap(ui, 8);
    const float rest = ImGui::GetContentRegionAvail().y - ui.px(size::button) - 2;
    if (rest > 1) gap(ui, rest / ui.scale);
    draw_neighbours(view);
    if (spare > 0) compat::narrow_content(-spare);
    return std::move(view.intents);
}

}  // namespace headcount
