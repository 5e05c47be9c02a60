// Tables as comma-separated values (RFC 4180).
#include "core/report/csv.hpp"

#include "core/base/markup.hpp"

namespace headcount {
namespace {

std::string cell(const ReportCell& cell) {
    return std::holds_alternative<std::int64_t>(cell) ? for_programs(cell) : csv_field(for_programs(cell));
}

}  // namespace

std::string csv(const Table& table) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        text += (i > 0 ? "," : "") + csv_field(table.columns[i].name);
    text += "\r\n";
    for (const std::vector<ReportCell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + cell(row[i]);
        text += "\r\n";
    }
    return text;
}

}  // namespace headcount
