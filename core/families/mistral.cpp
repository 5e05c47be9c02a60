// Mistral 7B, Nemo and their like: LLaMA's layout with a window in every layer (transformers, modeling_mistral.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace mistral {

constexpr DecoderClasses classes = classes_of<"Mistral">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 14336,
                         .kv_heads = 8,
                         .context = 131072,
                         .qkv_bias_field = {},
                         .window = WindowFields{.size = 4096, .has_types = false}};
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"mistral",         "Mistral",
                        classes.rms_norm,  "model",
                        modules,           read_llama<mistral_family, type>,
                        write_llama<type>, compute<llama_computation>};

}  // namespace mistral

const Family& mistral_family() {
    return mistral::family;
}

}  // namespace headcount
