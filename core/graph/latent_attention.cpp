// Multi-head latent attention (DeepSeek-AI 2024, DeepSeek-V2): keys and values are made from a bottleneck of r_kv
// numbers a token, which with one rotated key for all heads is all that is cached.
#include "core/graph/attention.hpp"

namespace headcount {
namespace {

constexpr Component latent_component = Component::attention;

// (T, h·d_h): of each head's columns the last d_r are turned by position.
TensorIndex build_queries(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Attention& attention = layer.arch.layer.attention;
    const Expr columns = Expr(Symbol::heads) * Symbol::head_dim;
    const bool bottleneck = attention.latent->query_rank.has_value();
    if (bottleneck) {
        input = builder.linear(
            input,
            {"query_down", Part::query_down, latent_component, "Query down-projection", "W_dq", "b_dq", Symbol::dim,
             Symbol::query_rank, attention.qkv_bias,
             "Narrows each token's {d} numbers to {r_q}, from which the queries of all {h} heads are made."},
            made_by_attention("query_latent", Part::query_down, "Query bottleneck", "C_q",
                              {Symbol::tokens, Symbol::query_rank}, "each token narrowed to {r_q} numbers"));
        input = builder.norm(
            input, layer.arch.norm,
            {"query_down_norm", Part::query_down_norm, "Query bottleneck norm", {}, "C_qn", Symbol::query_rank});
    }
    const Expr from = bottleneck ? Expr(Symbol::query_rank) : Expr(Symbol::dim);
    TensorIndex queries = builder.linear(
        input,
        {"query", Part::query, latent_component, bottleneck ? "Query up-projection" : "Query projection",
         bottleneck ? "W_uq" : "W_q", "b_q", from, columns, false,
         "Makes a query of {d_h} numbers for each of {h} heads: {d_n} that know no position and {d_r} that are turned "
         "by it."},
        made_by_attention("queries", Part::query, "Queries", "Q", {Symbol::tokens, columns},
                          "{h} heads of {d_h}: what each token looks for"));
    if (!layer.kind.rotated) return queries;
    return builder.node(
        Op::rotate, {queries}, {},
        made_by_attention("queries_rotated", Part::query, "Queries, rotated", "Q_rot", {Symbol::tokens, columns},
                          "the last {d_r} columns of each head turned by the token's position"));
}

struct Remembered {
    TensorIndex latent;  // (seen, r_kv)
    TensorIndex key;     // (seen, d_r)
};

// The bottleneck and the shared key of this pass, behind those of earlier tokens.
Remembered remember(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    constexpr std::string_view kept = "kept, so that later tokens need not compute it again";
    const Expr columns = Expr(Symbol::kv_rank) + Symbol::rope_dim, seen = tokens_seen(layer);
    TensorIndex both = builder.linear(
        input,
        {"latent_down", Part::latent_down, latent_component, "Key/value down-projection", "W_dkv", "b_dkv", Symbol::dim,
         columns, layer.arch.layer.attention.qkv_bias,
         "Narrows each token's {d} numbers to {r_kv}, from which all keys and values are made, and to one key of {d_r} "
         "numbers that all {h} heads share and position turns."},
        made_by_attention("latent", Part::latent_down, "Bottleneck and shared key", "C", {Symbol::tokens, columns},
                          "{r_kv} numbers for all keys and values, and a key of {d_r} for all heads"));
    auto take = [&](std::string_view name, Part part, std::string_view label, std::string_view symbol, Symbol size,
                    std::string_view meaning) {
        return builder.node(
            Op::take_columns, {both}, {},
            made_by_attention(name, part, label, symbol, {Symbol::tokens, size}, meaning, Role::activation, true));
    };
    TensorIndex latent =
        take("compressed", Part::latent_down, "Bottleneck", "C_kv", Symbol::kv_rank, "the first {r_kv} columns");
    TensorIndex key = take("shared_key", Part::key, "Shared key", "K_r", Symbol::rope_dim, "the last {d_r} columns");
    latent = builder.norm(latent, layer.arch.norm,
                          {"latent_norm", Part::latent_norm, "Bottleneck norm", {}, "C_n", Symbol::kv_rank});
    if (layer.kind.rotated)
        key = builder.node(
            Op::rotate, {key}, {},
            made_by_attention("shared_key_rotated", Part::key, "Shared key, rotated", "K_rot",
                              {Symbol::tokens, Symbol::rope_dim}, "pairs of columns turned by the token's position"));
    return {builder.node(Op::append_cache, {latent}, {},
                         made_by_attention("latent_cache", Part::latent_down, "Bottleneck cache", "C_cache",
                                           {seen, Symbol::kv_rank}, kept, Role::cache)),
            builder.node(Op::append_cache, {key}, {},
                         made_by_attention("key_cache", Part::key, "Shared key cache", "K_cache",
                                           {seen, Symbol::rope_dim}, kept, Role::cache))};
}

}  // namespace

TensorIndex build_latent_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Expr seen = tokens_seen(layer);
    TensorIndex queries = build_queries(builder, layer, input);
    Remembered remembered = remember(builder, layer, input);
    const Expr columns = Expr(Symbol::heads) * (Expr(Symbol::nope_dim) + Symbol::value_dim);
    TensorIndex keys_values = builder.linear(
        remembered.latent,
        {"latent_up", Part::latent_up, latent_component, "Key/value up-projection", "W_ukv", "b_ukv", Symbol::kv_rank,
         columns, false,
         "Makes a key of {d_n} numbers and a value of {d_v} for each of {h} heads from a token's {r_kv}."},
        made_by_attention("keys_values", Part::latent_up, "Keys and values", "KV", {seen, columns},
                          "{h} heads of {d_n} columns of keys and {d_v} of values"));
    std::optional<TensorIndex> sinks = build_sinks(builder, layer.arch);

    builder.open("head", Symbol::heads);
    auto take = [&](std::vector<TensorIndex> from, std::string_view name, Part part, std::string_view label,
                    std::string_view symbol, Shape shape, std::string_view meaning) {
        return builder.node(
            Op::take_head, std::move(from), {},
            made_by_attention(name, part, label, symbol, std::move(shape), meaning, Role::activation, true));
    };
    HeadInputs head;
    head.queries = take({queries}, "queries", Part::query, "Queries of one head", "Q_i",
                        {Symbol::tokens, Symbol::head_dim}, "this head's {d_h} columns of Q");
    head.keys = take({keys_values, remembered.key}, "keys", Part::key, "Keys of one head", "K_i",
                     {seen, Symbol::head_dim}, "this head's {d_n} columns, and the {d_r} that all heads share");
    head.values = take({keys_values}, "values", Part::value, "Values of one head", "V_i", {seen, Symbol::value_dim},
                       "this head's {d_v} columns");
    head.sinks = sinks;
    TensorIndex mixed = weigh_and_mix(builder, layer, head, Symbol::value_dim);
    builder.close();
    return join_and_project(builder, layer.arch, mixed, Symbol::value_dim);
}

}  // namespace headcount
