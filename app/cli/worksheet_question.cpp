// Writes a question the way it stands on a sheet.
#include "app/cli/worksheet_question.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// Columns as wide as their widest, to the right.
void show_numbers(const SheetTable& table, std::ostream& out) {
    std::vector<std::size_t> widths(table.rows.empty() ? 0 : table.rows.front().size());
    for (const std::vector<std::string>& row : table.rows)
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    out << "   " << printable(table.title) << '\n';
    for (const std::vector<std::string>& row : table.rows) {
        out << "   ";
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            out << (i > 0 ? "  " : "") << std::string(widths[i] - row[i].size(), ' ') << printable(row[i]);
        out << '\n';
    }
}

}  // namespace

void show_question(const SheetQuestion& question, std::size_t number, bool key, std::ostream& out) {
    out << '\n'
        << number << ". " << printable(question.title) << " [" << kind_key(question.kind) << "]\n"
        << printable(question.ask) << '\n';
    for (const SheetTable& table : question.tables) show_numbers(table, out);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        out << "   " << letter(i) << ") " << printable(question.choices[i].text) << '\n';
    for (std::size_t i = 0; i < question.steps.size(); ++i)
        out << "   " << letter(i) << ") " << printable(question.steps[i]) << '\n';
    for (const Blank& blank : question.blanks) {
        out << "   " << blank.id << (blank.label.empty() ? "" : ": ") << printable(blank.label);
        if (key) out << " = " << printable(right_answer(question, blank));
        out << '\n';
        const std::vector<std::string> lines = key ? derivation(question, blank) : std::vector<std::string>{};
        for (std::size_t i = 0; i + 1 < lines.size(); ++i) out << "      " << printable(lines[i]) << '\n';
    }
    if (key && !question.why.empty()) out << "   " << printable(question.why) << '\n';
}

}  // namespace headcount
