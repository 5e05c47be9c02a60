// Grouped-query attention (Ainslie et al. 2023): multi-head (Vaswani et al. 2017) with h_kv = h, multi-query
// (Shazeer 2019) with h_kv = 1. And what latent attention shares with it.
#include <cmath>

#include "core/graph/attention_inputs.hpp"

namespace headcount {
namespace {

ScoreRule score_rule(const GraphBuilder& builder, const LayerKind& kind, bool relative) {
    const Computation& computation = builder.computation;
    const auto columns = static_cast<double>(bindings(builder.arch, Input{})[Symbol::head_dim].value_or(1));
    ScoreRule rule{.factor = computation.score_scale,
                   .rooted = std::abs(computation.score_scale -
                                      1 / std::sqrt(columns * static_cast<double>(computation.score_terms))) <= 1e-9,
                   .terms = computation.score_terms,
                   .by_layer = computation.score_scale_by_layer,
                   .soft_cap = computation.score_soft_cap,
                   .alibi = computation.alibi};
    const std::optional<QueryTemperature>& temperature = computation.query_temperature;
    if (temperature && (temperature->everywhere || !kind.rotated)) rule.temperature = temperature;
    if (relative)
        rule.relative = RelativeRule{builder.arch.layer.attention.relative_buckets,
                                     builder.gated_distances.value_or(computation.relative_distance),
                                     kind.encoder || sees_all(builder.arch)};
    return rule;
}

}  // namespace

TensorIndex weigh_and_mix(GraphBuilder& builder, const LayerBuild& layer, const HeadInputs& head, const Expr& columns) {
    const Attention& attention = builder.arch.layer.attention;
    const bool relative = layer.relative && head.mask.kind != Mask::Kind::cross;
    ScoreRule rule = score_rule(builder, layer.kind, relative);
    const Expr rows = builder.rows;
    const Shape pairs{rows, builder.shape(head.keys)[0]}, own{rows, columns};
    const HeadSizes sizes = sizes_of(builder.arch, layer.kind);
    std::string_view compared = sizes.say<"every query against every key, divided by the root of {d_h}">();
    if (builder.arch.positions == Positions::alibi)
        compared = sizes.say<
            "every query against every key, divided by the root of {d_h}, less the more tokens lie "
            "between">();
    if (rule.terms > 1)
        compared = sizes.say<"every query against every key, divided by the root of a multiple of {d_h}">();
    const bool unscaled = !rule.rooted && rule.factor == 1;
    if (unscaled) compared = "every query against every key";
    if (!rule.rooted && !unscaled) compared = "every query against every key, times a factor of the model's own";
    std::vector<TensorIndex> distances;
    if (relative) {
        distances.push_back(*layer.relative);
        compared = "every query against every key, plus what the head adds for the distance between them";
    }
    std::vector<TensorIndex> sides{head.queries, head.keys};
    if (head.distance_gate) {
        sides.push_back(*head.distance_gate);
        compared =
            "every query against every key, plus as much of what the head adds for their distance as the gate says";
    }
    if (!head.distances.empty()) {
        const auto ranges = evaluate(builder.distances->rows, bindings(builder.arch, Input{}));
        rule.relative = RelativeRule{.buckets = ranges ? *ranges : 0,
                                     .farthest = builder.computation.relative_distance,
                                     .both_ways = true,
                                     .centred = true};
        sides.insert(sides.end(), head.distances.begin(), head.distances.end());
        compared = "every query against every key, and what stands for their distance against either, scaled together";
    }
    TensorIndex scores = builder.node(Op::scores, std::move(sides), std::move(distances),
                                      {"scores", Part::scores, "Scores", "S", pairs, compared}, std::move(rule));
    std::string_view meaning = "the future masked, softmax: every row sums to one";
    if (head.mask.kind == Mask::Kind::around)
        meaning = "all but those around the token masked, softmax: every row sums to one";
    else if (layer.kind.windowed)
        meaning = attention.window->chunked
                      ? "the future and all earlier chunks masked, softmax: every row sums to one"
                      : "the future and all before the window masked, softmax: every row sums to one";
    std::vector<TensorIndex> parameters;
    if (head.sinks) parameters.push_back(*head.sinks);
    if (head.mask.kind == Mask::Kind::full)
        meaning = "softmax: every row sums to one, and every token sees every token";
    if (head.mask.kind == Mask::Kind::cross)
        meaning = "softmax: every row sums to one, over all tokens that the encoder has read";
    if (head.chosen) meaning = "softmax over the keys that are chosen: every row sums to one";
    if (head.sinks) meaning = "masked, softmax with the head's sink: what the sink takes is missing from the row's 1";
    std::vector<TensorIndex> softened{scores};
    if (head.chosen) softened.push_back(*head.chosen);
    TensorIndex weights = builder.node(Op::masked_softmax, std::move(softened), std::move(parameters),
                                       {"weights", Part::scores, "Weights", "A", pairs, meaning}, head.mask);
    return builder.node(
        Op::mix, {weights, head.values}, {},
        {"output", Part::scores, "Head output", "O_i", own, "values mixed by the weights", Role::activation, true});
}

TensorIndex join_and_project(GraphBuilder& builder, TensorIndex head, const Expr& columns,
                             std::optional<TensorIndex> gate) {
    const Architecture& arch = builder.arch;
    const bool latent = arch.layer.attention.latent.has_value();
    const bool differs = arch.layer.attention.differential && !latent;
    const HeadSizes sizes{.full = columns == Expr(Symbol::full_head_dim)};
    const Shape side_by_side{builder.rows, Expr(Symbol::heads) * columns},
        all{builder.rows, Expr(Symbol::heads) * builder.shape(head)[1]};
    TensorIndex joined = builder.node(Op::join_heads, {head}, {},
                                      {"joined", Part::scores, "Heads joined", "O", all,
                                       latent    ? std::string_view("{h} heads of {d_v} side by side")
                                       : differs ? std::string_view("{h} heads side by side, each as wide as two")
                                                 : sizes.say<"{h} heads of {d_h} side by side">()});
    if (differs) joined = subtract_pairs(builder, joined, columns);
    if (gate)
        joined = builder.node(Op::gate, {*gate, joined}, {},
                              {"gated", Part::attention_gate, "Gated", "O_g", side_by_side,
                               "what the heads found, times the sigmoid of the gate, cell by cell"},
                              GateRule{Activation::sigmoid, {}});
    if (arch.norm.inner)
        joined = builder.norm(joined, arch.norm,
                              {.name = "inner_norm",
                               .part = Part::attention_inner_norm,
                               .label = "Inner attention norm",
                               .symbol = "O_n",
                               .width = Expr(Symbol::heads) * columns});
    return builder.linear(
        joined,
        {"output", Part::attention_output, "Output projection", "W_o", "b_o", Symbol::dim,
         arch.layer.attention.output_bias,
         latent ? "Brings what {h} heads of {d_v} found back to the {d} numbers of the residual stream."
                : sizes.say<"Brings what {h} heads of {d_h} found back to the {d} numbers of the residual stream.">()},
        {"output", "Attention output", "Y",
         latent ? "{h} heads of {d_v} brought back to width {d}" : "{h} heads brought back to width {d}"});
}

std::optional<TensorIndex> build_distances(GraphBuilder& builder) {
    if (!scores_distances(builder.arch)) return std::nullopt;
    builder.component = Component::attention;
    const Shape shape{Symbol::relative_buckets, Symbol::heads};
    return builder.parameter("relative_bias.weight",
                             {"relative_bias", Part::relative_bias, "Distance biases", "b_dist", shape,
                              builder.arch.layer.attention.relative_by_layer
                                  ? "For each of {n_b} ranges of distances between tokens what each of {h} heads adds "
                                    "to the score; each layer has its own."
                                  : "For each of {n_b} ranges of distances between tokens what each of {h} heads adds "
                                    "to the score; the same in all layers of the stack.",
                              Role::parameter});
}

std::optional<TensorIndex> build_sinks(GraphBuilder& builder) {
    if (!builder.arch.layer.attention.sinks) return std::nullopt;
    const Shape heads{Symbol::heads};
    return builder.parameter("sinks.weight",
                             {"sinks", Part::sinks, "Attention sinks", "s", heads,
                              "One score for each of {h} heads that takes weight and gives no value: a head that has "
                              "nothing to look at looks here.",
                              Role::parameter});
}

namespace {

// Everything in a head happens h times. Only where query heads share a key/value head is there that to say.
TensorIndex attend(GraphBuilder& builder, const LayerBuild& layer, Projected projected, HeadInputs head) {
    const Attention& attention = builder.arch.layer.attention;
    const HeadSizes sizes = sizes_of(builder.arch, layer.kind);
    const bool pairs = attention.differential;
    const Expr wide = pairs ? Expr(2) * sizes.columns : sizes.columns;
    if (pairs) projected.values = pair_values(builder, projected.values, sizes.columns);
    const bool shared = (sizes.full ? attention.full->kv_heads : kv_heads(builder.arch)) < attention.heads;
    builder.open(BlockKind::head, "head", Symbol::heads);
    const auto take = [&](TensorIndex from, std::string_view name, Part part, std::string_view label,
                          std::string_view symbol, std::string_view meaning) {
        const bool of_queries = part == Part::query;
        const Expr& columns = part == Part::value ? wide : sizes.columns;
        const Shape own{builder.shape(from)[0], columns};
        return builder.node(
            Op::take_head, {from}, {}, {name, part, label, symbol, own, meaning, Role::activation, true},
            HeadRule{.step = columns, .share = of_queries || !shared ? Expr(1) : Expr(Symbol::heads) / sizes.kv_heads});
    };
    head.queries = take(projected.queries, "queries", Part::query, "Queries of one head", "Q_i",
                        sizes.say<"this head's {d_h} columns of Q">());
    head.keys = take(projected.keys, "keys", Part::key, "Keys of one head", "K_i",
                     shared ? sizes.say<"this head's {d_h} columns of K, which serve {h/h_kv} query heads">()
                            : sizes.say<"this head's {d_h} columns of K">());
    head.values = take(projected.values, "values", Part::value, "Values of one head", "V_i",
                       pairs    ? std::string_view("this head's columns, as wide as two heads")
                       : shared ? sizes.say<"this head's {d_h} columns of V, which serve {h/h_kv} query heads">()
                                : sizes.say<"this head's {d_h} columns of V">());
    for (const TensorIndex side : projected.distances) {
        const Part part = builder.graph.tensors[side].part;
        const bool keys = part == Part::relative_key;
        const Shape own{builder.shape(side)[0], sizes.columns};
        const bool grouped = shared && builder.shape(side)[1] == Expr(sizes.kv_heads) * sizes.columns;
        head.distances.push_back(builder.node(
            Op::take_head, {side}, {},
            {keys ? "distance_keys" : "distance_queries", part,
             keys ? "Keys of distances of one head" : "Queries of distances of one head", keys ? "K_r" : "Q_r", own,
             sizes.say<"this head's {d_h} columns of them">(), Role::activation, true},
            HeadRule{.step = sizes.columns, .share = grouped ? Expr(Symbol::heads) / sizes.kv_heads : Expr(1)}));
    }
    if (projected.distance_gate) head.distance_gate = gate_distances(builder, *projected.distance_gate);
    const TensorIndex mixed = weigh_and_mix(builder, layer, head, wide);
    builder.close();
    return join_and_project(builder, mixed, sizes.columns, projected.gate);
}

}  // namespace

TensorIndex build_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    Projected projected = build_inputs(builder, layer, input);
    projected.distances = build_distance_sides(builder, layer, sizes_of(builder.arch, layer.kind), projected);
    LayerBuild own = layer;
    if (builder.arch.layer.attention.relative_by_layer) own.relative = build_distances(builder);
    if (own.relative) projected.distance_gate = build_distance_gate(builder, input);
    return attend(builder, own, projected, {.mask = mask_of(builder.arch, layer.kind), .sinks = build_sinks(builder)});
}

TensorIndex build_attention_of(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    builder.component = Component::attention;
    return builder.arch.layer.attention.latent ? build_latent_attention(builder, layer, input)
                                               : build_attention(builder, layer, input);
}

// Queries of the decoder's tokens, keys and values of what the encoder made: those are made once, and stay.
TensorIndex build_cross_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Mask mask{.kind = Mask::Kind::cross};
    Projected projected = project(builder, {.full = false}, input, *layer.memory, mask);
    const Shape rows{Symbol::source, Expr(Symbol::kv_heads) * Symbol::head_dim};
    constexpr std::string_view once = "made once of what the encoder made, and kept for all tokens of the decoder";
    projected.keys = builder.node(Op::append_cache, {projected.keys}, {},
                                  {"key_cache", Part::key, "Key cache", "K_cache", rows, once, Role::cache}, mask);
    projected.values =
        builder.node(Op::append_cache, {projected.values}, {},
                     {"value_cache", Part::value, "Value cache", "V_cache", rows, once, Role::cache}, mask);
    return attend(builder, layer, projected, {.mask = mask});
}

}  // namespace headcount
