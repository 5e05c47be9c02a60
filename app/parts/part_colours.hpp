// Which hue stands for which part of the model: the one table from the model's words to the theme's colours. The
// key/value cache and states have their own in the theme, kv_edge and kv_fill.
#pragma once

#include "app/ui/theme.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

inline ImU32 part_colour(const Theme& theme, Part part) {
    switch (part) {
        case Part::token_embedding:
        case Part::unscored_rows:
        case Part::kept_embedding:
        case Part::position_embedding:
        case Part::token_type_embedding:
        case Part::embedding_projection:
        case Part::idle_embedding:
        case Part::patch_embedding:
        case Part::class_token:
        case Part::distillation_token:
        case Part::register_tokens:
        case Part::mask_row:
        case Part::convolution:
        case Part::position_convolution:
        case Part::position_bias:
        case Part::position_strength:
            return theme.embedding;
        case Part::query:
        case Part::query_adapter_down:
        case Part::query_adapter:
        case Part::state_query:
        case Part::convolved_query:
        case Part::relative_query:
            return theme.query;
        case Part::query_down:
        case Part::index_query:
        case Part::index_weight:
            return writable(theme, mix(theme.query, theme.key, 0.5F));
        case Part::key:
        case Part::key_adapter_down:
        case Part::key_adapter:
        case Part::index_key:
        case Part::state_key:
        case Part::convolved_key:
        case Part::relative_key:
            return theme.key;
        case Part::value:
        case Part::value_adapter_down:
        case Part::value_adapter:
        case Part::state_value:
        case Part::first_values:
        case Part::state_value_down:
        case Part::first_share:
        case Part::convolved_value:
        case Part::state_skip:  // what a token adds of its own value
            return theme.value;
        case Part::latent_down:  // between keys and values, which both come from it
            return writable(theme, mix(theme.key, theme.value, 0.5F));
        case Part::latent_up:
            return theme.value;
        case Part::scores:
        case Part::sinks:
        case Part::paired_query_1:
        case Part::paired_key_1:
        case Part::paired_query_2:
        case Part::paired_key_2:
        case Part::relative_bias:
        case Part::distance_gate:
        case Part::distance_strength:
        case Part::relative_rows:
        case Part::rotary_table:
            return theme.attention;
        case Part::attention_output:
        case Part::state_output:
            return theme.attention_output;
        case Part::attention_gate:
        case Part::state_gate:
        case Part::state_gate_down:
            return theme.state_gate;
        case Part::query_blend:
        case Part::key_blend:
        case Part::step_blend:
        case Part::write_blend:
        case Part::low_blend:
        case Part::share_down:
        case Part::step_share:
        case Part::key_share:
        case Part::value_share:
        case Part::query_share:
        case Part::gate_share:
        case Part::state_write_down:
        case Part::erased_key:
        case Part::written_key:
        case Part::value_blend:
        case Part::gate_blend:
        case Part::up_blend:
        case Part::pass_blend:
        case Part::first_weight:
        case Part::state_step:
        case Part::state_step_down:
        case Part::state_write:
        case Part::step_bias:
        case Part::decay_rate:
            return theme.state_rate;
        case Part::gate:
        case Part::gate_adapter_down:
        case Part::gate_adapter:
        case Part::pass:
        case Part::expert_gate:
        case Part::shared_gate:
            return theme.gate;
        case Part::up:
        case Part::up_adapter:
        case Part::expert_up:
        case Part::shared_up:
        case Part::activation_above:
        case Part::activation_below:
            return theme.up;
        case Part::down:
        case Part::shared_layer_output:
        case Part::expert_down:
        case Part::shared_down:
            return theme.down;
        case Part::router:
        case Part::router_scale:
        case Part::copy_router:
        case Part::copy_prediction:
        case Part::copy_correction:
        case Part::router_correction:
        case Part::idle_router:
        case Part::idle_correction:
        case Part::shared_weight:
            return writable(theme, mix(theme.gate, theme.up, 0.5F));
        case Part::layer_embedding:
        case Part::layer_projection:
        case Part::copy_projection:
            return theme.embedding;
        case Part::layer_gate:
        case Part::laurel_down:
            return theme.gate;
        case Part::layer_output:
        case Part::laurel_up:
            return theme.down;
        case Part::layer_scale:
        case Part::copy_scale:
        case Part::attention_scale:
        case Part::feed_forward_scale:
        case Part::residual:
        case Part::sense:
            return theme.activation_edge;
        case Part::pooler:
        case Part::classifier_projection:
        case Part::pooling_query:
        case Part::pooling_projection:
        case Part::pooling_output:
        case Part::pooling_up:
        case Part::pooling_down:
        case Part::head_transform:
        case Part::output_projection:
        case Part::copy_output:
        case Part::output_head:
        case Part::idle_head_bias:
        case Part::logits_bias:
        case Part::contact_head:
        case Part::beside:
            return theme.output_head;
        case Part::embedding_norm:
        case Part::convolution_norm:
        case Part::relative_norm:
        case Part::entry_norm:
        case Part::joined_norm:
        case Part::pooled_norm:
        case Part::pooling_norm:
        case Part::first_norm:
        case Part::attention_norm:
        case Part::query_down_norm:
        case Part::query_norm:
        case Part::key_norm:
        case Part::latent_norm:
        case Part::attention_output_norm:
        case Part::feed_forward_norm:
        case Part::feed_forward_output_norm:
        case Part::final_norm:
        case Part::value_norm:
        case Part::index_norm:
        case Part::router_norm:
        case Part::copy_router_norm:
        case Part::laurel_norm:
        case Part::dense_output_norm:
        case Part::mixture_input_norm:
        case Part::mixture_output_norm:
        case Part::layer_input_norm:
        case Part::layer_output_norm:
        case Part::attention_inner_norm:
        case Part::paired_norm:
        case Part::feed_forward_inner_norm:
        case Part::state_norm:
        case Part::state_step_norm:
        case Part::state_key_norm:
        case Part::state_query_norm:
        case Part::head_norm:
            return theme.norm;
    }
    return theme.activation_edge;
}

inline ImU32 component_colour(const Theme& theme, Component component) {
    switch (component) {
        case Component::embedding:
            return theme.embedding;
        case Component::attention:
            return theme.attention;
        case Component::feed_forward:
            return theme.feed_forward;
        case Component::norm:
            return theme.norm;
        case Component::output:
            return theme.output_head;
        case Component::recurrence:
            return theme.recurrence;
        case Component::tower:
        case Component::connector:
            break;
    }
    return theme.activation_edge;
}

// The hue of a dimension, for its slider and for the factors of a formula; 0 for one that belongs to no single part
// (width, layers, head size, tokens).
inline ImU32 symbol_colour(const Theme& theme, Symbol symbol) {
    switch (symbol) {
        case Symbol::heads:
        case Symbol::query_rank:
        case Symbol::full_head_dim:
        case Symbol::index_heads:
        case Symbol::index_dim:
            return theme.query;
        case Symbol::kv_heads:
        case Symbol::full_kv_heads:
        case Symbol::kv_rank:
        case Symbol::state_groups:
            return theme.key;
        case Symbol::value_dim:
        case Symbol::state_head_dim:
        case Symbol::state_heads:
            return theme.value;
        case Symbol::ffn_dim:
        case Symbol::encoder_ffn_dim:
        case Symbol::expert_dim:
        case Symbol::experts:
        case Symbol::experts_per_token:
        case Symbol::shared_experts:
        case Symbol::shared_dim:
            return theme.feed_forward;
        case Symbol::vocab:
        case Symbol::encoder_vocab:
        case Symbol::embedding_dim:
        case Symbol::transform_dim:
        case Symbol::token_types:
        case Symbol::layer_embedding_dim:
        case Symbol::layer_embedding_vocab:
        case Symbol::image_height:
        case Symbol::image_width:
        case Symbol::patch:
        case Symbol::channels:
        case Symbol::class_tokens:
        case Symbol::registers:
            return theme.embedding;
        case Symbol::classes:
        case Symbol::classifier_dim:
            return theme.output_head;
        case Symbol::encoder_context:
        case Symbol::context:
        case Symbol::window:
        case Symbol::state_dim:
            return theme.kv_edge;
        default:
            return 0;
    }
}

}  // namespace headcount
