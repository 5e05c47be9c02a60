// What stands before the layers and behind them: embedding, with positions and kinds of tokens; output head, or what
// stands in its place.
#include <algorithm>
#include <cmath>

#include "core/arch/family.hpp"
#include "core/base/find.hpp"
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// Columns of the embedding: the residual stream's, unless a matrix leads from one to the other.
Expr embedding_columns(const Architecture& arch) {
    return arch.embedding_dim ? Expr(Symbol::embedding_dim) : Expr(Symbol::dim);
}

// Of all that is added to the rows: the residual stream's, but where a norm comes before the matrix that widens them.
bool widened_last(const Architecture& arch) { return arch.embedding_dim && arch.embedding_norm; }

Expr summed_columns(const Architecture& arch) {
    return widened_last(arch) ? embedding_columns(arch) : Expr(Symbol::dim);
}

// Gemma's is the root of the width.
Scaling scaling_of_rows(const GraphBuilder& builder) {
    const Architecture& arch = builder.arch;
    const double factor = builder.computation.embedding_scale;
    const auto width = static_cast<double>(arch.embedding_dim.value_or(arch.dim));
    return {factor, factor != 1 && std::abs(factor - std::sqrt(width)) <= 1e-9 * factor};
}

TensorIndex add_token_types(GraphBuilder& builder, TensorIndex stream) {
    const Shape tokens{Symbol::tokens}, table_shape{Symbol::token_types, summed_columns(builder.arch)};
    const Shape sum = builder.shape(stream);
    const TensorIndex types =
        builder.tensor({"types", Part::token_type_embedding, "Token types", "types", tokens,
                        "for each token which part of the input it is of, a number below {n_t}", Role::input});
    const TensorIndex table = builder.parameter(
        "token_types.weight",
        {"token_types.weight", Part::token_type_embedding, "Token type embedding", "E_type", table_shape,
         widened_last(builder.arch)
             ? "One row of {d_emb} numbers for each of {n_t} types, such as first and second sentence, added to the "
               "token's row."
             : "One row of {d} numbers for each of {n_t} types, such as first and second sentence, added to the "
               "token's row.",
         Role::parameter});
    return builder.node(
        Op::add_types, {stream, types}, {table},
        {"typed", Part::token_type_embedding, "With token types", "X_t", sum, "each token's row plus its type's row"});
}

// Whether the family has a module of the kind, or for the part.
bool has_module(const Family& family, ModuleKind kind) { return contains(family.modules, kind, &Module::kind); }
bool has_module(const Family& family, Part part) {
    return std::ranges::any_of(family.modules, [&](const Module& module) { return contains(module.parts, part); });
}

TensorIndex add_positions(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const Shape sum = builder.shape(stream);
    const bool of_source = arch.encoder && arch.encoder->context && builder.rows == Expr(Symbol::source);
    Expr places = Expr(of_source ? Symbol::encoder_context : Symbol::context) + arch.position_offset;
    if (arch.patches) places = patch_count(arch) + Symbol::class_tokens;
    const Shape all_positions{places, summed_columns(arch)};
    const bool waves = arch.positions == Positions::sinusoidal;
    std::string_view meaning = of_source
                                   ? "One row of {d} numbers for each of {C_enc} positions, added to the token's row."
                                   : "One row of {d} numbers for each of {C} positions, added to the token's row.";
    if (widened_last(arch)) meaning = "One row of {d_emb} numbers for each of {C} positions, added to the token's row.";
    if (arch.patches) meaning = "One row of {d} numbers for each patch and class token, added to its row.";
    if (waves)
        meaning = "One row of sines and cosines for each of {C} positions, added to the token's row; not trained.";
    const bool counted = !waves || has_module(*arch.family, ModuleKind::frozen);
    const TensorIndex positions = builder.parameter(
        "positions.weight", {"positions.weight", Part::position_embedding, "Position embedding", "E_pos", all_positions,
                             meaning, counted ? Role::parameter : Role::buffer});
    return builder.node(
        Op::add_positions, {stream}, {positions},
        {"positioned", Part::position_embedding, "With positions", "X_pos", sum,
         "each token's row plus its position's row"},
        PositionRows{arch.position_offset, waves ? std::optional(builder.computation.sinusoids) : std::nullopt});
}

TensorIndex widen(GraphBuilder& builder, TensorIndex stream) {
    return builder.linear(
        stream,
        {"embedding_projection", Part::embedding_projection, "Embedding projection", "W_in", "b_in", Symbol::dim,
         widened_last(builder.arch), "Leads from the embedding's {d_emb} numbers to the residual stream's {d}."},
        {"projected", "Projected tokens", "X_p", "each token's {d_emb} numbers made into {d}"});
}

}  // namespace

TensorIndex build_table(GraphBuilder& builder) {
    const Architecture& arch = builder.arch;
    builder.component = Component::embedding;
    const bool of_source = arch.encoder && arch.encoder->vocab && builder.rows == Expr(Symbol::source);
    const Shape shape{of_source ? Symbol::encoder_vocab : Symbol::vocab, embedding_columns(arch)};
    return builder.parameter(
        "embedding.weight",
        {"embedding.weight", Part::token_embedding, "Embedding", "E", shape,
         of_source ? "One row of {d} numbers for each of {V_enc} tokens of the source; looked up, not multiplied."
         : arch.embedding_dim
             ? "One row of {d_emb} numbers for each of the {V} tokens of the vocabulary; looked up, not multiplied."
             : "One row of {d} numbers for each of the {V} tokens of the vocabulary; looked up, not multiplied.",
         Role::parameter});
}

namespace {

TensorIndex embed_tokens(GraphBuilder& builder, std::optional<TensorIndex> shared) {
    const Architecture& arch = builder.arch;
    const Shape tokens{builder.rows}, rows{builder.rows, embedding_columns(arch)};
    const TensorIndex ids = builder.tensor({"tokens", Part::token_embedding, "Token ids", "ids", tokens,
                                            "the text, cut into tokens, each a number below {V}", Role::input});
    const TensorIndex table = shared ? *shared : build_table(builder);
    // Once more, as they are before positions and norms.
    if (builder.shared)
        builder.embedded = builder.node(Op::embed, {ids}, {table},
                                        {"kept", Part::kept_embedding, "Embedded tokens, kept", "E_0", rows,
                                         "one row of the embedding for each token, for layers that read it again"},
                                        scaling_of_rows(builder));
    return builder.node(
        Op::embed, {ids}, {table},
        {"embedded", Part::token_embedding, "Embedded tokens", "X_e", rows, "one row of the embedding for each token"},
        scaling_of_rows(builder));
}

}  // namespace

TensorIndex build_embedding(GraphBuilder& builder, std::optional<TensorIndex> shared) {
    const Architecture& arch = builder.arch;
    builder.component = Component::embedding;
    const bool learned = has_position_table(arch);
    const bool hears = arch.sound && (builder.rows == Expr(Symbol::source) || !arch.encoder);
    TensorIndex stream = arch.patches ? build_patches(builder)
                         : hears      ? build_sound(builder)
                                      : embed_tokens(builder, shared);
    if (arch.embedding_dim && !widened_last(arch)) stream = widen(builder, stream);
    if (arch.token_types > 0 && !arch.patches && !hears) stream = add_token_types(builder, stream);
    const bool norm_first = builder.computation.positions_behind_norm && builder.rows == Expr(Symbol::tokens);
    if (learned && !norm_first) stream = add_positions(builder, stream);
    if (arch.embedding_norm)
        stream = builder.norm(stream, arch.norm,
                              {.name = "embedding_norm",
                               .part = Part::embedding_norm,
                               .label = "Embedding norm",
                               .width = summed_columns(arch)});
    if (learned && norm_first) stream = add_positions(builder, stream);
    if (widened_last(arch)) stream = widen(builder, stream);
    if (arch.patches) stream = add_registers(builder, stream);
    if (hears) stream = build_position_convolutions(builder, stream);
    if (arch.mask_row && (arch.patches || hears)) build_mask_row(builder);
    return stream;
}

TensorIndex build_layer_embedding(GraphBuilder& builder, TensorIndex stream) {
    const LayerEmbedding& own = *builder.arch.layer.embedding;
    const Expr columns = Expr(Symbol::layers) * Symbol::layer_embedding_dim;
    const Shape table_shape{Symbol::layer_embedding_vocab, columns}, rows{builder.rows, columns};
    const TensorIndex ids = builder.graph.nodes.front().inputs.front();
    const TensorIndex table = builder.parameter(
        "layer_embedding.weight",
        {"layer_embedding.weight", Part::layer_embedding, "Layer embedding", "E_p", table_shape,
         "One row for each of {V_p} tokens: {p} numbers for each of {L} layers; looked up, not multiplied.",
         Role::parameter});
    const TensorIndex looked_up = builder.node(
        Op::embed, {ids}, {table},
        {"layer_rows", Part::layer_embedding, "Layer rows", "P_e", rows, "one row of that table for each token"},
        Scaling{std::sqrt(static_cast<double>(own.dim))});
    const TensorIndex made = builder.linear(
        stream,
        {"layer_projection", Part::layer_projection, "Layer projection", "W_p", "b_p", columns, false,
         "Makes of each token's {d} numbers {p} for each of {L} layers."},
        {"layer_projected", "Layer projections", "P_x", "{p} numbers for each layer, made of the token's row"},
        {.scale = 1 / std::sqrt(static_cast<double>(builder.arch.dim))});
    const TensorIndex normed = builder.norm(made, builder.arch.norm,
                                            {.name = "layer_norm",
                                             .part = Part::layer_input_norm,
                                             .label = "Layer input norm",
                                             .symbol = "P_n",
                                             .width = Symbol::layer_embedding_dim,
                                             .of_each_head = true});
    return builder.node(Op::add, {normed, looked_up}, {},
                        {"layer_inputs", Part::layer_embedding, "Layer inputs", "P", rows,
                         "what each layer has of the token by itself"},
                        Scaling{1, false, 1 / std::sqrt(2.0)});
}

// What the layer has of each token by itself, as much of it as the stream lets in (Gemma 3n).
TensorIndex build_own(GraphBuilder& builder, TensorIndex own, TensorIndex stream) {
    const Activation activation = builder.arch.layer.feed_forward.activation;
    const Shape narrow{builder.rows, Symbol::layer_embedding_dim};
    const TensorIndex gate = builder.linear(
        stream,
        {"gate", Part::layer_gate, "Own gate", "W_og", "b_og", Symbol::layer_embedding_dim, false,
         "Decides, for each token, how much passes of the {p} numbers that the layer has of it by itself."},
        {"gates", "Own gates", "G_p", "how much passes of what the layer has of the token by itself"});
    const TensorIndex numbers = builder.node(Op::take_columns, {own}, {},
                                             {"numbers", Part::layer_embedding, "Own numbers", "P_i", narrow,
                                              "the layer's {p} columns", Role::activation, true},
                                             ColumnRange{0, true});
    const TensorIndex hidden =
        builder.node(Op::gate, {gate, numbers}, {},
                     {"hidden", Part::layer_gate, "Own hidden", "H_p", narrow, info(activation).gated_hidden},
                     GateRule{activation, {}});
    const TensorIndex made =
        builder.linear(hidden,
                       {"output", Part::layer_output, "Own output projection", "W_op", "b_op", Symbol::dim, false,
                        "Brings the {p} numbers to the {d} of the residual stream."},
                       {"output", "Own output", "F_p", "{p} numbers brought to width {d}"});
    return builder.norm(made, builder.arch.norm, {"output_norm", Part::layer_output_norm, "Own output norm"});
}

namespace {

// BERT's: what stands for the whole text.
void build_pooler(GraphBuilder& builder, TensorIndex stream) {
    const Shape row{1, Symbol::dim};
    const auto made_before = std::ranges::find(builder.graph.nodes, Op::first_row, &Node::op);  // for CLIP's norm
    const TensorIndex first = made_before != builder.graph.nodes.end()
                                  ? made_before->output
                                  : builder.node(Op::first_row, {stream}, {},
                                                 {"first", Part::pooler, "First token", "X_1", row,
                                                  "the first token's {d} numbers", Role::activation, true});
    const TensorIndex made =
        builder.linear(first,
                       {"pooler", Part::pooler, "Pooler", "W_p", "b_p", Symbol::dim, true,
                        "Turns the first token's {d} numbers into {d} that stand for the text."},
                       {"made", "Pooler's sum", "P'", "the first token's numbers times the pooler"});
    builder.node(Op::activate, {made}, {},
                 {"pooled", Part::pooler, "Pooled", "P", row, "tanh of each: what stands for the whole text"},
                 GateRule{Activation::tanh, {}});
}

// A head's bias that has a name of its own: BART's is stored, and nothing trains it.
void rename_bias(GraphBuilder& builder, TensorIndex bias) {
    Tensor& tensor = builder.graph.tensors[bias];
    tensor.part = Part::logits_bias;
    if (!has_module(*builder.arch.family, ModuleKind::buffer_row)) return;
    tensor.role = Role::buffer;
    tensor.meaning = "a number added to each score, trained by no gradient";
}

// CLIP's: the class token's row, normed, stands for the image. A classifier stores that norm and reads other rows.
void build_first_norm(GraphBuilder& builder, TensorIndex stream) {
    const Shape channels{Symbol::dim}, row{1, Symbol::dim};
    if (!has_head(builder.arch)) {
        builder.component = Component::output;
        const TensorIndex first = builder.node(Op::first_row, {stream}, {},
                                               {"first", Part::first_norm, "First row", "X_1", row,
                                                "the class token's {d} numbers", Role::activation, true});
        builder.norm(first, builder.arch.norm,
                     {.name = "pooled_norm", .part = Part::first_norm, .label = "Pooled norm", .symbol = "P_n"});
        return;
    }
    builder.component = Component::norm;
    for (const bool bias : {false, true}) {
        const TensorIndex added = builder.idle(
            bias ? "idle_norm.bias" : "idle_norm.weight",
            {"idle_norm", Part::first_norm, "Idle norm", bias ? "b" : "g", channels,
             "stored for the class token's row behind the layers; a classifier reads others", Role::parameter});
        builder.graph.tensors[added].bias = bias;
    }
}

// The table of the last stack: the decoder's where each has its own.
TensorIndex last_table(const ModelGraph& graph) {
    TensorIndex table = 0;
    for (const Node& node : graph.nodes)
        if (node.op == Op::embed && !is_of_layer_embedding(graph.tensors[node.output].part))
            table = node.parameters.front();
    return table;
}

// BERT's, before the scores of a hidden token.
TensorIndex build_transform(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const Activation activation = builder.computation.head_activation.value_or(arch.layer.feed_forward.activation);
    const Expr columns = arch.transform_dim ? Expr(Symbol::transform_dim) : embedding_columns(arch);
    const Shape rows{Symbol::tokens, columns};
    const TensorIndex made = builder.linear(
        stream,
        {"head_transform", Part::head_transform, "Head transform", "W_t", "b_t", columns, arch.transform_bias,
         "Mixes each token's {d} numbers once more before they are compared with the vocabulary."},
        {"transformed", "Transformed", "U_t", "each token's {d} numbers mixed once more"});
    const TensorIndex hidden =
        builder.node(Op::activate, {made}, {},
                     {"head_hidden", Part::head_transform, "Head's hidden", "H_t", rows, info(activation).hidden},
                     GateRule{activation, {}});
    return builder.norm(hidden, arch.norm,
                        {.name = "head_norm", .part = Part::head_norm, .label = "Head norm", .width = columns});
}

// Whether the way from the stream to a narrow head is the way in, read the other way round: where such a head is the
// embedding, in a family that stores both ways alike.
bool goes_back_the_same_way(const Architecture& arch) {
    return arch.tied && std::ranges::any_of(arch.family->modules, [](const Module& module) {
               return module.kind == ModuleKind::conv1d && *module.parts.begin() == Part::output_projection;
           });
}

// Whether the model does so whatever reads it, and not its scores for tokens alone.
bool narrows_inside(const Family& family) {
    return std::ranges::any_of(family.modules, [](const Module& module) {
        return module.depth > 1 && std::ranges::count(module.parts, Part::output_projection) > 0;
    });
}

// (T, d_emb)
TensorIndex narrowed(GraphBuilder& builder, TensorIndex stream) {
    const LinearOutput output{"narrowed", "Projected stream", "X_p", "each token's {d} numbers made into {d_emb}"};
    if (!goes_back_the_same_way(builder.arch))
        return builder.linear(stream,
                              {"output_projection", Part::output_projection, "Output projection", "W_emb", "b_emb",
                               embedding_columns(builder.arch), false,
                               "Leads from the residual stream's {d} numbers to the embedding's {d_emb}."},
                              output);
    const auto way_in = std::ranges::find_if(builder.graph.tensors, [](const Tensor& tensor) {
        return tensor.role == Role::parameter && tensor.part == Part::embedding_projection;
    });
    const Shape rows{Symbol::tokens, embedding_columns(builder.arch)};
    return builder.node(Op::linear, {stream}, {static_cast<TensorIndex>(way_in - builder.graph.tensors.begin())},
                        {output.name, Part::output_projection, output.label, output.symbol, rows, output.meaning},
                        LinearRule{.transposed = true});
}

}  // namespace

void build_output(GraphBuilder& builder, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    if (has_module(*arch.family, Part::first_norm) && !arch.norm.final) build_first_norm(builder, stream);
    if (arch.pooling_head && reads_numbers(arch)) build_pooling_head(builder);
    builder.component = Component::output;
    if (arch.output == OutputKind::pooler) build_pooler(builder, stream);
    const bool masked = arch.output == OutputKind::masked,
               scores_tokens = masked || arch.output == OutputKind::language;
    const bool narrow = arch.embedding_dim && !reads_numbers(arch);
    if (masked) stream = build_transform(builder, stream);
    if (narrow && (scores_tokens ? !masked : narrows_inside(*arch.family))) stream = narrowed(builder, stream);
    if (arch.output == OutputKind::classes) return build_classifier(builder, stream);
    if (!scores_tokens) return;
    const LinearOutput logits{"logits", "Logits", "Z",
                              masked            ? "for each token, one score for each token that may be hidden there"
                              : generates(arch) ? "for each token, one score for each possible next token"
                                                : "for each row, one score for each token that it may be"};
    const LinearSpec head{
        "output_head",
        Part::output_head,
        "Output head",
        "W_out",
        "b_out",
        Symbol::vocab,
        arch.head_bias,
        arch.transform_dim && masked
            ? "Turns each token's {d_t} numbers into one score for each of the {V} tokens that may stand there."
        : narrow && masked
            ? "Turns each token's {d_emb} numbers into one score for each of the {V} tokens that may stand there."
        : narrow ? "Turns each token's {d_emb} numbers into one score for each of the {V} possible next tokens."
        : masked ? "Turns each token's {d} numbers into one score for each of the {V} tokens that may stand there."
                 : "Turns each token's {d} numbers into one score for each of the {V} possible next tokens."};
    const bool tied = arch.tied && !reads_numbers(arch);  // sound has no embedding that the head could be
    const LinearRule rule{
        .scale = builder.computation.logit_scale, .soft_cap = builder.computation.logit_soft_cap, .transposed = tied};
    const bool renamed = arch.head_bias && has_module(*arch.family, Part::logits_bias);
    if (!tied) {
        builder.linear(stream, head, logits, rule);
        if (renamed) rename_bias(builder, builder.graph.nodes.back().parameters.back());
        return;
    }
    const TensorIndex table = last_table(builder.graph);
    const Shape scores{Symbol::tokens, Symbol::vocab};
    builder.graph.tied_head = table;
    std::vector<TensorIndex> parameters{table};
    if (const std::optional<TensorIndex> bias = builder.bias(head)) parameters.push_back(*bias);
    if (renamed) rename_bias(builder, parameters.back());
    builder.node(Op::linear, {stream}, std::move(parameters),
                 {logits.name, head.part, logits.label, logits.symbol, scores, logits.meaning}, rule);
}

}  // namespace headcount
