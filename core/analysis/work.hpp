// The arithmetic of matrix products, read off a graph: two operations a multiply-add.
#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace headcount {

// Which pairs of a query and a key are counted: those that are not masked, the future and what is outside of a window,
// which no program needs to compute; or all of them.
enum class Pairs { causal, full };

// Twice as many as a head's scores that are not masked: a row sees its own token, those before it and all cached ones;
// with a sliding window the last W of these, in chunks those of its own chunk. `scores` are T × (P + T), or what a
// window leaves of these columns.
Expr unmasked_twice(const ModelGraph& graph, const Tensor& scores);

// Floating-point operations of one copy of a node, as a formula: 2·T·d·d_ff for a linear layer, T·(T + 1)·d_h for
// scores and for the mix, of all pairs 2·T·T·d_h. Nothing for operations that multiply no matrices. The batch and the
// copies of the block are not in it.
std::optional<Expr> work_formula(const ModelGraph& graph, const Node& node, Pairs pairs = Pairs::causal);

// The scores that a head's node makes, or mixes by.
const Tensor& scores_of(const ModelGraph& graph, const Node& node);

// The operations that a parameter takes part in, for every copy and the whole batch; 0 for one that is only looked up
// or added. A double: only its size is shown, and it may pass 64 bits.
double work_of_parameter(const ModelGraph& graph, TensorIndex parameter, const Bindings& bindings);

}  // namespace headcount
