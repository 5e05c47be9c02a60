// Nemotron 4 and Minitron: squared ReLU without a gate, LayerNorm, half of each head turned
// (transformers, modeling_nemotron.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace nemotron {

constexpr DecoderClasses classes = classes_of<"Nemotron">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 6144,
                         .ffn_dim = 24576,
                         .heads = 48,
                         .vocab = 256000,
                         .context = 4096,
                         .activation = "relu2",
                         .rotary = 0.5,
                         .epsilon_field = "norm_eps",
                         .mlp_bias_field = "mlp_bias",
                         .gated = false,
                         .norm = {.kind = NormKind::layer, .bias = true, .epsilon = 1e-5}};
constexpr std::array modules = llama_modules(classes);

// Every norm multiplies by one more than its weights (NemotronLayerNorm1P).
constexpr ComputationType computing{.norm_offset = 1};

constexpr Family family{"nemotron",        "Nemotron",        "NemotronLayerNorm1P",
                        "model",           modules,           read_llama<nemotron_family, type>,
                        write_llama<type>, compute<computing>};

}  // namespace nemotron

const Family& nemotron_family() {
    return nemotron::family;
}

}  // namespace headcount
