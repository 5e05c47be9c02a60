// The module trees of BART and of the types built like it: encoder and decoder, each with its embedding, positions and
// layers, and the output head.
#pragma once

#include "core/families/plain_type.hpp"

namespace headcount::bart {

// Everything is registered where transformers registers it: root (0), model (1), stack (2), what is in it (3), layer
// (4), sub-block (5), matrix (6).

template <FixedText name>
constexpr auto attention_modules(std::string_view attention, ModuleKind kind) {
    return std::to_array<Module>({
        {5, attention, kind, {}, joined_name<name, "Attention">},
        {6, "k_proj", ModuleKind::linear, Part::key, {}},
        {6, "v_proj", ModuleKind::linear, Part::value, {}},
        {6, "q_proj", ModuleKind::linear, Part::query, {}},
        {6, "out_proj", ModuleKind::linear, Part::attention_output, {}},
    });
}

// One module wherever the norm stands.
constexpr auto norm_modules(std::string_view norm, Part before, Part after, ModuleKind kind = ModuleKind::norm) {
    return std::to_array<Module>({{5, norm, kind, before, {}}, {5, norm, kind, after, {}, {}, before}});
}
constexpr auto attention_norm_modules =
    norm_modules("self_attn_layer_norm", Part::attention_norm, Part::attention_output_norm);

constexpr auto activation_modules = std::to_array<Module>({{5, "activation_fn", ModuleKind::activation, {}, {}}});
constexpr auto feed_forward_modules =
    join(std::to_array<Module>({
             {5, "fc1", ModuleKind::linear, Part::up, {}},
             {5, "fc2", ModuleKind::linear, Part::down, {}},
         }),
         norm_modules("final_layer_norm", Part::feed_forward_norm, Part::feed_forward_output_norm));

template <FixedText name>
constexpr auto encoder_layer_modules = join(std::to_array<Module>({
                                                {3, "layers", ModuleKind::container, {}, "ModuleList"},
                                                {4, "{i}", ModuleKind::layer, {}, joined_name<name, "EncoderLayer">},
                                            }),
                                            attention_modules<name>("self_attn", ModuleKind::container),
                                            attention_norm_modules, activation_modules, feed_forward_modules);

template <FixedText name>
constexpr auto decoder_layer_modules = join(std::to_array<Module>({
                                                {3, "layers", ModuleKind::container, {}, "ModuleList"},
                                                {4, "{i}", ModuleKind::layer, {}, joined_name<name, "DecoderLayer">},
                                            }),
                                            attention_modules<name>("self_attn", ModuleKind::container),
                                            activation_modules, attention_norm_modules,
                                            attention_modules<name>("encoder_attn", ModuleKind::cross),
                                            norm_modules("encoder_attn_layer_norm", Part::attention_norm,
                                                         Part::attention_output_norm, ModuleKind::cross_norm),
                                            feed_forward_modules);

constexpr auto closing_modules = std::to_array<Module>({
    {3, "layernorm_embedding", ModuleKind::norm, Part::embedding_norm, {}},
    {3, "layer_norm", ModuleKind::norm, Part::final_norm, {}},
});

constexpr auto stack_modules(std::string_view stack, ModuleKind kind, std::string_view class_name,
                             std::string_view table) {
    return std::to_array<Module>({
        {2, stack, kind, {}, class_name},
        {3, "embed_tokens", ModuleKind::embedding, Part::token_embedding, table},
    });
}

// `positions` is what stands for those in each stack.
template <FixedText name, std::size_t N>
constexpr auto body_modules(std::string_view whole, std::string_view table, const std::array<Module, N>& positions) {
    return join(std::to_array<Module>({
                    {0, "", ModuleKind::container, {}, whole},
                    {1, "model", ModuleKind::container, {}, joined_name<name, "Model">},
                    {2, "shared", ModuleKind::embedding, Part::token_embedding, table},
                    {2, "shared", ModuleKind::embedding, Part::idle_embedding, table},
                }),
                stack_modules("encoder", ModuleKind::encoder, joined_name<name, "Encoder">, table), positions,
                encoder_layer_modules<name>, closing_modules,
                stack_modules("decoder", ModuleKind::decoder, joined_name<name, "Decoder">, table), positions,
                decoder_layer_modules<name>, closing_modules);
}

constexpr auto head_modules = std::to_array<Module>({{1, "lm_head", ModuleKind::linear, Part::output_head, {}}});
constexpr auto biased_head_modules = join(
    std::to_array<Module>({{1, "final_logits_bias", ModuleKind::buffer_row, Part::logits_bias, {}}}), head_modules);

template <FixedText name>
constexpr auto learned_modules = std::to_array<Module>({{3, "embed_positions", ModuleKind::embedding,
                                                         Part::position_embedding,
                                                         joined_name<name, "LearnedPositionalEmbedding">}});
template <FixedText name>
constexpr auto frozen_modules = std::to_array<Module>({{3, "embed_positions", ModuleKind::frozen,
                                                        Part::position_embedding,
                                                        joined_name<name, "SinusoidalPositionalEmbedding">}});
// Computed, and in no file.
template <FixedText name>
constexpr auto computed_modules = std::to_array<Module>(
    {{3, "embed_positions", ModuleKind::stateless, {}, joined_name<name, "SinusoidalPositionalEmbedding()">}});

template <FixedText name>
constexpr std::string_view scaled_table = joined_name<name, "ScaledWordEmbedding">;
template <FixedText name>
constexpr std::string_view generation_class = joined_name<name, "ForConditionalGeneration">;

template <FixedText name>
constexpr auto scaled_modules =
    join(body_modules<name>(generation_class<name>, scaled_table<name>, learned_modules<name>), biased_head_modules);
template <FixedText name>
constexpr auto plain_modules = join(body_modules<name>(generation_class<name>, {}, learned_modules<name>),
                                    biased_head_modules);

constexpr auto bart_modules = scaled_modules<"Bart">;
constexpr auto mbart_modules = scaled_modules<"MBart">;
constexpr auto plbart_modules = scaled_modules<"PLBart">;
constexpr auto mvp_modules = plain_modules<"Mvp">;
constexpr auto blenderbot_modules = scaled_modules<"Blenderbot">;
constexpr auto blenderbot_small_modules = plain_modules<"BlenderbotSmall">;
constexpr auto pegasus_modules =
    join(body_modules<"Pegasus">(generation_class<"Pegasus">, {}, frozen_modules<"Pegasus">), biased_head_modules);
constexpr auto marian_modules =
    join(body_modules<"Marian">("MarianMTModel", {}, frozen_modules<"Marian">), biased_head_modules);
constexpr auto m2m_modules =
    join(body_modules<"M2M100">(generation_class<"M2M100">, scaled_table<"M2M100">, computed_modules<"M2M100">),
         head_modules);

// A table that both stacks read; and one that is stored beside those of the stacks' own, and read by nothing.
inline constexpr auto shared_table =
    std::to_array<Module>({{2, "shared", ModuleKind::embedding, Part::token_embedding, {}}});
inline constexpr auto idle_table =
    std::to_array<Module>({{2, "shared", ModuleKind::embedding, Part::idle_embedding, {}}});

// Its encoder hears: two convolutions in the place of a table, and positions of its own.
constexpr auto whisper_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, "WhisperForConditionalGeneration"},
             {1, "model", ModuleKind::container, {}, "WhisperModel"},
             {2, "encoder", ModuleKind::encoder, {}, "WhisperEncoder"},
             {3, "conv{n}", ModuleKind::over_time, Part::convolution, {}},
             {3, "embed_positions", ModuleKind::embedding, Part::position_embedding, {}},
         }),
         encoder_layer_modules<"Whisper">, closing_modules,
         stack_modules("decoder", ModuleKind::decoder, "WhisperDecoder", {}),
         std::to_array<Module>(
             {{3, "embed_positions", ModuleKind::embedding, Part::position_embedding, "WhisperPositionalEmbedding"}}),
         decoder_layer_modules<"Whisper">, closing_modules,
         std::to_array<Module>({{1, "proj_out", ModuleKind::linear, Part::output_head, {}}}));

// Its encoder hears too, through convolutions that are besides; positions are computed.
constexpr auto speech_modules =
    join(std::to_array<Module>({
             {0, "", ModuleKind::container, {}, generation_class<"Speech2Text">},
             {1, "model", ModuleKind::container, {}, "Speech2TextModel"},
             {2, "encoder", ModuleKind::encoder, {}, "Speech2TextEncoder"},
         }),
         computed_modules<"Speech2Text">, encoder_layer_modules<"Speech2Text">, closing_modules,
         stack_modules("decoder", ModuleKind::decoder, "Speech2TextDecoder", {}), computed_modules<"Speech2Text">,
         decoder_layer_modules<"Speech2Text">, closing_modules, head_modules);

}  // namespace headcount::bart
