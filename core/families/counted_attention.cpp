// Types whose attention is known here by its tensors alone: JetMoE, whose heads are experts; MiMo-V2-Flash, whose
// layers with a window have other heads, and values of another width than keys; ZAYA1, with convolved queries and keys
// (transformers, modeling_jetmoe.py, modeling_mimo_v2_flash.py, modeling_zaya.py).
#include "core/base/checked.hpp"
#include "core/families/besides.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace jetmoe {

constexpr DecoderClasses classes = classes_of<"JetMoe">;
constexpr auto mixture = std::to_array<Module>({
    {4, "mlp", ModuleKind::container, {}, "JetMoeMoE"},
    {5, "input_linear", ModuleKind::stacked_linear, {Part::expert_gate, Part::expert_up}, {}},
    {5, "output_linear", ModuleKind::stacked_linear, Part::expert_down, {}},
    {5, "router", ModuleKind::container, {}, "JetMoeTopKGating"},
    {6, "layer", ModuleKind::linear, Part::router, {}},
    {5, "activation", ModuleKind::activation, {}, {}},
});
constexpr std::array modules = decoder_modules(classes, mixture, norm_modules);

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    Attention& attention = arch.layer.attention;
    attention.head_dim = reader.number({"kv_channels", "head_dim"}, 128);
    const std::optional<std::int64_t> heads = checked_multiply(kv_heads(arch), arch.layer.mixture->experts_per_token);
    if (!heads) reader.reject("num_key_value_heads", "so many heads do not fit in 64 bits", "give fewer");
    attention.heads = heads.value_or(1);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["kv_channels"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

std::vector<Extra> besides(const Architecture& arch) {
    const Expr keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    if (!arch.layer.mixture) return {};
    return Besides(arch)
        .in_layers(Component::norm)
        .norm("input_layernorm", Symbol::dim)
        .in_layers(Component::attention)
        .add("self_attention.experts.bias", {Symbol::dim})
        .add("self_attention.experts.input_linear.weight", {Symbol::experts, keys, Symbol::dim})
        .add("self_attention.experts.output_linear.weight", {Symbol::experts, Symbol::dim, keys})
        .linear("self_attention.experts.router.layer", Symbol::experts, Symbol::dim)
        .linear("self_attention.kv_proj", Expr(2) * keys, Symbol::dim)
        .in_layers(Component::feed_forward)
        .add("mlp.bias", {Symbol::dim})
        .take();
}

constexpr LlamaType type{.called = {"jetmoe", "JetMoE", classes, modules},
                         .usual = {.dim = 2048, .ffn_dim = 5632, .layers = 12, .context = 4096},
                         .kv_heads = 16,
                         .tied = true,
                         .head_dim_field = {},
                         .activation_field = "activation_function",
                         .qkv_bias_field = {},
                         .mixture = MixtureType{.experts_field = {"num_local_experts"}, .width_field = {}},
                         .computing = {.refused = "heads that are experts"},
                         .besides = besides,
                         .own = {read, write}};

}  // namespace jetmoe

constexpr Family jetmoe_family = llama_like<jetmoe::type>();

namespace mimo {

constexpr DecoderClasses classes = classes_of<"MiMoV2Flash">;
constexpr std::array modules =
    decoder_modules(classes, gated_modules(classes.feed_forward), mixture_modules("mlp", "MiMoV2FlashMoE"),
                    expert_modules("MiMoV2FlashExperts", classes.feed_forward),
                    router_modules("gate", "MiMoV2FlashTopkRouter"), correction_modules, norm_modules);

void read(ConfigReader&, Architecture& arch) { arch.layer.mixer_layers = LayerSet::none(); }

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t value = more.number("v_head_dim", 128);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr heads = Symbol::heads, columns = Symbol::head_dim;
    more.in_layers(Component::norm)
        .norm("input_layernorm", Symbol::dim)
        .in_layers(Component::attention)
        .linear("self_attn.q_proj", heads * columns, Symbol::dim, bias)
        .linear("self_attn.o_proj", Symbol::dim, heads * value);
    // A window in all but the first layer and every sixth, unless a list says otherwise.
    const LayerSet rule =
        layers_where(arch.layers, [](std::int64_t layer) { return layer != 0 && (layer + 1) % 6 != 0; });
    const LayerSet narrow = layers_called(arch, "layer_types", "sliding_attention").value_or(rule);
    for (const bool window : {false, true}) {
        const Expr pairs = Expr(window ? 2 : 1) * Symbol::kv_heads;
        more.in_layers(Component::attention, window ? narrow : without({}, narrow, arch.layers))
            .linear("self_attn.k_proj", pairs * columns, Symbol::dim, bias)
            .linear("self_attn.v_proj", pairs * value, Symbol::dim, bias);
        if (window) more.add("self_attn.attention_sink_bias", {heads});
    }
    return more.take();
}

constexpr LlamaType type{.called = {"mimo_v2_flash", "MiMo-V2-Flash", classes, modules},
                         .usual = {.ffn_dim = 16384, .layers = 48, .heads = 64, .vocab = 152576, .context = 131072},
                         .kv_heads = 4,
                         .head_dim = 192,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.epsilon = 1e-5},
                         .mixture = MixtureType{.experts_field = {"n_routed_experts", "num_local_experts"},
                                                .has_types = true,
                                                .experts = 256,
                                                .experts_per_token = 8,
                                                .width = 2048,
                                                .dense_first = 1,
                                                .correction_bias = true},
                         .computing = {.routing = {.scores = RouterScores::sigmoid, .normalized = true},
                                       .normalizes = true,
                                       .grouped = true,
                                       .routing_scale_field = "routed_scaling_factor",
                                       .refused = "values of another width than keys"},
                         .numbers = "v_head_dim",
                         .ignored = "attention_value_scale layer_types sliding_window",
                         .besides = besides,
                         .own = {read}};

}  // namespace mimo

constexpr Family mimo_v2_flash_family = llama_like<mimo::type>();

// ZAYA1: its router has several layers, too, so that all of its layers are known by their tensors alone.
namespace zaya {

constexpr DecoderClasses classes = classes_of<"Zaya">;
constexpr std::array modules = decoder_modules(classes);

void read(ConfigReader& reader, Architecture& arch) {
    arch.layer.mixer_layers = LayerSet::none();
    arch.layer.feed_forward_layers = LayerSet::none();
    arch.head_bias = reader.flag({"lm_head_bias"}, false);
    arch.layer.feed_forward.width = reader.number({"moe_intermediate_size"}, 2048);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["lm_head_bias"] = arch.head_bias;
    config["moe_intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
}

std::vector<Extra> besides(const Architecture& arch) {
    Besides more(arch);
    const std::int64_t experts = more.number("num_experts", 16), router = more.number("router_hidden_size", 256);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr queries = Expr(Symbol::heads) * Symbol::head_dim, keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    const Expr half = keys / 2, both = keys + queries, width = Symbol::ffn_dim, dim = Symbol::dim;
    more.in_layers(Component::norm)
        .norm("input_layernorm", dim)
        .norm("post_attention_layernorm", dim)
        .in_layers(Component::attention)
        .linear("self_attn.o_proj", dim, queries, bias)
        .linear("self_attn.qkv_proj.q_proj", queries, dim, bias)
        .linear("self_attn.qkv_proj.k_proj", keys, dim, bias)
        .linear("self_attn.qkv_proj.v_proj_current", half, dim, bias)
        .linear("self_attn.qkv_proj.v_proj_delayed", half, dim, bias)
        .add("self_attn.qkv_proj.conv_qk_depthwise.weight", {both, 1, more.number("cca_time0", 2)})
        .add("self_attn.qkv_proj.conv_qk_depthwise.bias", {both})
        .add("self_attn.qkv_proj.conv_qk_grouped.weight", {both, Symbol::head_dim, more.number("cca_time1", 2)})
        .add("self_attn.qkv_proj.conv_qk_grouped.bias", {both})
        .add("self_attn.qk_norm.temp", {Symbol::kv_heads});
    more.in_layers(Component::feed_forward)
        .linear("mlp.gate.down_proj", router, dim, true)
        .norm("mlp.gate.router_mlp.norm", router)
        .linear("mlp.gate.router_mlp.fc1", router, router, true)
        .linear("mlp.gate.router_mlp.fc2", router, router, true)
        .linear("mlp.gate.router_mlp.out_proj", experts + 1, router)
        .buffer("mlp.gate.balancing_biases", {experts + 1})
        .add("mlp.experts.gate_up_proj", {experts, Expr(2) * width, dim})
        .add("mlp.experts.down_proj", {experts, dim, width});
    for (const char* const sum : {"post_attention_residual_scale.", "post_mlp_residual_scale."})
        for (const char* const number :
             {"hidden_states_scale", "hidden_states_bias", "residual_scale", "residual_bias"})
            more.add(std::string(sum) + number, {dim});
    return more.in_layers(Component::feed_forward, LayerSet::all_but_first(1))
        .add("mlp.gate.router_states_scale", {router})
        .in_model(Component::embedding)
        .add("input_hidden_states_scale", {dim})
        .add("input_hidden_states_bias", {dim})
        .take();
}

constexpr LlamaType type{
    .called = {"zaya", "ZAYA1", classes, modules},
    .usual = {.dim = 2048, .ffn_dim = 2048, .layers = 40, .heads = 8, .vocab = 262272, .context = 131072},
    .kv_heads = 2,
    .head_dim = 128,
    .tied = true,
    .norm = {.epsilon = 1e-5},
    .computing = {.refused = "queries and keys that are convolved"},
    .padding = 0,
    .numbers = "num_experts router_hidden_size cca_time0 cca_time1",
    .ignored = "layer_types num_experts_per_tok sliding_window",
    .besides = besides,
    .own = {read, write}};

}  // namespace zaya

constexpr Family zaya_family = llama_like<zaya::type>();

}  // namespace headcount
