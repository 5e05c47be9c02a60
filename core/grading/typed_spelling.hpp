// Formulas as people spell them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/expr.hpp"

namespace headcount {

// The symbol that a word means in any spelling: "d", "D", "d_model", "width"; nothing where it could be two.
std::optional<Symbol> symbol_of(std::string_view word);

// Words behind a number that say only what it counts.
inline constexpr std::array<std::string_view, 26> idle_words{
    "rows",    "row",    "columns", "column", "cols",    "col",      "parameters", "parameter", "params",
    "weights", "weight", "numbers", "values", "entries", "elements", "bytes",      "byte",      "cells",
    "tokens",  "token",  "layers",  "layer",  "heads",   "head",     "experts",    "expert"};

// One expression in the spelling that parse_expr takes.
Result<std::string> spelled(std::string_view typed);

}  // namespace headcount
