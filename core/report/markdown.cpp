// Tables as Markdown (GitHub's pipe tables).
#include "core/report/markdown.hpp"

#include "core/base/markup.hpp"

namespace headcount {
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
