// The table from the model's words to the theme's colours.
#include "app/parts/part_colours.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace headcount {
namespace {

// A colour of the theme, or what lies between two. With constructors, because clang 14 makes no table of what has
// values that follow from one another.
struct Hue {
    using Colour = ImU32 Theme::*;
    constexpr Hue() = default;
    constexpr Hue(Colour one) : colour(one), other(one), given(true) {}
    constexpr Hue(Colour one, Colour another) : colour(one), other(another), given(true) {}

    Colour colour = &Theme::norm, other = &Theme::norm;
    bool given = false;
};

template <class Word, std::size_t count>
struct Hues : std::array<Hue, count> {
    constexpr void give(Hue hue, std::initializer_list<Word> words) {
        for (const Word word : words) (*this)[static_cast<std::size_t>(word)] = hue;
    }
    const Hue& of(Word word) const { return (*this)[static_cast<std::size_t>(word)]; }
};

constexpr auto part_hues = [] {
    using enum Part;
    Hues<Part, part_count> all{};
    all.give(
        {&Theme::embedding},
        {token_embedding, unscored_rows, kept_embedding, position_embedding, token_type_embedding, embedding_projection,
         idle_embedding, patch_embedding, class_token, distillation_token, register_tokens, mask_row, convolution,
         position_convolution, position_bias, position_strength, layer_embedding, layer_projection, copy_projection});
    all.give({&Theme::query}, {query, query_adapter_down, query_adapter, state_query, convolved_query, relative_query});
    all.give({&Theme::query, &Theme::key}, {query_down, index_query, index_weight, index_scores});
    all.give({&Theme::key}, {key, key_adapter_down, key_adapter, index_key, state_key, convolved_key, relative_key});
    all.give({&Theme::value}, {value, value_adapter_down, value_adapter, state_value, first_values, state_value_down,
                               first_share, convolved_value, state_skip, latent_up});
    all.give({&Theme::key, &Theme::value}, {latent_down});
    all.give({&Theme::attention}, {scores, sinks, paired_query_1, paired_key_1, paired_query_2, paired_key_2,
                                   relative_bias, distance_gate, distance_strength, relative_rows, rotary_table});
    all.give({&Theme::attention_output}, {attention_output, state_output});
    all.give({&Theme::state_gate}, {attention_gate, state_gate, state_gate_down});
    all.give({&Theme::state_rate},
             {query_blend,  key_blend,   step_blend,      write_blend, low_blend,  share_down,
              step_share,   key_share,   value_share,     query_share, gate_share, state_write_down,
              erased_key,   written_key, value_blend,     gate_blend,  up_blend,   pass_blend,
              first_weight, state_step,  state_step_down, state_write, step_bias,  decay_rate});
    all.give({&Theme::gate},
             {gate, gate_adapter_down, gate_adapter, pass, expert_gate, shared_gate, layer_gate, laurel_down});
    all.give({&Theme::up}, {up, up_adapter, expert_up, shared_up, activation_above, activation_below});
    all.give({&Theme::down}, {down, shared_layer_output, expert_down, shared_down, layer_output, laurel_up});
    all.give({&Theme::gate, &Theme::up}, {router, router_scale, copy_router, copy_prediction, copy_correction,
                                          router_correction, idle_router, idle_correction, shared_weight});
    all.give({&Theme::activation_edge},
             {layer_scale, copy_scale, attention_scale, feed_forward_scale, residual, sense});
    all.give({&Theme::output_head}, {pooler, classifier_projection, pooling_query, pooling_projection, pooling_output,
                                     pooling_up, pooling_down, head_transform, output_projection, copy_output,
                                     output_head, idle_head_bias, logits_bias, contact_head, beside});
    all.give({&Theme::norm},
             {embedding_norm, convolution_norm, relative_norm, entry_norm, joined_norm, pooled_norm, pooling_norm,
              first_norm, attention_norm, query_down_norm, query_norm, key_norm, latent_norm, attention_output_norm,
              feed_forward_norm, feed_forward_output_norm, final_norm, value_norm});
    all.give({&Theme::norm},
             {index_norm, router_norm, copy_router_norm, laurel_norm, dense_output_norm, mixture_input_norm,
              mixture_output_norm, layer_input_norm, layer_output_norm, attention_inner_norm, paired_norm,
              feed_forward_inner_norm, state_norm, state_step_norm, state_key_norm, state_query_norm, head_norm});
    return all;
}();
static_assert(std::ranges::all_of(part_hues, &Hue::given), "a part has no hue");

constexpr auto symbol_hues = [] {
    using enum Symbol;
    Hues<Symbol, symbol_count> all{};
    all.give({&Theme::query}, {heads, query_rank, full_head_dim, index_heads, index_dim, index_chosen});
    all.give({&Theme::key}, {kv_heads, full_kv_heads, kv_rank, state_groups});
    all.give({&Theme::value}, {value_dim, state_head_dim, state_heads});
    all.give({&Theme::feed_forward},
             {ffn_dim, encoder_ffn_dim, expert_dim, experts, experts_per_token, shared_experts, shared_dim});
    all.give({&Theme::embedding},
             {vocab, encoder_vocab, embedding_dim, transform_dim, token_types, layer_embedding_dim,
              layer_embedding_vocab, image_height, image_width, patch, channels, class_tokens, registers});
    all.give({&Theme::output_head}, {classes, classifier_dim});
    all.give({&Theme::kv_edge}, {encoder_context, context, window, state_dim});
    return all;
}();

}  // namespace

ImU32 part_colour(const Theme& theme, Part part) {
    const Hue& hue = part_hues.of(part);
    return hue.colour == hue.other ? theme.*hue.colour
                                   : writable(theme, mix(theme.*hue.colour, theme.*hue.other, 0.5F));
}

ImU32 component_colour(const Theme& theme, Component component) {
    switch (component) {
        case Component::embedding: return theme.embedding;
        case Component::attention: return theme.attention;
        case Component::feed_forward: return theme.feed_forward;
        case Component::norm: return theme.norm;
        case Component::output: return theme.output_head;
        case Component::recurrence: return theme.recurrence;
        case Component::tower:
        case Component::connector: break;
    }
    return theme.activation_edge;
}

ImU32 symbol_colour(const Theme& theme, Symbol symbol) {
    const Hue& hue = symbol_hues.of(symbol);
    return hue.given ? theme.*hue.colour : 0;
}

}  // namespace headcount
