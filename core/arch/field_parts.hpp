// Where each field is in an architecture. Used by field_values.cpp alone.
#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <type_traits>

#include "core/arch/fields.hpp"

namespace headcount::field_parts {

using FfnWidth = decltype(DenseFeedForward::width);

// A part that the architecture does not have: what a field of it is then.
struct Missing {};

// A part that is there as soon as one of its numbers is: the experts of a mixture, the rank of latent attention.
template <class Owner, class Part, class Fresh>
struct Whole {
    Owner& part;  // an optional Part
    std::int64_t Part::*number;
    Fresh fresh;  // makes what comes when it was not there
};
template <class Owner, class Part, class Fresh>
Whole(Owner&, std::int64_t Part::*, Fresh) -> Whole<Owner, Part, Fresh>;

// What comes when nothing else is said.
template <class Part>
Part usual() {
    return {};
}

// A mixture in a dense model's place: experts as wide as its feed-forward.
inline Mixture fresh_mixture(const Architecture& arch) {
    Mixture mixture;
    mixture.expert_dim = bindings(arch, Input{})[Symbol::ffn_dim].value_or(mixture.expert_dim);
    return mixture;
}

// Heads of layers without a window, as they were.
inline FullHeads fresh_full(const Architecture& arch) {
    return {bindings(arch, Input{})[Symbol::head_dim].value_or(FullHeads{}.head_dim), kv_heads(arch)};
}

// A recurrence in attention's place: twice as many columns as the width has, in heads of 64, as Mamba-2 has them.
inline Recurrence fresh_recurrence(const Architecture& arch) {
    Recurrence recurrence;
    recurrence.heads = std::max<std::int64_t>(1, arch.dim / recurrence.head_dim * 2);
    return recurrence;
}

// A number that may be "none" rather than left to a rule.
template <class Number>
struct OrNone {
    Number& number;
};
template <class Number>
OrNone(Number&) -> OrNone<Number>;

// Acts on a member of a part that may be missing. Setting brings the part in, which `fresh` makes; reading does not.
template <class Owner, class Fresh, class Get, class Act>
auto on_member(Owner& part, const Fresh& fresh, const Get& get, const Act& act) {
    if constexpr (std::is_const_v<Owner>) {
        return part ? act(std::invoke(get, *part)) : act(Missing{});
    } else {
        if (!part) part = fresh();
        return act(std::invoke(get, *part));
    }
}

template <class Arch, class Act>
auto on_attention(Arch& arch, Field field, const Act& act) {
    auto& attention = arch.layer.attention;
    auto of_window = [&](const auto& get) { return on_member(attention.window, usual<AttentionWindow>, get, act); };
    auto of_latent = [&](const auto& get) { return on_member(attention.latent, usual<Latent>, get, act); };
    if (field == Field::kv_heads) return act(attention.kv_heads);
    if (field == Field::head_dim) return act(attention.head_dim);
    if (field == Field::qkv_bias) return act(attention.qkv_bias);
    if (field == Field::key_bias) return act(attention.key_bias);
    if (field == Field::gate_bias) return act(attention.gate_bias);
    if (field == Field::attention_output_bias) return act(attention.output_bias);
    if (field == Field::mask) return act(attention.mask);
    if (field == Field::output_gate) return act(attention.output_gate);
    if (field == Field::qk_norm) return act(attention.qk_norm);
    if (field == Field::qk_norm_bias) return act(attention.qk_norm_bias);
    if (field == Field::sinks) return act(attention.sinks);
    if (field == Field::differential) return act(attention.differential);
    if (field == Field::rotary_dim) return act(attention.rotary_dim);
    if (field == Field::rotated_layers) return act(attention.rotated);
    if (field == Field::window) return act(Whole{attention.window, &AttentionWindow::size, usual<AttentionWindow>});
    if (field == Field::window_chunked) return of_window(&AttentionWindow::chunked);
    if (field == Field::window_layers) return of_window(&AttentionWindow::layers);
    if (field == Field::kv_rank) return act(Whole{attention.latent, &Latent::kv_rank, usual<Latent>});
    const auto fresh = [&] { return fresh_full(arch); };
    auto of_full = [&](const auto& get) { return on_member(attention.full, fresh, get, act); };
    auto of_indexer = [&](const auto& get) { return on_member(attention.indexer, usual<Indexer>, get, act); };
    if (field == Field::full_head_dim) return act(Whole{attention.full, &FullHeads::head_dim, fresh});
    if (field == Field::full_kv_heads) return of_full(&FullHeads::kv_heads);
    if (field == Field::keys_are_values) return of_full(&FullHeads::keys_are_values);
    if (field == Field::borrowing_layers) return act(attention.borrowing);
    if (field == Field::index_heads) return act(Whole{attention.indexer, &Indexer::heads, usual<Indexer>});
    if (field == Field::index_dim) return of_indexer(&Indexer::head_dim);
    if (field == Field::index_chosen) return of_indexer(&Indexer::chosen);
    if (field == Field::index_layers) return of_indexer(&Indexer::layers);
    if (field == Field::query_rank) return of_latent([](auto& latent) { return OrNone{latent.query_rank}; });
    if (field == Field::rope_dim) return of_latent(&Latent::rope_dim);
    if (field == Field::nope_dim) return of_latent(&Latent::nope_dim);
    if (field == Field::value_dim) return of_latent(&Latent::value_dim);
    assert(field == Field::heads);
    return act(attention.heads);
}

template <class Arch, class Act>
auto on_mixture(Arch& arch, Field field, const Act& act) {
    auto& mixture = arch.layer.mixture;
    const auto fresh = [&] { return fresh_mixture(arch); };
    auto of_mixture = [&](const auto& get) { return on_member(mixture, fresh, get, act); };
    if (field == Field::experts_per_token) return of_mixture(&Mixture::experts_per_token);
    if (field == Field::expert_dim) return of_mixture(&Mixture::expert_dim);
    if (field == Field::shared_experts) return of_mixture(&Mixture::shared_experts);
    if (field == Field::shared_dim) return of_mixture(&Mixture::shared_dim);
    if (field == Field::shared_gate) return of_mixture(&Mixture::shared_gate);
    if (field == Field::router_bias) return of_mixture(&Mixture::router_bias);
    if (field == Field::expert_bias) return of_mixture(&Mixture::expert_bias);
    if (field == Field::correction_bias) return of_mixture(&Mixture::correction_bias);
    if (field == Field::beside_dense) return of_mixture(&Mixture::beside_dense);
    if (field == Field::mixture_norm) return of_mixture(&Mixture::output_norm);
    if (field == Field::mixture_layers) return of_mixture(&Mixture::layers);
    assert(field == Field::experts);
    return act(Whole{mixture, &Mixture::experts, fresh});
}

template <class Arch, class Act>
auto on_encoder(Arch& arch, Field field, const Act& act) {
    auto& encoder = arch.encoder;
    const auto fresh = [&] { return Encoder{.layers = arch.layers}; };
    auto of = [&](const auto& get) { return on_member(encoder, fresh, get, act); };
    if (field == Field::encoder_ffn_dim) return of(&Encoder::ffn_dim);
    if (field == Field::encoder_embedding) return of(&Encoder::own_embedding);
    if (field == Field::encoder_vocab) return of(&Encoder::vocab);
    if (field == Field::encoder_context) return of(&Encoder::context);
    if (field == Field::encoder_window_layers) return of(&Encoder::windowed);
    if (field == Field::encoder_mixture_layers) return of(&Encoder::mixtures);
    assert(field == Field::encoder_layers);
    return act(Whole{encoder, &Encoder::layers, fresh});
}

template <class Arch, class Act>
auto on_patches(Arch& arch, Field field, const Act& act) {
    auto of = [&](const auto& get) { return on_member(arch.patches, usual<Patches>, get, act); };
    if (field == Field::image_width) return of(&Patches::width);
    if (field == Field::patch) return of(&Patches::size);
    if (field == Field::patch_stride) return of(&Patches::stride);
    if (field == Field::image_channels) return of(&Patches::channels);
    if (field == Field::patch_bias) return of(&Patches::bias);
    if (field == Field::class_tokens) return of(&Patches::class_tokens);
    if (field == Field::registers) return of(&Patches::registers);
    assert(field == Field::image_height);
    return act(Whole{arch.patches, &Patches::height, usual<Patches>});
}

template <class Arch, class Act>
auto on_sound(Arch& arch, Field field, const Act& act) {
    auto of = [&](const auto& get) { return on_member(arch.sound, usual<Sound>, get, act); };
    if (field == Field::convolutions) return of(&Sound::convolutions);
    if (field == Field::convolution_bias) return of(&Sound::bias);
    if (field == Field::convolutions_padded) return of(&Sound::padded);
    if (field == Field::convolution_norms) return of(&Sound::norms);
    if (field == Field::position_kernel) return of(&Sound::position_kernel);
    if (field == Field::position_groups) return of(&Sound::position_groups);
    if (field == Field::position_layers) return of(&Sound::position_layers);
    assert(field == Field::sound_channels);
    return act(Whole{arch.sound, &Sound::channels, usual<Sound>});
}

template <class Arch, class Act>
auto on_recurrence(Arch& arch, Field field, const Act& act) {
    auto& recurrence = arch.layer.recurrence;
    const auto fresh = [&] { return fresh_recurrence(arch); };
    auto of = [&](const auto& get) { return on_member(recurrence, fresh, get, act); };
    if (field == Field::state_heads) return of(&Recurrence::heads);
    if (field == Field::state_groups) return of(&Recurrence::groups);
    if (field == Field::state_head_dim) return of(&Recurrence::head_dim);
    if (field == Field::conv_kernel) return of(&Recurrence::conv_kernel);
    if (field == Field::conv_bias) return of(&Recurrence::conv_bias);
    if (field == Field::step_rank) return of(&Recurrence::step_rank);
    if (field == Field::blend_rank) return of(&Recurrence::blend_rank);
    if (field == Field::write_rank) return of(&Recurrence::write_rank);
    if (field == Field::value_rank) return of(&Recurrence::value_rank);
    if (field == Field::gate_rank) return of(&Recurrence::gate_rank);
    if (field == Field::recurrence_inner_norms) return of(&Recurrence::inner_norms);
    if (field == Field::recurrence) return of(&Recurrence::kind);
    if (field == Field::recurrence_bias) return of(&Recurrence::bias);
    if (field == Field::recurrence_output_bias) return of(&Recurrence::output_bias);
    if (field == Field::recurrence_norm) return of(&Recurrence::norm);
    if (field == Field::recurrence_norms_first) return of(&Recurrence::norms_first);
    if (field == Field::beside_attention) return of(&Recurrence::beside_attention);
    if (field == Field::recurrence_layers) return of(&Recurrence::layers);
    assert(field == Field::state_dim);
    return act(Whole{recurrence, &Recurrence::state_dim, fresh});
}

// The one place where a field is a part of the architecture: acts on that part. Three fields share the feed-forward's
// width, which is a number or Meta's rule.
template <class Arch, class Act>
auto on_part(Arch& arch, Field field, const Act& act) {
    auto& feed_forward = arch.layer.feed_forward;
    if (field == Field::dim) return act(arch.dim);
    if (field == Field::layers) return act(arch.layers);
    if (field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier)
        return act(feed_forward.width);
    if (field == Field::vocab) return act(arch.vocab);
    if (field == Field::context) return act(arch.context);
    if (field == Field::positions) return act(arch.positions);
    if (field == Field::position_offset) return act(arch.position_offset);
    if (field == Field::embedding_dim) return act(arch.embedding_dim);
    if (field == Field::token_types) return act(arch.token_types);
    if (field == Field::embedding_norm) return act(arch.embedding_norm);
    if (field == Field::output) return act(arch.output);
    if (field == Field::norm) return act(arch.norm.kind);
    if (field == Field::norm_placement) return act(arch.norm.placement);
    if (field == Field::norm_scale) return act(arch.norm.scale);
    if (field == Field::norm_bias) return act(arch.norm.bias);
    if (field == Field::norm_epsilon) return act(arch.norm.epsilon);
    if (field == Field::final_norm) return act(arch.norm.final);
    if (field == Field::inner_norm) return act(arch.norm.inner);
    if (field == Field::first_norm) return act(arch.norm.first);
    if (field == Field::final_norm_bias) return act(arch.norm.final_bias);
    if (field == Field::gated) return act(feed_forward.gated);
    if (field == Field::activation) return act(feed_forward.activation);
    if (field == Field::ffn_bias) return act(feed_forward.bias);
    if (field == Field::ffn_input_bias) return act(feed_forward.input_bias);
    if (field == Field::tied) return act(arch.tied);
    if (field == Field::tied_layers) return act(arch.tied_layers);
    if (field == Field::head_bias) return act(arch.head_bias);
    if (field == Field::transform_bias) return act(arch.transform_bias);
    if (field == Field::transform_dim) return act(arch.transform_dim);
    if (field == Field::classes) return act(arch.classes);
    if (field == Field::pooled) return act(arch.pooled);
    if (field == Field::pooled_norm) return act(arch.pooled_norm);
    if (field == Field::classifier_dim) return act(OrNone{arch.classifier_dim});
    if (field == Field::pooling_head) return act(arch.pooling_head);
    if (field == Field::mask_row) return act(arch.mask_row);
    if (field == Field::joining) return act(arch.layer.joining);
    if (field == Field::mixer_layers) return act(arch.layer.mixer_layers);
    if (field == Field::ffn_layers) return act(arch.layer.feed_forward_layers);
    if (field == Field::ffn_doubled) return act(feed_forward.doubled);
    if (field == Field::ffn_sparse_layers) return act(arch.layer.sparse_layers);
    if (field == Field::layer_scale) return act(arch.layer.scaled);
    if (field == Field::branch_scale) return act(arch.layer.branch_scale);
    if (field == Field::stream_copies) return act(OrNone{arch.layer.stream_copies});
    if (field == Field::laurel_rank) return act(OrNone{arch.layer.laurel_rank});
    const auto fresh = [&] { return LayerEmbedding{.vocab = arch.vocab}; };
    if (field == Field::layer_embedding_dim) return act(Whole{arch.layer.embedding, &LayerEmbedding::dim, fresh});
    if (field == Field::layer_embedding_vocab)
        return on_member(arch.layer.embedding, fresh, &LayerEmbedding::vocab, act);
    if (field == Field::relative_buckets) return act(arch.layer.attention.relative_buckets);
    if (field == Field::relative_by_layer) return act(arch.layer.attention.relative_by_layer);
    if (part_with(field) == Field::encoder_layers) return on_encoder(arch, field, act);
    if (part_with(field) == Field::image_height) return on_patches(arch, field, act);
    if (part_with(field) == Field::sound_channels) return on_sound(arch, field, act);
    if (part_with(field) == Field::experts) return on_mixture(arch, field, act);
    if (part_with(field) == Field::state_dim) return on_recurrence(arch, field, act);
    return on_attention(arch, field, act);
}

}  // namespace headcount::field_parts
