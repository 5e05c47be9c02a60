// Disentangled attention (He et al. 2021): what a token is and how far it lies from another are compared apart. A table
// has a row for each distance, or range of distances; layers make keys of its rows that queries of tokens meet, and
// queries that meet their keys. And the convolution beside the first layer that DeBERTa 2 has with it.
#include "core/graph/attention_inputs.hpp"

namespace headcount {
namespace {

struct SideWords {
    Part part, token_part;
    std::string_view name, label, symbol, bias_symbol, meaning;
    std::string_view made, made_label, made_symbol, made_meaning;
};

constexpr SideWords key_words{Part::relative_key,
                              Part::key,
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
    Part::query,
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
