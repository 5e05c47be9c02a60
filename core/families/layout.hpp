// Pieces of which families put their module trees together, and the names that transformers gives their classes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "core/arch/family.hpp"

namespace headcount {

// A text known when compiling, so that two can be joined.
template <std::size_t N>
struct FixedText {
    std::array<char, N> letters{};

    constexpr FixedText(const char (&text)[N]) { std::copy(text, text + N, letters.begin()); }
};

template <FixedText first, FixedText second>
inline constexpr auto joined_letters = [] {
    std::array<char, first.letters.size() + second.letters.size() - 2> all{};
    auto end = std::copy(first.letters.begin(), first.letters.end() - 1, all.begin());
    std::copy(second.letters.begin(), second.letters.end() - 1, end);
    return all;
}();

template <FixedText first, FixedText second>
inline constexpr std::string_view joined_name{joined_letters<first, second>.data(),
                                              joined_letters<first, second>.size()};

// A value of which `change` makes another.
template <class Value, class Change>
constexpr Value changed(Value value, const Change& change) {
    change(value);
    return value;
}

// Of a decoder like LLaMA.
struct DecoderClasses {
    std::string_view causal_lm, model, layer, attention, feed_forward, rotary, rms_norm{};
};

// "Qwen2ForCausalLM", "Qwen2Model", ...
template <FixedText name>
inline constexpr DecoderClasses classes_of{
    .causal_lm = joined_name<name, "ForCausalLM">,
    .model = joined_name<name, "Model">,
    .layer = joined_name<name, "DecoderLayer">,
    .attention = joined_name<name, "Attention">,
    .feed_forward = joined_name<name, "MLP">,
    .rotary = joined_name<name, "RotaryEmbedding">,
    .rms_norm = joined_name<name, "RMSNorm">,
};

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

// The modules with another name for those of this one.
template <std::size_t N>
constexpr std::array<Module, N> renamed(std::array<Module, N> modules, std::string_view from, std::string_view to) {
    for (Module& module : modules)
        if (module.name == from) module.name = to;
    return modules;
}

// The modules one level further down.
template <std::size_t N>
constexpr std::array<Module, N> lowered(std::array<Module, N> modules) {
    for (Module& module : modules) ++module.depth;
    return modules;
}

// The rate is no part of an architecture: these are the types' defaults.
inline constexpr std::string_view dropout_0 = "Dropout(p=0.0, inplace=False)";
inline constexpr std::string_view dropout_10 = "Dropout(p=0.1, inplace=False)";

// Everything is registered where transformers registers it: root (0), model (1), its parts (2), layer (3), sub-block
// (4), matrix (5).

// "model.embed_tokens" and the layers, up to the first layer itself. No family of this layout is published with a table
// of positions; an edited one has it here.
constexpr auto model_modules(const DecoderClasses& classes, std::string_view embedding = {}) {
    return std::to_array<Module>({
        {0, "", ModuleKind::container, {}, classes.causal_lm},
        {1, "model", ModuleKind::container, {}, classes.model},
        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, embedding},
        {2, "embed_positions", ModuleKind::embedding, Part::position_embedding, {}},
        {2, "embed_norm", ModuleKind::norm, Part::embedding_norm, {}},
        {2, "layers", ModuleKind::container, {}, "ModuleList"},
        {3, "{i}", ModuleKind::layer, {}, classes.layer},
    });
}

// "self_attn" with a matrix each for queries, keys and values, and norms of them where there are any.
constexpr auto attention_modules(std::string_view attention) {
    return std::to_array<Module>({
        {4, "self_attn", ModuleKind::container, {}, attention},
        {5, "sinks", ModuleKind::bare, Part::sinks, {}},
        {5, "q_proj", ModuleKind::linear, Part::query, {}},
        {5, "k_proj", ModuleKind::linear, Part::key, {}},
        {5, "v_proj", ModuleKind::linear, Part::value, {}},
        {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
        {5, "q_norm", ModuleKind::norm, Part::query_norm, {}},
        {5, "k_norm", ModuleKind::norm, Part::key_norm, {}},
    });
}

// "mlp" with gate, up and down.
constexpr auto gated_modules(std::string_view mlp, std::string_view gelu = {}) {
    return std::to_array<Module>({
        {4, "mlp", ModuleKind::container, {}, mlp},
        {5, "gate_proj", ModuleKind::linear, Part::gate, {}},
        {5, "up_proj", ModuleKind::linear, Part::up, {}},
        {5, "down_proj", ModuleKind::linear, Part::down, {}},
        {5, "act_fn", ModuleKind::activation, {}, gelu},
    });
}

// "mlp" with gate and up in one matrix.
constexpr auto fused_gate_modules(std::string_view mlp) {
    return std::to_array<Module>({
        {4, "mlp", ModuleKind::container, {}, mlp},
        {5, "gate_up_proj", ModuleKind::linear, {Part::gate, Part::up}, {}},
        {5, "down_proj", ModuleKind::linear, Part::down, {}},
        {5, "activation_fn", ModuleKind::activation, {}, {}},
    });
}

// Norms before the sub-blocks are named as LLaMA names them, those behind them as OLMo 2 does. The two share a name: on
// both sides, which no published model has, the one behind goes by another.
constexpr auto norm_modules = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}, {}, Part::feed_forward_norm},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});

// Gemma 2's names of norms on both sides.
constexpr auto sandwich_norm_modules = std::to_array<Module>({
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {4, "pre_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});

// What comes after the layers.
constexpr auto output_modules(std::string_view rotary) {
    return std::to_array<Module>({
        {2, "norm", ModuleKind::norm, Part::final_norm, {}},
        {2, "rotary_emb", ModuleKind::rotary, {}, rotary},
        {2, "project_in", ModuleKind::linear, Part::embedding_projection, {}},
        {2, "project_out", ModuleKind::linear, Part::output_projection, {}},
        {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
    });
}

// All of a decoder, of whose layers these are the parts.
template <std::size_t... N>
constexpr auto decoder_modules(const DecoderClasses& classes, const std::array<Module, N>&... parts) {
    return join(model_modules(classes), parts..., output_modules(classes.rotary));
}

// "self_attn" as DeepSeek names it: queries through a bottleneck or straight from the width, keys and values from one
// that they share; and the matrices of plain attention, which models without latent attention have.
constexpr auto latent_attention_modules(std::string_view attention) {
    return std::to_array<Module>({
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
    });
}

// The module that holds router and experts. It stands beside one of the same name that holds the dense matrices: a
// layer has the one or the other.
constexpr auto mixture_modules(std::string_view name, std::string_view mixture) {
    return std::to_array<Module>({{4, name, ModuleKind::container, {}, mixture}});
}

constexpr auto router_modules(std::string_view name, std::string_view router) {
    return std::to_array<Module>({{5, name, ModuleKind::linear, Part::router, router}});
}

// DeepSeek V3's, a number an expert inside the router's module.
constexpr auto correction_modules = std::to_array<Module>({
    {5, "gate.e_score_correction_bias", ModuleKind::buffer, Part::router_correction, {}},
});

// "experts.0.gate_proj" and so on: each expert's matrices by themselves. transformers fuses them on loading, and
// prints no more of them than the activation function.
constexpr auto expert_modules(std::string_view experts, std::string_view expert) {
    return std::to_array<Module>({
        {5, "experts", ModuleKind::container, {}, experts},
        {6, "{e}", ModuleKind::expert, {}, expert},
        {7, "gate_proj", ModuleKind::linear, Part::expert_gate, {}},
        {7, "up_proj", ModuleKind::linear, Part::expert_up, {}},
        {7, "down_proj", ModuleKind::linear, Part::expert_down, {}},
        {6, "act_fn", ModuleKind::activation, {}, {}},
    });
}

// "experts.gate_up_proj" and "experts.down_proj": those of all experts in one tensor each.
constexpr auto stacked_expert_modules(std::string_view experts, Fusing fusing = Fusing::in_turn) {
    return std::to_array<Module>({
        {5, "experts", ModuleKind::container, {}, experts},
        fused({6, "gate_up_proj", ModuleKind::stacked, {Part::expert_gate, Part::expert_up}, {}}, fusing),
        {6, "down_proj", ModuleKind::stacked, Part::expert_down, {}},
    });
}

// The same as linear layers store them: [experts, out, in].
constexpr auto linear_expert_modules(std::string_view experts) {
    return std::to_array<Module>({
        {5, "experts", ModuleKind::container, {}, experts},
        {6, "gate_up_proj", ModuleKind::stacked_out, {Part::expert_gate, Part::expert_up}, {}},
        {6, "down_proj", ModuleKind::stacked_out, Part::expert_down, {}},
        {6, "act_fn", ModuleKind::activation, {}, {}},
    });
}

// The experts that every token passes, as one wide feed-forward.
constexpr auto shared_expert_modules(std::string_view name, std::string_view mlp, std::string_view activation) {
    return std::to_array<Module>({
        {5, name, ModuleKind::container, {}, mlp},
        {6, "gate_proj", ModuleKind::linear, Part::shared_gate, {}},
        {6, "up_proj", ModuleKind::linear, Part::shared_up, {}},
        {6, "down_proj", ModuleKind::linear, Part::shared_down, {}},
        {6, activation, ModuleKind::activation, {}, {}},
    });
}

}  // namespace headcount
