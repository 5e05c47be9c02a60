// EXAONE 4: norms behind the sub-blocks and of each head's queries and keys; a window in three of four layers and no
// positions in the others (transformers, modeling_exaone4.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace exaone4 {

constexpr DecoderClasses classes = classes_of<"Exaone4">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .ffn_dim = 16384,
                         .kv_heads = 32,
                         .vocab = 102400,
                         .qkv_bias_field = {},
                         .qk_norm = QkNorm::per_head,
                         .norm = {.placement = NormPlacement::after, .epsilon = 1e-5},
                         .window = WindowFields{.size = 4096, .pattern = 4, .has_pattern_field = true}};
constexpr std::array modules = llama_modules(classes);

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, exaone4_family(), type);
    // Beside layers with a window, those that see everything have no positions.
    Attention& attention = arch.layer.attention;
    if (attention.window) attention.rotated = attention.window->layers;
    return reader.finish(std::move(arch));
}

constexpr Family family{"exaone4", "EXAONE 4", classes.rms_norm,  "model",
                        modules,   read,       write_llama<type>, compute<llama_computation>};

}  // namespace exaone4

const Family& exaone4_family() {
    return exaone4::family;
}

}  // namespace headcount
