// The table of a class: who, how far, and which factor was wrong how often.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "app/parts/file_tasks.hpp"
#include "app/parts/flush_table.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/table.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

constexpr std::size_t before_questions = 2, most_questions = most_columns - before_questions, most_failures = 4;
constexpr int heading_lines = 4;
constexpr float mistakes_part = 0.38F, least_mistakes = 96;
constexpr std::size_t least_rows = 4;  // of each table, however low the window: then all of it scrolls

std::string count_of(std::size_t count, std::string_view one, std::string_view more) {
    return std::to_string(count) + " " + std::string(count == 1 ? one : more);
}

// Of the question's blanks: how many are right, and whether anything in it is wrong.
struct QuestionState {
    int right = 0, wrong = 0, filled = 0, graded = 0;
};
QuestionState state_of(const GradedSheet& graded, const SheetQuestion& question) {
    QuestionState state;
    for (const Blank& blank : question.blanks) {
        const auto found =
            std::ranges::find_if(graded.blanks, [&](const GradedBlank& each) { return each.id == blank.id; });
        if (found == graded.blanks.end()) continue;
        const Outcome verdict = found->grade.verdict;
        if (verdict != Outcome::empty) ++state.filled;
        if (verdict != Outcome::kept) ++state.graded;
        if (verdict == Outcome::right) ++state.right;
        if (verdict == Outcome::wrong || verdict == Outcome::unreadable) ++state.wrong;
    }
    return state;
}

std::string words_of(const QuestionState& state, const SheetQuestion& question) {
    if (state.filled == 0) return "-";
    if (question.kind == QuestionKind::text) return "written";
    if (state.graded > 1) return std::to_string(state.right) + " of " + std::to_string(state.graded);
    return state.right > 0 ? "right" : "wrong";
}

// Green once nothing is left to be found; what is right beside what is empty is neither.
ImU32 ink_of(const Theme& theme, const QuestionState& state) {
    if (state.filled == 0) return theme.text_low;
    if (state.wrong > 0) return readable(theme, theme.wrong);
    return state.graded > 0 && state.right == state.graded ? readable(theme, theme.right) : theme.text_mid;
}

// What is done with the table, from left to right; what is left over of the line stays empty.
void draw_head(const Ui& ui, const OpenedClass& pupils, std::size_t questions, std::size_t shown, Intents& intents) {
    const ClassAnswers& answers = *pupils.answers;
    const auto set = [&](ClassLook look) { intents.push_back(AtDesk{LookAtClass{look}}); };
    const std::string name = pupils.opened_name();
    text_line(ui, ui.fonts.question, ui.theme.text_high,
              count_of(answers.grades.all.size(), "student", "students") + (name.empty() ? "" : " · " + name));
    gap(ui, 12);
    ClassLook look = pupils.look;
    ButtonLine line(ui);
    if (line.put("worksheet.class.names",
                 {.label = look.names_hidden ? "Show names" : "Hide names", .tooltip = "For the projector"})) {
        look.names_hidden = !look.names_hidden;
        set(look);
    }
    if (line.put("worksheet.class.export", {.label = "Export CSV", .tooltip = "This table as a file"}))
        intents.push_back(AskForFile{FileTask::class_csv});
    if (line.put("worksheet.class.close", {.label = "Close", .tooltip = "Back to the questions"}))
        intents.push_back(AtDesk{CloseClass{}});
    if (questions > most_questions) {
        if (line.put("worksheet.class.before", {.icon = Icon::chevron_left,
                                                .disabled = look.first == 0,
                                                .width = 36,
                                                .tooltip = "The questions before these"})) {
            look.first -= std::min(look.first, most_questions);
            set(look);
        }
        if (line.put("worksheet.class.behind", {.icon = Icon::chevron_right,
                                                .disabled = look.first + shown >= questions,
                                                .width = 36,
                                                .tooltip = "The questions behind these"})) {
            look.first += most_questions;
            set(look);
        }
    }
    line.end();
    gap(ui, 12);
    constexpr std::array<std::string_view, 3> orders{"by name", "most right first", "most wrong first"};
    const ChoiceResult chosen = segmented(ui, "worksheet.class.order", orders, static_cast<int>(look.order));
    if (chosen.chosen) {
        look.order = static_cast<ClassOrder>(*chosen.chosen);
        set(look);
    }
    gap(ui, 12);
}

std::vector<TableColumn> student_columns(const Sheet& sheet, std::size_t first, std::size_t shown) {
    std::vector<TableColumn> columns{{.title = "Student", .width = 150, .minimum = 90},
                                     {.title = "Right", .width = 88, .minimum = 84, .mono = true}};
    for (std::size_t i = first; i < first + shown; ++i)
        columns.push_back({.title = sheet.questions[i].title, .width = 104, .minimum = 56});
    return columns;
}

void draw_students(const Ui& ui, const Desk& desk, std::span<const TableColumn> columns, std::size_t first,
                   float height) {
    const std::vector<SheetQuestion>& questions = desk.sheet->questions;
    const std::size_t shown = columns.size() - before_questions;
    const std::vector<ClassRow> rows = desk.pupils.rows();
    const std::vector<GradedSheet>& all = desk.pupils.answers->grades.all;
    const TableOptions options{.rows = static_cast<int>(rows.size()), .height = height, .heading_lines = heading_lines};
    table(ui, "worksheet.class", columns, options, [&](int index, TableRow& row) {
        const ClassRow& each = rows[static_cast<std::size_t>(index)];
        const GradedSheet& graded = all[each.student];
        row.cells[0] = {.text = row.keep(each.name)};
        row.cells[1] = {.text = row.keep(std::to_string(graded.right) + " of " + std::to_string(graded.graded))};
        for (std::size_t i = 0; i < shown; ++i) {
            const QuestionState state = state_of(graded, questions[first + i]);
            row.cells[before_questions + i] = {.text = row.keep(words_of(state, questions[first + i])),
                                               .colour = ink_of(ui.theme, state)};
        }
    });
}

// "Output: rows" of the blank with this id.
std::string question_of(const Sheet& sheet, const std::string& blank) {
    for (const SheetQuestion& question : sheet.questions)
        for (const Blank& each : question.blanks)
            if (each.id == blank) return question.title + (each.label.empty() ? "" : ": " + each.label);
    return blank;
}

void draw_mistakes(const Ui& ui, const Sheet& sheet, const std::vector<MadeMistake>& made, float height) {
    constexpr std::array columns{
        TableColumn{.title = "Question", .width = 300, .minimum = 120},
        TableColumn{.title = "Students", .width = 76, .minimum = 60, .align = Align::right, .mono = true},
        TableColumn{.title = "Mistake", .width = 200, .minimum = 110},
        TableColumn{.title = "One was told", .width = 420, .minimum = 100}};
    const TableOptions options{.rows = static_cast<int>(made.size()), .height = height};
    table(ui, "worksheet.mistakes", columns, options, [&](int index, TableRow& row) {
        const MadeMistake& each = made[static_cast<std::size_t>(index)];
        row.cells[0] = {.text = row.keep(question_of(sheet, each.question))};
        row.cells[1] = {.text = row.keep(std::to_string(each.students))};
        row.cells[2] = {.text = mistake_words(each.mistake)};
        row.cells[3] = {.text = each.hint};
    });
}

// Of a table that has this height, and headings that are so much higher than one line of them: no row is cut.
float whole_rows(const Ui& ui, float height, float headings = 0) {
    const float none = rows_height(ui, 0) + headings, row = rows_height(ui, 1) + headings - none;
    return none + std::max(1.0F, std::floor((height - none) / row + 0.01F)) * row;
}

}  // namespace

Intents draw_worksheet_class(const Ui& ui, const Desk& desk) {
    Intents intents;
    const OpenedClass& pupils = desk.pupils;
    if (!pupils.answers || !desk.sheet) return intents;
    const ClassAnswers& answers = *pupils.answers;
    const std::size_t questions = desk.sheet->questions.size();
    const std::size_t first = std::min(pupils.look.first, questions - 1);
    const std::size_t shown = std::min(questions - first, most_questions);
    draw_head(ui, pupils, questions, shown, intents);
    for (const std::string& failure : pupils.failures_shown(most_failures)) {
        paragraph(ui, ui.fonts.table, readable(ui.theme, ui.theme.wrong), begun_as_sentence(failure));
        gap(ui, 4);
    }
    // Neither table scrolls while the other one leaves room.
    const float room = ImGui::GetContentRegionAvail().y - ui.px(48);
    const std::vector<TableColumn> columns = student_columns(*desk.sheet, first, shown);
    const float headings = headings_height(ui, columns, heading_lines) - std::round(ui.px(size::table_header));
    const auto low = [&](std::size_t rows) { return rows_height(ui, std::min(rows, least_rows)); };
    const std::size_t pupils_count = pupils.rows().size(), mistakes_count = answers.mistakes.size();
    const float students = rows_height(ui, pupils_count) + headings, mistakes = rows_height(ui, mistakes_count);
    const float below = whole_rows(ui, std::min(std::max(room * mistakes_part, ui.px(least_mistakes)), mistakes));
    draw_students(ui, desk, columns, first,
                  whole_rows(ui, std::max(std::min(room - below, students), low(pupils_count) + headings), headings));
    gap(ui, 12);
    section_title(ui, "Which factor was wrong how often");
    if (answers.mistakes.empty())
        text_line(ui, ui.fonts.table, ui.theme.text_mid, "No known mistake was made.");
    else
        draw_mistakes(ui, *desk.sheet, answers.mistakes,
                      whole_rows(ui, std::max(ImGui::GetContentRegionAvail().y, low(mistakes_count))));
    return intents;
}

}  // namespace headcount
