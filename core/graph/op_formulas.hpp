// What each operation computes, as a formula of the tensors that its node reads.
#pragma once

#include <cstddef>
#include <utility>

#include "core/graph/ops.hpp"

namespace headcount::formulas {

using Made = Formula(const ModelGraph& graph, const Node& node);
Made embed, add_positions, add_types, norm, linear, rotate, append_cache, keep_window, take_columns, take_head, scores,
    index_scores, choose, gate_distances, masked_softmax, mix, pair_heads, subtract, join_heads, activate, gate, route,
    combine, add, first_row, insert_rows, pool, unfold, scale_columns, convolve, step, decay, fade, blend, weigh,
    sum_up, update_state, read_state, bonus, beside, mix_blocks, magnitude, threshold, table;

// What a node reads, and its parameters; and so many times a formula.
inline Formula input(const Node& node, std::size_t index = 0) { return Formula::of(node.inputs[index]); }

inline Formula parameter(const Node& node, std::size_t index = 0) { return Formula::of(node.parameters[index]); }

inline Formula scaled(double factor, Formula by) { return factor == 1 ? by : Formula(factor) * std::move(by); }

}  // namespace headcount::formulas
