// Grouped-query attention (Ainslie et al. 2023): multi-head (Vaswani et al. 2017) with h_kv = h, multi-query
// (Shazeer 2019) with h_kv = 1.
#include "core/graph/attention.hpp"

namespace headcount {
namespace {

// All heads side by side.
Expr query_columns() {
    return Expr(Symbol::heads) * Symbol::head_dim;
}
Expr key_columns() {
    return Expr(Symbol::kv_heads) * Symbol::head_dim;
}

struct Projected {
    TensorIndex queries, keys, values;  // (T, h·d_h), (T, h_kv·d_h), (T, h_kv·d_h)
};

Projected project(GraphBuilder& builder, const Architecture& arch, TensorIndex input) {
    constexpr Component component = Component::attention;
    bool bias = arch.layer.attention.qkv_bias;
    return {
        builder.linear(
            input,
            {"query", Part::query, component, "Query projection", "W_q", "b_q", Symbol::dim, query_columns(), bias,
             "Turns each token's {d} numbers into a query of {d_h} numbers for each of {h} heads: what that head looks "
             "for."},
            made_by_attention("queries", Part::query, "Queries", "Q", {Symbol::tokens, query_columns()},
                              "{h} heads of {d_h}: what each token looks for")),
        builder.linear(input,
                       {"key", Part::key, component, "Key projection", "W_k", "b_k", Symbol::dim, key_columns(), bias,
                        "Turns each token's {d} numbers into a key of {d_h} numbers for each of {h_kv} key/value "
                        "heads: what the token offers."},
                       made_by_attention("keys", Part::key, "Keys", "K", {Symbol::tokens, key_columns()},
                                         "{h_kv} KV heads of {d_h}: what each token offers")),
        builder.linear(
            input,
            {"value", Part::value, component, "Value projection", "W_v", "b_v", Symbol::dim, key_columns(), bias,
             "Turns each token's {d} numbers into a value of {d_h} numbers for each of {h_kv} key/value heads: what "
             "the token passes on."},
            made_by_attention("values", Part::value, "Values", "V", {Symbol::tokens, key_columns()},
                              "{h_kv} KV heads of {d_h}: what each token passes on")),
    };
}

// The weights of a norm of queries or keys of `heads` heads.
Shape norm_weights(QkNorm kind, Symbol heads) {
    if (kind == QkNorm::across) return {Expr(heads) * Symbol::head_dim};
    if (kind == QkNorm::each_head) return {heads, Symbol::head_dim};
    return {Symbol::head_dim};
}

// Queries and keys rescaled before they meet (Henry et al. 2020).
void normalize(GraphBuilder& builder, const Architecture& arch, Projected& projected) {
    const Attention& attention = arch.layer.attention;
    Norm norm = arch.norm;
    norm.scale = attention.qk_norm != QkNorm::plain;
    norm.bias = attention.qk_norm_bias && norm.scale;
    const bool each_head = attention.qk_norm != QkNorm::across;
    projected.queries =
        builder.norm(projected.queries, norm,
                     {"query_norm", Part::query_norm, "Query norm", "queries_normed", "Q_n", Symbol::head_dim,
                      norm_weights(attention.qk_norm, Symbol::heads), "Queries, rescaled", each_head});
    projected.keys = builder.norm(projected.keys, norm,
                                  {"key_norm", Part::key_norm, "Key norm", "keys_normed", "K_n", Symbol::head_dim,
                                   norm_weights(attention.qk_norm, Symbol::kv_heads), "Keys, rescaled", each_head});
}

// Queries and keys turned by their position (Su et al. 2021); the values stay.
void rotate(GraphBuilder& builder, Projected& projected) {
    projected.queries = builder.node(
        Op::rotate, {projected.queries}, {},
        made_by_attention("queries_rotated", Part::query, "Queries, rotated", "Q_rot",
                          {Symbol::tokens, query_columns()}, "pairs of columns turned by the token's position"));
    projected.keys = builder.node(
        Op::rotate, {projected.keys}, {},
        made_by_attention("keys_rotated", Part::key, "Keys, rotated", "K_rot", {Symbol::tokens, key_columns()},
                          "pairs of columns turned by the token's position"));
}

// The keys and values of earlier tokens with those of this pass behind them, (seen, h_kv·d_h), and what is kept of
// them. Without a window all that is seen is kept.
void remember(GraphBuilder& builder, const LayerBuild& layer, Projected& projected) {
    constexpr std::string_view kept = "kept, so that later tokens need not compute it again";
    const Expr seen = tokens_seen(layer);
    auto append = [&](TensorIndex made, std::string_view name, Part part, std::string_view label,
                      std::string_view symbol, std::string_view meaning, Role role) {
        return builder.node(Op::append_cache, {made}, {},
                            made_by_attention(name, part, label, symbol, {seen, key_columns()}, meaning, role,
                                              role == Role::activation));
    };
    if (!layer.kind.windowed) {
        projected.keys = append(projected.keys, "key_cache", Part::key, "Key cache", "K_cache", kept, Role::cache);
        projected.values =
            append(projected.values, "value_cache", Part::value, "Value cache", "V_cache", kept, Role::cache);
        return;
    }
    constexpr std::string_view in_sight = "those of the last {W} tokens that are still in the window, and the new ones";
    projected.keys =
        append(projected.keys, "keys_seen", Part::key, "Keys in the window", "K_W", in_sight, Role::activation);
    projected.values =
        append(projected.values, "values_seen", Part::value, "Values in the window", "V_W", in_sight, Role::activation);
    auto keep = [&](TensorIndex made, std::string_view name, Part part, std::string_view label,
                    std::string_view symbol) {
        builder.node(Op::keep_window, {made}, {},
                     made_by_attention(name, part, label, symbol, {tokens_kept(layer), key_columns()},
                                       "the last {W} tokens at most: no later token sees further back", Role::cache));
    };
    keep(projected.keys, "key_cache", Part::key, "Key cache", "K_cache");
    keep(projected.values, "value_cache", Part::value, "Value cache", "V_cache");
}

}  // namespace

TensorSpec made_by_attention(std::string_view name, Part part, std::string_view label, std::string_view symbol,
                             Shape shape, std::string_view meaning, Role role, bool view) {
    return {name, part, Component::attention, label, symbol, std::move(shape), meaning, role, view};
}

Expr tokens_seen(const LayerBuild& layer) {
    if (layer.cache == Cache::empty) return Symbol::tokens;
    const Expr cached = layer.kind.windowed ? min(Symbol::cached, Expr(Symbol::window) - 1) : Expr(Symbol::cached);
    return cached + Symbol::tokens;
}

Expr tokens_kept(const LayerBuild& layer) {
    const Expr all = layer.cache == Cache::empty ? Expr(Symbol::tokens) : Expr(Symbol::cached) + Symbol::tokens;
    return layer.kind.windowed ? min(all, Symbol::window) : all;
}

TensorIndex weigh_and_mix(GraphBuilder& builder, const LayerBuild& layer, const HeadInputs& head, const Expr& columns) {
    const Attention& attention = layer.arch.layer.attention;
    const Expr seen = tokens_seen(layer);
    const bool alibi = layer.arch.positions == Positions::alibi;
    std::string_view compared = "every query against every key, divided by the root of {d_h}";
    if (alibi)
        compared = "every query against every key, divided by the root of {d_h}, less the more tokens lie between";
    if (own_score_scale(layer.arch)) compared = "every query against every key, times a factor of the model's own";
    TensorIndex scores =
        builder.node(Op::scores, {head.queries, head.keys}, {},
                     made_by_attention("scores", Part::scores, "Scores", "S", {Symbol::tokens, seen}, compared));
    std::string_view meaning = "the future masked, softmax: every row sums to 1";
    if (layer.kind.windowed)
        meaning = attention.window->chunked
                      ? "the future and all earlier chunks masked, softmax: every row sums to 1"
                      : "the future and all before the window masked, softmax: every row sums to 1";
    std::vector<TensorIndex> parameters;
    if (head.sinks) parameters.push_back(*head.sinks);
    if (attention.sinks)
        meaning = "masked, softmax with the head's sink: what the sink takes is missing from the row's 1";
    TensorIndex weights =
        builder.node(Op::masked_softmax, {scores}, std::move(parameters),
                     made_by_attention("weights", Part::scores, "Weights", "A", {Symbol::tokens, seen}, meaning));
    return builder.node(Op::mix, {weights, head.values}, {},
                        made_by_attention("output", Part::scores, "Head output", "O_i", {Symbol::tokens, columns},
                                          "values mixed by the weights", Role::activation, true));
}

TensorIndex join_and_project(GraphBuilder& builder, const Architecture& arch, TensorIndex head, const Expr& columns) {
    constexpr Component component = Component::attention;
    const Expr joined_columns = Expr(Symbol::heads) * columns;
    const bool latent = arch.layer.attention.latent.has_value();
    TensorIndex joined =
        builder.node(Op::join_heads, {head}, {},
                     made_by_attention("joined", Part::scores, "Heads joined", "O", {Symbol::tokens, joined_columns},
                                       latent ? "{h} heads of {d_v} side by side" : "{h} heads of {d_h} side by side"));
    return builder.linear(
        joined,
        {"output", Part::attention_output, component, "Output projection", "W_o", "b_o", joined_columns, Symbol::dim,
         arch.layer.attention.output_bias,
         latent ? "Brings what {h} heads of {d_v} found back to the {d} numbers of the residual stream."
                : "Brings what {h} heads of {d_h} found back to the {d} numbers of the residual stream."},
        made_by_attention(
            "output", Part::attention_output, "Attention output", "Y", {Symbol::tokens, Symbol::dim},
            latent ? "{h} heads of {d_v} brought back to width {d}" : "{h} heads brought back to width {d}"));
}

std::optional<TensorIndex> build_sinks(GraphBuilder& builder, const Architecture& arch) {
    if (!arch.layer.attention.sinks) return std::nullopt;
    return builder.parameter("sinks.weight",
                             {"sinks",
                              Part::sinks,
                              Component::attention,
                              "Attention sinks",
                              "s",
                              {Symbol::heads},
                              "One score for each of {h} heads that takes weight and gives no value: a head that has "
                              "nothing to look at looks here.",
                              Role::parameter});
}

TensorIndex build_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Attention& attention = layer.arch.layer.attention;
    Projected projected = project(builder, layer.arch, input);
    const bool plain = attention.qk_norm == QkNorm::plain;
    if (attention.qk_norm != QkNorm::none && !plain) normalize(builder, layer.arch, projected);
    if (layer.kind.rotated) rotate(builder, projected);
    if (plain && layer.kind.rotated) normalize(builder, layer.arch, projected);  // Llama 4's order
    remember(builder, layer, projected);
    std::optional<TensorIndex> sinks = build_sinks(builder, layer.arch);

    // One head: everything in here happens h times. Only where query heads share a key/value head is there that to say.
    const bool shared = kv_heads(layer.arch) < attention.heads;
    const Expr seen = tokens_seen(layer);
    builder.open("head", Symbol::heads);
    auto take = [&](TensorIndex from, std::string_view name, Part part, std::string_view label, std::string_view symbol,
                    const Expr& rows, std::string_view meaning) {
        return builder.node(
            Op::take_head, {from}, {},
            made_by_attention(name, part, label, symbol, {rows, Symbol::head_dim}, meaning, Role::activation, true));
    };
    HeadInputs head;
    head.queries = take(projected.queries, "queries", Part::query, "Queries of one head", "Q_i", Symbol::tokens,
                        "this head's {d_h} columns of Q");
    head.keys = take(
        projected.keys, "keys", Part::key, "Keys of one head", "K_i", seen,
        shared ? "this head's {d_h} columns of K, which serve {h/h_kv} query heads" : "this head's {d_h} columns of K");
    head.values = take(
        projected.values, "values", Part::value, "Values of one head", "V_i", seen,
        shared ? "this head's {d_h} columns of V, which serve {h/h_kv} query heads" : "this head's {d_h} columns of V");
    head.sinks = sinks;
    TensorIndex mixed = weigh_and_mix(builder, layer, head, Symbol::head_dim);
    builder.close();
    return join_and_project(builder, layer.arch, mixed, Symbol::head_dim);
}

}  // namespace headcount
