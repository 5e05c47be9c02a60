// What T5 and the encoders with decoders built like it share: the module tree, and spellings in config.json.
#pragma once

#include "core/families/plain_type.hpp"

namespace headcount::t5 {

inline constexpr auto projection_modules = std::to_array<Module>({
    {7, "q", ModuleKind::linear, Part::query, {}},
    {7, "k", ModuleKind::linear, Part::key, {}},
    {7, "v", ModuleKind::linear, Part::value, {}},
    {7, "o", ModuleKind::linear, Part::attention_output, {}},
});

// What stands behind each sub-block.
template <FixedText name>
constexpr std::array<Module, 2> closing_modules(Part norm) {
    return {{
        {6, "layer_norm", ModuleKind::norm, norm, joined_name<name, "LayerNorm()">},
        {6, "dropout", ModuleKind::stateless, {}, dropout_10},
    }};
}

// "encoder.block.0.layer.0.SelfAttention": each sub-block by its number. The first layer keeps the stack's distances.
template <FixedText name>
constexpr auto self_attention_modules =
    join(std::to_array<Module>({
             {4, "layer", ModuleKind::container, {}, "ModuleList"},
             {5, "0", ModuleKind::container, {}, joined_name<name, "LayerSelfAttention">},
             {6, "SelfAttention", ModuleKind::container, {}, joined_name<name, "Attention">},
         }),
         projection_modules,
         std::to_array<Module>({{7, "relative_attention_bias", ModuleKind::embedding, Part::relative_bias, {}}}),
         closing_modules<name>(Part::attention_norm));

template <FixedText name>
constexpr auto cross_attention_modules =
    join(std::to_array<Module>({
             {5, "1", ModuleKind::cross, {}, joined_name<name, "LayerCrossAttention">},
             {6, "EncDecAttention", ModuleKind::container, {}, joined_name<name, "Attention">},
         }),
         projection_modules, closing_modules<name>(Part::attention_norm));

template <FixedText name>
constexpr auto feed_forward_modules(std::string_view place) {
    return join(
        std::to_array<Module>({
            {5, place, ModuleKind::container, {}, joined_name<name, "LayerFF">},
            {6, "DenseReluDense", ModuleKind::container, {}, joined_name<name, "DenseActDense">, {}, Part::gate},
            {7, "wi", ModuleKind::linear, Part::up, {}, {}, Part::gate},
            {7, "wo", ModuleKind::linear, Part::down, {}, {}, Part::gate},
            {7, "dropout", ModuleKind::stateless, {}, dropout_10},
            {7, "act", ModuleKind::activation, {}, {}},
            {6, "DenseReluDense", ModuleKind::container, {}, joined_name<name, "DenseGatedActDense">, Part::gate},
            {7, "wi_0", ModuleKind::linear, Part::gate, {}},
            {7, "wi_1", ModuleKind::linear, Part::up, {}, Part::gate},
            {7, "wo", ModuleKind::linear, Part::down, {}, Part::gate},
            {7, "dropout", ModuleKind::stateless, {}, dropout_10},
            {7, "act", ModuleKind::activation, {}, {}},
        }),
        closing_modules<name>(Part::feed_forward_norm));
}

template <FixedText name>
constexpr auto stack_modules(std::string_view stack, ModuleKind kind) {
    return std::to_array<Module>({
        {1, stack, kind, {}, joined_name<name, "Stack">},
        {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
        {2, "block", ModuleKind::container, {}, "ModuleList"},
        {3, "{i}", ModuleKind::layer, {}, joined_name<name, "Block">},
    });
}

template <FixedText name>
constexpr auto final_norm_modules = std::to_array<Module>({
    {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, joined_name<name, "LayerNorm()">},
    {2, "dropout", ModuleKind::stateless, {}, dropout_10},
});

template <FixedText name>
constexpr auto modules_of = join(std::to_array<Module>({
                                     {0, "", ModuleKind::container, {}, joined_name<name, "ForConditionalGeneration">},
                                     {1, "shared", ModuleKind::embedding, Part::token_embedding, {}},
                                 }),
                                 stack_modules<name>("encoder", ModuleKind::encoder), self_attention_modules<name>,
                                 feed_forward_modules<name>("1"), final_norm_modules<name>,
                                 stack_modules<name>("decoder", ModuleKind::decoder), self_attention_modules<name>,
                                 cross_attention_modules<name>, feed_forward_modules<name>("2"),
                                 final_norm_modules<name>,
                                 std::to_array<Module>({{1, "lm_head", ModuleKind::linear, Part::output_head, {}}}));

// Where the types differ: what an absent field means, and what is so in all models of one.
struct Defaults {
    std::int64_t vocab = 32128, ffn_dim = 2048, layers = 6, heads = 8;
    std::string_view feed_forward = "relu";
    bool by_layer = false;            // each layer has distances of its own
    bool always_tied = false;         // the output head is the embedding, whatever the file says
    bool tied_without_gates = false;  // so it is where feed-forwards have no gates, as in T5 before 1.1
    std::int64_t dim = 512;
    OwnFields own{};
};

Result<Architecture> read(const nlohmann::json& config, const Family& family, const Defaults& defaults);
nlohmann::ordered_json write(const Architecture& arch, const Defaults& defaults);
// Scores that nothing scales, and how far distances are told apart.
void read_computation(ComputationReader& reader, Computation& computation);

template <const Defaults& defaults, const ComputationType& computing>
constexpr Family family_of(std::string_view type, std::string_view name, std::span<const Module> modules) {
    return {.type = type,
            .name = name,
            .modules = modules,
            .read = [](const nlohmann::json& config, const Family& family) { return read(config, family, defaults); },
            .write = [](const Architecture& arch) { return write(arch, defaults); },
            .computation = compute<computing>};
}

}  // namespace headcount::t5
