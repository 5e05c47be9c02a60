// Qwen 3: norms of each head's queries and keys (transformers, modeling_qwen3.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace qwen3 {

constexpr DecoderClasses classes = classes_of<"Qwen3">;
// Of Qwen3-VL, which knows no windows (configuration_qwen3_vl.py).
constexpr LlamaType vision_language{.class_name = classes.causal_lm,
                                    .ffn_dim = 22016,
                                    .kv_heads = 32,
                                    .head_dim = 128,
                                    .vocab = 151936,
                                    .context = 128000,
                                    .qk_norm = QkNorm::per_head};
constexpr LlamaType type = [] {
    LlamaType other = vision_language;
    other.context = 32768;
    other.window = WindowFields{.size = 4096, .has_switch = true, .behind = 28};
    return other;
}();
constexpr std::array modules = llama_modules(classes);

constexpr Family family{"qwen3",           "Qwen 3",
                        classes.rms_norm,  "model",
                        modules,           read_llama<qwen3_family, type, vision_language, 500000>,
                        write_llama<type>, compute<llama_computation>};

}  // namespace qwen3

const Family& qwen3_family() {
    return qwen3::family;
}

}  // namespace headcount
