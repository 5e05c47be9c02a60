// Gemma 2: norms on both sides, a window in every other layer (transformers, modeling_gemma2.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"

namespace headcount {
namespace gemma2 {

constexpr DecoderClasses classes = classes_of<"Gemma2">;
constexpr LlamaType type = gemma2_type(classes.causal_lm, 256000, 8192, QkNorm::none, {.size = 4096, .pattern = 2});
constexpr std::array modules = gemma_modules<"Gemma2">(classes.model, sandwich_norm_modules);

constexpr ComputationType computing = gemma2_computation(10000, 50, 30);

constexpr Family family{
    "gemma2",          "Gemma 2",          classes.rms_norm,  "model",      modules, read_llama<gemma2_family, type>,
    write_llama<type>, compute<computing>, /*verified=*/true, /*padding=*/0};

}  // namespace gemma2

const Family& gemma2_family() {
    return gemma2::family;
}

}  // namespace headcount
