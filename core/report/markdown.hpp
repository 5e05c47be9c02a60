// Tables as Markdown (GitHub's pipe tables).
#pragma once

#include <string>

#include "core/report/table.hpp"

namespace headcount {

std::string markdown(const Table& table);

}  // namespace headcount
