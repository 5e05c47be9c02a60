// The rows of Compare's tables as data: tensors, activations, memory, arithmetic, side by side.
#pragma once

#include <string>
#include <vector>

#include "app/ui/table.hpp"
#include "app/views/compare/panels.hpp"
#include "core/report/table.hpp"

namespace headcount {

struct CompareRow {
    std::string name;               // recorded
    std::vector<ReportCell> cells;  // as many as columns; those of the bar and the arrow are empty
    std::int64_t change = 0;        // the bar's
    ImU32 colour = 0;
    Swatch swatch;
    Subject subject;
    bool strong = false;  // a sum
    bool low = false;     // alike on both sides
    bool inner = false;   // of the row above
};

struct CompareTable {
    std::vector<std::string> titles;
    std::vector<TableColumn> columns;  // their titles are those
    std::vector<CompareRow> rows;
    std::string remark;                // at the right of the tabs
    std::string failure;               // a sentence: why there are no rows
    std::size_t bar = 0;               // the column of it
    std::optional<std::size_t> sides;  // the column of A's shape, an arrow's and that of B's behind it
    std::int64_t most = 1;             // the longest bar's change, whichever way
};

CompareTable compare_table(const Theme& theme, const BothSides& both, CompareTab tab);

// "All 291 tensors": of the tab, in the order of CompareTab.
std::vector<std::string> compare_tab_words(const BothSides& both);

// What is drawn, for spreadsheets: counts without separators, no columns for the bar and the arrow.
std::string compare_csv(const CompareTable& table);

CompareTable with_columns(const std::vector<TableColumn>& columns, std::size_t bar);
CompareRow sum_row(const CompareTable& table, std::string sum);

// In inference, with the document's input and precision, on one device.
CompareTable compare_memory_table(const Theme& theme, const BothSides& both);
CompareTable compare_compute_table(const Theme& theme, const BothSides& both);

}  // namespace headcount
