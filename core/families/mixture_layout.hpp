// Pieces of module trees that have experts or latent attention: what several of these families call alike.
#pragma once

#include "core/families/layout.hpp"

namespace headcount {

// "self_attn" as DeepSeek names it: queries through a bottleneck or straight from the width, keys and values from one
// that they share; and the matrices of plain attention, which models without latent attention have.
constexpr auto latent_attention_modules(std::string_view attention) {
    return std::array<Module, 14>{{
        {4, "self_attn", ModuleKind::container, {}, attention},
        {5, "sinks", ModuleKind::bare, Part::sinks, {}},
        {5, "q_proj", ModuleKind::linear, Part::query, {}, {}, Part::query_down},
        {5, "q_a_proj", ModuleKind::linear, Part::query_down, {}},
        {5, "q_a_layernorm", ModuleKind::norm, Part::query_down_norm, {}},
        {5, "q_b_proj", ModuleKind::linear, Part::query, {}, Part::query_down, {}},
        {5, "kv_a_proj_with_mqa", ModuleKind::linear, Part::latent_down, {}},
        {5, "kv_a_layernorm", ModuleKind::norm, Part::latent_norm, {}},
        {5, "kv_b_proj", ModuleKind::linear, Part::latent_up, {}},
        {5, "k_proj", ModuleKind::linear, Part::key, {}},
        {5, "v_proj", ModuleKind::linear, Part::value, {}},
        {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
        {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
        {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
    }};
}

// The module that holds router and experts. It stands beside one of the same name that holds the dense matrices: a
// layer has the one or the other.
constexpr auto mixture_modules(std::string_view name, std::string_view mixture) {
    return std::array<Module, 1>{{{4, name, ModuleKind::container, {}, mixture}}};
}

constexpr auto router_modules(std::string_view name, std::string_view router) {
    return std::array<Module, 1>{{{5, name, ModuleKind::linear, Part::router, router}}};
}

// DeepSeek V3's, a number an expert inside the router's module.
constexpr std::array<Module, 1> correction_modules{{
    {5, "gate.e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}},
}};

// "experts.0.gate_proj" and so on: each expert's matrices by themselves. transformers fuses them on loading, and
// prints no more of them than the activation function.
constexpr auto expert_modules(std::string_view experts, std::string_view expert) {
    return std::array<Module, 6>{{
        {5, "experts", ModuleKind::container, {}, experts},
        {6, "{e}", ModuleKind::expert, {}, expert},
        {7, "gate_proj", ModuleKind::linear, Part::expert_gate, {}},
        {7, "up_proj", ModuleKind::linear, Part::expert_up, {}},
        {7, "down_proj", ModuleKind::linear, Part::expert_down, {}},
        {6, "act_fn", ModuleKind::activation, {}, {}},
    }};
}

// "experts.gate_up_proj" and "experts.down_proj": those of all experts in one tensor each.
constexpr auto stacked_expert_modules(std::string_view experts, Fusing fusing = Fusing::in_turn) {
    return std::array<Module, 3>{{
        {5, "experts", ModuleKind::container, {}, experts},
        fused({6, "gate_up_proj", ModuleKind::stacked, {Part::expert_gate, Part::expert_up}, {}}, fusing),
        {6, "down_proj", ModuleKind::stacked, Part::expert_down, {}},
    }};
}

// The experts that every token passes, as one wide feed-forward.
constexpr auto shared_expert_modules(std::string_view name, std::string_view mlp, std::string_view activation) {
    return std::array<Module, 5>{{
        {5, name, ModuleKind::container, {}, mlp},
        {6, "gate_proj", ModuleKind::linear, Part::shared_gate, {}},
        {6, "up_proj", ModuleKind::linear, Part::shared_up, {}},
        {6, "down_proj", ModuleKind::linear, Part::shared_down, {}},
        {6, activation, ModuleKind::activation, {}, {}},
    }};
}

}  // namespace headcount
