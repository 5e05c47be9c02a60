// Expands an architecture into its graph: embedding, one layer that stands for all alike, output.
#include "core/graph/builder.hpp"

namespace headcount {

TensorIndex build_embedding(GraphBuilder& builder, const Architecture& arch) {
    constexpr Component component = Component::embedding;
    TensorIndex ids = builder.tensor({"tokens",
                                      Part::token_embedding,
                                      component,
                                      "Token ids",
                                      "ids",
                                      {Symbol::tokens},
                                      "the text, cut into tokens, each a number below {V}",
                                      Role::input});
    TensorIndex table = builder.parameter(
        "embedding.weight",
        {"embedding.weight",
         Part::token_embedding,
         component,
         "Embedding",
         "E",
         {Symbol::vocab, Symbol::dim},
         "One row of {d} numbers for each of the {V} tokens of the vocabulary; looked up, not multiplied.",
         Role::parameter});
    Shape stream{Symbol::tokens, Symbol::dim};
    bool learned = arch.positions == Positions::learned;
    TensorIndex embedded =
        builder.node(Op::embed, {ids}, {table},
                     {"embedded", Part::token_embedding, component, learned ? "Embedded tokens" : "Residual stream",
                      learned ? "X_e" : "X^(0)", stream, "one row of the embedding for each token"});
    if (!learned) return embedded;
    TensorIndex positions = builder.parameter(
        "positions.weight", {"positions.weight",
                             Part::position_embedding,
                             component,
                             "Position embedding",
                             "E_pos",
                             {Symbol::context, Symbol::dim},
                             "One row of {d} numbers for each of {C} positions, added to the token's row.",
                             Role::parameter});
    return builder.node(Op::add_positions, {embedded}, {positions},
                        {"positioned", Part::position_embedding, component, "Residual stream", "X^(0)", stream,
                         "each token's row plus its position's row"});
}

void build_output(GraphBuilder& builder, const Architecture& arch, TensorIndex stream) {
    TensorIndex normed = builder.norm(stream, arch.norm, "final_norm", Part::final_norm, "Final norm");
    TensorSpec logits{"logits",
                      Part::output_head,
                      Component::output,
                      "Logits",
                      "Z",
                      {Symbol::tokens, Symbol::vocab},
                      "for each token, one score for each possible next token"};
    if (arch.tied) {
        const Node& embed = builder.graph.nodes.front();
        builder.graph.tied_head = embed.parameters.front();
        builder.node(Op::linear, {normed}, {embed.parameters.front()}, logits);
    } else {
        builder.linear(normed,
                       {"output_head", Part::output_head, Component::output, "Output head", "W_out", "b_out",
                        Symbol::dim, Symbol::vocab, false,
                        "Turns each token's {d} numbers into one score for each of the {V} possible next tokens."},
                       logits);
    }
}

ModelGraph expand(const Architecture& arch, Cache cache) {
    GraphBuilder builder;
    TensorIndex stream = build_embedding(builder, arch);
    builder.open("layer", Symbol::layers);
    stream = build_attention(builder, arch, stream, cache);
    stream = build_feed_forward(builder, arch, stream);
    builder.close();
    build_output(builder, arch, stream);
    build_checkpoint(builder.graph, arch);
    return std::move(builder.graph);
}

}  // namespace headcount
