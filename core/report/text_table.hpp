// Tables for a terminal: columns aligned by what is seen, not by bytes.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/table.hpp"

namespace headcount {

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
