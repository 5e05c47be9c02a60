// Gemma 2: norms on both sides, a window in every other layer (transformers, modeling_gemma2.py).
#include "core/families/families.hpp"
#include "core/families/gemma_like.hpp"

namespace headcount {
namespace {

constexpr DecoderClasses classes = classes_of<"Gemma2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 2304,
                         .ffn_dim = 9216,
                         .layers = 26,
                         .heads = 8,
                         .kv_heads = 4,
                         .head_dim = 256,
                         .vocab = 256000,
                         .context = 8192,
                         .tied = true,
                         .activation = "gelu_pytorch_tanh",
                         .activation_field = "hidden_activation",
                         .norm = {.placement = NormPlacement::both},
                         .window = WindowFields{.size = 4096, .pattern = 2},
                         .encoder_field = gemma_encoder_field};
constexpr std::array modules = gemma_modules<"Gemma2">(classes.model, sandwich_norm_modules);

constexpr Family family{"gemma2",          "Gemma 2",         classes.rms_norm,
                        "model",           modules,           read_llama<gemma2_family, type>,
                        write_llama<type>, /*verified=*/true, /*padding=*/0};

}  // namespace

const Family& gemma2_family() {
    return family;
}

}  // namespace headcount
