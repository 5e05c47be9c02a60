// What the dense feed-forward, an expert and the shared experts have in common: two or three matrices.
#pragma once

#include "core/graph/builder.hpp"

namespace headcount {

// In what they differ: width, parts, and how they are spoken of.
struct FeedForwardWords {
    Expr width;
    Part gate, up, down;
    std::string_view gate_label, up_label, down_label, output_label;
    std::string_view gate_meaning, up_meaning, plain_up_meaning, down_meaning;
    std::string_view lifted, brought_back;
    std::string_view output_symbol = "F";
};

// down(activation(gate(x)) ⊙ up(x)), or down(activation(up(x))) without a gate: (T, d) to (T, width) and back.
TensorIndex build_matrices(GraphBuilder& builder, const DenseFeedForward& form, const FeedForwardWords& words,
                           TensorIndex input);

}  // namespace headcount
