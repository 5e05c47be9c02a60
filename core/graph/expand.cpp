// Expands an architecture into its graph: embedding, one layer for each kind of layers (attention and
// feed-forward, their norms, and how both join the residual stream), output.
#include <cmath>

#include "core/graph/builder.hpp"

namespace headcount {

namespace {

// What a sub-block calls its norms and what it leaves on the stream.
struct Words {
    Part norm, output_norm;
    std::string_view norm_label, output_norm_label, sum_label, symbol, meaning;
};

constexpr Words attention_words{Part::attention_norm,
                                Part::attention_output_norm,
                                "Attention norm",
                                "Attention output norm",
                                "After attention",
                                "X'",
                                "the residual stream with attention's output added"};
constexpr Words recurrence_words{Part::attention_norm,
                                 Part::attention_output_norm,
                                 "Recurrence norm",
                                 "Recurrence output norm",
                                 "After the recurrence",
                                 "X'",
                                 "the residual stream with what was read from the states added"};
// Where no feed-forward follows.
constexpr Words last_recurrence_words{recurrence_words.norm,
                                      recurrence_words.output_norm,
                                      recurrence_words.norm_label,
                                      recurrence_words.output_norm_label,
                                      "Output of the layer",
                                      "X^(i+1)",
                                      "the residual stream that the next layer reads"};
constexpr Words feed_forward_words{Part::feed_forward_norm,
                                   Part::feed_forward_output_norm,
                                   "FFN norm",
                                   "FFN output norm",
                                   "Output of the layer",
                                   "X^(i+1)",
                                   "the residual stream that the next layer reads"};

TensorIndex norm_before(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex stream) {
    if (norm.placement != NormPlacement::before && norm.placement != NormPlacement::both) return stream;
    return builder.norm(stream, norm, {"norm", words.norm, words.norm_label});
}

TensorIndex norm_after(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex output) {
    if (norm.placement != NormPlacement::after && norm.placement != NormPlacement::both) return output;
    return builder.norm(output, norm, {"output_norm", words.output_norm, words.output_norm_label});
}

// What the sub-blocks made, added to the stream.
TensorIndex add(GraphBuilder& builder, const Words& words, std::vector<TensorIndex> terms) {
    const Norm& norm = builder.arch.norm;
    const bool normed = norm.placement == NormPlacement::after_sum;
    TensorIndex sum = builder.node(Op::add, std::move(terms), {},
                                   {normed ? "sum" : "stream", Part::residual, normed ? "Sum" : words.sum_label,
                                    normed ? "X_s" : words.symbol, stream_shape(), words.meaning},
                                   Scaling{builder.computation.residual_scale});
    if (!normed) return sum;
    return builder.norm(sum, norm,
                        {.name = "output_norm",
                         .part = words.output_norm,
                         .label = words.output_norm_label,
                         .output = "stream",
                         .symbol = words.symbol,
                         .output_label = words.sum_label});
}

}  // namespace

TensorIndex build_layer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const bool in_turn = arch.layer.joining == Joining::in_turn;
    const bool recurrent = layer.kind.recurrent;
    const Words& words = !recurrent                ? attention_words
                         : layer.kind.feed_forward ? recurrence_words
                                                   : last_recurrence_words;
    builder.open(BlockKind::mixer, recurrent ? block_name(arch.layer.recurrence->kind) : "attention");
    builder.component = recurrent ? Component::recurrence : Component::attention;
    const TensorIndex normed = norm_before(builder, arch.norm, words, stream);
    TensorIndex mixed = recurrent                     ? build_recurrence(builder, normed)
                        : arch.layer.attention.latent ? build_latent_attention(builder, layer, normed)
                                                      : build_attention(builder, layer, normed);
    mixed = norm_after(builder, arch.norm, words, mixed);
    if (in_turn || !layer.kind.feed_forward) stream = add(builder, words, {stream, mixed});
    builder.close();
    if (!layer.kind.feed_forward) return stream;

    builder.open(BlockKind::feed_forward, "feed_forward");
    builder.component = Component::feed_forward;
    const bool shared = arch.layer.joining == Joining::parallel_shared;
    const TensorIndex input = shared ? normed : norm_before(builder, arch.norm, feed_forward_words, stream);
    TensorIndex output = layer.kind.mixture ? build_mixture(builder, input) : build_feed_forward(builder, input);
    output = norm_after(builder, arch.norm, feed_forward_words, output);
    std::vector<TensorIndex> terms{stream, output};
    if (!in_turn) terms.insert(terms.begin() + 1, mixed);
    stream = add(builder, feed_forward_words, std::move(terms));
    builder.close();
    return stream;
}

namespace {

// Columns of the embedding: the residual stream's, unless a matrix leads from one to the other.
Expr embedding_columns(const Architecture& arch) {
    return arch.embedding_dim ? Expr(Symbol::embedding_dim) : Expr(Symbol::dim);
}

}  // namespace

namespace {

// Gemma's is the root of the width.
Scaling scaling_of_rows(const GraphBuilder& builder) {
    const Architecture& arch = builder.arch;
    const double factor = builder.computation.embedding_scale;
    const auto width = static_cast<double>(arch.embedding_dim.value_or(arch.dim));
    return {factor, factor != 1 && std::abs(factor - std::sqrt(width)) <= 1e-9 * factor};
}

}  // namespace

namespace {

TensorIndex add_token_types(GraphBuilder& builder, TensorIndex stream) {
    const Shape tokens{Symbol::tokens}, table_shape{Symbol::token_types, Symbol::dim};
    const TensorIndex types =
        builder.tensor({"types", Part::token_type_embedding, "Token types", "types", tokens,
                        "for each token which part of the input it is of, a number below {n_t}", Role::input});
    const TensorIndex table = builder.parameter(
        "token_types.weight",
        {"token_types.weight", Part::token_type_embedding, "Token type embedding", "E_type", table_shape,
         "One row of {d} numbers for each of {n_t} types, such as first and second sentence, added to the token's row.",
         Role::parameter});
    return builder.node(Op::add_types, {stream, types}, {table},
                        {"typed", Part::token_type_embedding, "With token types", "X_t", stream_shape(),
                         "each token's row plus its type's row"});
}

}  // namespace

TensorIndex build_embedding(GraphBuilder& builder) {
    const Architecture& arch = builder.arch;
    builder.component = Component::embedding;
    const Expr columns = embedding_columns(arch);
    const Shape tokens{Symbol::tokens}, table_shape{Symbol::vocab, columns}, rows{Symbol::tokens, columns};
    TensorIndex ids = builder.tensor({"tokens", Part::token_embedding, "Token ids", "ids", tokens,
                                      "the text, cut into tokens, each a number below {V}", Role::input});
    TensorIndex table = builder.parameter(
        "embedding.weight",
        {"embedding.weight", Part::token_embedding, "Embedding", "E", table_shape,
         arch.embedding_dim
             ? "One row of {d_emb} numbers for each of the {V} tokens of the vocabulary; looked up, not multiplied."
             : "One row of {d} numbers for each of the {V} tokens of the vocabulary; looked up, not multiplied.",
         Role::parameter});
    const bool learned = arch.positions == Positions::learned;
    const bool more = learned || arch.embedding_norm || arch.embedding_dim || arch.token_types > 0;
    TensorIndex stream = builder.node(Op::embed, {ids}, {table},
                                      {"embedded", Part::token_embedding, more ? "Embedded tokens" : "Residual stream",
                                       more ? "X_e" : "X^(0)", rows, "one row of the embedding for each token"},
                                      scaling_of_rows(builder));
    if (arch.embedding_dim)
        stream = builder.linear(
            stream,
            {"embedding_projection", Part::embedding_projection, "Embedding projection", "W_in", "b_in", Symbol::dim,
             false, "Leads from the embedding's {d_emb} numbers to the residual stream's {d}."},
            {"projected", "Projected tokens", "X_p", "each token's {d_emb} numbers made into {d}"});
    if (arch.token_types > 0) stream = add_token_types(builder, stream);
    if (learned) {
        const Shape all_positions{Expr(Symbol::context) + arch.position_offset, Symbol::dim};
        TensorIndex positions = builder.parameter(
            "positions.weight",
            {"positions.weight", Part::position_embedding, "Position embedding", "E_pos", all_positions,
             "One row of {d} numbers for each of {C} positions, added to the token's row.", Role::parameter});
        stream = builder.node(Op::add_positions, {stream}, {positions},
                              {"positioned", Part::position_embedding, "Residual stream", "X^(0)", stream_shape(),
                               "each token's row plus its position's row"},
                              PositionRows{arch.position_offset});
    }
    if (arch.embedding_norm)
        stream = builder.norm(stream, arch.norm, {"embedding_norm", Part::embedding_norm, "Embedding norm"});
    return stream;
}

namespace {

// BERT's: what stands for the whole text.
void build_pooler(GraphBuilder& builder, TensorIndex stream) {
    const Shape row{1, Symbol::dim};
    const TensorIndex first = builder.node(
        Op::first_row, {stream}, {},
        {"first", Part::pooler, "First token", "X_1", row, "the first token's {d} numbers", Role::activation, true});
    const TensorIndex made =
        builder.linear(first,
                       {"pooler", Part::pooler, "Pooler", "W_p", "b_p", Symbol::dim, true,
                        "Turns the first token's {d} numbers into {d} that stand for the text."},
                       {"made", "Pooler's sum", "P'", "the first token's numbers times the pooler"});
    builder.node(Op::activate, {made}, {},
                 {"pooled", Part::pooler, "Pooled", "P", row, "tanh of each: what stands for the whole text"},
                 GateRule{Activation::tanh, {}});
}

// Where BERT's head is not the embedding, the bias that they would share is stored all the same, and read by nothing.
void add_idle_bias(GraphBuilder& builder, const Expr& outputs) {
    const Shape each{outputs};
    const TensorIndex idle =
        builder.parameter("idle_head_bias.bias", {"idle_head_bias", Part::idle_head_bias, "Idle head bias", "b_idle",
                                                  each, "stored with the head, and read by nothing", Role::parameter});
    builder.graph.tensors[idle].bias = true;
}

// BERT's, before the scores of a hidden token.
TensorIndex build_transform(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const Activation activation = arch.layer.feed_forward.activation;
    const TensorIndex made =
        builder.linear(stream,
                       {"head_transform", Part::head_transform, "Head transform", "W_t", "b_t", Symbol::dim, true,
                        "Mixes each token's {d} numbers once more before they are compared with the vocabulary."},
                       {"transformed", "Transformed", "U_t", "each token's {d} numbers mixed once more"});
    const TensorIndex hidden = builder.node(
        Op::activate, {made}, {},
        {"head_hidden", Part::head_transform, "Head's hidden", "H_t", stream_shape(), info(activation).hidden},
        GateRule{activation, {}});
    return builder.norm(hidden, arch.norm, {"head_norm", Part::head_norm, "Head norm"});
}

}  // namespace

void build_output(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    builder.component = Component::output;
    if (arch.norm.final) stream = builder.norm(stream, arch.norm, {"final_norm", Part::final_norm, "Final norm"});
    if (arch.output == OutputKind::pooler) build_pooler(builder, stream);
    if (!has_head(arch)) return;
    const bool masked = arch.output == OutputKind::masked;
    if (masked) stream = build_transform(builder, stream);
    if (arch.embedding_dim)
        stream = builder.linear(stream,
                                {"output_projection", Part::output_projection, "Output projection", "W_emb", "b_emb",
                                 embedding_columns(arch), false,
                                 "Leads from the residual stream's {d} numbers to the embedding's {d_emb}."},
                                {"narrowed", "Projected stream", "X_p", "each token's {d} numbers made into {d_emb}"});
    const LinearOutput logits{"logits", "Logits", "Z",
                              masked ? "for each token, one score for each token that may be hidden there"
                                     : "for each token, one score for each possible next token"};
    const LinearSpec head{
        "output_head",
        Part::output_head,
        "Output head",
        "W_out",
        "b_out",
        Symbol::vocab,
        arch.head_bias,
        arch.embedding_dim
            ? "Turns each token's {d_emb} numbers into one score for each of the {V} possible next tokens."
        : masked ? "Turns each token's {d} numbers into one score for each of the {V} tokens that may stand there."
                 : "Turns each token's {d} numbers into one score for each of the {V} possible next tokens."};
    const LinearRule rule{.scale = builder.computation.logit_scale,
                          .soft_cap = builder.computation.logit_soft_cap,
                          .transposed = arch.tied};
    if (!arch.tied) {
        const TensorIndex scores = builder.linear(stream, head, logits, rule);
        if (masked && arch.head_bias) add_idle_bias(builder, builder.shape(scores)[1]);
        return;
    }
    const TensorIndex table = builder.graph.nodes.front().parameters.front();
    const Shape scores{Symbol::tokens, Symbol::vocab};
    builder.graph.tied_head = table;
    std::vector<TensorIndex> parameters{table};
    if (const std::optional<TensorIndex> bias = builder.bias(head)) parameters.push_back(*bias);
    builder.node(Op::linear, {stream}, std::move(parameters),
                 {logits.name, head.part, logits.label, logits.symbol, scores, logits.meaning}, rule);
}

ModelGraph expand(const Architecture& arch, const Computation& computation, Cache cache) {
    if (arch.layer.attention.sight == Sight::full) cache = Cache::empty;
    GraphBuilder builder(arch, computation);
    builder.graph.guess = computation.guess;
    builder.graph.cache = cache;
    TensorIndex stream = build_embedding(builder);
    for (LayerGroup& group : layer_groups(arch)) {
        builder.open(BlockKind::layer, group.id, layer_count(arch, group));
        const auto block = static_cast<BlockIndex>(builder.graph.blocks.size() - 1);
        stream = build_layer(builder, {group.kind, cache}, stream);
        builder.close();
        builder.graph.layers.push_back({block, std::move(group)});
    }
    build_output(builder, stream);
    build_checkpoint(builder.graph, arch);
    return std::move(builder.graph);
}

ModelGraph expand(const Architecture& arch, Cache cache) {
    const Result<Computation> computation = computation_of(arch);
    if (computation) return expand(arch, *computation, cache);
    const auto columns = static_cast<double>(bindings(arch, Input{})[Symbol::head_dim].value_or(1));
    ModelGraph graph = expand(arch, Computation{.score_scale = 1 / std::sqrt(columns)}, cache);
    graph.unread = computation.error();
    return graph;
}

ModelGraph expand(const Architecture& arch, const Input& input) {
    return expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
}

}  // namespace headcount
