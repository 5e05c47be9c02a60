// How typed answers become right and wrong ones.
#include <array>

#include "app/state/worksheet/desk.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view times = " × ";

// "100 × 4096" as "100×4096".
std::string without_gaps(std::string_view side) {
    constexpr std::string_view cross = "×";
    std::string text(side);
    for (std::size_t at = text.find(cross); at != std::string::npos; at = text.find(cross, at + cross.size())) {
        while (at > 0 && text[at - 1] == ' ') text.erase(--at, 1);
        while (text.compare(at + cross.size(), 1, " ") == 0) text.erase(at + cross.size(), 1);
    }
    return text;
}

// A side that is a product must not be taken for a shape.
std::string one_side(const std::string& text) {
    const bool product = text.find_first_of("*x") != std::string::npos || text.find("×") != std::string::npos ||
                         text.find("·") != std::string::npos;
    return product && !text.starts_with("(") ? "(" + text + ")" : text;
}

// A side that was given alone, with the other as if it were right.
Grade grade_side(const SheetQuestion& question, const Blank& blank, const std::string& text, bool rows) {
    const auto [right_rows, right_columns] = shape_sides(right_answer(question, blank));
    const std::string whole = rows ? shape_text(one_side(text), right_columns) : shape_text(right_rows, one_side(text));
    Grade graded = grade(question, blank, whole);
    const std::string_view said = rows ? "Columns right. " : "Rows right. ";
    if (graded.hint.starts_with(said)) graded.hint.erase(0, said.size());
    return graded;
}

Mark mark_of(Outcome outcome) {
    constexpr std::array marks{Mark::right, Mark::wrong, Mark::unreadable, Mark::empty, Mark::kept};  // as Outcome
    return marks[static_cast<std::size_t>(outcome)];
}

void grade_shape(const SheetQuestion& question, const Blank& blank, AnsweredBlank& answered) {
    SheetField& rows = answered.fields[0];
    SheetField& columns = answered.fields[1];
    const auto is_checked = [](const SheetField& field) { return field.mark == Mark::kept; };
    const bool with_rows = is_checked(rows), with_columns = is_checked(columns);
    Grade of_rows, of_columns;
    if (with_rows) of_rows = grade_side(question, blank, rows.text, true);
    if (with_columns) of_columns = grade_side(question, blank, columns.text, false);
    if (with_rows) rows.mark = mark_of(of_rows.verdict);
    if (with_columns) columns.mark = mark_of(of_columns.verdict);
    const bool rows_read = rows.mark != Mark::unreadable, columns_read = columns.mark != Mark::unreadable;
    if (with_rows && with_columns && rows_read && columns_read)
        answered.grade = grade(question, blank, shape_text(one_side(rows.text), one_side(columns.text)));
    else if (with_rows && (!rows_read || of_rows.verdict == Outcome::wrong || !with_columns))
        answered.grade = of_rows;
    else if (with_columns)
        answered.grade = of_columns;
    // One side alone is no right answer.
    if (!(with_rows && with_columns) && answered.grade.verdict == Outcome::right) answered.grade = {};
}

SheetField field_of(std::string id, std::string text, const Progress& progress) {
    const bool filled = !is_blank(text);
    const bool checked = filled && progress.checked.contains(id);
    return {std::move(id), std::move(text), checked ? Mark::kept : filled ? Mark::typed : Mark::empty};
}

}  // namespace

std::string shape_text(std::string_view rows, std::string_view columns) {
    if (rows.empty() && columns.empty()) return {};
    return without_gaps(rows) + std::string(times) + without_gaps(columns);
}

std::pair<std::string, std::string> shape_sides(std::string_view text) {
    const std::size_t cut = text.find(times);
    if (cut == std::string_view::npos) return {std::string(text), std::string()};
    return {std::string(text.substr(0, cut)), std::string(text.substr(cut + times.size()))};
}

AnsweredBlank answered_blank(const SheetQuestion& question, const Blank& blank, const Progress& progress) {
    AnsweredBlank answered;
    answered.shown = progress.shown.contains(blank.id);
    const auto given = progress.given.find(blank.id);
    const std::string text = given == progress.given.end() ? std::string() : given->second;
    if (std::holds_alternative<ShapeAnswer>(blank.answer)) {
        const auto [rows, columns] = shape_sides(text);
        answered.fields = {field_of(blank.id + ".rows", rows, progress),
                           field_of(blank.id + ".columns", columns, progress)};
        grade_shape(question, blank, answered);
        return answered;
    }
    answered.fields = {field_of(blank.id, text, progress)};
    if (answered.fields[0].mark != Mark::kept) return answered;
    answered.grade = grade(question, blank, text);
    answered.fields[0].mark = mark_of(answered.grade.verdict);
    return answered;
}

}  // namespace headcount
