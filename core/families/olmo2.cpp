// OLMo 2: norms behind the sub-blocks, and of all queries and keys side by side (transformers, modeling_olmo2.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace olmo2 {

constexpr DecoderClasses classes = classes_of<"Olmo2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .vocab = 50304,
                         .qk_norm = QkNorm::across,
                         .norm = {.placement = NormPlacement::after, .epsilon = 1e-5}};
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"olmo2",           "OLMo 2",
                        classes.rms_norm,  "model",
                        modules,           read_llama<olmo2_family, type>,
                        write_llama<type>, compute<llama_computation>,
                        /*verified=*/true, /*padding=*/1};

}  // namespace olmo2

const Family& olmo2_family() {
    return olmo2::family;
}

}  // namespace headcount
