// ERNIE 4.5: LLaMA with one field for all biases (transformers, modeling_ernie4_5.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace ernie4_5 {

constexpr DecoderClasses classes = classes_of<"Ernie4_5">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 1024,
                         .ffn_dim = 3072,
                         .layers = 18,
                         .heads = 16,
                         .kv_heads = 2,
                         .head_dim = 128,
                         .null_head_dim = true,
                         .vocab = 103424,
                         .context = 131072,
                         .tied = true,
                         .qkv_bias_field = "use_bias",
                         .mlp_bias_field = "use_bias",
                         .norm = {.epsilon = 1e-5}};
constexpr std::array modules = llama_modules(classes);

constexpr ComputationType computing{.rope_base = 500000, .pairs = RopePairs::neighbours};

constexpr Family family{
    "ernie4_5",        "ERNIE 4.5",        classes.rms_norm,  "model",      modules, read_llama<ernie4_5_family, type>,
    write_llama<type>, compute<computing>, /*verified=*/true, /*padding=*/0};

}  // namespace ernie4_5

const Family& ernie4_5_family() {
    return ernie4_5::family;
}

}  // namespace headcount
