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

// What a column holds: words; numbers that are known whatever the model is (what was asked for, a device's); figures of
// the model, or of both that are compared; figures of one of those.
enum class ColumnKind { words, known, figures, of_a, of_b };

struct Column {
    std::string name;
    ColumnKind kind = ColumnKind::words;

    bool right_aligned() const { return kind != ColumnKind::words; }
    bool operator==(const Column&) const = default;
};

inline Column figures(std::string name) { return {std::move(name), ColumnKind::figures}; }
inline Column known(std::string name) { return {std::move(name), ColumnKind::known}; }

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<ReportCell>> rows;  // each as long as columns

    bool operator==(const Table&) const = default;
};

std::string for_people(const ReportCell& cell);  // "6,738,415,616"

// The table for people of a model that is only about known: the sign ("≈ ") before each of its figures that has none.
// Of two models that are compared, the sign of either. An empty sign changes nothing.
Table marked(Table table, std::string_view sign, std::string_view sign_of_b = {});
void mark(std::span<const Column> columns, std::vector<ReportCell>& row, std::string_view sign,
          std::string_view sign_of_b = {});

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
