// Mixtral: Mistral's layout with experts in every layer (Jiang et al. 2024; transformers, modeling_mixtral.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/local_experts.hpp"
#include "core/families/mixture_layout.hpp"

namespace headcount {
namespace mixtral {

constexpr std::array<Module, 6> experts{{
    {5, "experts", ModuleKind::container, {}, "MixtralExperts"},
    {6, "{e}", ModuleKind::expert, {}, "MixtralBlockSparseTop2MLP"},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
}};

constexpr std::array modules =
    join(model_modules("MixtralForCausalLM", "MixtralModel", "MixtralDecoderLayer"),
         attention_modules("MixtralAttention"), mixture_modules("block_sparse_moe", "MixtralSparseMoeBlock"),
         router_modules("gate", "MixtralTopKRouter"), experts, norm_modules, output_modules("MixtralRotaryEmbedding"));

constexpr LlamaType type{.class_name = "MixtralForCausalLM",
                         .ffn_dim = 14336,
                         .kv_heads = 8,
                         .context = 131072,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5},
                         .window = WindowFields{.has_types = false}};

constexpr ComputationType computing{.rope_base = 1000000};

constexpr Family family{"mixtral",
                        "Mixtral",
                        "MixtralRMSNorm",
                        "model",
                        modules,
                        read_mixtral_like<mixtral_family, type>,
                        write_mixtral_like<type>,
                        compute<computing>};

}  // namespace mixtral

const Family& mixtral_family() {
    return mixtral::family;
}

}  // namespace headcount
