// Tables as comma-separated values (RFC 4180): what spreadsheets open. Counts are written plain.
#pragma once

#include <string>

#include "core/report/table.hpp"

namespace headcount {

std::string csv(const Table& table);

}  // namespace headcount
