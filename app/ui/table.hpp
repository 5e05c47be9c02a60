// A table whose rows are asked for only where they are visible, so that 100,000 rows cost no more than twenty.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct TableColumn {
    std::string_view title = {};
    float width = 100;  // wanted, unscaled
    float minimum = 60;
    Align align = Align::left;
    bool mono = false;       // numbers and symbols
    bool scripts = false;    // underscores and carets are sub- and superscripts
    bool grows = false;      // takes what is left, or its share of it; where none does, the last column
    bool keeps_end = false;  // too long a text is cut at its beginning: of a path the end tells it apart
};

inline constexpr int most_columns = 10;

struct TableCell {
    std::string_view text = {};
    ImU32 colour = 0;              // 0: high for mono and the first column, mid for words
    float bar = 0;                 // from the middle of the cell: -1 to its left end, 1 to its right end, in `colour`
    std::string_view about = {};   // the key of what its numbers are about, besides those of the row: see veil.hpp
    std::string_view beside = {};  // the same numbers of another side: those that differ stand out
};

// One visible row; filled by the caller. Text must live until the row is drawn; `keep` copies short-lived text.
struct TableRow {
    std::array<TableCell, most_columns> cells;
    Swatch swatch;                // before the first cell
    std::string_view name = {};   // recorded as `table.row.<name>`; empty: by index
    std::string_view about = {};  // the key of what its numbers behind the first cell are about: see veil.hpp
    float indent = 0;
    bool group = false;   // 4 % tint
    bool strong = false;  // 500 weight: a heading or a sum
    bool selected = false;
    bool lit = false;  // pointed at elsewhere

    std::deque<std::string> kept = {};
    std::string_view keep(std::string_view text) { return kept.emplace_back(text); }
};

struct TableResult {
    std::optional<int> hovered, clicked, double_clicked;  // rows; arrow keys and Enter also click
    bool copy = false;                                    // Ctrl+C was pressed with the table focused
};

struct TableOptions {
    int rows = 0;
    float height = 0;       // 0: all that is left
    int scroll_to = -1;     // bring this row into view (when the selection came from elsewhere)
    int selected = -1;      // where the arrow keys start
    int heading_lines = 1;  // a heading that is wider than its column has so many at most
};

// How high the headings are, in pixels, in a table as wide as there is room at the cursor.
float headings_height(const Ui& ui, std::span<const TableColumn> columns, int lines);

// `fill` is called for every visible row, which is empty before.
using FillRow = std::function<void(int index, TableRow& row)>;
TableResult table(const Ui& ui, std::string_view name, std::span<const TableColumn> columns,
                  const TableOptions& options, const FillRow& fill);

// The left edges of the columns and the right end, in pixels, for a width: wanted widths where they fit, shrunk
// towards the minima where they do not; columns that still do not fit get width 0 from the right... never the first. A
// last column that may go gets its minimum or nothing.
std::array<float, most_columns + 1> column_edges(std::span<const TableColumn> columns, float width, float scale);

}  // namespace headcount
