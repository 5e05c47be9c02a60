// Pieces of which families put their module trees together: what many of them call alike.
#pragma once

#include <array>

#include "core/arch/family.hpp"

namespace headcount {

// Lists of modules one after the other.
template <std::size_t... N>
constexpr auto join(const std::array<Module, N>&... lists) {
    std::array<Module, (N + ...)> all{};
    std::size_t at = 0;
    auto append = [&](const auto& list) {
        for (const Module& module : list) all[at++] = module;
    };
    (append(lists), ...);
    return all;
}

// The rate is no part of an architecture: these are the types' defaults.
inline constexpr std::string_view dropout_0 = "Dropout(p=0.0, inplace=False)";
inline constexpr std::string_view dropout_10 = "Dropout(p=0.1, inplace=False)";

// Everything is registered where transformers registers it: root (0), model (1), its parts (2), layer (3), sub-block
// (4), matrix (5).

// "model.embed_tokens" and the layers, up to the first layer itself. No family of this layout is published with a table
// of positions; an edited one has it here.
constexpr auto model_modules(std::string_view causal_lm, std::string_view model, std::string_view layer,
                             std::string_view embedding = {}) {
    return std::array<Module, 7>{{
        {0, "", ModuleKind::container, {}, causal_lm},
        {1, "model", ModuleKind::container, {}, model},
        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, embedding},
        {2, "embed_positions", ModuleKind::embedding, Part::position_embedding, {}},
        {2, "embed_norm", ModuleKind::norm, Part::embedding_norm, {}},
        {2, "layers", ModuleKind::container, {}, "ModuleList"},
        {3, "{i}", ModuleKind::layer, {}, layer},
    }};
}

// "self_attn" with a matrix each for queries, keys and values, and norms of them where there are any.
constexpr auto attention_modules(std::string_view attention) {
    return std::array<Module, 8>{{
        {4, "self_attn", ModuleKind::container, {}, attention},
        {5, "sinks", ModuleKind::bare, Part::sinks, {}},
        {5, "q_proj", ModuleKind::linear, Part::query, {}},
        {5, "k_proj", ModuleKind::linear, Part::key, {}},
        {5, "v_proj", ModuleKind::linear, Part::value, {}},
        {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
        {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
        {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
    }};
}

// "mlp" with gate, up and down.
constexpr auto gated_modules(std::string_view mlp, std::string_view gelu = {}) {
    return std::array<Module, 5>{{
        {4, "mlp", ModuleKind::container, {}, mlp},
        {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
        {5, "up_proj", ModuleKind::linear, Part::up, {}},
        {5, "down_proj", ModuleKind::linear, Part::down, {}},
        {5, "act_fn", ModuleKind::activation, {}, gelu},
    }};
}

// "mlp" with gate and up in one matrix.
constexpr auto fused_gate_modules(std::string_view mlp) {
    return std::array<Module, 4>{{
        {4, "mlp", ModuleKind::container, {}, mlp},
        {5, "gate_up_proj", ModuleKind::linear, {Part::gate, Part::up}, {}},
        {5, "down_proj", ModuleKind::linear, Part::down, {}},
        {5, "activation_fn", ModuleKind::activation, {}, {}},
    }};
}

// Norms before the sub-blocks are named as LLaMA names them, those behind them as OLMo 2 does. The two share a name: on
// both sides, which no published model has, the one behind goes by another.
constexpr std::array<Module, 4> norm_modules{{
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}, {}, Part::feed_forward_norm},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};

// Gemma 2's names of norms on both sides.
constexpr std::array<Module, 4> sandwich_norm_modules{{
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "pre_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};

// What comes after the layers.
constexpr auto output_modules(std::string_view rotary) {
    return std::array<Module, 5>{{
        {2, "norm", ModuleKind::norm, Part::final_norm, {}},
        {2, "rotary_emb", ModuleKind::rotary, {}, rotary},
        {2, "project_in", ModuleKind::linear, Part::embedding_projection, {}},
        {2, "project_out", ModuleKind::linear, Part::output_projection, {}},
        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
    }};
}

}  // namespace headcount
