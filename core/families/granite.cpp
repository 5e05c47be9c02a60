// Granite 3: LLaMA with multipliers that change no shape (transformers, modeling_granite.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace granite {

constexpr DecoderClasses classes = classes_of<"Granite">;
constexpr LlamaType type{.class_name = classes.causal_lm, .mlp_bias_field = "mlp_bias"};
constexpr std::array modules = llama_modules(classes);

constexpr ComputationType computing{.granite = true};

constexpr Family family{"granite",         "Granite",         classes.rms_norm,
                        "model",           modules,           read_llama<granite_family, type>,
                        write_llama<type>, compute<computing>};

}  // namespace granite

const Family& granite_family() {
    return granite::family;
}

}  // namespace headcount
