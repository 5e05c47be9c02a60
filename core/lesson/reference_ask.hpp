// What the graph answers to a reference.
#pragma once

#include "core/lesson/reference.hpp"
#include "core/lesson/reference_text.hpp"

namespace headcount {

// As a formula; what it counts and names goes into `into`. Errors name what the model does not have.
Result<Expr> ask_graph(const Reference& asked, const CountedModel& model, Resolved& into);

}  // namespace headcount
