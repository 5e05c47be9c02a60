// OLMo 3: OLMo 2 with a window in three of four layers (transformers, modeling_olmo3.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace olmo3 {

constexpr DecoderClasses classes = classes_of<"Olmo3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .vocab = 50304,
                         .qk_norm = QkNorm::across,
                         .norm = {.placement = NormPlacement::after, .epsilon = 1e-5},
                         .window = WindowFields{.size = 4096, .pattern = 4}};
constexpr std::array modules = llama_modules(classes);

// Only layers that see everything stretch their positions.
constexpr ComputationType computing{.rope_base = 500000, .windowed_apart = true};

constexpr Family family{
    "olmo3",           "OLMo 3",           classes.rms_norm,  "model",      modules, read_llama<olmo3_family, type>,
    write_llama<type>, compute<computing>, /*verified=*/true, /*padding=*/1};

}  // namespace olmo3

const Family& olmo3_family() {
    return olmo3::family;
}

}  // namespace headcount
