// Disentangled attention (He et al. 2021): what a token is and how far it lies from another are compared apart. A table
// has a row for each distance, or range of distances; layers make keys of its rows that queries of tokens meet, and
// queries that meet their keys. And the convolution beside the first layer that DeBERTa 2 has with it.
#include "core/graph/attention_inputs.hpp"

namespace headcount {
namespace {

struct SideWords {
    Part part;
    std::string_view name, label, symbol, bias_symbol, meaning;
    std::string_view made, made_label, made_symbol, made_meaning;
};

constexpr std::int64_t gate_columns = 8;  // in two halves

constexpr SideWords key_words{Part::relative_key,
                              "distance_key",
                              "Distance key projection",
                              "W_kdist",
                              "b_kdist",
                              "Makes a key of {d_h} numbers for each of {h} heads of the row of a distance: how much "
                              "it counts to lie so far away.",
                              "distance_keys",
                              "Keys of distances",
                              "K_dist",
                              "for each distance {h} heads of {d_h}, which queries of tokens meet"};
constexpr SideWords query_words{
    Part::relative_query,
    "distance_query",
    "Distance query projection",
    "W_qdist",
    "b_qdist",
    "Makes a query of {d_h} numbers for each of {h} heads of the row of a distance: what is looked for so far away.",
    "distance_queries",
    "Queries of distances",
    "Q_dist",
    "for each distance {h} heads of {d_h}, which keys of tokens meet"};

}  // namespace

std::optional<TensorIndex> build_distance_rows(GraphBuilder& builder) {
    if (!builder.distances) return std::nullopt;
    builder.component = Component::attention;
    const Shape shape{builder.distances->rows, Symbol::dim};
    const TensorIndex table = builder.parameter(
        "distances.weight",
        {"distances", Part::relative_rows, "Distance embedding", "E_dist", shape,
         "One row of {d} numbers for each distance, or range of distances, to either side; the same for all layers.",
         Role::parameter});
    const TensorIndex rows = builder.node(Op::table, {}, {table},
                                          {"distance_rows", Part::relative_rows, "Rows of distances", "D_dist", shape,
                                           "what stands for each distance, whatever the tokens are"});
    if (!builder.distances->normed) return rows;
    return builder.norm(rows, builder.arch.norm,
                        {.name = "distance_norm",
                         .part = Part::relative_norm,
                         .label = "Norm of distances",
                         .symbol = "D_n",
                         .output_label = "Rows of distances, rescaled"});
}

std::vector<TensorIndex> build_distance_sides(GraphBuilder& builder, const LayerBuild& layer, const HeadSizes& sizes,
                                              const Projected& projected) {
    if (!layer.distances) return {};
    const DistanceTable& table = *builder.distances;
    const auto make = [&](const SideWords& words, TensorIndex of_tokens, bool bias) {
        const LinearOutput made{words.made, words.made_label, words.made_symbol, words.made_meaning};
        const Node* const product = table.shared ? builder.graph.product_behind(of_tokens) : nullptr;
        if (!product)
            return builder.linear(*layer.distances,
                                  {words.name, words.part, words.label, words.symbol, words.bias_symbol,
                                   Expr(Symbol::heads) * sizes.columns, bias, words.meaning},
                                  made);
        const Shape rows{table.rows, builder.shape(product->output)[1]};
        return builder.node(Op::linear, {*layer.distances}, std::vector(product->parameters),
                            {made.name, words.part, made.label, made.symbol, rows, made.meaning},
                            Attributes(product->attributes));
    };
    std::vector<TensorIndex> sides;
    if (table.keys) sides.push_back(make(key_words, projected.keys, table.key_bias));
    if (table.queries) sides.push_back(make(query_words, projected.queries, true));
    return sides;
}

std::optional<DistanceGate> build_distance_gate(GraphBuilder& builder, TensorIndex input) {
    if (!builder.gated_distances) return std::nullopt;
    const Shape matrix{Expr(Symbol::dim) / Symbol::heads, gate_columns}, columns{gate_columns}, heads{Symbol::heads};
    DistanceGate gate{.rows = input};
    gate.weight = builder.parameter(
        "distance_gate.weight",
        {"distance_gate", Part::distance_gate, "Distance gate projection", "W_gate", matrix,
         "Makes eight numbers of a head's share of a row, the same way in all heads: how much distances count for it.",
         Role::parameter});
    gate.bias =
        builder.parameter("distance_gate.bias", {"distance_gate", Part::distance_gate, "Distance gate projection",
                                                 "b_gate", columns, "a number added to each output", Role::parameter});
    builder.graph.tensors[gate.bias].bias = true;
    gate.strength = builder.parameter(
        "distance_strength.weight",
        {"distance_strength", Part::distance_strength, "Distance strength", "s", heads,
         "One number for each of {h} heads: how far its gate can open for distances.", Role::parameter});
    return gate;
}

TensorIndex gate_distances(GraphBuilder& builder, const DistanceGate& gate) {
    const Expr columns = Expr(Symbol::dim) / Symbol::heads;
    const Shape own{builder.rows, columns}, sums{builder.rows, gate_columns}, half{builder.rows, gate_columns / 2},
        one{builder.rows, 1};
    const TensorIndex row = builder.node(Op::take_head, {gate.rows}, {},
                                         {"row", Part::distance_gate, "Row of one head", "X_i", own,
                                          "this head's share of the columns of X", Role::activation, true},
                                         HeadRule{.step = columns});
    const TensorIndex made = builder.node(Op::linear, {row}, {gate.weight, gate.bias},
                                          {"gate_made", Part::distance_gate, "Made for the gate", "G_i", sums,
                                           "eight numbers of the head's share of each row"},
                                          LinearRule{});
    const auto take = [&](std::string_view name, std::string_view label, std::string_view symbol,
                          std::string_view meaning, std::int64_t first) {
        return builder.node(Op::take_columns, {made}, {},
                            {name, Part::distance_gate, label, symbol, half, meaning, Role::activation, true},
                            ColumnRange{first});
    };
    const TensorIndex opening = take("gate_opening", "Opening", "A_i", "those that say how far the gate opens", 0);
    const TensorIndex holding =
        take("gate_holding", "Holding", "B_i", "those that say how much of its strength counts", gate_columns / 2);
    return builder.node(Op::gate_distances, {opening, holding}, {gate.strength},
                        {"distance_gate", Part::distance_gate, "Distance gate", "g_i", one,
                         "by how much each query's scores change with the distance"},
                        HeadRule{.step = 1});
}

TensorIndex add_first_convolution(GraphBuilder& builder, TensorIndex entering, TensorIndex made) {
    const std::int64_t kernel = builder.convolution->kernel;
    const Shape around{builder.rows, Expr(kernel) * Symbol::dim}, rows = builder.stream();
    builder.open(BlockKind::own, "convolution");
    builder.component = Component::attention;
    const TensorIndex unfolded = builder.node(
        Op::unfold, {entering}, {},
        {"around", Part::convolution, "Rows around", "X_1", around, "each token's row and those beside it"},
        UnfoldRule{kernel, 1, kernel / 2});
    const TensorIndex convolved =
        builder.linear(unfolded,
                       {"convolution", Part::convolution, "Convolution", "C_1", "b_1", Symbol::dim, true,
                        "Makes {d} numbers of each token's row and those beside it, of what enters the first layer."},
                       {"convolved", "Convolved", "X_c", "what the filters make of each row and those beside it"});
    const TensorIndex activated =
        builder.node(Op::activate, {convolved}, {},
                     {"output", Part::convolution, "Activated", "X_a", rows, "the activation function of each number"},
                     GateRule{builder.convolution->activation, {}});
    const TensorIndex sum = builder.node(
        Op::add, {made, activated}, {},
        {"sum", Part::residual, "Sum", "X_s", rows, "what the layer has made, and what the convolution has"},
        Scaling{});
    const TensorIndex stream = builder.norm(sum, builder.arch.norm,
                                            {.name = "output_norm",
                                             .part = Part::convolution_norm,
                                             .label = "Convolution norm",
                                             .output = "stream",
                                             .symbol = "X^(i+1)",
                                             .output_label = "Output of the layer"});
    builder.close();
    return stream;
}

}  // namespace headcount
