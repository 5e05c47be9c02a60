// A table as a value: the terminal, CSV, Markdown and "copy the table" are all written from the same one.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace headcount {

// Text, or a count that people read grouped by thousands and other programs read plain.
using ReportCell = std::variant<std::string, std::int64_t>;

enum class ColumnAlign { left, right };

struct Column {
    std::string name;
    ColumnAlign align = ColumnAlign::left;

    bool operator==(const Column&) const = default;
};

// A column of numbers.
inline Column figures(std::string name) {
    return {std::move(name), ColumnAlign::right};
}

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<ReportCell>> rows;  // each as long as columns

    bool operator==(const Table&) const = default;
};

std::string for_people(const ReportCell& cell);    // "6,738,415,616"
std::string for_programs(const ReportCell& cell);  // "6738415616"

// Comma-separated values (RFC 4180): what spreadsheets open. Counts are written plain.
std::string csv(const Table& table);

// GitHub's pipe tables.
std::string markdown(const Table& table);

}  // namespace headcount
