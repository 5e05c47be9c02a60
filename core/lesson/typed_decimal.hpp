// Decimal numbers with units, as people round.
#pragma once

#include <optional>
#include <string_view>

#include "core/lesson/typed.hpp"

namespace headcount {

// A decimal number and its unit, if the text is nothing else. In a question about bytes B means bytes, else billions.
std::optional<Rounded> typed_decimal(std::string_view text, bool bytes);

}  // namespace headcount
