// Tables as comma-separated values (RFC 4180).
#include "core/report/csv.hpp"

namespace headcount {
namespace {

// In quotes where it must be, with quotes doubled. Spaces at the ends are quoted too: some readers cut them.
std::string field(const std::string& text) {
    bool plain = text.find_first_of(",\"\r\n") == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ');
    if (plain) return text;
    std::string quoted = "\"";
    for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

}  // namespace

std::string csv(const Table& table) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += (i > 0 ? "," : "") + field(table.columns[i].name);
    text += "\r\n";
    for (const std::vector<ReportCell>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + field(for_programs(row[i]));
        text += "\r\n";
    }
    return text;
}

}  // namespace headcount
