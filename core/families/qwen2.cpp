// Qwen 2 and 2.5: LLaMA with biases of queries, keys and values; windows behind the first layers, where switched on
// (transformers, modeling_qwen2.py). Vision-language models are the same decoder, with other sizes where a file leaves
// one out.
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace qwen2 {

constexpr DecoderClasses classes = classes_of<"Qwen2">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 22016,
                         .kv_heads = 32,
                         .vocab = 151936,
                         .context = 32768,
                         .qkv_bias = true,
                         .qkv_bias_field = {},
                         .qkv_bias_is_output_bias = false,
                         .window = WindowFields{.size = 4096, .has_switch = true, .behind = 28}};
// Of Qwen2-VL and Qwen2.5-VL (configuration_qwen2_vl.py, configuration_qwen2_5_vl.py).
constexpr LlamaType vision_language = [] {
    LlamaType other = type;
    other.dim = 8192;
    other.ffn_dim = 29568;
    other.layers = 80;
    other.heads = 64;
    other.kv_heads = 8;
    other.vocab = 152064;
    other.norm.epsilon = 1e-5;
    other.window->behind = 80;
    return other;
}();
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"qwen2",           "Qwen 2",
                        classes.rms_norm,  "model",
                        modules,           read_llama<qwen2_family, type, vision_language, 1000000>,
                        write_llama<type>, compute<llama_computation>};

}  // namespace qwen2

const Family& qwen2_family() {
    return qwen2::family;
}

}  // namespace headcount
