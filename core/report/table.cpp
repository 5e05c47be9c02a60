// How a cell reads, and tables as text whose columns are aligned by what is seen and not by bytes, CSV and Markdown.
#include "core/report/table.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "core/base/markup.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::string_view gap = "  ";

struct Range {
    std::uint32_t first, last;
};
// Marks that stand on the letter before them, and letters that take two columns (Unicode's East Asian Width, coarsely).
constexpr std::array<Range, 4> zero_wide{{{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 8> twice_wide{{{0x1100, 0x115F},
                                           {0x2E80, 0xA4CF},
                                           {0xAC00, 0xD7A3},
                                           {0xF900, 0xFAFF},
                                           {0xFE30, 0xFE6F},
                                           {0xFF00, 0xFF60},
                                           {0x1F300, 0x1FAFF},
                                           {0x20000, 0x3FFFD}}};

bool in(std::span<const Range> ranges, std::uint32_t letter) {
    return std::ranges::any_of(ranges, [&](Range range) { return range.first <= letter && letter <= range.last; });
}

// The code point at `at`, moving on; what is not UTF-8 counts as one letter a byte.
std::uint32_t next_letter(std::string_view text, std::size_t& at) {
    auto byte = static_cast<unsigned char>(text[at++]);
    int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    std::uint32_t letter = more == 0 ? byte : byte & (0x3Fu >> more);
    for (; more > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u; --more)
        letter = letter << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    return letter;
}

void write_cells(std::ostream& out, std::span<const Column> columns, const Widths& widths,
                 std::span<const std::string> cells) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::size_t width = display_width(cells[i]), spaces = widths[i] > width ? widths[i] - width : 0;
        const bool right = columns[i].right_aligned();
        if (i > 0) line += gap;
        line.append(right ? spaces : 0, ' ').append(cells[i]).append(right ? 0 : spaces, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

// "12", "+3 %"; not what stands where there is none, nor what has a sign.
bool begins_a_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// "6738415616"
std::string for_programs(const ReportCell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
    const auto* change = std::get_if<ChangeCell>(&cell);
    if (!change) return std::get<std::string>(cell);
    const auto* whole = std::get_if<std::int64_t>(&change->by);
    return whole ? std::to_string(*whole) : factor_text(std::get<double>(change->by));
}

}  // namespace

std::string for_people(const ReportCell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return grouped(*number);
    const auto* change = std::get_if<ChangeCell>(&cell);
    if (!change) return std::get<std::string>(cell);
    if (const auto* whole = std::get_if<std::int64_t>(&change->by)) return signed_grouped(*whole);
    const double by = std::get<double>(change->by);
    return (by > 0 ? "+" : "") + factor_text(by);
}

void mark(std::span<const Column> columns, std::vector<ReportCell>& row, std::string_view sign,
          std::string_view sign_of_b) {
    const std::array signs{std::string_view(), std::string_view(), sign.empty() ? sign_of_b : sign, sign, sign_of_b};
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string_view own = signs[static_cast<std::size_t>(columns[i].kind)];
        if (own.empty()) continue;
        const std::string text = for_people(row[i]);
        if (begins_a_number(text)) row[i] = std::string(own) + text;
    }
}

Table marked(Table table, std::string_view sign, std::string_view sign_of_b) {
    for (std::vector<ReportCell>& row : table.rows) mark(table.columns, row, sign, sign_of_b);
    return table;
}

std::string csv(const Table& table, std::string_view made_for) {
    std::string text = csv_remark(made_for);
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
        rule += column.right_aligned() ? "---:|" : "---|";
    }
    for (const std::vector<ReportCell>& row : table.rows) {
        rows += "|";
        for (const ReportCell& cell : row) rows += " " + markdown_line(for_people(cell)) + " |";
        rows += "\n";
    }
    return heading + "\n" + rule + "\n" + rows;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::uint32_t letter = next_letter(text, at);
        const bool usual = letter < zero_wide.front().first;
        width += usual ? 1 : in(zero_wide, letter) ? 0 : in(twice_wide, letter) ? 2 : 1;
    }
    return width;
}

Widths widths_of(const Table& table) {
    Widths widths;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t width = display_width(table.columns[i].name);
        for (const std::vector<ReportCell>& row : table.rows)
            width = std::max(width, display_width(printable(for_people(row[i]))));
        widths.push_back(width);
    }
    return widths;
}

void write_heading(std::ostream& out, std::span<const Column> columns, const Widths& widths) {
    std::vector<std::string> names, rules;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        names.push_back(columns[i].name);
        rules.emplace_back(widths[i], '-');
    }
    write_cells(out, columns, widths, names);
    write_cells(out, columns, widths, rules);
}

void write_row(std::ostream& out, std::span<const Column> columns, const Widths& widths,
               std::span<const ReportCell> row) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const ReportCell& cell : row) cells.push_back(printable(for_people(cell)));
    write_cells(out, columns, widths, cells);
}

void write_text(std::ostream& out, const Table& table) {
    Widths widths = widths_of(table);
    write_heading(out, table.columns, widths);
    for (const std::vector<ReportCell>& row : table.rows) write_row(out, table.columns, widths, row);
}

}  // namespace headcount
