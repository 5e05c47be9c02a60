// Where each field is in an architecture. Used by field_values.cpp alone.
#pragma once

#include <type_traits>

#include "core/arch/changes.hpp"

namespace headcount::field_parts {

using FfnWidth = decltype(DenseFeedForward::width);

// A part that the architecture does not have: what a field of it is then.
struct Missing {};

// A part that is there as soon as one of its numbers is: the experts of a mixture, the rank of latent attention.
template <class Owner, class Part>
struct Whole {
    Owner& part;  // an optional Part
    std::int64_t Part::*number;
    Part fresh;  // what comes when it was not there
};
template <class Owner, class Part>
Whole(Owner&, std::int64_t Part::*, Part) -> Whole<Owner, Part>;

// A mixture in a dense model's place: experts as wide as its feed-forward.
inline Mixture fresh_mixture(const Architecture& arch) {
    Mixture mixture;
    mixture.expert_dim = bindings(arch, Input{})[Symbol::ffn_dim].value_or(mixture.expert_dim);
    return mixture;
}

// A number that may be "none" rather than left to a rule.
template <class Number>
struct OrNone {
    Number& number;
};
template <class Number>
OrNone(Number&) -> OrNone<Number>;

// Acts on a member of a part that may be missing. Setting brings the part in; reading does not.
template <class Owner, class Fresh, class Get, class Act>
auto on_member(Owner& part, const Fresh& fresh, const Get& get, const Act& act) {
    if constexpr (std::is_const_v<Owner>) {
        return part ? act(get(*part)) : act(Missing{});
    } else {
        if (!part) part = fresh;
        return act(get(*part));
    }
}

template <class Arch, class Act>
auto on_attention(Arch& arch, Field field, const Act& act) {
    auto& attention = arch.layer.attention;
    auto of_window = [&](const auto& get) { return on_member(attention.window, AttentionWindow{}, get, act); };
    auto of_latent = [&](const auto& get) { return on_member(attention.latent, Latent{}, get, act); };
    switch (field) {
        case Field::kv_heads:
            return act(attention.kv_heads);
        case Field::head_dim:
            return act(attention.head_dim);
        case Field::qkv_bias:
            return act(attention.qkv_bias);
        case Field::attention_output_bias:
            return act(attention.output_bias);
        case Field::qk_norm:
            return act(attention.qk_norm);
        case Field::qk_norm_bias:
            return act(attention.qk_norm_bias);
        case Field::sinks:
            return act(attention.sinks);
        case Field::rotary_dim:
            return act(attention.rotary_dim);
        case Field::rotated_layers:
            return act(attention.rotated);
        case Field::window:
            return act(Whole{attention.window, &AttentionWindow::size, AttentionWindow{}});
        case Field::window_chunked:
            return of_window([](auto& window) -> auto& { return window.chunked; });
        case Field::window_layers:
            return of_window([](auto& window) -> auto& { return window.layers; });
        case Field::kv_rank:
            return act(Whole{attention.latent, &Latent::kv_rank, Latent{}});
        case Field::query_rank:
            return of_latent([](auto& latent) { return OrNone{latent.query_rank}; });
        case Field::rope_dim:
            return of_latent([](auto& latent) -> auto& { return latent.rope_dim; });
        case Field::nope_dim:
            return of_latent([](auto& latent) -> auto& { return latent.nope_dim; });
        case Field::value_dim:
            return of_latent([](auto& latent) -> auto& { return latent.value_dim; });
        default:
            return act(attention.heads);
    }
}

template <class Arch, class Act>
auto on_mixture(Arch& arch, Field field, const Act& act) {
    auto& mixture = arch.layer.mixture;
    auto of_mixture = [&](const auto& get) { return on_member(mixture, fresh_mixture(arch), get, act); };
    switch (field) {
        case Field::experts_per_token:
            return of_mixture([](auto& part) -> auto& { return part.experts_per_token; });
        case Field::expert_dim:
            return of_mixture([](auto& part) -> auto& { return part.expert_dim; });
        case Field::shared_experts:
            return of_mixture([](auto& part) -> auto& { return part.shared_experts; });
        case Field::shared_gate:
            return of_mixture([](auto& part) -> auto& { return part.shared_gate; });
        case Field::router_bias:
            return of_mixture([](auto& part) -> auto& { return part.router_bias; });
        case Field::correction_bias:
            return of_mixture([](auto& part) -> auto& { return part.correction_bias; });
        case Field::mixture_layers:
            return of_mixture([](auto& part) -> auto& { return part.layers; });
        default:
            return act(Whole{mixture, &Mixture::experts, fresh_mixture(arch)});
    }
}

// The one place where a field is a part of the architecture: acts on that part. Three fields share the feed-forward's
// width, which is a number or Meta's rule.
template <class Arch, class Act>
auto on_part(Arch& arch, Field field, const Act& act) {
    auto& feed_forward = arch.layer.feed_forward;
    switch (field) {
        case Field::dim:
            return act(arch.dim);
        case Field::layers:
            return act(arch.layers);
        case Field::ffn_dim:
        case Field::ffn_multiple_of:
        case Field::ffn_multiplier:
            return act(feed_forward.width);
        case Field::vocab:
            return act(arch.vocab);
        case Field::context:
            return act(arch.context);
        case Field::positions:
            return act(arch.positions);
        case Field::position_offset:
            return act(arch.position_offset);
        case Field::embedding_dim:
            return act(arch.embedding_dim);
        case Field::embedding_norm:
            return act(arch.embedding_norm);
        case Field::norm:
            return act(arch.norm.kind);
        case Field::norm_placement:
            return act(arch.norm.placement);
        case Field::norm_scale:
            return act(arch.norm.scale);
        case Field::norm_bias:
            return act(arch.norm.bias);
        case Field::norm_epsilon:
            return act(arch.norm.epsilon);
        case Field::final_norm:
            return act(arch.norm.final);
        case Field::gated:
            return act(feed_forward.gated);
        case Field::activation:
            return act(feed_forward.activation);
        case Field::ffn_bias:
            return act(feed_forward.bias);
        case Field::tied:
            return act(arch.tied);
        case Field::head_bias:
            return act(arch.head_bias);
        case Field::joining:
            return act(arch.layer.joining);
        default:
            return part_with(field) == Field::experts ? on_mixture(arch, field, act) : on_attention(arch, field, act);
    }
}

}  // namespace headcount::field_parts
