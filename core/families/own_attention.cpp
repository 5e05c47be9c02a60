// Types whose attention is known here by its tensors alone, in all layers or in some: JetMoE, whose heads are experts;
// MiMo-V2-Flash, whose layers with a window have other heads, and values of another width than keys; ZAYA1, with
// convolved queries and keys; Llama 3.2's text part, some layers of which look at an image alone (transformers,
// modeling_jetmoe.py, modeling_mimo_v2_flash.py, modeling_zaya.py, modeling_mllama.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/own_tensors.hpp"

namespace headcount {
namespace {

using Place = OwnTensor::Place;

}  // namespace

namespace jetmoe {

constexpr DecoderClasses classes = classes_of<"JetMoe">;
constexpr std::array<Module, 6> mixture{{
    {4, "mlp", ModuleKind::container, {}, "JetMoeMoE"},
    {5, "input_linear", ModuleKind::stacked_linear, {Part::expert_gate, Part::expert_up}, {}},
    {5, "output_linear", ModuleKind::stacked_linear, Part::expert_down, {}},
    {5, "router", ModuleKind::container, {}, "JetMoeTopKGating"},
    {6, "layer", ModuleKind::linear, Part::router, {}},
    {5, "activation", ModuleKind::activation, {}, {}},
}};
constexpr std::array modules = decoder_modules(classes, mixture, norm_modules);

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.layer.own_mixers = LayerSet();
    Attention& attention = arch.layer.attention;
    attention.head_dim = reader.number({"kv_channels", "head_dim"}, 128);
    attention.heads = kv_heads(arch) * arch.layer.mixture->experts_per_token;
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["kv_channels"] = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
}

std::vector<OwnTensor> own(const Architecture& arch) {
    const Expr keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    if (!arch.layer.mixture) return {};
    return OwnTensors(arch)
        .in(LayerSet())
        .add("self_attention.experts.bias", {Symbol::dim})
        .add("self_attention.experts.input_linear.weight", {Symbol::experts, keys, Symbol::dim})
        .add("self_attention.experts.output_linear.weight", {Symbol::experts, Symbol::dim, keys})
        .linear("self_attention.experts.router.layer", Symbol::experts, Symbol::dim)
        .linear("self_attention.kv_proj", Expr(2) * keys, Symbol::dim)
        .in(LayerSet(), Place::feed_forward)
        .add("mlp.bias", {Symbol::dim})
        .take();
}

constexpr LlamaType type{.type = "jetmoe",
                         .name = "JetMoE",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 5632,
                         .layers = 12,
                         .kv_heads = 16,
                         .context = 4096,
                         .tied = true,
                         .head_dim_field = {},
                         .activation_field = "activation_function",
                         .qkv_bias_field = {},
                         .mixture = MixtureType{.experts_field = {"num_local_experts"}, .width_field = {}},
                         .read_rest = read,
                         .write_rest = write};

}  // namespace jetmoe

constexpr Family jetmoe_family = [] {
    Family family = llama_like<jetmoe_family, jetmoe::type>();
    family.own = jetmoe::own;
    return family;
}();

namespace mimo {

constexpr DecoderClasses classes = classes_of<"MiMoV2Flash">;
constexpr std::array modules =
    decoder_modules(classes, gated_modules(classes.feed_forward), mixture_modules("mlp", "MiMoV2FlashMoE"),
                    expert_modules("MiMoV2FlashExperts", classes.feed_forward),
                    router_modules("gate", "MiMoV2FlashTopkRouter"), correction_modules, norm_modules);

void read(ConfigReader&, const nlohmann::json&, Architecture& arch) {
    arch.layer.own_mixers = LayerSet();
}

// A window in all but the first layer and every sixth, unless a list says otherwise.
LayerSet windowed(const Architecture& arch) {
    const nlohmann::json* words = said(arch.carried.object(), "layer_types");
    return layers_where(arch.layers, [&](std::int64_t layer) {
        const auto at = static_cast<std::size_t>(layer);
        if (words && words->is_array()) return at < words->size() && (*words)[at] == "sliding_attention";
        return layer != 0 && (layer + 1) % 6 != 0;
    });
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t value = tensors.number("v_head_dim", 128);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr heads = Symbol::heads, columns = Symbol::head_dim;
    tensors.in(LayerSet())
        .linear("self_attn.q_proj", heads * columns, Symbol::dim, bias)
        .linear("self_attn.o_proj", Symbol::dim, heads * value);
    const LayerSet narrow = windowed(arch);
    for (const bool window : {false, true}) {
        const Expr pairs = Expr(window ? 2 : 1) * Symbol::kv_heads;
        tensors.in(window ? narrow : without({}, narrow, arch.layers))
            .linear("self_attn.k_proj", pairs * columns, Symbol::dim, bias)
            .linear("self_attn.v_proj", pairs * value, Symbol::dim, bias);
        if (window) tensors.add("self_attn.attention_sink_bias", {heads});
    }
    return tensors.take();
}

constexpr LlamaType type{.type = "mimo_v2_flash",
                         .name = "MiMo-V2-Flash",
                         .classes = classes,
                         .modules = modules,
                         .ffn_dim = 16384,
                         .layers = 48,
                         .heads = 64,
                         .kv_heads = 4,
                         .head_dim = 192,
                         .vocab = 152576,
                         .context = 131072,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.epsilon = 1e-5},
                         .mixture = MixtureType{.experts_field = {"n_routed_experts", "num_local_experts"},
                                                .has_types = true,
                                                .experts = 256,
                                                .experts_per_token = 8,
                                                .width = 2048,
                                                .dense_first = 1,
                                                .correction_bias = true},
                         .read_rest = read};
constexpr std::array ignored =
    std::to_array<std::string_view>({"attention_value_scale", "layer_types", "sliding_window", "v_head_dim"});

}  // namespace mimo

constexpr Family mimo_v2_flash_family = [] {
    Family family = llama_like<mimo_v2_flash_family, mimo::type>();
    family.own = mimo::own;
    family.ignored = mimo::ignored;
    return family;
}();

// ZAYA1: a router of several layers, too, so that all but the norm before attention is known by its tensors alone.
namespace zaya {

constexpr DecoderClasses classes = classes_of<"Zaya">;
constexpr std::array<Module, 1> norm{{{4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}}}};
constexpr std::array modules = decoder_modules(classes, norm);

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    arch.layer.own_mixers = LayerSet();
    arch.layer.feed_forward_layers = LayerSet::none();
    arch.head_bias = reader.flag({"lm_head_bias"}, false);
    arch.layer.feed_forward.width = reader.number({"moe_intermediate_size"}, 2048);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["lm_head_bias"] = arch.head_bias;
    config["moe_intermediate_size"] = bindings(arch, Input{})[Symbol::ffn_dim].value_or(0);
}

std::vector<OwnTensor> own(const Architecture& arch) {
    OwnTensors tensors(arch);
    const std::int64_t experts = tensors.number("num_experts", 16), router = tensors.number("router_hidden_size", 256);
    const bool bias = arch.layer.attention.qkv_bias;
    const Expr queries = Expr(Symbol::heads) * Symbol::head_dim, keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    const Expr half = keys / 2, both = keys + queries, width = Symbol::ffn_dim, dim = Symbol::dim;
    tensors.in(LayerSet())
        .linear("self_attn.o_proj", dim, queries, bias)
        .linear("self_attn.qkv_proj.q_proj", queries, dim, bias)
        .linear("self_attn.qkv_proj.k_proj", keys, dim, bias)
        .linear("self_attn.qkv_proj.v_proj_current", half, dim, bias)
        .linear("self_attn.qkv_proj.v_proj_delayed", half, dim, bias)
        .add("self_attn.qkv_proj.conv_qk_depthwise.weight", {both, 1, tensors.number("cca_time0", 2)})
        .add("self_attn.qkv_proj.conv_qk_depthwise.bias", {both})
        .add("self_attn.qkv_proj.conv_qk_grouped.weight", {both, Symbol::head_dim, tensors.number("cca_time1", 2)})
        .add("self_attn.qkv_proj.conv_qk_grouped.bias", {both})
        .add("self_attn.qk_norm.temp", {Symbol::kv_heads});
    tensors.in(LayerSet(), Place::feed_forward)
        .norm("post_attention_layernorm", dim)
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
            tensors.add(std::string(sum) + number, {dim});
    return tensors.in(LayerSet::all_but_first(1), Place::feed_forward)
        .add("mlp.gate.router_states_scale", {router})
        .of_model(Place::embedding)
        .add("model.input_hidden_states_scale", {dim})
        .add("model.input_hidden_states_bias", {dim})
        .take();
}

constexpr LlamaType type{.type = "zaya",
                         .name = "ZAYA1",
                         .classes = classes,
                         .modules = modules,
                         .dim = 2048,
                         .ffn_dim = 2048,
                         .layers = 40,
                         .heads = 8,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .vocab = 262272,
                         .context = 131072,
                         .tied = true,
                         .norm = {.epsilon = 1e-5},
                         .padding = 0,
                         .read_rest = read,
                         .write_rest = write};
constexpr std::array ignored =
    std::to_array<std::string_view>({"cca_time0", "cca_time1", "layer_types", "num_experts", "num_experts_per_tok",
                                     "router_hidden_size", "sliding_window"});

}  // namespace zaya

constexpr Family zaya_family = [] {
    Family family = llama_like<zaya_family, zaya::type>();
    family.own = zaya::own;
    family.ignored = zaya::ignored;
    return family;
}();

namespace mllama {

constexpr DecoderClasses classes{.causal_lm = "MllamaForCausalLM",
                                 .model = "MllamaTextModel",
                                 .layer = "MllamaSelfAttentionDecoderLayer",
                                 .attention = "MllamaTextSelfAttention",
                                 .feed_forward = "MllamaTextMLP",
                                 .rotary = "MllamaRotaryEmbedding",
                                 .rms_norm = "MllamaTextRMSNorm"};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    constexpr std::int64_t step = 5, first = 3;
    arch.extra_rows = 8;
    arch.tied = false;  // whatever the file says
    arch.layer.own_mixers = reader.layers_listed({"cross_attention_layers"}, arch.layers)
                                .value_or(layers_where(std::min<std::int64_t>(arch.layers, 40),
                                                       [](std::int64_t layer) { return layer % step == first; }));
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    config["cross_attention_layers"] = listed(arch.layer.own_mixers, arch.layers);
}

std::vector<OwnTensor> own(const Architecture& arch) {
    const Expr queries = Expr(Symbol::heads) * Symbol::head_dim, keys = Expr(Symbol::kv_heads) * Symbol::head_dim;
    return OwnTensors(arch)
        .in(arch.layer.own_mixers)
        .add("cross_attn_attn_gate", {1})
        .linear("cross_attn.q_proj", queries, Symbol::dim)
        .linear("cross_attn.k_proj", keys, Symbol::dim)
        .linear("cross_attn.v_proj", keys, Symbol::dim)
        .linear("cross_attn.o_proj", Symbol::dim, queries)
        .norm("cross_attn.q_norm", Symbol::head_dim)
        .norm("cross_attn.k_norm", Symbol::head_dim)
        .in(arch.layer.own_mixers, Place::feed_forward)
        .add("cross_attn_mlp_gate", {1})
        .take();
}

constexpr LlamaType type{.type = "mllama_text_model",
                         .name = "Llama 3.2 Vision, text",
                         .classes = classes,
                         .ffn_dim = 14336,
                         .layers = 40,
                         .kv_heads = 8,
                         .vocab = 128256,
                         .context = 131072,
                         .head_dim_field = {},
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .computing = {.rope_base = 500000},
                         .padding = 128004,
                         .read_rest = read,
                         .write_rest = write};

}  // namespace mllama

constexpr Family mllama_text_model_family = [] {
    Family family = llama_like<mllama_text_model_family, mllama::type>();
    family.own = mllama::own;
    return family;
}();

}  // namespace headcount
