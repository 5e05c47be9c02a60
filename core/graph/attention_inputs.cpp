// Queries, keys and values.
#include "core/graph/attention_inputs.hpp"

#include <utility>

namespace headcount {
namespace {

constexpr GraphBuilder::Narrow query_way{"query_adapter_down",
                                         Part::query_adapter_down,
                                         "query_adapter",
                                         "queries_adapted",
                                         Part::query_adapter,
                                         "Q_s",
                                         "Q_a"};
constexpr GraphBuilder::Narrow key_way{
    "key_adapter_down", Part::key_adapter_down, "key_adapter", "keys_adapted", Part::key_adapter, "K_s", "K_a"};
constexpr GraphBuilder::Narrow value_way{"value_adapter_down",
                                         Part::value_adapter_down,
                                         "value_adapter",
                                         "values_adapted",
                                         Part::value_adapter,
                                         "V_s",
                                         "V_a"};

// With what the layer has of its own beside a matrix that layers share: as wide as what both read, and where the matrix
// makes something else, it is stored and of no use.
TensorIndex adapted(GraphBuilder& builder, TensorIndex input, TensorIndex made, const GraphBuilder::Narrow& way) {
    if (!builder.sharing || !builder.sharing->rank || !builder.sharing->attention) return made;
    const TensorIndex narrowed = builder.narrow(input, way);
    const Bindings values = bindings(builder.arch, Input{});
    const Shape own{builder.shape(narrowed)[1], builder.shape(input)[1]};
    const Result<std::int64_t> width = evaluate(own[1], values), wanted = evaluate(builder.shape(made)[1], values);
    if (width && wanted && *width == *wanted) return builder.adapt(made, narrowed, way);
    const bool once = std::exchange(builder.sharing->once, false);
    builder.idle(std::string(way.up) + ".weight",
                 {way.up, way.up_part, "Adapter, widening", "B", own,
                  "Of another width than what it would be added to.", Role::parameter});
    builder.sharing->once = once;
    return made;
}

TensorIndex build_queries(GraphBuilder& builder, const HeadSizes& sizes, TensorIndex input) {
    const bool bias = builder.arch.layer.attention.qkv_bias;
    const LinearRule rule{.clip = builder.computation.clip_qkv};
    const Expr query_columns = Expr(Symbol::heads) * sizes.columns;
    const TensorIndex made = builder.linear(
        input,
        {"query", Part::query, "Query projection", "W_q", "b_q", query_columns, bias,
         sizes.say<
             "Turns each token's {d} numbers into a query of {d_h} numbers for each of {h} heads: what that head looks "
             "for.">()},
        {"queries", "Queries", "Q", sizes.say<"{h} heads of {d_h}: what each token looks for">()}, rule);
    return adapted(builder, input, made, query_way);
}

}  // namespace

HeadSizes sizes_of(const Architecture& arch, const LayerKind& kind) {
    return {.full = arch.layer.attention.full && !kind.windowed && !kind.encoder, .joined = kind.shared.has_value()};
}

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
    made.keys = adapted(builder, other, made.keys, key_way);
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
    made.values = adapted(builder, other, made.values, value_way);
    if (builder.arch.layer.attention.output_gate && mask.kind != Mask::Kind::cross)
        made.gate =
            builder.linear(input,
                           {"gate", Part::attention_gate, "Attention gate", "W_g", "b_g", query_columns,
                            bias && builder.arch.layer.attention.gate_bias,
                            sizes.say<"Decides, for each token, how much passes of what {h} heads of {d_h} find.">()},
                           {"gates", "Gates", "G_o", "how much passes of what the heads find"});
    return made;
}

Expr tokens_seen(const LayerBuild& layer) {
    if (layer.kind.encoder) return Symbol::source;
    if (layer.cache == Cache::empty) return Symbol::tokens;
    const Expr cached = layer.kind.windowed ? min(Symbol::cached, Expr(Symbol::window) - 1) : Expr(Symbol::cached);
    return cached + Symbol::tokens;
}

namespace {

Mask mask_without_choice(const Architecture& arch, const LayerKind& kind) {
    const bool full = kind.encoder || sees_all(arch);
    if (kind.encoder && kind.windowed) return {Mask::Kind::around, arch.layer.attention.window->size};
    if (full && kind.windowed) return {Mask::Kind::around, arch.layer.attention.window->size / 2};
    if (full) return {.kind = Mask::Kind::full};
    if (!kind.windowed) return {};
    const AttentionWindow& window = *arch.layer.attention.window;
    return {window.chunked ? Mask::Kind::chunk : Mask::Kind::window, window.size};
}

}  // namespace

// Layers without index heads of their own take the choice of the one before.
Mask mask_of(const Architecture& arch, const LayerKind& kind) {
    Mask mask = mask_without_choice(arch, kind);
    const Attention& attention = arch.layer.attention;
    if (attention.indexer && attention.latent) mask.chosen = attention.indexer->chosen;
    return mask;
}

Rotation rotation_of(const GraphBuilder& builder, const LayerKind& kind, const Expr& head, const Expr& first,
                     const Expr& columns) {
    return {rope_of(builder.computation, kind.windowed), head, first, columns};
}

namespace {

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

Projected build_inputs(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input) {
    const Attention& attention = builder.arch.layer.attention;
    const HeadSizes sizes = sizes_of(builder.arch, layer.kind);
    Projected projected = layer.kind.borrows ? borrow(builder, layer, sizes, input)
                                             : project(builder, sizes, input, input, mask_of(builder.arch, layer.kind));
    const bool plain = attention.qk_norm == QkNorm::plain;  // then turned ones alone (Llama 4)
    const bool after = plain || builder.computation.normed_after_turn;
    if (builder.computation.value_norm && !layer.kind.borrows) normalize_values(builder, sizes, projected);
    if (attention.qk_norm != QkNorm::none && !after) normalize(builder, sizes, projected);
    if (layer.kind.rotated) rotate(builder, layer.kind, projected);
    if (attention.qk_norm != QkNorm::none && after && (layer.kind.rotated || !plain))
        normalize(builder, sizes, projected);
    remember(builder, layer, projected);
    return projected;
}

}  // namespace headcount
