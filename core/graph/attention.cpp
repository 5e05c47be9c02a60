// Grouped-query attention (Ainslie et al. 2023): multi-head (Vaswani et al. 2017) with h_kv = h, multi-query
// (Shazeer 2019) with h_kv = 1.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

constexpr Component component = Component::attention;

// What a step of attention makes.
TensorSpec made(std::string_view name, Part part, std::string_view label, std::string_view symbol, Shape shape,
                std::string_view meaning, Role role = Role::activation, bool view = false) {
    return {name, part, component, label, symbol, std::move(shape), meaning, role, view};
}

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
    bool bias = arch.layer.attention.qkv_bias;
    return {
        builder.linear(
            input,
            {"query", Part::query, component, "Query projection", "W_q", "b_q", Symbol::dim, query_columns(), bias,
             "Turns each token's {d} numbers into a query of {d_h} numbers for each of {h} heads: what that head looks "
             "for."},
            made("queries", Part::query, "Queries", "Q", {Symbol::tokens, query_columns()},
                 "{h} heads of {d_h}: what each token looks for")),
        builder.linear(input,
                       {"key", Part::key, component, "Key projection", "W_k", "b_k", Symbol::dim, key_columns(), bias,
                        "Turns each token's {d} numbers into a key of {d_h} numbers for each of {h_kv} key/value "
                        "heads: what the token offers."},
                       made("keys", Part::key, "Keys", "K", {Symbol::tokens, key_columns()},
                            "{h_kv} KV heads of {d_h}: what each token offers")),
        builder.linear(
            input,
            {"value", Part::value, component, "Value projection", "W_v", "b_v", Symbol::dim, key_columns(), bias,
             "Turns each token's {d} numbers into a value of {d_h} numbers for each of {h_kv} key/value heads: what "
             "the token passes on."},
            made("values", Part::value, "Values", "V", {Symbol::tokens, key_columns()},
                 "{h_kv} KV heads of {d_h}: what each token passes on")),
    };
}

// Queries and keys turned by their position (Su et al. 2021); the values stay.
void rotate(GraphBuilder& builder, Projected& projected) {
    projected.queries =
        builder.node(Op::rotate, {projected.queries}, {},
                     made("queries_rotated", Part::query, "Queries, rotated", "Q_rot",
                          {Symbol::tokens, query_columns()}, "pairs of columns turned by the token's position"));
    projected.keys =
        builder.node(Op::rotate, {projected.keys}, {},
                     made("keys_rotated", Part::key, "Keys, rotated", "K_rot", {Symbol::tokens, key_columns()},
                          "pairs of columns turned by the token's position"));
}

// One head: everything in here happens h times. Only where query heads share a key/value head are there some to say.
TensorIndex build_head(GraphBuilder& builder, const Projected& projected, const Expr& seen, bool shared) {
    builder.open("head", Symbol::heads);
    TensorIndex queries =
        builder.node(Op::take_head, {projected.queries}, {},
                     made("queries", Part::query, "Queries of one head", "Q_i", {Symbol::tokens, Symbol::head_dim},
                          "this head's {d_h} columns of Q", Role::activation, true));
    TensorIndex keys = builder.node(Op::take_head, {projected.keys}, {},
                                    made("keys", Part::key, "Keys of one head", "K_i", {seen, Symbol::head_dim},
                                         shared ? "this head's {d_h} columns of K, which serve {h/h_kv} query heads"
                                                : "this head's {d_h} columns of K",
                                         Role::activation, true));
    TensorIndex values = builder.node(Op::take_head, {projected.values}, {},
                                      made("values", Part::value, "Values of one head", "V_i", {seen, Symbol::head_dim},
                                           shared ? "this head's {d_h} columns of V, which serve {h/h_kv} query heads"
                                                  : "this head's {d_h} columns of V",
                                           Role::activation, true));
    TensorIndex scores = builder.node(Op::scores, {queries, keys}, {},
                                      made("scores", Part::scores, "Scores", "S", {Symbol::tokens, seen},
                                           "every query against every key, divided by the root of {d_h}"));
    TensorIndex weights = builder.node(Op::masked_softmax, {scores}, {},
                                       made("weights", Part::scores, "Weights", "A", {Symbol::tokens, seen},
                                            "the future masked, softmax: every row sums to 1"));
    TensorIndex mixed =
        builder.node(Op::mix, {weights, values}, {},
                     made("output", Part::scores, "Head output", "O_i", {Symbol::tokens, Symbol::head_dim},
                          "values mixed by the weights", Role::activation, true));
    builder.close();
    return mixed;
}

}  // namespace

TensorIndex build_attention(GraphBuilder& builder, const Architecture& arch, TensorIndex stream, Cache cache) {
    builder.open("attention");
    bool before = arch.norm.placement == NormPlacement::before;
    TensorIndex input =
        before ? builder.norm(stream, arch.norm, "norm", Part::attention_norm, "Attention norm") : stream;
    Projected projected = project(builder, arch, input);
    if (arch.positions == Positions::rope) rotate(builder, projected);

    // (P + T, h_kv·d_h): the keys and values of earlier tokens with those of this pass behind them.
    Expr seen = cache == Cache::filled ? Expr(Symbol::cached) + Symbol::tokens : Expr(Symbol::tokens);
    projected.keys = builder.node(Op::append_cache, {projected.keys}, {},
                                  made("key_cache", Part::key, "Key cache", "K_cache", {seen, key_columns()},
                                       "kept, so that later tokens need not compute it again", Role::cache));
    projected.values = builder.node(Op::append_cache, {projected.values}, {},
                                    made("value_cache", Part::value, "Value cache", "V_cache", {seen, key_columns()},
                                         "kept, so that later tokens need not compute it again", Role::cache));

    TensorIndex head = build_head(builder, projected, seen, kv_heads(arch) < arch.layer.attention.heads);
    TensorIndex joined = builder.node(Op::join_heads, {head}, {},
                                      made("joined", Part::scores, "Heads joined", "O",
                                           {Symbol::tokens, query_columns()}, "{h} heads of {d_h} side by side"));
    TensorIndex output =
        builder.linear(joined,
                       {"output", Part::attention_output, component, "Output projection", "W_o", "b_o", query_columns(),
                        Symbol::dim, arch.layer.attention.output_bias,
                        "Brings what {h} heads of {d_h} found back to the {d} numbers of the residual stream."},
                       made("output", Part::attention_output, "Attention output", "Y", {Symbol::tokens, Symbol::dim},
                            "{h} heads brought back to width {d}"));
    if (!before)
        output = builder.norm(output, arch.norm, "output_norm", Part::attention_output_norm, "Attention output norm");
    TensorIndex sum =
        builder.node(Op::add, {stream, output}, {},
                     made("stream", Part::residual, "After attention", "X'", {Symbol::tokens, Symbol::dim},
                          "the residual stream with attention's output added"));
    builder.close();
    return sum;
}

}  // namespace headcount
