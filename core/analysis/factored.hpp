// A long sum written shortly: multiplied out, like products collected, and what they share put before a bracket.
#pragma once

#include "core/base/expr.hpp"

namespace headcount {

// B·L·2·T·d·d + B·L·2·T·d·d_ff gives 2·B·T·L·d·(d + d_ff): the same value wherever both fit in 64 bits. What is no
// product or sum (a difference, a quotient, ceil_to, min, max) stays as it is. A sum with too many products to be read
// is given back unchanged.
Expr factored(const Expr& sum);

}  // namespace headcount
