// Expressions changed in one place: what somebody who mixed something up would have calculated.
#pragma once

#include <vector>

#include "core/base/expr.hpp"

namespace headcount {

std::vector<Symbol> symbols_in(const Expr& expr);  // each once, in order of appearance

// Every `symbol` in it replaced.
Expr substituted(const Expr& expr, Symbol symbol, const Expr& by);

// Every whole number above 1 that multiplies something.
std::vector<std::int64_t> number_factors(const Expr& expr);
// Every factor of that size left out.
Expr without_factor(const Expr& expr, std::int64_t factor);

// Every ceil_to(x, m) replaced by x.
Expr without_rounding(const Expr& expr);
bool rounds_up(const Expr& expr);

}  // namespace headcount
