// Expands an architecture into its graph: embedding, one layer for each kind of layers (attention and
// feed-forward, their norms, and how both join the residual stream), output.
#include <cmath>
#include <span>
#include <string_view>

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
constexpr Words cross_words{Part::attention_norm,
                            Part::attention_output_norm,
                            "Cross-attention norm",
                            "Cross-attention output norm",
                            "After cross-attention",
                            "X''",
                            "the residual stream with what was found in the other text added"};
constexpr Words recurrence_words{Part::attention_norm,
                                 Part::attention_output_norm,
                                 "Recurrence norm",
                                 "Recurrence output norm",
                                 "After the recurrence",
                                 "X'",
                                 "the residual stream with what was read from the states added"};
constexpr Words both_words{Part::attention_norm,
                           Part::attention_output_norm,
                           "Norm before both",
                           "Norm of both outputs",
                           "After both",
                           "X'",
                           "the residual stream with what attention found and what was read from the states added"};
constexpr Words feed_forward_words{Part::feed_forward_norm,
                                   Part::feed_forward_output_norm,
                                   "FFN norm",
                                   "FFN output norm",
                                   "Output of the layer",
                                   "X^(i+1)",
                                   "the residual stream that the next layer reads"};

// Of a mixer behind which no feed-forward comes: what it adds to is what the layer makes.
Words as_last(Words words) {
    words.sum_label = feed_forward_words.sum_label;
    words.symbol = feed_forward_words.symbol;
    words.meaning = feed_forward_words.meaning;
    return words;
}

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
                                    normed ? "X_s" : words.symbol, builder.stream(), words.meaning},
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

TensorIndex add_cross_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Norm& norm = builder.arch.norm;
    builder.open(BlockKind::cross, "cross_attention");
    TensorIndex found = build_cross_attention(builder, layer, norm_before(builder, norm, cross_words, stream));
    found = norm_after(builder, norm, cross_words, found);
    stream = add(builder, cross_words, {stream, found});
    builder.close();
    return stream;
}

TensorIndex build_attention_of(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    builder.component = Component::attention;
    return builder.arch.layer.attention.latent ? build_latent_attention(builder, layer, input)
                                               : build_attention(builder, layer, input);
}

// Attention and a recurrence that read the same, each in a block of its own, and what both make.
TensorIndex build_both(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    builder.open(BlockKind::mixer, block_name(builder.arch.layer.recurrence->kind));
    builder.component = Component::recurrence;
    const TensorIndex read = build_recurrence(builder, input);
    builder.close();
    builder.open(BlockKind::mixer, "attention");
    const TensorIndex found = build_attention_of(builder, layer, input);
    builder.close();
    return builder.node(Op::sum, {read, found}, {},
                        {"output", Part::attention_output, "Both outputs", "Y", builder.stream(),
                         "what was read from the states, and what attention found"},
                        Scaling{});
}

// What a mixer leaves: the stream, and what is added to it only with what the feed-forward makes.
struct Mixed {
    TensorIndex stream = 0, normed = 0;
    std::optional<TensorIndex> waiting = {};
};

Mixed build_mixer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    const bool recurrent = layer.kind.recurrent, both = recurrent && layer.kind.attention;
    const Words& own = both ? both_words : recurrent ? recurrence_words : attention_words;
    const Words words = layer.kind.feed_forward ? own : as_last(own);
    const std::string_view name = both        ? "mixer"
                                  : recurrent ? block_name(arch.layer.recurrence->kind)
                                              : "attention";
    builder.open(BlockKind::mixer, name);
    builder.component = recurrent ? Component::recurrence : Component::attention;
    Mixed mixed{.stream = stream, .normed = norm_before(builder, arch.norm, words, stream)};
    TensorIndex made = both        ? build_both(builder, layer, mixed.normed)
                       : recurrent ? build_recurrence(builder, mixed.normed)
                                   : build_attention_of(builder, layer, mixed.normed);
    made = norm_after(builder, arch.norm, words, made);
    if (arch.layer.joining == Joining::in_turn || !layer.kind.feed_forward)
        mixed.stream = add(builder, words, {stream, made});
    else
        mixed.waiting = made;
    builder.close();
    return mixed;
}

}  // namespace

TensorIndex build_layer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    Mixed mixed{.stream = stream};
    if (layer.kind.attention || layer.kind.recurrent) mixed = build_mixer(builder, layer, stream);
    stream = mixed.stream;
    if (layer.memory) stream = add_cross_attention(builder, layer, stream);
    if (!layer.kind.feed_forward) return stream;

    builder.open(BlockKind::feed_forward, "feed_forward");
    builder.component = Component::feed_forward;
    const bool shared = arch.layer.joining == Joining::parallel_shared && mixed.waiting;
    const TensorIndex input = shared ? mixed.normed : norm_before(builder, arch.norm, feed_forward_words, stream);
    TensorIndex output = layer.kind.mixture ? build_mixture(builder, input) : build_feed_forward(builder, input);
    output = norm_after(builder, arch.norm, feed_forward_words, output);
    std::vector<TensorIndex> terms{stream, output};
    if (mixed.waiting) terms.insert(terms.begin() + 1, *mixed.waiting);
    stream = add(builder, feed_forward_words, std::move(terms));
    builder.close();
    return stream;
}

namespace {

// What each of a stack's layers adds to scores for the distance between tokens.
std::optional<TensorIndex> build_distances(GraphBuilder& builder) {
    if (!scores_distances(builder.arch)) return std::nullopt;
    builder.component = Component::attention;
    const Shape shape{Symbol::relative_buckets, Symbol::heads};
    return builder.parameter("relative_bias.weight",
                             {"relative_bias", Part::relative_bias, "Distance biases", "b_dist", shape,
                              "For each of {n_b} ranges of distances between tokens what each of {h} heads adds to "
                              "the score; the same in all layers of the stack.",
                              Role::parameter});
}

// From token ids through its layers and its final norm.
TensorIndex build_stack(GraphBuilder& builder, std::span<LayerGroup> groups, LayerBuild layer,
                        std::optional<TensorIndex> table) {
    TensorIndex stream = build_embedding(builder, table);
    layer.relative = build_distances(builder);
    for (LayerGroup& group : groups) {
        builder.open(BlockKind::layer, group.name, layer_count(builder.arch, group));
        const auto block = static_cast<BlockIndex>(builder.graph.blocks.size() - 1);
        layer.kind = group.kind;
        stream = build_layer(builder, layer, stream);
        builder.close();
        builder.graph.layers.push_back({block, std::move(group)});
    }
    const Norm& norm = builder.arch.norm;
    if (!norm.final) return stream;
    builder.component = Component::output;
    const bool source = builder.rows == Expr(Symbol::source);
    return builder.norm(stream, norm,
                        {.name = "final_norm",
                         .part = Part::final_norm,
                         .label = "Final norm",
                         .symbol = source ? "M" : "X_n",
                         .output_label = source ? "What the encoder made" : ""});
}

}  // namespace

ModelGraph expand(const Architecture& arch, const Computation& computation, Cache cache) {
    if (sees_all(arch)) cache = Cache::empty;
    GraphBuilder builder(arch, computation);
    builder.graph.guess = computation.guess;
    builder.graph.cache = cache;
    std::vector<LayerGroup> groups = layer_groups(arch);
    if (!arch.encoder) {
        build_output(builder, build_stack(builder, groups, {.cache = cache}, {}));
    } else {
        builder.component = Component::embedding;
        const TensorIndex table = build_table(builder);
        const std::span<LayerGroup> all(groups);
        builder.open(BlockKind::stack, "encoder");
        builder.rows = Symbol::source;
        const TensorIndex memory = build_stack(builder, all.first(1), {.cache = Cache::empty}, table);
        builder.close();
        builder.open(BlockKind::stack, "decoder");
        builder.rows = Symbol::tokens;
        const TensorIndex stream = build_stack(builder, all.subspan(1), {.cache = cache, .memory = memory}, table);
        builder.close();
        build_output(builder, stream);
    }
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
