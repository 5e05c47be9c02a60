// Which hue stands for which part of the model: the one table from the model's words to the theme's colours.
#pragma once

#include "app/ui/theme.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

inline ImU32 part_colour(const Theme& theme, Part part) {
    switch (part) {
        case Part::token_embedding:
        case Part::position_embedding:
            return theme.embedding;
        case Part::query:
            return theme.query;
        case Part::key:
            return theme.key;
        case Part::value:
            return theme.value;
        case Part::scores:
            return theme.attention;
        case Part::attention_output:
            return theme.attention_output;
        case Part::gate:
            return theme.gate;
        case Part::up:
            return theme.up;
        case Part::down:
            return theme.down;
        case Part::residual:
            return theme.activation_edge;
        case Part::output_head:
            return theme.output_head;
        case Part::attention_norm:
        case Part::attention_output_norm:
        case Part::feed_forward_norm:
        case Part::feed_forward_output_norm:
        case Part::final_norm:
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
    }
    return theme.activation_edge;
}

// The hue of a dimension, for its slider and for the factors of a formula; 0 for one that belongs to no single part
// (width, layers, head size, tokens).
inline ImU32 symbol_colour(const Theme& theme, Symbol symbol) {
    switch (symbol) {
        case Symbol::heads:
            return theme.query;
        case Symbol::kv_heads:
            return theme.key;
        case Symbol::ffn_dim:
            return theme.feed_forward;
        case Symbol::vocab:
            return theme.embedding;
        case Symbol::context:
            return theme.kv_edge;
        default:
            return 0;
    }
}

}  // namespace headcount
