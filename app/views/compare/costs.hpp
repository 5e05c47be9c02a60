// Memory and arithmetic of both sides as tables; and what makes a table of Compare.
#pragma once

#include "app/views/compare/rows.hpp"

namespace headcount {

CompareTable with_columns(const std::vector<TableColumn>& columns, std::size_t bar);
CompareRow sum_row(const CompareTable& table, std::string sum);

// In inference, with the document's input and precision, on one device.
CompareTable compare_memory_table(const Theme& theme, const BothSides& both);
CompareTable compare_compute_table(const Theme& theme, const BothSides& both);

}  // namespace headcount
