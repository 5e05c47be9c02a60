// The arithmetic of matrix products, read off a graph: two operations a multiply-add.
#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace headcount {

// Floating-point operations of one copy of a node, as a formula: 2·T·d·d_ff for a linear layer, 2·T·T·d_h for scores
// and for the mix. Nothing for operations that multiply no matrices. The batch and the copies of the block are not in
// it.
std::optional<Expr> work_formula(const ModelGraph& graph, const Node& node);

// The operations that a parameter takes part in, for every copy and the whole batch; 0 for one that is only looked up
// or added. A double: only its size is shown, and it may pass 64 bits.
double work_of_parameter(const ModelGraph& graph, TensorIndex parameter, const Bindings& bindings);

}  // namespace headcount
