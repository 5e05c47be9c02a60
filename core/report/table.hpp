// A table as a value, and as text for a terminal, CSV, Markdown and "copy the table": all are written from the same
// one.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headcount {

// By how much something changed: people read it with its sign, "+12,582,912".
struct ChangeCell {
    std::variant<std::int64_t, double> by;

    bool operator==(const ChangeCell&) const = default;
};

// Text, or a number that people read grouped by thousands and other programs read plain.
using ReportCell = std::variant<std::string, std::int64_t, ChangeCell>;

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

std::string for_people(const ReportCell& cell);  // "6,738,415,616"

// Comma-separated values (RFC 4180): what spreadsheets open. Counts are written plain. What the table is of stands in a
// line before it, if it is said.
std::string csv(const Table& table, std::string_view made_for = {});

// GitHub's pipe tables.
std::string markdown(const Table& table);

// Columns of a terminal that the text takes: 3 for "h·d", although it is 4 bytes.
std::size_t display_width(std::string_view text);

// How wide each column must be. A long table is written row by row with the widths of a short one that has its longest
// cells.
using Widths = std::vector<std::size_t>;
Widths widths_of(const Table& table);
void write_heading(std::ostream& out, std::span<const Column> columns, const Widths& widths);
void write_row(std::ostream& out, std::span<const Column> columns, const Widths& widths,
               std::span<const ReportCell> row);

void write_text(std::ostream& out, const Table& table);

}  // namespace headcount
