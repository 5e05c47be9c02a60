// Hours of devices and their price, as a table and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/hire.hpp"
#include "core/report/table.hpp"

namespace headcount {

// A row each: hours of one device at least and likely, and with a price what they cost.
Table hire_table(std::span<const Hire> all, const HireTerms& terms);

// [{"phase", "sequences", "tokens", "device_hours": {"least", "likely"}, "price": {"least", "likely"}}]
nlohmann::ordered_json hire_json(std::span<const Hire> all, const HireTerms& terms);

}  // namespace headcount
