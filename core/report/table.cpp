// The two ways in which a cell reads.
#include "core/report/table.hpp"

#include "core/base/text.hpp"

namespace headcount {

std::string for_people(const ReportCell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? grouped(*number) : std::get<std::string>(cell);
}

std::string for_programs(const ReportCell& cell) {
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? std::to_string(*number) : std::get<std::string>(cell);
}

}  // namespace headcount
