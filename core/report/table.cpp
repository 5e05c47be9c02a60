// How a cell reads, and tables as CSV and as Markdown.
#include "core/report/table.hpp"

#include "core/base/markup.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::string for_people(const ReportCell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? grouped(*number) : std::get<std::string>(cell);
}

std::string for_programs(const ReportCell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? std::to_string(*number) : std::get<std::string>(cell);
}

std::string csv(const Table& table) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i > 0 ? "," : "") + csv_field(table.columns[i].name);
    text += "\r\n";
    for (const std::vector<ReportCell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i > 0 ? "," : "") + (std::holds_alternative<std::string>(row[i]) ? csv_field(for_programs(row[i]))
                                                                                      : for_programs(row[i]));
        text += "\r\n";
    }
    return text;
}

std::string markdown(const Table& table) {
    std::string heading = "|", rule = "|", rows;
    for (const Column& column : table.columns) {
        heading += " " + markdown_line(column.name) + " |";
        rule += column.align == ColumnAlign::right ? "---:|" : "---|";
    }
    for (const std::vector<ReportCell>& row : table.rows) {
        rows += "|";
        for (const ReportCell& cell : row) rows += " " + markdown_line(for_people(cell)) + " |";
        rows += "\n";
    }
    return heading + "\n" + rule + "\n" + rows;
}

}  // namespace headcount
