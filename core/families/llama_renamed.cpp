// Families like LLaMA whose checkpoints name some modules otherwise, or fuse them: GLM-4, Phi-3, StableLM
// (transformers, modeling_glm.py, modeling_glm4.py, modeling_phi3.py, modeling_stablelm.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

// GLM-4 9B: half of each head turned, gate and up in one matrix.
namespace glm {

template <std::size_t N>
constexpr auto modules_of(const DecoderClasses& classes, const std::array<Module, N>& norms) {
    return decoder_modules(classes, attention_modules(classes.attention), fused_gate_modules(classes.feed_forward),
                           norms);
}

constexpr std::array modules = modules_of(classes_of<"Glm">, norm_modules);
constexpr LlamaType type{.called = {"glm", "GLM-4", classes_of<"Glm">, modules},
                         .usual = {.ffn_dim = 13696, .layers = 40, .vocab = 151552, .context = 131072},
                         .kv_heads = 2,
                         .head_dim = 128,
                         .qkv_bias = true,
                         .rotary = 0.5,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.epsilon = 1.5625e-7},
                         .computing = {.pairs = RopePairs::neighbours},
                         .padding = 151329};

// GLM-4 of April 2025: norms on both sides.
constexpr auto later_norms = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr std::array later_modules = modules_of(classes_of<"Glm4">, later_norms);
constexpr LlamaType later = changed(called(type, "glm4", "GLM-4 0414", classes_of<"Glm4">, later_modules),
                                    [](LlamaType& other) { other.norm.placement = NormPlacement::both; });

}  // namespace glm

constexpr Family glm_family = llama_like<glm::type>();
constexpr Family glm4_family = llama_like<glm::later>();

// Phi-3 and Phi-4: queries, keys and values in one matrix, gate and up in another.
namespace phi3 {

constexpr DecoderClasses classes = classes_of<"Phi3">;
constexpr auto attention = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "qkv_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
});
constexpr auto dropouts = std::to_array<Module>({
    {4, "resid_attn_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "resid_mlp_dropout", ModuleKind::stateless, {}, dropout_0},
});
constexpr std::array modules =
    decoder_modules(classes, attention, fused_gate_modules(classes.feed_forward), norm_modules, dropouts);

constexpr LlamaType type{.called = {"phi3", "Phi-3", classes, modules},
                         .usual = {.dim = 3072, .ffn_dim = 8192, .vocab = 32064, .context = 4096},
                         .rotary = 1.0,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false},
                         .padding = 32000};

}  // namespace phi3

constexpr Family phi3_family = llama_like<phi3::type>();

// StableLM: LayerNorm, a quarter of each head turned; in StableLM 2 12B norms of each head by itself, and both
// sub-blocks side by side.
namespace stablelm {

constexpr DecoderClasses classes = classes_of<"StableLm">;
constexpr std::string_view per_head = "StableLmLayerNormPerHead";
constexpr auto attention = std::to_array<Module>({
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "q_layernorm", ModuleKind::container, {}, per_head},
    {6, "norms", ModuleKind::container, {}, "ModuleList"},
    {7, "{h}", ModuleKind::each_head, Part::query_norm, {}},
    {5, "k_layernorm", ModuleKind::container, {}, per_head},
    {6, "norms", ModuleKind::container, {}, "ModuleList"},
    {7, "{h}", ModuleKind::each_head, Part::key_norm, {}},
});
constexpr auto dropout = std::to_array<Module>({
    {4, "dropout", ModuleKind::stateless, {}, dropout_0},
});
constexpr std::array modules =
    decoder_modules(classes, attention, gated_modules(classes.feed_forward), norm_modules, dropout);

constexpr LlamaType type{.called = {"stablelm", "StableLM", classes, modules},
                         .norm_class = "LayerNorm",
                         .usual = {.dim = 2560, .ffn_dim = 6912, .vocab = 50304, .context = 4096},
                         .kv_heads = 32,
                         .rotary = 0.25,
                         .head_dim_field = {},
                         .epsilon_field = "layer_norm_eps",
                         .qkv_bias_field = "use_qkv_bias",
                         .qkv_bias_is_output_bias = false,
                         .qk_norm = QkNorm::each_head,
                         .qk_norm_field = "qk_layernorm",
                         .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5},
                         .own = {[](ConfigReader& reader, Architecture& arch) {
                                     if (reader.flag({"use_parallel_residual"}, false))
                                         arch.layer.joining = Joining::parallel_shared;
                                 },
                                 [](nlohmann::ordered_json& config, const Architecture& arch) {
                                     config["use_parallel_residual"] = arch.layer.joining == Joining::parallel_shared;
                                 }}};

}  // namespace stablelm

constexpr Family stablelm_family = llama_like<stablelm::type>();

}  // namespace headcount
