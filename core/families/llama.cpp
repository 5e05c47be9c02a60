// LLaMA 1 to 3 and what shares its layout (TinyLlama, SmolLM2, Yi): transformers, modeling_llama.py.
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace llama {

constexpr DecoderClasses classes = classes_of<"Llama">;
constexpr LlamaType type{.class_name = classes.causal_lm, .mlp_bias_field = "mlp_bias"};
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"llama",           "LLaMA",
                        classes.rms_norm,  "model",
                        modules,           read_llama<llama_family, type>,
                        write_llama<type>, compute<llama_computation>};

}  // namespace llama

const Family& llama_family() {
    return llama::family;
}

}  // namespace headcount
