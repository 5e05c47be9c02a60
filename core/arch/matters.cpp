// Says for each field which layers, and which head, there have to be.
#include "core/arch/matters.hpp"

#include <algorithm>

#include "core/arch/family.hpp"
#include "core/arch/layers.hpp"

namespace headcount {
namespace {

bool feeds_forward(const Architecture& arch) { return arch.layer.feed_forward_layers.count(arch.layers) > 0; }

// Whether layers share one that has a feed-forward.
bool shares_layer(const Architecture& arch) { return arch.family && arch.family->shared && arch.family->shared(arch); }

bool is_dense(const Architecture& arch) {
    const std::int64_t different = std::min(arch.layers, pattern_length(arch));
    const bool beside = arch.layer.mixture && arch.layer.mixture->beside_dense;
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < different; ++layer)
        if (const LayerKind kind = kinds[layer]; kind.feed_forward && (beside || !kind.mixture)) return true;
    return false;
}

// Whether an attention of this kind uses its field.
bool is_used_by_attention(const Architecture& arch, Field field) {
    const Attention& attention = arch.layer.attention;
    switch (field) {
        case Field::kv_heads:
        case Field::output_gate:
        case Field::differential: return !attention.latent;
        case Field::key_bias: return attention.qkv_bias || !attention.key_bias;
        case Field::gate_bias: return attention.output_gate && (attention.qkv_bias || !attention.gate_bias);
        case Field::qk_norm: return !attention.latent || attention.qk_norm != QkNorm::none;
        case Field::qk_norm_bias: return attention.qk_norm != QkNorm::none && attention.qk_norm != QkNorm::plain;
        case Field::full_head_dim: return !attention.latent && attention.window.has_value();
        case Field::borrowing_layers: return !attention.latent;
        case Field::index_heads: return attention.latent.has_value();
        case Field::rotated_layers: return arch.positions == Positions::rope;
        case Field::rotary_dim: return arch.positions == Positions::rope && !attention.latent;
        case Field::relative_buckets:
        case Field::relative_by_layer: return scores_distances(arch);
        default: return true;
    }
}

// Whether a recurrence of this kind uses its field.
bool is_used_by(RecurrenceKind kind, Field field) {
    switch (field) {
        case Field::state_heads:
            return kind != RecurrenceKind::short_convolution && kind != RecurrenceKind::weighted_mean;
        case Field::state_head_dim:
            return kind == RecurrenceKind::mamba || kind == RecurrenceKind::mamba2 ||
                   kind == RecurrenceKind::gated_delta || kind == RecurrenceKind::gated_linear ||
                   kind == RecurrenceKind::weighted_mean;
        case Field::recurrence_norm:
            if (kind == RecurrenceKind::kimi_delta || kind >= RecurrenceKind::dynamic_decay ||
                kind == RecurrenceKind::lightning)
                return true;
            [[fallthrough]];
        case Field::state_groups: return kind == RecurrenceKind::mamba2 || kind == RecurrenceKind::gated_delta;
        case Field::conv_bias:
        case Field::conv_kernel: return kind != RecurrenceKind::lightning && !blends_tokens(kind);
        case Field::blend_rank: return kind == RecurrenceKind::dynamic_decay;
        case Field::write_rank:
        case Field::value_rank:
        case Field::gate_rank: return kind == RecurrenceKind::general_delta;
        case Field::step_rank:
            if (kind == RecurrenceKind::dynamic_decay || kind == RecurrenceKind::general_delta) return true;
            [[fallthrough]];
        case Field::recurrence_inner_norms: return kind == RecurrenceKind::mamba;
        default: return true;
    }
}

}  // namespace

bool matters(const Architecture& arch, Field field) {
    if (arch.layers < 1) return true;  // nobody knows
    if (arch.layer.recurrence && !is_used_by(arch.layer.recurrence->kind, field)) return false;
    if (field == Field::encoder_vocab) return arch.encoder && arch.encoder->own_embedding && !arch.sound;
    if (field == Field::encoder_window_layers) return arch.encoder && arch.layer.attention.window;
    if (field == Field::shared_dim || field == Field::shared_gate)
        return arch.layer.mixture && arch.layer.mixture->shared_experts > 0;
    if (field == Field::expert_bias) return arch.layer.mixture && arch.layer.feed_forward.bias;
    if (field == Field::encoder_mixture_layers) return arch.encoder && arch.layer.mixture;
    if (const std::optional<Field> part = part_with(field)) field = *part;
    switch (field) {
        case Field::heads:
        case Field::kv_heads:
        case Field::head_dim:
            if (!attends(arch) && arch.family && arch.family->besides) return true;  // what there is is made of these
            [[fallthrough]];
        case Field::qkv_bias:
        case Field::key_bias:
        case Field::gate_bias:
        case Field::attention_output_bias:
        case Field::output_gate:
        case Field::qk_norm:
        case Field::qk_norm_bias:
        case Field::rotary_dim:
        case Field::rotated_layers:
        case Field::relative_buckets:
        case Field::relative_by_layer:
        case Field::encoder_layers:
        case Field::sinks:
        case Field::differential:
        case Field::mask:
        case Field::window:
        case Field::full_head_dim:
        case Field::borrowing_layers:
        case Field::index_heads:
        case Field::kv_rank: return attends(arch) && is_used_by_attention(arch, field);
        case Field::ffn_dim:
        case Field::ffn_multiple_of:
        case Field::ffn_multiplier: return is_dense(arch) || shares_layer(arch);
        case Field::ffn_input_bias: return (feeds_forward(arch) || shares_layer(arch)) && arch.layer.feed_forward.bias;
        case Field::ffn_doubled: return is_dense(arch) && arch.layer.attention.borrowing.count(arch.layers) > 0;
        case Field::ffn_sparse_layers: return is_dense(arch) && arch.layer.feed_forward.gated;
        case Field::laurel_rank: return attends(arch) || recurs(arch);
        case Field::gated:
        case Field::ffn_bias: return feeds_forward(arch) || shares_layer(arch);
        case Field::joining:
        case Field::experts: return feeds_forward(arch);
        case Field::activation: return feeds_forward(arch) || arch.output == OutputKind::masked || recurs(arch);
        case Field::tied: return has_head(arch) && arch.output != OutputKind::classes && !reads_numbers(arch);
        case Field::head_bias: return has_head(arch);
        case Field::classes:
        case Field::pooled:
        case Field::pooled_norm:
        case Field::classifier_dim: return arch.output == OutputKind::classes;
        case Field::vocab: return !reads_numbers(arch) || (has_head(arch) && arch.output != OutputKind::classes);
        case Field::context: return !arch.patches;
        case Field::token_types: return !reads_numbers(arch);
        case Field::mask_row:
        case Field::pooling_head: return arch.patches || arch.sound;
        case Field::image_height: return attends(arch) && sees_all(arch) && !arch.encoder && !arch.sound;
        case Field::sound_channels: return attends(arch) && !arch.patches && (arch.encoder || sees_all(arch));
        case Field::transform_bias:
            return arch.output == OutputKind::masked ||
                   (arch.output == OutputKind::classes && arch.classifier_dim && !reads_numbers(arch));
        case Field::transform_dim: return arch.output == OutputKind::masked;
        case Field::first_norm:
            return arch.norm.placement == NormPlacement::before || arch.norm.placement == NormPlacement::both ||
                   (recurs(arch) && arch.layer.recurrence->norms_first);
        case Field::final_norm_bias: return arch.norm.final && arch.norm.bias;
        case Field::position_offset: return has_position_table(arch);
        default: return true;
    }
}

}  // namespace headcount
