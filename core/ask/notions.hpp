// What a question can be about in any model, and where a graph has it.
#pragma once

#include <array>

#include "core/ask/words.hpp"

namespace headcount::ask_notions {

using Q = AskQuantity;

inline constexpr std::array table{
    // Components and larger parts: what they hold is asked.
    Notion{"attention", "", "", "", "attention", Q::parameters},
    Notion{"feed-forward", "", "", "", "feed_forward", Q::parameters},
    Notion{"embedding", "", "", "embedding.weight", "embedding", Q::parameters},
    Notion{"norms", "", "", "", "norm", Q::parameters},
    Notion{"output", "", "", "output_head.weight", "output", Q::parameters},
    Notion{"the model", "", "", "", "model", Q::parameters},
    Notion{"the layers", "", "", "", "layers", Q::parameters},
    Notion{"biases", "", "", "", "biases", Q::parameters},
    Notion{"KV cache", "", "", "", "cache", Q::bytes},
    Notion{"experts", "", "", "", "layer.feed_forward.expert", Q::parameters},
    Notion{"shared experts", "", "", "", "layer.feed_forward.shared", Q::parameters},
    // Attention, in the order of the computation.
    Notion{"queries", "layer.attention.queries", "layer.attention.head.queries", "layer.attention.query.weight", "",
           Q::shape},
    Notion{"keys", "layer.attention.keys layer.attention.keys_values", "layer.attention.head.keys",
           "layer.attention.key.weight layer.attention.latent_up.weight", "", Q::shape},
    Notion{"values", "layer.attention.values layer.attention.keys_values", "layer.attention.head.values",
           "layer.attention.value.weight layer.attention.latent_up.weight", "", Q::shape},
    Notion{"key cache", "layer.attention.key_cache layer.attention.latent_cache", "", "", "", Q::shape},
    Notion{"value cache", "layer.attention.value_cache layer.attention.latent_cache", "", "", "", Q::shape},
    Notion{"scores", "", "layer.attention.head.scores", "", "", Q::shape},
    Notion{"attention weights", "", "layer.attention.head.weights", "", "", Q::shape},
    Notion{"head output", "", "layer.attention.head.output", "", "", Q::shape},
    Notion{"heads joined", "layer.attention.joined", "layer.attention.head.output", "", "", Q::shape},
    Notion{"attention output", "layer.attention.output", "layer.attention.head.output", "layer.attention.output.weight",
           "", Q::shape},
    Notion{"output projection", "layer.attention.output", "", "layer.attention.output.weight", "", Q::shape},
    Notion{"after attention", "layer.attention.stream", "", "", "", Q::shape},
    // Feed-forward.
    Notion{"gate", "layer.feed_forward.gate layer.feed_forward.expert.gate", "",
           "layer.feed_forward.gate.weight layer.feed_forward.expert.gate.weight", "", Q::shape},
    Notion{"up", "layer.feed_forward.up layer.feed_forward.expert.up", "",
           "layer.feed_forward.up.weight layer.feed_forward.expert.up.weight", "", Q::shape},
    Notion{"hidden", "layer.feed_forward.hidden layer.feed_forward.expert.hidden", "", "", "", Q::shape},
    Notion{"down", "layer.feed_forward.output", "",
           "layer.feed_forward.down.weight layer.feed_forward.expert.down.weight", "", Q::shape},
    Notion{"FFN output", "layer.feed_forward.output", "",
           "layer.feed_forward.down.weight layer.feed_forward.expert.down.weight", "", Q::shape},
    Notion{"router", "layer.feed_forward.router_scores", "", "layer.feed_forward.router.weight", "", Q::shape},
    Notion{"output of the layer", "layer.feed_forward.stream", "", "", "", Q::shape},
    // Before and behind the layers.
    Notion{"input", "embedding_norm positioned projected embedded", "", "", "", Q::shape},
    Notion{"embedding table", "embedded", "", "embedding.weight", "", Q::shape},
    Notion{"position embedding", "positioned", "", "positions.weight", "", Q::shape},
    Notion{"output head", "logits", "", "output_head.weight", "", Q::shape},
    Notion{"logits", "logits", "", "output_head.weight", "", Q::shape},
};

consteval const Notion* named(std::string_view name) {
    for (const Notion& each : table)
        if (each.name == name) return &each;
    throw "no such notion";  // does not compile
}

}  // namespace headcount::ask_notions
