// OLMo: norms without parameters (transformers, modeling_olmo.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace olmo {

constexpr DecoderClasses classes = classes_of<"Olmo">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .vocab = 50304,
                         .epsilon_field = {},
                         .norm = {.kind = NormKind::layer, .scale = false, .epsilon = 1e-5}};
constexpr std::array modules = llama_modules(classes);

constexpr ComputationType computing{.clips = true};

constexpr Family family{"olmo",
                        "OLMo",
                        "OlmoLayerNorm()",
                        "model",
                        modules,
                        read_llama<olmo_family, type>,
                        write_llama<type>,
                        compute<computing>,
                        /*verified=*/true,
                        /*padding=*/1};

}  // namespace olmo

const Family& olmo_family() {
    return olmo::family;
}

}  // namespace headcount
