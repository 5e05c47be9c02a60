// Heads in pairs (differential attention, Ye et al. 2024): both of a pair read the same values, twice as wide, and what
// the second of them finds is taken from what the first does.
#include "core/graph/builder.hpp"

namespace headcount {

TensorIndex pair_values(GraphBuilder& builder, TensorIndex values, const Expr& columns) {
    const Shape read = builder.shape(values), rows{read[0], Expr(2) * read[1]};
    return builder.node(Op::pair_heads, {values}, {},
                        {"values_paired", Part::value, "Values in pairs", "V_2", rows,
                         "beside each head's values those of the head half as many further on"},
                        HeadRule{.step = columns});
}

TensorIndex subtract_pairs(GraphBuilder& builder, TensorIndex joined, const Expr& columns) {
    const Expr half = Expr(Symbol::heads) * columns;
    const Shape rows{builder.rows, half}, vector{columns};
    const auto take = [&](std::string_view name, std::string_view label, std::string_view symbol, const Expr& first) {
        return builder.node(
            Op::take_columns, {joined}, {},
            {name, Part::scores, label, symbol, rows, "what half of the heads found", Role::activation, true},
            ColumnRange{first});
    };
    const TensorIndex first = take("first_half", "First half", "O_1", 0),
                      second = take("second_half", "Second half", "O_2", half);
    const auto trained = [&](const char* name, Part part, std::string_view label, std::string_view symbol) {
        return builder.parameter(
            std::string(name) + ".weight",
            {name, part, label, symbol, vector,
             "Two such pairs of vectors say how much of the second half is taken away.", Role::parameter});
    };
    std::vector<TensorIndex> parameters{trained("query_1", Part::paired_query_1, "First query of pairs", "λ_q1"),
                                        trained("key_1", Part::paired_key_1, "First key of pairs", "λ_k1"),
                                        trained("query_2", Part::paired_query_2, "Second query of pairs", "λ_q2"),
                                        trained("key_2", Part::paired_key_2, "Second key of pairs", "λ_k2")};
    const TensorIndex left = builder.node(Op::subtract, {first, second}, std::move(parameters),
                                          {"difference", Part::scores, "Difference", "D", rows,
                                           "what the first half of the heads found, less some of what the second did"},
                                          DifferenceRule{});
    Norm norm = builder.arch.norm;
    norm.kind = NormKind::rms;
    norm.scale = norm.bias = false;
    const ByLayer begins;
    return builder.norm(left, norm,
                        {.name = "paired_norm",
                         .part = Part::paired_norm,
                         .label = "Norm of pairs",
                         .symbol = "D_n",
                         .width = Expr(2) * columns,
                         .output_label = "Pairs, rescaled",
                         .of_each_head = true,
                         .times = ByLayer{1 - begins.first, 1 - begins.last, begins.rate}});
}

}  // namespace headcount
