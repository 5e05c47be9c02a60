// StableLM: LayerNorm, a quarter of each head turned; in StableLM 2 12B norms of each head by itself, and both
// sub-blocks side by side (transformers, modeling_stablelm.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace stablelm {

constexpr DecoderClasses classes = classes_of<"StableLm">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 2560,
                         .ffn_dim = 6912,
                         .kv_heads = 32,
                         .vocab = 50304,
                         .context = 4096,
                         .rotary = 0.25,
                         .head_dim_field = {},
                         .epsilon_field = "layer_norm_eps",
                         .qkv_bias_field = "use_qkv_bias",
                         .qkv_bias_is_output_bias = false,
                         .qk_norm = QkNorm::each_head,
                         .qk_norm_field = "qk_layernorm",
                         .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5}};

constexpr std::string_view per_head = "StableLmLayerNormPerHead";
constexpr std::array<Module, 11> attention{{
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
}};
constexpr std::array<Module, 1> dropout{{
    {4, "dropout", ModuleKind::dropout, {}, dropout_0},
}};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, classes.model, classes.layer), attention, gated_modules(classes.feed_forward),
         norm_modules, dropout, output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, stablelm_family(), type);
    if (reader.flag({"use_parallel_residual"}, false)) arch.layer.joining = Joining::parallel_shared;
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    config["use_parallel_residual"] = arch.layer.joining == Joining::parallel_shared;
    return config;
}

constexpr Family family{"stablelm", "StableLM", "LayerNorm", "model", modules, read, write, compute<llama_computation>};

}  // namespace stablelm

const Family& stablelm_family() {
    return stablelm::family;
}

}  // namespace headcount
