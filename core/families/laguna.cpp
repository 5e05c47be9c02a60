// Laguna (Poolside 2026): a mixture of experts whose attention decides how much passes of what its heads find; in all
// layers as many heads, or in each its own (transformers, modeling_laguna.py).
#include <set>

#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace laguna {

constexpr DecoderClasses classes = classes_of<"Laguna">;
constexpr auto correction =
    std::to_array<Module>({{5, "experts.e_score_correction_bias", ModuleKind::bare, Part::router_correction, {}}});
constexpr std::array modules =
    decoder_modules(classes, attention_modules(classes.attention), gated_modules(classes.feed_forward),
                    mixture_modules("mlp", "LagunaSparseMoeBlock"), expert_modules("LagunaExperts", "LagunaMLP"),
                    correction, router_modules("gate", "LagunaTopKRouter"),
                    shared_expert_modules("shared_expert", "LagunaMLP", "act_fn"), norm_modules);
constexpr WindowFields window{.size = 512, .has_types = true};

constexpr std::string_view by_layer = "num_attention_heads_per_layer";
constexpr std::size_t most_kinds = 8;  // of layers, by their heads

void read(ConfigReader& reader, Architecture& arch) {
    const nlohmann::json* gating = said(reader.config(), "gating");
    if (gating && !gating->is_boolean() && *gating != "per-head" && *gating != "per-element")
        reader.reject("gating", "is no way to gate that is known here", "give true, per-head or per-element");
    if (const auto heads = carry_list(reader, by_layer)) {
        const std::set<std::int64_t> different(heads->begin(), heads->end());
        if (static_cast<std::int64_t>(heads->size()) != arch.layers || different.size() > most_kinds)
            return reader.reject(by_layer, "is no list of a number of heads for each layer",
                                 "give a whole number for each layer, of at most 8 different ones");
        if (different.size() > 1)
            arch.layer.mixer_layers = LayerSet::none();
        else
            arch.layer.attention.heads = heads->front();
    }
    read_window(reader, arch, window, LayerSet::none());
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    write_window(config, arch, window);
    config["num_attention_heads"] = arch.layer.attention.heads;
}

std::vector<Extra> besides(const Architecture& arch) {
    const nlohmann::json* gating = said(arch.carried.object(), "gating");
    const auto list = carried_list(arch, by_layer).value_or(std::vector<std::int64_t>());
    const std::set<std::int64_t> different(list.begin(), list.end());
    const bool by_head = !gating || *gating == true || *gating == "per-head", bias = arch.layer.attention.qkv_bias;
    const Expr size = Symbol::head_dim, keys = Expr(Symbol::kv_heads) * size, dim = Symbol::dim;
    const auto gate = [&](const Expr& heads) { return by_head ? heads : heads * size; };
    Besides more(arch);
    if (list.empty() || different.size() > most_kinds || arch.layer.mixer_layers != LayerSet::none())
        return more.in_layers(Component::attention).linear("self_attn.g_proj", gate(Symbol::heads), dim).take();
    more.in_layers(Component::norm)
        .norm("input_layernorm", dim)
        .norm("self_attn.q_norm", size)
        .norm("self_attn.k_norm", size)
        .in_layers(Component::attention)
        .linear("self_attn.k_proj", keys, dim, bias)
        .linear("self_attn.v_proj", keys, dim, bias);
    for (const std::int64_t heads : different) {
        const LayerSet layers = layers_where(arch.layers, [&](std::int64_t layer) {
            return list[static_cast<std::size_t>(layer) % list.size()] == heads;
        });
        more.in_layers(Component::attention, layers)
            .linear("self_attn.q_proj", Expr(heads) * size, dim, bias)
            .linear("self_attn.o_proj", dim, Expr(heads) * size, bias)
            .linear("self_attn.g_proj", gate(heads), dim);
    }
    return more.take();
}

constexpr LlamaType type{
    .called = {"laguna", "Laguna", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 8192, .layers = 40, .heads = 48, .vocab = 100352, .context = 131072},
    .kv_heads = 8,
    .head_dim = 128,
    .qk_norm = QkNorm::per_head,
    .mixture = MixtureType{.shared_width_field = {"shared_expert_intermediate_size"},
                           .has_types = true,
                           .experts = 256,
                           .experts_per_token = 8,
                           .width = 512,
                           .shared = 512,
                           .dense_first = 1,
                           .correction_bias = true},
    .computing = {.rope_base = 500000,
                  .windowed_apart = true,
                  .windowed_base = 10000,
                  .routing = {.scores = RouterScores::sigmoid, .normalized = true},
                  .routing_scale_field = "moe_routed_scaling_factor",
                  .refused = "gates by softplus"},
    .ignored = "gating moe_apply_router_weight_on_input moe_routed_scaling_factor num_attention_heads_per_layer",
    .besides = besides,
    .own = {read, write}};

}  // namespace laguna

constexpr Family laguna_family = llama_like<laguna::type>();

}  // namespace headcount
