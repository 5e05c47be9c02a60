// Phi-3 and Phi-4: queries, keys and values in one matrix, gate and up in another (transformers, modeling_phi3.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace phi3 {

constexpr DecoderClasses classes = classes_of<"Phi3">;
constexpr LlamaType type{.class_name = classes.causal_lm,
                         .dim = 3072,
                         .ffn_dim = 8192,
                         .vocab = 32064,
                         .context = 4096,
                         .rotary = 1.0,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false}};

constexpr std::array<Module, 5> attention{{
    {4, "self_attn", ModuleKind::container, {}, classes.attention},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {5, "qkv_proj", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}},
    {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
}};
constexpr std::array<Module, 2> dropouts{{
    {4, "resid_attn_dropout", ModuleKind::dropout, {}, dropout_0},
    {4, "resid_mlp_dropout", ModuleKind::dropout, {}, dropout_0},
}};
constexpr std::array modules =
    join(model_modules(classes.causal_lm, classes.model, classes.layer), attention,
         fused_gate_modules(classes.feed_forward), norm_modules, dropouts, output_modules(classes.rotary));

constexpr Family family{"phi3",
                        "Phi-3",
                        classes.rms_norm,
                        "model",
                        modules,
                        read_llama<phi3_family, type>,
                        write_llama<type>,
                        compute<llama_computation>,
                        /*verified=*/true,
                        /*padding=*/32000};

}  // namespace phi3

const Family& phi3_family() {
    return phi3::family;
}

}  // namespace headcount
