// What each operation computes, as a formula of the tensors that its node reads.
#pragma once

#include "core/graph/ops.hpp"

namespace headcount::formulas {

using Made = Formula(const ModelGraph& graph, const Node& node);
Made embed, add_positions, add_types, norm, linear, rotate, append_cache, keep_window, take_columns, take_head, scores,
    masked_softmax, mix, pair_heads, subtract, join_heads, activate, gate, route, combine, add, first_row, insert_rows,
    pool, unfold, scale_columns, convolve, step, decay, fade, blend, weigh, sum_up, update_state, read_state, bonus,
    beside, mix_blocks, magnitude, threshold, table;

}  // namespace headcount::formulas
