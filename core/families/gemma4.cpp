// Gemma 4: heads of another size in layers without a window, layers that use the keys and values of earlier ones,
// numbers that each layer has of a token by itself, experts beside a dense feed-forward (transformers,
// modeling_gemma4.py, modeling_gemma4_unified.py).
#include <cmath>
#include <string>

#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace gemma4 {

constexpr WindowFields window{.size = 512};

constexpr auto model_rest = std::to_array<Module>({
    {2, "embed_tokens_per_layer", ModuleKind::embedding, Part::layer_embedding, "Gemma4TextScaledWordEmbedding"},
    {2, "per_layer_model_projection", ModuleKind::linear, Part::layer_projection, {}},
    {2, "per_layer_projection_norm", ModuleKind::norm, Part::layer_input_norm, {}},
});
constexpr auto layer_rest = std::to_array<Module>({
    {4, "layer_scalar", ModuleKind::buffer, Part::layer_scale, {}},
    {4, "act_fn", ModuleKind::activation, {}, "GELUTanh()"},
    {4, "per_layer_input_gate", ModuleKind::linear, Part::layer_gate, {}},
    {4, "per_layer_projection", ModuleKind::linear, Part::layer_output, {}},
    {4, "post_per_layer_input_norm", ModuleKind::norm, Part::layer_output_norm, {}},
    {4, "router.proj", ModuleKind::linear, Part::router, {}},
    {4, "router.scale", ModuleKind::bare, Part::router_norm, {}},
    {4, "router.per_expert_scale", ModuleKind::bare, Part::router_scale, {}},
    {4, "experts", ModuleKind::container, {}, "Gemma4TextExperts"},
    {5, "gate_up_proj", ModuleKind::stacked_out, {Part::expert_gate, Part::expert_up}, {}},
    {5, "down_proj", ModuleKind::stacked_out, Part::expert_down, {}},
    {4, "post_feedforward_layernorm_1", ModuleKind::norm, Part::dense_output_norm, {}},
    {4, "post_feedforward_layernorm_2", ModuleKind::norm, Part::mixture_output_norm, {}},
    {4, "pre_feedforward_layernorm_2", ModuleKind::norm, Part::mixture_input_norm, {}},
});

template <FixedText name>
constexpr auto modules_of() {
    constexpr DecoderClasses classes = classes_of<name>;
    return join(model_modules(classes), attention_modules(classes.attention),
                gated_modules(classes.feed_forward, "GELUTanh()"), sandwich_norm_modules, layer_rest, model_rest,
                output_modules(classes.rotary));
}

// The sizes of layers without a window: a saved file has them layer by layer, a published one in fields of their own.
void read_full(ConfigReader& reader, Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    FullHeads full{.kv_heads = kv_heads(arch), .keys_are_values = reader.flag({"attention_k_eq_v"}, false)};
    full.head_dim = reader.number({"global_head_dim"}, full.head_dim);
    const std::optional<std::int64_t> kv = reader.optional_number({"num_global_key_value_heads"});
    if (kv && full.keys_are_values) full.kv_heads = *kv;
    const nlohmann::json* by_layer = reader.object({"per_layer_config"});
    if (by_layer && !by_layer->empty()) {
        for (const auto& [layer, fields] : by_layer->items()) {
            const bool same = fields == *by_layer->begin() && fields.is_object();
            const bool seen = !layer.empty() && layer.find_first_not_of("0123456789") == std::string::npos &&
                              layer.size() < 5 && attention.window &&
                              !attention.window->layers.contains(std::stoll(layer)) && std::stoll(layer) < arch.layers;
            if (!same || !seen)
                return reader.reject("per_layer_config",
                                     "layers that differ otherwise than with or without a window are not known here",
                                     "give the layers without a window one size of heads, and no other layer one");
        }
        ConfigReader fields(*by_layer->begin());
        full.head_dim = fields.number({"head_dim"}, attention.head_dim.value_or(full.head_dim));
        full.kv_heads = fields.number({"num_key_value_heads"}, full.kv_heads);
        if (fields.error()) reader.reject("per_layer_config", fields.error()->what, fields.error()->fix);
    }
    arch.layer.attention.full = full;
}

// The last layer has no window, whatever the list says.
void read_windows(ConfigReader& reader, Architecture& arch, std::int64_t size) {
    read_window(reader, arch, {.size = size}, all_but_every(6));
    std::optional<AttentionWindow>& windows = arch.layer.attention.window;
    if (!windows) windows = AttentionWindow{.size = size, .layers = LayerSet::none()};
    if (windows->layers.contains(arch.layers - 1))
        windows->layers = layers_where(arch.layers, [&](std::int64_t layer) {
            return layer + 1 < arch.layers && windows->layers.contains(layer);
        });
    if (arch.layers > LayerSet::longest)
        reader.reject("num_hidden_layers", "so many layers of this type cannot be told apart",
                      "give at most " + grouped(LayerSet::longest));
}

void read_common(ConfigReader& reader, Architecture& arch, std::int64_t size) {
    read_windows(reader, arch, size);
    read_full(reader, arch);
    Layer& layer = arch.layer;
    const std::int64_t borrowing = reader.number({"num_kv_shared_layers"}, 0, 0);
    read_borrowing(reader, arch, borrowing);
    layer.feed_forward.doubled = reader.flag({"use_double_wide_mlp"}, false) && borrowing > 0;
    layer.scaled = true;
    if (const nlohmann::json* sees = said(reader.config(), "use_bidirectional_attention"); sees && *sees == "all")
        reader.reject("use_bidirectional_attention", "attention to later tokens is not known of this type",
                      "set it to null");
}

void read_rest(ConfigReader& reader, Architecture& arch) {
    read_common(reader, arch, *window.size);
    const std::int64_t own_width = reader.number({"hidden_size_per_layer_input"}, 256, 0);
    const std::int64_t own_vocab = reader.number({"vocab_size_per_layer_input"}, 262144);
    if (own_width > 0) arch.layer.embedding = LayerEmbedding{own_width, own_vocab};
    if (!reader.flag({"enable_moe_block"}, false)) {
        for (const char* field : {"num_experts", "top_k_experts", "moe_intermediate_size"})
            reader.optional_number({field});  // said, and read by nothing
        return;
    }
    Mixture mixture;
    mixture.experts = reader.number({"num_experts"}, 8);
    mixture.experts_per_token = reader.number({"top_k_experts"}, 2);
    mixture.expert_dim = reader.number({"moe_intermediate_size"}, 704);
    mixture.beside_dense = true;
    arch.layer.mixture = mixture;
}

void read_unified(ConfigReader& reader, Architecture& arch) { read_common(reader, arch, 1024); }

void write_common(nlohmann::ordered_json& config, const Architecture& arch) {
    const Layer& layer = arch.layer;
    write_window(config, arch, window);
    const FullHeads full = layer.attention.full.value_or(
        FullHeads{bindings(arch, Input{})[Symbol::head_dim].value_or(1), kv_heads(arch), false});
    config["global_head_dim"] = full.head_dim;
    config["attention_k_eq_v"] = full.keys_are_values;
    if (full.keys_are_values) config["num_global_key_value_heads"] = full.kv_heads;
    config["num_kv_shared_layers"] = layer.attention.borrowing.count(arch.layers);
    config["use_double_wide_mlp"] = layer.feed_forward.doubled;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    write_common(config, arch);
    const Layer& layer = arch.layer;
    config["hidden_size_per_layer_input"] = layer.embedding ? layer.embedding->dim : 0;
    if (layer.embedding) config["vocab_size_per_layer_input"] = layer.embedding->vocab;
    config["enable_moe_block"] = layer.mixture.has_value();
    if (!layer.mixture) return;
    config["num_experts"] = layer.mixture->experts;
    config["top_k_experts"] = layer.mixture->experts_per_token;
    config["moe_intermediate_size"] = layer.mixture->expert_dim;
}

void read_computation(ComputationReader& reader, Computation& computation) {
    computation.value_norm = true;
    computation.score_scale = 1;
    computation.routing.score_factor = 1 / std::sqrt(static_cast<double>(reader.arch().dim));
    if (reader.object("rope_parameters")) return;
    computation.rope.scaling = RopeScaling::proportional;
    computation.rope.share = 0.25;
}

constexpr std::array modules = modules_of<"Gemma4Text">();
constexpr LlamaType type{
    .called = {"gemma4_text",
               "Gemma 4",
               {.causal_lm = "Gemma4ForCausalLM",
                .model = "Gemma4TextModel",
                .layer = "Gemma4TextDecoderLayer",
                .attention = "Gemma4TextAttention",
                .feed_forward = "Gemma4TextMLP",
                .rotary = "Gemma4TextRotaryEmbedding",
                .rms_norm = "Gemma4RMSNorm"},
               modules},
    .usual = {.dim = 2304, .ffn_dim = 9216, .layers = 30, .heads = 8, .vocab = 262144, .context = 131072},
    .kv_heads = 4,
    .head_dim = 256,
    .tied = true,
    .activation = "gelu_pytorch_tanh",
    .activation_field = "hidden_activation",
    .qk_norm = QkNorm::per_head,
    .norm = {.placement = NormPlacement::both},
    .computing = {.rope_base = 1000000,
                  .rope_base_field = "",
                  .windowed_apart = true,
                  .windowed_base = 10000,
                  .windowed_base_field = "",
                  .root_embedding_scale = true,
                  .logit_cap = 0,
                  .routing = {.scores = RouterScores::softmax, .normalized = true},
                  .rest = read_computation},
    .padding = 0,
    .own = {read_rest, write_rest}};

constexpr std::array unified_modules = modules_of<"Gemma4UnifiedText">();
constexpr LlamaType unified = changed(type, [](LlamaType& other) {
    other.called.type = "gemma4_unified_text";
    other.called.name = "Gemma 4, unified";
    other.called.classes = classes_of<"Gemma4UnifiedText">;
    other.called.classes.causal_lm = "Gemma4UnifiedForCausalLM";
    other.norm_class = "Gemma4UnifiedRMSNorm";
    other.called.modules = unified_modules;
    other.usual.context = 262144;
    other.own = {read_unified, write_common};
});

}  // namespace gemma4

constexpr Family gemma4_text_family = llama_like<gemma4::type>();
constexpr Family gemma4_unified_text_family = llama_like<gemma4::unified>();

}  // namespace headcount
