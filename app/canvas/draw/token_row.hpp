// Which row of an activation is a token's, and back. A token is a share of this pass's, so that it is the same one in
// every activation; keys and values may have rows of earlier tokens before those.
#pragma once

#include <algorithm>

#include "app/canvas/arrange/picking.hpp"

namespace headcount {

// How many rows a matrix has for tokens, as it is drawn: columns where rows and columns are exchanged.
inline std::int64_t token_rows(const Slab& slab) {
    return slab.transposed ? slab.columns : slab.rows;
}

inline bool has_token_rows(const Slab& slab, const Tensor& tensor) {
    const bool matrix = slab.grid_columns == 0 && slab.look != SlabLook::hollow && slab.look != SlabLook::absent;
    return matrix && tensor.role != Role::parameter && uses(tensor.shape, Symbol::tokens);
}

// How far along these rows it is, 0 the first and 1 the last.
inline double token_at(const Slab& slab, double token, std::int64_t tokens) {
    const std::int64_t rows = token_rows(slab), before = std::max<std::int64_t>(0, rows - tokens);
    if (rows < 2) return 0;
    return (static_cast<double>(before) + token * static_cast<double>(rows - before - 1)) /
           static_cast<double>(rows - 1);
}

// The token that a row is for; nothing where there is but one, or where it is an earlier pass's.
inline std::optional<double> token_of(const Slab& slab, const Tensor& tensor, Cell cell, std::int64_t tokens) {
    const std::int64_t row = cell.row - std::max<std::int64_t>(0, token_rows(slab) - tokens);
    if (!has_token_rows(slab, tensor) || tokens < 2 || row < 0) return std::nullopt;
    return static_cast<double>(row) / static_cast<double>(tokens - 1);
}

}  // namespace headcount
