// Hours of devices and their price, as a table and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/analysis/hire.hpp"
#include "core/report/table.hpp"

namespace headcount {

// A row each: hours of one device at least and likely, and with a price what they cost.
Table hire_table(std::span<const Hire> all, const HireTerms& terms);

// "On 16,384 devices the training takes 29.02 days at least, likely 76.95.": how long that is by the calendar; empty
// where none is trained.
std::string days_text(std::span<const Hire> all, std::int64_t devices);

// [{"phase", "sequences", "tokens", "device_hours": {"least", "likely"}, "price": {"least", "likely"}}]
nlohmann::ordered_json hire_json(std::span<const Hire> all, const HireTerms& terms);

}  // namespace headcount
