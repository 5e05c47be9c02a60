// What the kinds of attention share: a head's scores, weights and mix, and how the heads come back together.
#pragma once

#include "core/graph/builder.hpp"

namespace headcount {

// What a step of attention makes.
TensorSpec made_by_attention(std::string_view name, Part part, std::string_view label, std::string_view symbol,
                             Shape shape, std::string_view meaning, Role role = Role::activation, bool view = false);

// How many tokens' keys the queries of this pass meet, P + T or what a window leaves of it; and how many are kept for
// later tokens.
Expr tokens_seen(const LayerBuild& layer);
Expr tokens_kept(const LayerBuild& layer);

// One head's share of queries (T, d_h), keys (seen, d_h) and values (seen, columns).
struct HeadInputs {
    TensorIndex queries = 0, keys = 0, values = 0;
    std::optional<TensorIndex> sinks;
};

// Softmax(Q·Kᵀ / √d_h)·V of one head, (T, columns), into the block that is open.
TensorIndex weigh_and_mix(GraphBuilder& builder, const LayerBuild& layer, const HeadInputs& head, const Expr& columns);

// The heads' (T, columns) side by side, (T, h·columns), through the output projection to (T, d).
TensorIndex join_and_project(GraphBuilder& builder, const Architecture& arch, TensorIndex head, const Expr& columns);

// One trained score a head that takes weight away (Xiao et al. 2024), (h), where the architecture has them.
std::optional<TensorIndex> build_sinks(GraphBuilder& builder, const Architecture& arch);

}  // namespace headcount
