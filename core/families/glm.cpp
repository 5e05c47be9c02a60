// GLM-4 9B: half of each head turned, gate and up in one matrix (transformers, modeling_glm.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/glm_like.hpp"

namespace headcount {
namespace glm {

constexpr DecoderClasses classes = classes_of<"Glm">;
constexpr LlamaType type = glm_type(classes.causal_lm, NormPlacement::before);
constexpr std::array modules = glm_modules(classes, norm_modules);

constexpr ComputationType computing{.pairs = RopePairs::neighbours};

constexpr Family family{"glm",
                        "GLM-4",
                        classes.rms_norm,
                        "model",
                        modules,
                        read_llama<glm_family, type>,
                        write_llama<type>,
                        compute<computing>,
                        /*verified=*/true,
                        /*padding=*/151329};

}  // namespace glm

const Family& glm_family() {
    return glm::family;
}

}  // namespace headcount
