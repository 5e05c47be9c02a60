// Grouped-query attention (Ainslie et al. 2023): multi-head (Vaswani et al. 2017) with h_kv = h, multi-query
// (Shazeer 2019) with h_kv = 1. And what latent attention shares with it.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// The sizes of heads, which layers without a window may have of their own, and words for them.
struct HeadSizes {
    bool full;
    Symbol columns = full ? Symbol::full_head_dim : Symbol::head_dim;
    Symbol kv_heads = full ? Symbol::full_kv_heads : Symbol::kv_heads;

    template <std::size_t N>
    struct Text {
        std::array<char, N> letters{};
        constexpr Text(const char (&text)[N]) { std::copy(text, text + N, letters.begin()); }
    };
    // The words, which speak of {d_h} and {h_kv}, with the symbols of these sizes in their place.
    template <Text text>
    std::string_view say() const {
        static constexpr auto of_full = [] {
            std::string_view words(text.letters.data(), text.letters.size() - 1);
            auto letters = text.letters;
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (words.substr(i).starts_with("{d_h}")) letters[i + 3] = 'g';
                if (words.substr(i).starts_with("h_kv}")) letters[i + 3] = 'g';
            }
            return letters;
        }();
        const auto& letters = full ? of_full : plain<text>;
        return {letters.data(), letters.size() - 1};
    }
    template <Text text>
    static constexpr auto plain = text.letters;
};

HeadSizes sizes_of(const Architecture& arch, const LayerKind& kind) {
    return {.full = arch.layer.attention.full && !kind.windowed && !kind.encoder};
}

struct Projected {
    TensorIndex queries, keys, values;     // (T, h·d_h), (T, h_kv·d_h), (T, h_kv·d_h)
    std::optional<TensorIndex> gate = {};  // (T, h·d_h)
};

TensorIndex build_queries(GraphBuilder& builder, const HeadSizes& sizes, TensorIndex input) {
    const bool bias = builder.arch.layer.attention.qkv_bias;
    const LinearRule rule{.clip = builder.computation.clip_qkv};
    const Expr query_columns = Expr(Symbol::heads) * sizes.columns;
    return builder.linear(
        input,
        {"query", Part::query, "Query projection", "W_q", "b_q", query_columns, bias,
         sizes.say<
             "Turns each token's {d} numbers into a query of {d_h} numbers for each of {h} heads: what that head looks "
             "for.">()},
        {"queries", "Queries", "Q", sizes.say<"{h} heads of {d_h}: what each token looks for">()}, rule);
}

// Queries from `input`, keys and values from `other`: the same, or what an encoder made.
Projected project(GraphBuilder& builder, const HeadSizes& sizes, TensorIndex input, TensorIndex other,
                  const Mask& mask) {
    const bool bias = builder.arch.layer.attention.qkv_bias;
    const bool once = mask.sees_later() && mask.kind != Mask::Kind::cross;
    const std::string_view used_once = sizes.say<"{h_kv} heads of {d_h}, used at once, not cached">();
    const bool cross = mask.kind == Mask::Kind::cross;
    const LinearRule rule{.clip = builder.computation.clip_qkv};
    const Expr query_columns = Expr(Symbol::heads) * sizes.columns;
    const Expr key_columns = Expr(sizes.kv_heads) * sizes.columns;
    Projected made{
        build_queries(builder, sizes, input),
        builder.linear(
            other,
            {"key", Part::key, "Key projection", "W_k", "b_k", key_columns,
             bias && builder.arch.layer.attention.key_bias,
             sizes.say<"Turns each token's {d} numbers into a key of {d_h} numbers for each of {h_kv} key/value "
                       "heads: what the token offers.">()},
            {"keys", "Keys", "K",
             once    ? used_once
             : cross ? sizes.say<"{h_kv} KV heads of {d_h}: what each token of the source offers">()
                     : sizes.say<"{h_kv} KV heads of {d_h}: what each token offers">()},
            rule),
        0,
    };
    const std::optional<FullHeads>& full_heads = builder.arch.layer.attention.full;
    made.values =
        sizes.full && full_heads->keys_are_values
            ? made.keys
            : builder.linear(
                  other,
                  {"value", Part::value, "Value projection", "W_v", "b_v", key_columns, bias,
                   sizes.say<"Turns each token's {d} numbers into a value of {d_h} numbers for each of {h_kv} "
                             "key/value heads: what "
                             "the token passes on.">()},
                  {"values", "Values", "V",
                   once    ? used_once
                   : cross ? sizes.say<"{h_kv} KV heads of {d_h}: what each token of the source passes on">()
                           : sizes.say<"{h_kv} KV heads of {d_h}: what each token passes on">()},
                  rule);
    if (builder.arch.layer.attention.output_gate && mask.kind != Mask::Kind::cross)
        made.gate =
            builder.linear(input,
                           {"gate", Part::attention_gate, "Attention gate", "W_g", "b_g", query_columns,
                            bias && builder.arch.layer.attention.gate_bias,
                            sizes.say<"Decides, for each token, how much passes of what {h} heads of {d_h} find.">()},
                           {"gates", "Gates", "G_o", "how much passes of what the heads find"});
    return made;
}

// Queries of its own, for keys and values that an earlier layer of the kind has made, normed and turned.
Projected borrow(GraphBuilder& builder, const LayerBuild& layer, const HeadSizes& sizes, TensorIndex input) {
    const Shape seen{tokens_seen(layer), Expr(sizes.kv_heads) * sizes.columns};
    const auto of_earlier = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol) {
        return builder.tensor({name, part, label, symbol, seen,
                               "those of the last layer of this kind that has its own, as it remembers them",
                               Role::input});
    };
    const TensorIndex queries = build_queries(builder, sizes, input);
    return {queries, of_earlier("borrowed_keys", Part::key, "Borrowed keys", "K_b"),
            of_earlier("borrowed_values", Part::value, "Borrowed values", "V_b")};
}

// Queries and keys rescaled before they meet (Henry et al. 2020).
void normalize(GraphBuilder& builder, const HeadSizes& sizes, Projected& projected) {
    const Attention& attention = builder.arch.layer.attention;
    Norm norm = builder.arch.norm;
    norm.scale = attention.qk_norm != QkNorm::plain;
    norm.bias = attention.qk_norm_bias && norm.scale;
    const bool by_head = attention.qk_norm != QkNorm::across;
    const auto weights = [&](Symbol heads) -> Shape {
        if (!by_head) return {Expr(heads) * sizes.columns};
        if (attention.qk_norm == QkNorm::each_head) return {heads, sizes.columns};
        return {sizes.columns};
    };
    projected.queries = builder.norm(projected.queries, norm,
                                     {"query_norm", Part::query_norm, "Query norm", "queries_normed", "Q_n",
                                      sizes.columns, weights(Symbol::heads), "Queries, rescaled", by_head});
    if (!builder.graph.producer(projected.keys)) return;  // an earlier layer's are as it made them
    projected.keys = builder.norm(projected.keys, norm,
                                  {"key_norm", Part::key_norm, "Key norm", "keys_normed", "K_n", sizes.columns,
                                   weights(sizes.kv_heads), "Keys, rescaled", by_head});
}

// Values rescaled without weights (Gemma 4).
void normalize_values(GraphBuilder& builder, const HeadSizes& sizes, Projected& projected) {
    Norm norm = builder.arch.norm;
    norm.scale = norm.bias = false;
    projected.values = builder.norm(projected.values, norm,
                                    {"value_norm", Part::value_norm, "Value norm", "values_normed", "V_n",
                                     sizes.columns, std::nullopt, "Values, rescaled", true});
}

// Queries and keys turned by their position (Su et al. 2021); the values stay, but where a type turns them too.
void rotate(GraphBuilder& builder, const LayerKind& kind, Projected& projected) {
    const HeadSizes sizes = sizes_of(builder.arch, kind);
    const std::optional<std::int64_t> turned_columns = builder.arch.layer.attention.rotary_dim;
    const Rotation rotation =
        rotation_of(builder, kind, sizes.columns, 0, turned_columns ? Expr(*turned_columns) : Expr(sizes.columns));
    constexpr std::string_view turned = "pairs of columns turned by the token's position";
    const Shape queries = builder.shape(projected.queries), keys = builder.shape(projected.keys);
    projected.queries =
        builder.node(Op::rotate, {projected.queries}, {},
                     {"queries_rotated", Part::query, "Queries, rotated", "Q_rot", queries, turned}, rotation);
    if (kind.borrows) return;
    projected.keys = builder.node(Op::rotate, {projected.keys}, {},
                                  {"keys_rotated", Part::key, "Keys, rotated", "K_rot", keys, turned}, rotation);
    if (!builder.computation.turns_values) return;
    const Shape values = builder.shape(projected.values);
    projected.values =
        builder.node(Op::rotate, {projected.values}, {},
                     {"values_rotated", Part::value, "Values, rotated", "V_rot", values, turned}, rotation);
}

// The keys and values of earlier tokens with those of this pass behind them, (seen, h_kv·d_h), and what is kept of
// them. Without a window all that is seen is kept.
void remember(GraphBuilder& builder, const LayerBuild& layer, Projected& projected) {
    const Mask mask = mask_of(builder.arch, layer.kind);
    if (mask.sees_later()) return;  // no later token comes
    if (layer.kind.borrows) return;
    const HeadSizes sizes = sizes_of(builder.arch, layer.kind);
    const Expr columns = Expr(sizes.kv_heads) * sizes.columns;
    const Shape seen{tokens_seen(layer), columns};
    if (!layer.kind.windowed) {
        projected.keys =
            builder.node(Op::append_cache, {projected.keys}, {},
                         {"key_cache", Part::key, "Key cache", "K_cache", seen, kept_meaning, Role::cache}, mask);
        projected.values =
            builder.node(Op::append_cache, {projected.values}, {},
                         {"value_cache", Part::value, "Value cache", "V_cache", seen, kept_meaning, Role::cache}, mask);
        return;
    }
    constexpr std::string_view in_sight = "those of the last {W} tokens that are still in the window, and the new ones";
    constexpr std::string_view last = "the last {W} tokens at most: no later token sees further back";
    const Expr all = layer.cache == Cache::empty ? Expr(Symbol::tokens) : Expr(Symbol::cached) + Symbol::tokens;
    const Shape kept{min(all, Symbol::window), columns};
    projected.keys = builder.node(
        Op::append_cache, {projected.keys}, {},
        {"keys_seen", Part::key, "Keys in the window", "K_W", seen, in_sight, Role::activation, true}, mask);
    projected.values = builder.node(
        Op::append_cache, {projected.values}, {},
        {"values_seen", Part::value, "Values in the window", "V_W", seen, in_sight, Role::activation, true}, mask);
    builder.node(Op::keep_window, {projected.keys}, {},
                 {"key_cache", Part::key, "Key cache", "K_cache", kept, last, Role::cache}, mask);
    builder.node(Op::keep_window, {projected.values}, {},
                 {"value_cache", Part::value, "Value cache", "V_cache", kept, last, Role::cache}, mask);
}

}  // namespace

Expr tokens_seen(const LayerBuild& layer) {
    if (layer.kind.encoder) return Symbol::source;
    if (layer.cache == Cache::empty) return Symbol::tokens;
    const Expr cached = layer.kind.windowed ? min(Symbol::cached, Expr(Symbol::window) - 1) : Expr(Symbol::cached);
    return cached + Symbol::tokens;
}

Mask mask_of(const Architecture& arch, const LayerKind& kind) {
    const bool full = kind.encoder || sees_all(arch);
    if (kind.encoder && kind.windowed) return {Mask::Kind::around, arch.layer.attention.window->size};
    if (full && kind.windowed) return {Mask::Kind::around, arch.layer.attention.window->size / 2};
    if (full) return {.kind = Mask::Kind::full};
    if (!kind.windowed) return {};
    const AttentionWindow& window = *arch.layer.attention.window;
    return {window.chunked ? Mask::Kind::chunk : Mask::Kind::window, window.size};
}

Rotation rotation_of(const GraphBuilder& builder, const LayerKind& kind, const Expr& head, const Expr& first,
                     const Expr& columns) {
    return {rope_of(builder.computation, kind.windowed), head, first, columns};
}

namespace {

ScoreRule score_rule(const GraphBuilder& builder, const LayerKind& kind, bool relative) {
    const Computation& computation = builder.computation;
    const auto columns = static_cast<double>(bindings(builder.arch, Input{})[Symbol::head_dim].value_or(1));
    ScoreRule rule{.factor = computation.score_scale,
                   .rooted = std::abs(computation.score_scale - 1 / std::sqrt(columns)) <= 1e-9,
                   .by_layer = computation.score_scale_by_layer,
                   .soft_cap = computation.score_soft_cap,
                   .alibi = computation.alibi};
    const std::optional<QueryTemperature>& temperature = computation.query_temperature;
    if (temperature && (temperature->everywhere || !kind.rotated)) rule.temperature = temperature;
    if (relative)
        rule.relative = RelativeRule{builder.arch.layer.attention.relative_buckets, computation.relative_distance,
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
    const bool unscaled = !rule.rooted && rule.factor == 1;
    if (unscaled) compared = "every query against every key";
    if (!rule.rooted && !unscaled) compared = "every query against every key, times a factor of the model's own";
    std::vector<TensorIndex> distances;
    if (relative) {
        distances.push_back(*layer.relative);
        compared = "every query against every key, plus what the head adds for the distance between them";
    }
    TensorIndex scores = builder.node(Op::scores, {head.queries, head.keys}, std::move(distances),
                                      {"scores", Part::scores, "Scores", "S", pairs, compared}, std::move(rule));
    std::string_view meaning = "the future masked, softmax: every row sums to 1";
    if (head.mask.kind == Mask::Kind::around)
        meaning = "all but those around the token masked, softmax: every row sums to 1";
    else if (layer.kind.windowed)
        meaning = attention.window->chunked
                      ? "the future and all earlier chunks masked, softmax: every row sums to 1"
                      : "the future and all before the window masked, softmax: every row sums to 1";
    std::vector<TensorIndex> parameters;
    if (head.sinks) parameters.push_back(*head.sinks);
    if (head.mask.kind == Mask::Kind::full) meaning = "softmax: every row sums to 1, and every token sees every token";
    if (head.mask.kind == Mask::Kind::cross)
        meaning = "softmax: every row sums to 1, over all tokens that the encoder has read";
    if (head.sinks) meaning = "masked, softmax with the head's sink: what the sink takes is missing from the row's 1";
    TensorIndex weights = builder.node(Op::masked_softmax, {scores}, std::move(parameters),
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
    const TensorIndex mixed = weigh_and_mix(builder, layer, head, wide);
    builder.close();
    return join_and_project(builder, mixed, sizes.columns, projected.gate);
}

}  // namespace

TensorIndex build_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Attention& attention = builder.arch.layer.attention;
    const Mask mask = mask_of(builder.arch, layer.kind);
    const HeadSizes sizes = sizes_of(builder.arch, layer.kind);
    Projected projected =
        layer.kind.borrows ? borrow(builder, layer, sizes, input) : project(builder, sizes, input, input, mask);
    const bool plain = attention.qk_norm == QkNorm::plain;  // then turned ones alone (Llama 4)
    const bool after = plain || builder.computation.normed_after_turn;
    if (builder.computation.value_norm && !layer.kind.borrows) normalize_values(builder, sizes, projected);
    if (attention.qk_norm != QkNorm::none && !after) normalize(builder, sizes, projected);
    if (layer.kind.rotated) rotate(builder, layer.kind, projected);
    if (attention.qk_norm != QkNorm::none && after && (layer.kind.rotated || !plain))
        normalize(builder, sizes, projected);
    remember(builder, layer, projected);
    LayerBuild own = layer;
    if (attention.relative_by_layer) own.relative = build_distances(builder);
    return attend(builder, own, projected, {.mask = mask, .sinks = build_sinks(builder)});
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
