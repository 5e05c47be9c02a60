// Ministral: Mistral with a window in the layers that layer_types names (transformers, modeling_ministral.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace ministral {

constexpr DecoderClasses classes = classes_of<"Ministral">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 14336,
                         .kv_heads = 8,
                         .context = 131072,
                         .qkv_bias_field = {},
                         .window = WindowFields{.size = 4096}};
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"ministral",       "Ministral",
                        classes.rms_norm,  "model",
                        modules,           read_llama<ministral_family, type>,
                        write_llama<type>, compute<llama_computation>};

}  // namespace ministral

const Family& ministral_family() {
    return ministral::family;
}

}  // namespace headcount
