// Gemma: GeGLU, heads wider than their part of the width, a tied embedding (transformers, modeling_gemma.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"

namespace headcount {
namespace gemma {

constexpr DecoderClasses classes = classes_of<"Gemma">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 3072,
                         .ffn_dim = 24576,
                         .layers = 28,
                         .heads = 16,
                         .kv_heads = 16,
                         .head_dim = 256,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .encoder_field = gemma_encoder_field};
constexpr std::array modules = gemma_modules<"Gemma">(classes.model, norm_modules);

// The rows of the embedding times the root of the width; every norm multiplies by one more than its weights.
constexpr ComputationType computing{.root_embedding_scale = true, .norm_offset = 1};

constexpr Family family{"gemma",           "Gemma",
                        classes.rms_norm,  "model",
                        modules,           read_llama<gemma_family, type>,
                        write_llama<type>, compute<computing>,
                        /*verified=*/true, /*padding=*/0};

}  // namespace gemma

const Family& gemma_family() {
    return gemma::family;
}

}  // namespace headcount
