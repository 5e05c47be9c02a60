// Hunyuan V4, whose layers read and write several copies of the stream, and A.X K2, whose norms have gates
// (transformers, modeling_hy_v4.py, modeling_axk2.py).
#include <algorithm>

#include "core/families/besides.hpp"
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

// The heads of what chooses keys, as DeepSeek names them.
void add_indexer(Besides& more, std::int64_t heads, std::int64_t columns, const Expr& query_rank) {
    more.linear("self_attn.indexer.wq_b", heads * columns, query_rank)
        .linear("self_attn.indexer.wk", columns, Symbol::dim)
        .norm("self_attn.indexer.k_norm", columns, true)
        .linear("self_attn.indexer.weights_proj", heads, Symbol::dim);
}

constexpr MixtureType routed{.experts_field = {"n_routed_experts", "num_local_experts"},
                             .shared_field = {"n_shared_experts"},
                             .has_types = true,
                             .experts = 256,
                             .experts_per_token = 8,
                             .width = 768,
                             .shared = 1,
                             .dense_first = 1,
                             .correction_bias = true,
                             .expert_bias = false};

}  // namespace

namespace axk2 {

constexpr DecoderClasses classes = classes_of<"AXK2">;
constexpr auto norms = std::to_array<Module>({
    {4, "post_attention_layernorm.norm", ModuleKind::norm, Part::feed_forward_norm, {}, Part::router},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}, {}, Part::router},
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
});
constexpr std::array modules =
    decoder_modules(classes, norms, gated_modules(classes.feed_forward), mixture_modules("mlp", "AXK2MoE"),
                    expert_modules("AXK2Experts", classes.feed_forward), router_modules("gate", "AXK2TopkRouter"),
                    correction_modules, shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"));

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.attention.kv_heads.reset();
    Mixture& mixture = *arch.layer.mixture;
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 1, 0);
    const std::int64_t step = read_step(reader, {"moe_layer_freq"}, 1);
    if (!said(reader.config(), "mlp_layer_types"))
        mixture.layers =
            step == 1
                ? LayerSet::all_but_first(std::min(first, LayerSet::longest))
                : layers_where(arch.layers, [&](std::int64_t layer) { return layer >= first && layer % step == 0; });
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t query_rank = more.number("q_lora_rank", 384), rank = more.number("kv_lora_rank", 128);
    const std::int64_t turned = more.number("qk_rope_head_dim", 32), plain = more.number("qk_nope_head_dim", 64);
    const std::int64_t value = more.number("v_head_dim", 64), narrow = more.number("gated_norm_rank", 16);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr heads = Symbol::heads;
    more.in_layers(Component::norm)
        .norm("input_layernorm.norm", Symbol::dim)
        .in_layers(Component::attention)
        .linear("self_attn.q_a_proj", query_rank, Symbol::dim, bias)
        .norm("self_attn.q_a_layernorm", query_rank)
        .linear("self_attn.q_b_proj", heads * (plain + turned + value), 2 * query_rank)
        .linear("self_attn.kv_a_proj_with_mqa", rank + turned, Symbol::dim, bias)
        .norm("self_attn.kv_a_layernorm", rank)
        .linear("self_attn.kv_b_proj", heads * (plain + value), rank)
        .linear("self_attn.o_proj", Symbol::dim, heads * value, bias);
    add_indexer(more, more.number("index_n_heads", 16), more.number("index_head_dim", 128), query_rank);
    more.linear("input_layernorm.W_down", narrow, Symbol::dim).linear("input_layernorm.W_up", Symbol::dim, narrow);
    if (!arch.layer.mixture) return more.take();
    return more.in_layers(Component::feed_forward, arch.layer.mixture->layers)
        .linear("post_attention_layernorm.W_down", narrow, Symbol::dim)
        .linear("post_attention_layernorm.W_up", Symbol::dim, narrow)
        .take();
}

constexpr LlamaType type{
    .called = {"axk2", "A.X K2", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 5120, .layers = 48, .vocab = 163840, .context = 131072},
    .head_dim_field = {},
    .mixture =
        [] {
            MixtureType other = routed;
            other.experts = 128;
            other.width = 512;
            return other;
        }(),
    .computing = changed(deepseek::refused_like_v3("gated norms"),
                         [](ComputationType& own) { own.routing.groups = own.routing.groups_used = 1; }),
    .numbers =
        "gated_norm_rank index_head_dim index_n_heads kv_lora_rank q_lora_rank qk_nope_head_dim qk_rope_head_dim "
        "v_head_dim",
    .ignored =
        "first_k_dense_replace gated_norm_rank index_head_dim index_n_heads index_topk kv_lora_rank layer_types "
        "moe_layer_freq q_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim",
    .besides = besides,
    .own = {read}};

}  // namespace axk2

constexpr Family axk2_family = llama_like<axk2::type>();

namespace hy_v4 {

constexpr DecoderClasses classes = classes_of<"HYV4">;
constexpr auto attention = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "learnable_sink_param", ModuleKind::bare, Part::sinks, {}},
    {5, "q_a_proj", ModuleKind::linear, Part::query_down, {}},
    {5, "q_a_layernorm", ModuleKind::norm, Part::query_down_norm, {}},
    {5, "q_b_proj", ModuleKind::linear, Part::query, {}},
    {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
    {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
    {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "indexer", ModuleKind::container, {}, "HYV4Indexer"},
    {6, "wq_b", ModuleKind::linear, Part::index_query, {}},
    {6, "wk", ModuleKind::linear, Part::index_key, {}},
    {6, "k_norm", ModuleKind::norm, Part::index_norm, "LayerNorm"},
    {6, "weights_proj", ModuleKind::linear, Part::index_weight, {}},
    {4, "mlp", ModuleKind::container, {}, classes.feed_forward},
    {5, "linear_gate", ModuleKind::linear, Part::gate, {}},
});
constexpr auto dense_rest = std::to_array<Module>({
    {5, "up_proj", ModuleKind::linear, Part::up, {}},
    {5, "down_proj", ModuleKind::linear, Part::down, {}},
    {5, "act_fn", ModuleKind::activation, {}, {}},
});
constexpr auto shared = changed(shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"),
                                [](auto& own) { own[1].name = "linear_gate"; });
constexpr std::array modules = decoder_modules(
    classes, attention, dense_rest, mixture_modules("mlp", "HYV4MoE"), linear_expert_modules("HYV4Experts"),
    router_modules("gate", "HYV4TopkRouter"), correction_modules, shared, norm_modules);
constexpr Latent sizes{.query_rank = 1536, .nope_dim = 192, .value_dim = 256};

void read(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();
    attention.latent = read_latent(reader, sizes);
    if (!attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    attention.sinks = true;
    constexpr std::int64_t step = 4;
    attention.indexer = Indexer{.heads = reader.number({"index_n_heads"}, 16),
                                .head_dim = reader.number({"index_head_dim"}, 128),
                                .chosen = reader.number({"index_topk"}, 2048),
                                .layers = reader.layers_with({"indexer_types"}, "full", arch.layers, "shared")
                                              .value_or(layers_where(arch.layers, [](std::int64_t layer) {
                                                  return layer == 0 || (layer - 1) % step == 0;
                                              }))};
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    if (attention.latent) write_latent(config, *attention.latent);
    if (!attention.indexer) return;
    config["index_n_heads"] = attention.indexer->heads;
    config["index_head_dim"] = attention.indexer->head_dim;
    config["index_topk"] = attention.indexer->chosen;
    if (arch.layers <= LayerSet::longest)
        config["indexer_types"] = worded(attention.indexer->layers, arch.layers, "full", "shared");
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t copies = more.number("hc_mult", 4);
    const Expr all = Expr(copies) * Symbol::dim;
    for (const auto& [name, place] : {std::pair{"hc_pre.hc_attn_layer.", Component::attention},
                                      std::pair{"hc_pre.hc_mlp_layer.", Component::feed_forward}})
        more.in_layers(place)
            .add(std::string(name) + "hc_base", {2 * copies})
            .add(std::string(name) + "hc_fn", {2 * copies, all})
            .add(std::string(name) + "hc_scale", {2});
    if (arch.layer.attention.latent)
        more.in_layers(Component::attention)
            .linear("self_attn.linear_gate", Expr(Symbol::heads) * Symbol::value_dim, Symbol::dim);
    return more.in_model(Component::output)
        .add("model.hc_pre.hc_head.hc_head_base", {copies})
        .add("model.hc_pre.hc_head.hc_head_fn", {copies, all})
        .add("model.hc_pre.hc_head.hc_head_scale", {1})
        .take();
}

constexpr std::array bare_rewritten =
    std::to_array<Rewritten>({{"hc_pre.hc_head.hc_head_", "hc_head.hc_pre.hc_head_"}});
constexpr LlamaType type{.called = {"hy_v4", "Hunyuan V4", classes, modules},
                         .usual = {.dim = 2816, .ffn_dim = 6912, .layers = 34, .vocab = 120832, .context = 262144},
                         .head_dim_field = {},
                         .norm = {.epsilon = 1e-5},
                         .mixture = routed,
                         .computing = changed(deepseek::refused_like_v3("several copies of the stream"),
                                              [](ComputationType& own) {
                                                  own.pairs = RopePairs::halves;
                                                  own.index_heads = {.turns_last = true, .norm_epsilon = {}};
                                                  own.routing.groups = own.routing.groups_used = 1;
                                                  own.routing.scaling = 2.827;
                                              }),
                         .padding = 120002,
                         .numbers = "hc_mult",
                         .ignored = "hc_eps hc_magnitude layer_types learnable_sink_init",
                         .besides = besides,
                         .own = {read, write},
                         .bare_rewritten = bare_rewritten};

}  // namespace hy_v4

constexpr Family hy_v4_family = llama_like<hy_v4::type>();

}  // namespace headcount
