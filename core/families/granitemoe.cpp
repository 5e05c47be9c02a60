// Granite's mixtures: experts stacked as linear layers store them (transformers, modeling_granitemoe.py).
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/local_experts.hpp"
#include "core/families/mixture_layout.hpp"

namespace headcount {
namespace granitemoe {

constexpr std::array<Module, 4> mixture_parts{{
    {5, "input_linear", ModuleKind::stacked_linear, {Part::expert_gate, Part::expert_up}, {}},
    {5, "output_linear", ModuleKind::stacked_linear, Part::expert_down, {}},
    {5, "router.layer", ModuleKind::linear, Part::router, {}},
    {5, "activation", ModuleKind::activation, {}, {}},
}};

constexpr std::array modules =
    join(model_modules("GraniteMoeForCausalLM", "GraniteMoeModel", "GraniteMoeDecoderLayer"),
         attention_modules("GraniteMoeAttention"), norm_modules, mixture_modules("block_sparse_moe", "GraniteMoeMoE"),
         mixture_parts, output_modules("GraniteMoeRotaryEmbedding"));

constexpr LlamaType type{.class_name = "GraniteMoeForCausalLM"};

constexpr ComputationType computing{.granite = true};

constexpr Family family{"granitemoe",
                        "Granite MoE",
                        "GraniteMoeRMSNorm",
                        "model",
                        modules,
                        read_mixtral_like<granitemoe_family, type>,
                        write_mixtral_like<type>,
                        compute<computing>};

}  // namespace granitemoe

const Family& granitemoe_family() {
    return granitemoe::family;
}

}  // namespace headcount
