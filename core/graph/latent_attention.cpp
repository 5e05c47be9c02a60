// Multi-head latent attention (DeepSeek-AI 2024, DeepSeek-V2): keys and values are made from a bottleneck of r_kv
// numbers a token, which with one rotated key for all heads is all that is cached.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// A bottleneck's norm may have an epsilon of its own.
Norm narrow_norm(const GraphBuilder& builder) {
    Norm norm = builder.arch.norm;
    norm.epsilon = builder.computation.latent_norm_epsilon.value_or(norm.epsilon);
    return norm;
}

// (rows, h_x·d_x), or (rows, d_x) of keys: of each index head's columns the first d_r are turned, or the last.
TensorIndex turn_index(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input, Part part,
                       std::string_view name, std::string_view label, std::string_view symbol) {
    if (!layer.kind.rotated) return input;
    const IndexHeads& heads = builder.computation.index_heads;
    const Expr first = heads.turns_last ? Expr(Symbol::index_dim) - Symbol::rope_dim : Expr(0);
    Rotation rotation = rotation_of(builder, layer.kind, Symbol::index_dim, first, Symbol::rope_dim);
    rotation.rope.pairs = heads.pairs;
    const Shape shape = builder.shape(input);
    return builder.node(Op::rotate, {input}, {},
                        {name, part, label, symbol, shape,
                         heads.turns_last ? "the last {d_r} columns of each head turned by the token's position"
                                          : "the first {d_r} columns of each head turned by the token's position"},
                        std::move(rotation));
}

// (T, seen): which keys each token chooses to look at (DeepSeek-AI 2025, DeepSeek-V3.2). Small heads' queries from the
// bottleneck meet one key for all of them; how much each head counts is made of the input.
TensorIndex build_indexer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex bottleneck, TensorIndex input) {
    TensorIndex queries = builder.linear(
        bottleneck,
        {"index_query", Part::index_query, "Index query projection", "W_xq", "b_xq",
         Expr(Symbol::index_heads) * Symbol::index_dim, false,
         "Makes a query of {d_x} numbers for each of {h_x} heads that choose keys."},
        {"index_queries", "Index queries", "Q_x", "{h_x} heads of {d_x}: which keys matter to the token"});
    queries = turn_index(builder, layer, queries, Part::index_query, "index_queries_rotated", "Index queries, rotated",
                         "Q_xrot");
    const TensorIndex weights =
        builder.linear(input,
                       {"index_weight", Part::index_weight, "Index weights", "W_xw", "b_xw", Symbol::index_heads, false,
                        "Decides, for each token, how much each of {h_x} heads counts in the choice."},
                       {"index_weights", "Index weights", "w_x", "how much each of {h_x} heads counts"});
    TensorIndex keys =
        builder.linear(input,
                       {"index_key", Part::index_key, "Index key projection", "W_xk", "b_xk", Symbol::index_dim, false,
                        "Makes one key of {d_x} numbers, which all {h_x} heads compare with."},
                       {"index_keys", "Index keys", "K_x", "{d_x} numbers by which a token is chosen"});
    const double epsilon = builder.computation.index_heads.norm_epsilon.value_or(builder.arch.norm.epsilon);
    const Norm norm{.kind = NormKind::layer, .bias = true, .epsilon = epsilon};
    NormSpec spec{"index_norm", Part::index_norm, "Index key norm", {}, "K_xn", Symbol::index_dim};
    spec.own_offset = 0;
    keys = builder.norm(keys, norm, spec);
    keys = turn_index(builder, layer, keys, Part::index_key, "index_keys_rotated", "Index keys, rotated", "K_xrot");
    const Shape all_keys{tokens_seen(layer), Symbol::index_dim}, pairs{Symbol::tokens, tokens_seen(layer)};
    const Mask chosen = mask_of(builder.arch, layer.kind);
    Mask seen = chosen;
    seen.chosen = 0;  // a query is compared with every key, for them to be chosen from
    keys = builder.node(Op::append_cache, {keys}, {},
                        {"index_cache", Part::index_key, "Index key cache", "K_xcache", all_keys,
                         "kept for later tokens, whose index queries are compared with every one", Role::cache},
                        seen);
    const TensorIndex scores = builder.node(Op::index_scores, {queries, keys, weights}, {},
                                            {"index_scores", Part::index_scores, "Index scores", "I", pairs,
                                             "what each key is worth to the token, by all {h_x} index heads"},
                                            seen);
    return builder.node(Op::choose, {scores}, {},
                        {"chosen", Part::index_scores, "Keys chosen", "C_x", pairs,
                         "1 at the {k_x} keys that are worth most, which alone the heads look at"},
                        chosen);
}

// Without index heads of its own a layer takes the choice of the last that has them.
TensorIndex chosen_before(GraphBuilder& builder, const LayerBuild& layer) {
    const Shape pairs{Symbol::tokens, tokens_seen(layer)};
    return builder.tensor({"borrowed_choice", Part::index_scores, "Keys chosen before", "C_b", pairs,
                           "those that the last layer with index heads has chosen", Role::input});
}

// (T, h·d_h): of each head's columns the last d_r are turned by position. And which keys they look at, where that is
// chosen.
TensorIndex build_queries(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input,
                          std::optional<TensorIndex>& chosen) {
    const TensorIndex before = input;
    const Attention& attention = builder.arch.layer.attention;
    const bool bottleneck = attention.latent->query_rank.has_value();
    if (bottleneck) {
        input = builder.linear(
            input,
            {"query_down", Part::query_down, "Query down-projection", "W_dq", "b_dq", Symbol::query_rank,
             attention.qkv_bias,
             "Narrows each token's {d} numbers to {r_q}, from which the queries of all {h} heads are made."},
            {"query_latent", "Query bottleneck", "C_q", "each token narrowed to {r_q} numbers"});
        input = builder.norm(
            input, narrow_norm(builder),
            {"query_down_norm", Part::query_down_norm, "Query bottleneck norm", {}, "C_qn", Symbol::query_rank});
    }
    TensorIndex queries = builder.linear(
        input,
        {"query", Part::query, bottleneck ? "Query up-projection" : "Query projection", bottleneck ? "W_uq" : "W_q",
         "b_q", Expr(Symbol::heads) * Symbol::head_dim, false,
         "Makes a query of {d_h} numbers for each of {h} heads: {d_n} that know no position and {d_r} that are turned "
         "by it."},
        {"queries", "Queries", "Q", "{h} heads of {d_h}: what each token looks for"});
    const Shape shape = builder.shape(queries);
    if (layer.kind.rotated)
        queries = builder.node(Op::rotate, {queries}, {},
                               {"queries_rotated", Part::query, "Queries, rotated", "Q_rot", shape,
                                "the last {d_r} columns of each head turned by the token's position"},
                               rotation_of(builder, layer.kind, Symbol::head_dim, Symbol::nope_dim, Symbol::rope_dim));
    if (layer.kind.indexed)
        chosen = build_indexer(builder, layer, input, before);
    else if (attention.indexer)
        chosen = chosen_before(builder, layer);
    return queries;
}

struct Remembered {
    TensorIndex latent;  // (seen, r_kv)
    TensorIndex key;     // (seen, d_r)
};

// The bottleneck and the shared key of this pass, behind those of earlier tokens.
Remembered remember(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Expr seen = tokens_seen(layer);
    const Mask mask = mask_of(builder.arch, layer.kind);
    const Shape narrow{Symbol::tokens, Symbol::kv_rank}, turned{Symbol::tokens, Symbol::rope_dim};
    const Shape all_narrow{seen, Symbol::kv_rank}, all_turned{seen, Symbol::rope_dim};
    TensorIndex both = builder.linear(
        input,
        {"latent_down", Part::latent_down, "Key/value down-projection", "W_dkv", "b_dkv",
         Expr(Symbol::kv_rank) + Symbol::rope_dim, builder.arch.layer.attention.qkv_bias,
         "Narrows each token's {d} numbers to {r_kv}, from which all keys and values are made, and to one key of {d_r} "
         "numbers that all {h} heads share and position turns."},
        {"latent", "Bottleneck and shared key", "C",
         "{r_kv} numbers for all keys and values, and a key of {d_r} for all heads"});
    TensorIndex latent = builder.node(Op::take_columns, {both}, {},
                                      {"compressed", Part::latent_down, "Bottleneck", "C_kv", narrow,
                                       "the first {r_kv} columns", Role::activation, true},
                                      ColumnRange{0});
    TensorIndex key = builder.node(
        Op::take_columns, {both}, {},
        {"shared_key", Part::key, "Shared key", "K_r", turned, "the last {d_r} columns", Role::activation, true},
        ColumnRange{Symbol::kv_rank});
    latent = builder.norm(latent, narrow_norm(builder),
                          {"latent_norm", Part::latent_norm, "Bottleneck norm", {}, "C_n", Symbol::kv_rank});
    if (layer.kind.rotated)
        key = builder.node(Op::rotate, {key}, {},
                           {"shared_key_rotated", Part::key, "Shared key, rotated", "K_rot", turned,
                            "pairs of columns turned by the token's position"},
                           rotation_of(builder, layer.kind, Symbol::rope_dim, 0, Symbol::rope_dim));
    return {builder.node(Op::append_cache, {latent}, {},
                         {"latent_cache", Part::latent_down, "Bottleneck cache", "C_cache", all_narrow, kept_meaning,
                          Role::cache},
                         mask),
            builder.node(Op::append_cache, {key}, {},
                         {"key_cache", Part::key, "Shared key cache", "K_cache", all_turned, kept_meaning, Role::cache},
                         mask)};
}

}  // namespace

TensorIndex build_latent_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Expr seen = tokens_seen(layer);
    HeadInputs head{.mask = mask_of(builder.arch, layer.kind)};
    TensorIndex queries = build_queries(builder, layer, input, head.chosen);
    Remembered remembered = remember(builder, layer, input);
    TensorIndex keys_values = builder.linear(
        remembered.latent,
        {"latent_up", Part::latent_up, "Key/value up-projection", "W_ukv", "b_ukv",
         Expr(Symbol::heads) * (Expr(Symbol::nope_dim) + Symbol::value_dim), false,
         "Makes a key of {d_n} numbers and a value of {d_v} for each of {h} heads from a token's {r_kv}."},
        {"keys_values", "Keys and values", "KV", "{h} heads of {d_n} columns of keys and {d_v} of values"});
    head.sinks = build_sinks(builder);

    builder.open(BlockKind::head, "head", Symbol::heads);
    const auto take = [&](std::vector<TensorIndex> from, const HeadRule& columns, const TensorSpec& made) {
        return builder.node(Op::take_head, std::move(from), {}, made, columns);
    };
    const HeadRule of_query{.step = Symbol::head_dim};
    const HeadRule of_key{.step = Expr(Symbol::nope_dim) + Symbol::value_dim, .columns = Symbol::nope_dim};
    const HeadRule of_value{.step = of_key.step, .first = Symbol::nope_dim, .columns = Symbol::value_dim};
    const Shape own_queries{Symbol::tokens, Symbol::head_dim}, own_keys{seen, Symbol::head_dim};
    const Shape own_values{seen, Symbol::value_dim};
    head.queries = take({queries}, of_query,
                        {"queries", Part::query, "Queries of one head", "Q_i", own_queries,
                         "this head's {d_h} columns of Q", Role::activation, true});
    head.keys = take({keys_values, remembered.key}, of_key,
                     {"keys", Part::key, "Keys of one head", "K_i", own_keys,
                      "this head's {d_n} columns, and the {d_r} that all heads share", Role::activation, true});
    head.values = take({keys_values}, of_value,
                       {"values", Part::value, "Values of one head", "V_i", own_values, "this head's {d_v} columns",
                        Role::activation, true});
    TensorIndex mixed = weigh_and_mix(builder, layer, head, Symbol::value_dim);
    builder.close();
    return join_and_project(builder, mixed, Symbol::value_dim);
}

}  // namespace headcount
