// GLM-4 of April 2025: GLM-4 9B with norms on both sides (transformers, modeling_glm4.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/glm_like.hpp"

namespace headcount {
namespace glm4 {

constexpr DecoderClasses classes = classes_of<"Glm4">;
constexpr LlamaType type = glm_type(classes.causal_lm, NormPlacement::both);

constexpr std::array<Module, 4> norms{{
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_self_attn_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};
constexpr std::array modules = glm_modules(classes, norms);

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

constexpr Family family{"glm4",
                        "GLM-4 0414",
                        classes.rms_norm,
                        "model",
                        modules,
                        read_llama<glm4_family, type>,
                        write_llama<type>,
                        compute<computing>,
                        /*verified=*/true,
                        /*padding=*/151329};

}  // namespace glm4

const Family& glm4_family() {
    return glm4::family;
}

}  // namespace headcount
