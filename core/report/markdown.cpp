// Tables as Markdown (GitHub's pipe tables).
#include "core/report/markdown.hpp"

namespace headcount {
namespace {

// What would end the cell, start a tag or be taken for emphasis is escaped.
std::string escaped(const std::string& text) {
    std::string safe;
    for (char c : text) {
        if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '`') safe += '\\';
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

}  // namespace

std::string markdown(const Table& table) {
    std::string heading = "|", rule = "|", rows;
    for (const Column& column : table.columns) {
        heading += " " + escaped(column.name) + " |";
        rule += column.align == ColumnAlign::right ? "---:|" : "---|";
    }
    for (const std::vector<ReportCell>& row : table.rows) {
        rows += "|";
        for (const ReportCell& cell : row) rows += " " + escaped(for_people(cell)) + " |";
        rows += "\n";
    }
    return heading + "\n" + rule + "\n" + rows;
}

}  // namespace headcount
