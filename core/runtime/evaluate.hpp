// The value of a node's equation at one cell of a run, worked out from the formula alone, in doubles.
#pragma once

#include "core/graph/ops.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

// What the equation of the node that makes this cell says it is. Errors: a parameter or an input has no equation; an
// operand that this run has not kept.
Result<double> evaluate_equation(const RunNumbers& numbers, const CellAt& cell);

}  // namespace headcount
