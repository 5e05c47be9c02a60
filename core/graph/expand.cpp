// Expands an architecture into its graph: embedding, one layer for each kind of layers (attention and
// feed-forward, their norms, and how both join the residual stream), output.
#include <algorithm>
#include <numbers>
#include <span>
#include <string_view>

#include "core/graph/builder.hpp"

namespace headcount {

namespace {

// What a sub-block calls its norms and what it leaves on the stream.
struct Words {
    Part norm, output_norm;
    std::string_view norm_label, output_norm_label, sum_label, symbol, meaning;
    std::string_view sum = "stream";
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

// The same where something comes behind it.
constexpr Words fed_words{Part::feed_forward_norm,
                          Part::feed_forward_output_norm,
                          "FFN norm",
                          "FFN output norm",
                          "After the FFN",
                          "X''",
                          "the residual stream with the feed-forward's output added"};

// Of a mixer behind which no feed-forward comes: what it adds to is what the layer makes.
Words as_last(Words words) {
    words.sum_label = feed_forward_words.sum_label;
    words.symbol = feed_forward_words.symbol;
    words.meaning = feed_forward_words.meaning;
    return words;
}

// Of a mixer with LAuReL beside it.
Words with_laurel(Words words) {
    words.meaning = "the residual stream, what the mixer made, what it read and a part of that, over the root of 2";
    return words;
}

// The norms of such layers, which may stand elsewhere where there is a state.
Norm norm_of(const Architecture& arch, const LayerKind& kind) {
    Norm norm = arch.norm;
    if (kind.recurrent && arch.layer.recurrence->norms_first) norm.placement = NormPlacement::before;
    return norm;
}

TensorIndex norm_before(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex stream) {
    if (norm.placement != NormPlacement::before && norm.placement != NormPlacement::both) return stream;
    return builder.norm(stream, norm, {"norm", words.norm, words.norm_label});
}

TensorIndex norm_after(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex output,
                       bool anyway = false) {
    if (!anyway && norm.placement != NormPlacement::after && norm.placement != NormPlacement::both) return output;
    return builder.norm(output, norm, {"output_norm", words.output_norm, words.output_norm_label});
}

// What the sub-blocks made, added to the stream; the last sum of a layer may be multiplied by a stored number.
TensorIndex add(GraphBuilder& builder, const Norm& norm, const Words& words, std::vector<TensorIndex> terms,
                bool last = false, std::optional<Computation::NormedResidual::Factors> factors = {}) {
    const bool normed = norm.placement == NormPlacement::after_sum;
    std::vector<TensorIndex> scale;
    if (last && builder.arch.layer.scaled)
        scale.push_back(builder.parameter("scale.weight", {"scale", Part::layer_scale, "Layer scale", "s", Shape{1},
                                                           "One number that multiplies what the layer makes; trained "
                                                           "by no gradient.",
                                                           Role::buffer}));
    TensorIndex sum =
        builder.node(Op::add, std::move(terms), std::move(scale),
                     {normed ? "sum" : words.sum, Part::residual, normed ? "Sum" : words.sum_label,
                      normed ? "X_s" : words.symbol, builder.stream(), words.meaning},
                     factors ? Scaling{.factor = factors->output / factors->stream, .whole = factors->stream}
                             : Scaling{builder.computation.residual_scale});
    if (!normed) return sum;
    return builder.norm(sum, norm,
                        {.name = "output_norm",
                         .part = words.output_norm,
                         .label = words.output_norm_label,
                         .output = words.sum,
                         .symbol = words.symbol,
                         .output_label = words.sum_label});
}

// What a sub-block made, each column times a trained number (Touvron et al. 2021).
TensorIndex scale_branch(GraphBuilder& builder, Part part, TensorIndex made) {
    if (!builder.arch.layer.branch_scale) return made;
    const Shape columns{Symbol::dim};
    const TensorIndex numbers = builder.parameter(
        "branch_scale.weight", {"branch_scale", part, "Branch scale", "λ", columns,
                                "One number for each of {d} columns that multiplies what is added.", Role::parameter});
    const Shape rows = builder.shape(made);
    return builder.node(Op::scale_columns, {made}, {numbers},
                        {"scaled", part, "Scaled output", "Y_λ", rows, "each column times its number"});
}

TensorIndex add_cross_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Norm& norm = builder.arch.norm;
    builder.open(BlockKind::cross, "cross_attention");
    TensorIndex found = build_cross_attention(builder, layer, norm_before(builder, norm, cross_words, stream));
    found = norm_after(builder, norm, cross_words, found);
    stream = add(builder, norm, cross_words, {stream, found});
    builder.close();
    return stream;
}

// The dense feed-forward and experts, each behind norms of its own, added up (Gemma 4).
TensorIndex build_dense_and_experts(GraphBuilder& builder, const LayerKind& kind, TensorIndex input,
                                    TensorIndex stream) {
    const Norm& norm = builder.arch.norm;
    builder.open(BlockKind::shared, "dense");
    TensorIndex dense = build_feed_forward(builder, kind, input);
    dense = builder.norm(
        dense, norm,
        {.name = "last_norm", .part = Part::dense_output_norm, .label = "Dense output norm", .symbol = "F_d"});
    builder.close();
    const TensorIndex routed = builder.norm(
        stream, norm, {.name = "router_norm", .part = Part::router_norm, .label = "Router norm", .symbol = "X_r"});
    const TensorIndex of_experts = builder.norm(
        stream, norm,
        {.name = "mixture_norm", .part = Part::mixture_input_norm, .label = "Mixture norm", .symbol = "X_e"});
    TensorIndex experts = build_mixture(builder, kind, of_experts, routed);
    experts = builder.norm(experts, norm,
                           {.name = "mixture_output_norm",
                            .part = Part::mixture_output_norm,
                            .label = "Mixture output norm",
                            .symbol = "F_m"});
    return builder.node(Op::sum, {dense, experts}, {},
                        {"both", Part::expert_down, "Dense and experts", "F_b", builder.stream(),
                         "what the dense feed-forward and the experts make, added up"},
                        Scaling{});
}

constexpr Words own_words{Part::layer_gate,
                          Part::layer_output_norm,
                          "",
                          "Own output norm",
                          "Output of the layer",
                          "X^(i+1)",
                          "the residual stream that the next layer reads"};

// What is added to a mixer's output: what it read, and that through a bottleneck (LAuReL, Menghani et al. 2024).
std::vector<TensorIndex> build_laurel(GraphBuilder& builder, TensorIndex input) {
    if (!builder.arch.layer.laurel_rank) return {};
    const TensorIndex narrow =
        builder.linear(input,
                       {"laurel_down", Part::laurel_down, "LAuReL down projection", "W_ld", "b_ld", Symbol::laurel_rank,
                        false, "Brings each token's {d} numbers to {r_l}, beside attention."},
                       {"laurel_narrow", "LAuReL bottleneck", "B_l", "each token's {d} numbers brought to {r_l}"});
    const TensorIndex wide =
        builder.linear(narrow,
                       {"laurel_up", Part::laurel_up, "LAuReL up projection", "W_lu", "b_lu", Symbol::dim, false,
                        "Brings the {r_l} numbers back to the {d} of the residual stream."},
                       {"laurel", "LAuReL's output", "L", "{r_l} numbers brought back to width {d}"});
    return {input,
            builder.norm(wide, builder.arch.norm,
                         {.name = "laurel_norm", .part = Part::laurel_norm, .label = "LAuReL norm", .symbol = "L_n"})};
}

// Attention and a recurrence that read the same, each in a block of its own, and what both make.
TensorIndex build_side_by_side(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    builder.open(BlockKind::mixer, block_name(builder.arch.layer.recurrence->kind));
    builder.component = Component::recurrence;
    const TensorIndex read = build_recurrence(builder, layer.kind, input);
    builder.close();
    builder.open(BlockKind::mixer, "attention");
    const TensorIndex found = build_attention_of(builder, layer, input);
    builder.close();
    builder.graph.tensors[read].symbol = "Y_s";
    builder.graph.tensors[found].symbol = "Y_a";
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
    const Words words = layer.kind.feed_forward || arch.layer.stream_copies ? own : as_last(own);
    const Norm norm = norm_of(arch, layer.kind);
    const std::string_view name = recurrent ? block_name(arch.layer.recurrence->kind) : "attention";
    const TensorIndex read = layer.kind.shared ? add_shared(builder, layer, stream) : stream;
    builder.open(BlockKind::mixer, both ? "mixer" : name);
    builder.component = recurrent ? Component::recurrence : Component::attention;
    Mixed mixed{.stream = stream, .normed = layer.kind.unnormed ? read : norm_before(builder, norm, words, read)};
    const std::vector<TensorIndex> laurel = build_laurel(builder, mixed.normed);
    TensorIndex made = both        ? build_side_by_side(builder, layer, mixed.normed)
                       : recurrent ? build_recurrence(builder, layer.kind, mixed.normed)
                                   : build_attention_of(builder, layer, mixed.normed);
    made = scale_branch(builder, Part::attention_scale, norm_after(builder, norm, words, made));
    const auto& residual = builder.computation.normed_residual;
    if (residual)
        mixed.stream = add(builder, norm, words, {mixed.normed, made}, false,
                           recurrent ? residual->recurrence : residual->attention);
    else if (!laurel.empty()) {
        builder.graph.tensors[made].symbol = "Y_n";  // beside what the mixer read
        mixed.stream = add(builder, norm, with_laurel(words), {stream, made, laurel[0], laurel[1]},
                           !layer.kind.feed_forward && !layer.own,
                           Computation::NormedResidual::Factors{std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2});
    } else if (arch.layer.joining == Joining::in_turn || !layer.kind.feed_forward)
        mixed.stream = add(builder, norm, words, {stream, made}, !layer.kind.feed_forward && !layer.own);
    else
        mixed.waiting = made;
    builder.close();
    return mixed;
}

TensorIndex add_own(GraphBuilder& builder, TensorIndex own, TensorIndex stream) {
    builder.open(BlockKind::own, "layer_input");
    stream = add(builder, builder.arch.norm, own_words, {stream, build_own(builder, own, stream)}, true);
    builder.close();
    return stream;
}

TensorIndex build_blocks(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Architecture& arch = builder.arch;
    Mixed mixed{.stream = stream};
    if (layer.kind.attention || layer.kind.recurrent) mixed = build_mixer(builder, layer, stream);
    stream = mixed.stream;
    if (layer.memory) stream = add_cross_attention(builder, layer, stream);
    if (!layer.kind.feed_forward) return stream;

    builder.open(BlockKind::feed_forward, "feed_forward");
    builder.component = Component::feed_forward;
    const Norm norm = norm_of(arch, layer.kind);
    const bool shared = arch.layer.joining == Joining::parallel_shared && mixed.waiting;
    const TensorIndex input = shared ? mixed.normed : norm_before(builder, norm, feed_forward_words, stream);
    const bool both = layer.kind.mixture && arch.layer.mixture->beside_dense;
    TensorIndex output = both                 ? build_dense_and_experts(builder, layer.kind, input, stream)
                         : layer.kind.mixture ? build_mixture(builder, layer.kind, input, input)
                                              : build_feed_forward(builder, layer.kind, input);
    const bool of_experts = layer.kind.mixture && arch.layer.mixture->output_norm;
    output = norm_after(builder, norm, feed_forward_words, output, of_experts);
    output = scale_branch(builder, Part::feed_forward_scale, output);
    if (const auto& residual = builder.computation.normed_residual) {
        stream = add(builder, norm, feed_forward_words, {input, output}, false, residual->feed_forward);
        builder.close();
        return stream;
    }
    std::vector<TensorIndex> terms{stream, output};
    if (mixed.waiting) terms.insert(terms.begin() + 1, *mixed.waiting);
    const bool last = !layer.own && !arch.layer.stream_copies && !layer.kind.convolved;
    stream = add(builder, norm, last ? feed_forward_words : fed_words, std::move(terms), !layer.own);
    builder.close();
    return layer.own ? add_own(builder, *layer.own, stream) : stream;
}

}  // namespace

TensorIndex build_layer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    if (!builder.arch.layer.stream_copies) {
        const TensorIndex made = build_blocks(builder, layer, stream);
        return layer.kind.convolved ? add_first_convolution(builder, stream, made) : made;
    }
    LayerBuild first = layer;
    first.own.reset();
    OwnOf own;
    if (layer.own) own = [&](TensorIndex from) { return build_own(builder, *layer.own, from); };
    return build_layer_of_copies(
        builder, stream, [&](TensorIndex from) { return build_blocks(builder, first, from); }, own);
}

namespace {

// From token ids through its layers and its final norm.
TensorIndex build_stack(GraphBuilder& builder, std::span<LayerGroup> groups, LayerBuild layer,
                        std::optional<TensorIndex> table) {
    TensorIndex stream = build_embedding(builder, table);
    if (builder.arch.layer.embedding) layer.own = build_layer_embedding(builder, stream);
    if (builder.arch.layer.stream_copies) stream = build_copies(builder, stream);
    if (Tensor& first = builder.graph.tensors[stream]; first.role == Role::activation) {  // whatever made it last
        first.label = "Residual stream";
        first.symbol = "X^(0)";
    }
    if (!builder.arch.layer.attention.relative_by_layer) layer.relative = build_distances(builder);
    layer.distances = build_distance_rows(builder);
    const LayerKinds kinds(builder.arch, !groups.empty() && groups.front().kind.encoder);
    for (LayerGroup& group : groups) {
        builder.open(BlockKind::layer, group.name, kinds.count(group));
        const auto block = static_cast<BlockIndex>(builder.graph.blocks.size() - 1);
        layer.kind = group.kind;
        builder.layer = group.first;
        stream = build_layer(builder, layer, stream);
        build_besides(builder, &group);
        builder.close();
        builder.graph.layers.push_back({block, std::move(group)});
    }
    if (builder.arch.layer.stream_copies) stream = join_copies(builder, stream);
    const Norm& norm = builder.arch.norm;
    if (!norm.final) return stream;
    builder.component = Component::output;
    const bool source = builder.rows == Expr(Symbol::source);
    Norm last = norm;
    last.bias = norm.bias && norm.final_bias;
    last.epsilon = builder.computation.final_norm_epsilon.value_or(norm.epsilon);
    return builder.norm(stream, last,
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
    builder.graph.unread = computation.refused;
    builder.graph.cache = cache;
    builder.graph.tied_layers = arch.tied_layers;
    std::vector<LayerGroup> groups = layer_groups(arch);
    builder.graph.tensors.reserve(64 * (groups.size() + 1));  // about as many as a layer of each kind has
    if (!arch.encoder) {
        build_output(builder, build_stack(builder, groups, {.cache = cache}, {}));
    } else {
        builder.component = Component::embedding;
        std::optional<TensorIndex> table;
        if (!arch.encoder->own_embedding) table = build_table(builder);
        const std::span<LayerGroup> all(groups);
        const auto encoding = static_cast<std::size_t>(
            std::ranges::count_if(all, [](const LayerGroup& group) { return group.kind.encoder; }));
        builder.open(BlockKind::stack, "encoder");
        builder.rows = Symbol::source;
        const TensorIndex memory = build_stack(builder, all.first(encoding), {.cache = Cache::empty}, table);
        builder.close();
        builder.open(BlockKind::stack, "decoder");
        builder.rows = Symbol::tokens;
        const TensorIndex stream =
            build_stack(builder, all.subspan(encoding), {.cache = cache, .memory = memory}, table);
        builder.close();
        build_output(builder, stream);
    }
    build_besides(builder, nullptr);
    build_senses(builder);
    build_checkpoint(builder.graph, arch);
    return std::move(builder.graph);
}

ModelGraph expand(const Architecture& arch, Cache cache) { return expand(arch, arch.family->computation(arch), cache); }

ModelGraph expand(const Architecture& arch, const Input& input) {
    return expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
}

}  // namespace headcount
