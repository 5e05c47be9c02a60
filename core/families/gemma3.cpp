// Gemma 3, its text model: norms on both sides and of queries and keys, a window in five of six layers
// (transformers, modeling_gemma3.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"

namespace headcount {
namespace gemma3 {

constexpr DecoderClasses classes = classes_of<"Gemma3">;
constexpr LlamaType type = gemma2_type(classes.causal_lm, 262208, 131072, QkNorm::per_head,
                                       {.size = 4096, .pattern = 6, .has_pattern_field = true});
constexpr std::array modules = gemma_modules<"Gemma3">("Gemma3TextModel", sandwich_norm_modules);

constexpr ComputationType computing = [] {
    ComputationType type = gemma2_computation(1000000, 0, 0);
    type.windowed_apart = true;
    type.windowed_base = 10000;
    return type;
}();

constexpr Family family{
    "gemma3_text",     "Gemma 3",          classes.rms_norm, "model", modules, read_llama<gemma3_text_family, type>,
    write_llama<type>, compute<computing>,
    /*verified=*/true, /*padding=*/0};

}  // namespace gemma3

const Family& gemma3_text_family() {
    return gemma3::family;
}

}  // namespace headcount
