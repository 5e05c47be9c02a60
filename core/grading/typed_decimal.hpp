// Decimal numbers with units, as people round.
#pragma once

#include <optional>
#include <string_view>

#include "core/grading/typed.hpp"

namespace headcount {

// A decimal number and its unit, if the text is nothing else. In a question about bytes B means bytes, else billions.
std::optional<Rounded> typed_decimal(std::string_view text, bool bytes);

// Where the unit at the end of a text begins: of "2*T*B MiB" and "4*128MiB". Nothing where what stands at the end is no
// unit, or is a factor: "2*T*B".
std::optional<std::size_t> unit_at_end(std::string_view text, bool bytes);

}  // namespace headcount
