// The ends of the whole numbers, where arithmetic must notice that it leaves them.
#pragma once

#include <cstdint>
#include <limits>

namespace headcount::testing_data {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

}  // namespace headcount::testing_data
