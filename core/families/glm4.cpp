// GLM-4 of April 2025: GLM-4 9B with norms on both sides (transformers, modeling_glm4.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Glm4">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 13696,
                         .layers = 40,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .vocab = 151552,
                         .context = 131072,
                         .qkv_bias = true,
                         .rotary = 0.5,
                         .qkv_bias_is_output_bias = false,
                         .norm = {.placement = NormPlacement::both, .epsilon = 1.5625e-7}};

constexpr std::array<Module, 4> norms{{
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, classes.model, classes.layer), attention_modules(classes.attention),
         fused_gate_modules(classes.feed_forward), norms, output_modules(classes.rotary));

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    return reader.finish(read_llama_like(reader, config, glm4_family(), type));
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_llama_like(arch, type);
}

constexpr Family family{"glm4", "GLM-4 0414", classes.rms_norm,  "model",           modules,
                        read,   write,        /*verified=*/true, /*padding=*/151329};

}  // namespace

const Family& glm4_family() {
    return family;
}

}  // namespace headcount
