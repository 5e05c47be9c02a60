// The groups of rarer fields that fold: attention, recurrence, feed-forward, residual stream, embedding and output.
#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "app/parts/field_rows.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/views/explore/panels.hpp"
#include "core/arch/matters.hpp"

namespace headcount {
namespace {

constexpr std::array attention_fields{Field::mask,
                                      Field::qkv_bias,
                                      Field::attention_output_bias,
                                      Field::key_bias,
                                      Field::gate_bias,
                                      Field::qk_norm,
                                      Field::qk_norm_bias,
                                      Field::output_gate,
                                      Field::sinks,
                                      Field::differential,
                                      Field::rotary_dim,
                                      Field::rotated_layers,
                                      Field::window,
                                      Field::window_chunked,
                                      Field::window_layers,
                                      Field::kv_rank,
                                      Field::query_rank,
                                      Field::rope_dim,
                                      Field::nope_dim,
                                      Field::value_dim,
                                      Field::relative_buckets,
                                      Field::full_head_dim,
                                      Field::full_kv_heads,
                                      Field::keys_are_values,
                                      Field::index_heads,
                                      Field::index_dim,
                                      Field::index_chosen,
                                      Field::index_layers,
                                      Field::borrowing_layers,
                                      Field::relative_by_layer,
                                      Field::encoder_layers,
                                      Field::encoder_ffn_dim,
                                      Field::encoder_embedding,
                                      Field::encoder_vocab,
                                      Field::encoder_context,
                                      Field::encoder_window_layers,
                                      Field::encoder_mixture_layers};
constexpr std::array recurrence_fields{Field::step_rank,
                                       Field::recurrence_inner_norms,
                                       Field::state_dim,
                                       Field::state_heads,
                                       Field::state_groups,
                                       Field::state_head_dim,
                                       Field::conv_kernel,
                                       Field::conv_bias,
                                       Field::recurrence,
                                       Field::recurrence_bias,
                                       Field::recurrence_output_bias,
                                       Field::recurrence_norm,
                                       Field::recurrence_norms_first,
                                       Field::beside_attention,
                                       Field::recurrence_layers,
                                       Field::mixer_layers};
constexpr std::array feed_forward_fields{
    Field::ffn_bias,     Field::ffn_input_bias, Field::experts,         Field::experts_per_token,
    Field::expert_dim,   Field::shared_experts, Field::shared_dim,      Field::shared_gate,
    Field::router_bias,  Field::expert_bias,    Field::correction_bias, Field::mixture_norm,
    Field::beside_dense, Field::ffn_doubled,    Field::mixture_layers,  Field::ffn_layers};
constexpr std::array residual_fields{
    Field::joining,    Field::norm_placement, Field::norm_scale, Field::norm_bias,       Field::final_norm,
    Field::inner_norm, Field::norm_epsilon,   Field::first_norm, Field::final_norm_bias, Field::tied_layers};
constexpr std::array ends_fields{Field::output,
                                 Field::token_types,
                                 Field::embedding_dim,
                                 Field::embedding_norm,
                                 Field::position_offset,
                                 Field::head_bias,
                                 Field::layer_embedding_dim,
                                 Field::layer_embedding_vocab,
                                 Field::layer_scale,
                                 Field::transform_bias,
                                 Field::transform_dim,
                                 Field::branch_scale,
                                 Field::classes,
                                 Field::pooled,
                                 Field::pooled_norm,
                                 Field::classifier_dim,
                                 Field::pooling_head,
                                 Field::mask_row,
                                 Field::image_height,
                                 Field::image_width,
                                 Field::patch,
                                 Field::patch_stride,
                                 Field::image_channels,
                                 Field::patch_bias,
                                 Field::class_tokens,
                                 Field::registers,
                                 Field::sound_channels,
                                 Field::convolutions,
                                 Field::convolution_bias,
                                 Field::convolutions_padded,
                                 Field::convolution_norms,
                                 Field::position_kernel,
                                 Field::position_groups,
                                 Field::position_layers};

}  // namespace

bool stands_out(const FieldForm& form, Field field) {
    const Architecture& base = form.model.document.base;
    if (field == Field::token_types) return base.token_types > 0;
    if (field == Field::encoder_layers) return base.encoder.has_value();
    if (field == Field::output) return base.output != OutputKind::language;
    return sees_all(base);
}

namespace {

// One group: its name, what is in it, and what it says of itself while it is closed.
struct Group {
    std::string_view key, label;
    std::span<const Field> fields;
    std::string remark;
    bool open_at_first = false;  // for a part that matters
};

// Whether the document or its base has a part: switching it off must not close the group that it is in.
bool has(const FieldForm& form, Field part) {
    return has_part(form.model.document.architecture, part) || has_part(form.model.document.base, part);
}

bool begin_group(const FieldForm& form, const Group& group) {
    const auto holds = [&](Field field) {
        return std::find(group.fields.begin(), group.fields.end(), field) != group.fields.end();
    };
    const std::vector<Field>& changes = form.model.derived.changed;
    const bool changed = std::any_of(changes.begin(), changes.end(), holds);
    const bool wrong = std::any_of(form.complaints.begin(), form.complaints.end(), [&](const Complaint& complaint) {
        return complaint.field && holds(*complaint.field);
    });
    const bool wanted = wrong || (form.reveal && holds(*form.reveal));
    return disclosure_row(form.ui, row_name(group.key),
                          {group.label, group.remark, changed, group.open_at_first, wanted});
}

bool has_any_row(const FieldForm& form, std::span<const Field> fields) {
    return std::any_of(fields.begin(), fields.end(), [&](Field field) { return has_row(form, field); });
}

void add(std::string& remark, bool there, std::string_view word) {
    if (there) remark += (remark.empty() ? "" : ", ") + std::string(word);
}

std::string attention_remark(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    std::string remark;
    add(remark, attention.mask == AttentionMask::full, "full");
    add(remark, attention.latent.has_value(), "latent");
    add(remark, arch.encoder.has_value(), "beside an encoder");
    if (attention.window) add(remark, true, "window " + std::to_string(attention.window->size));
    add(remark, attention.qk_norm != QkNorm::none, "norms");
    add(remark, attention.output_gate, "gate");
    add(remark, attention.sinks, "sinks");
    add(remark, attention.differential, "pairs");
    if (attention.rotary_dim) add(remark, rotates(arch), std::to_string(*attention.rotary_dim) + " rotary");
    add(remark, attention.qkv_bias || attention.output_bias, "biases");
    return remark.empty() ? "no biases" : remark;
}

void latent_rows(FieldForm& form) {
    constexpr std::string_view fresh_rank = "512", fresh_query_rank = "1536";
    if (!part_row(form, Field::kv_rank, "Latent attention", fresh_rank,
                  "Keys and values made from a bottleneck, which is nearly all that is cached (DeepSeek V2)."))
        return;
    number_row(form, Field::kv_rank);
    number_row(form, Field::rope_dim);
    number_row(form, Field::nope_dim);
    number_row(form, Field::value_dim);
    if (part_row(form, Field::query_rank, "Query bottleneck", fresh_query_rank,
                 "Queries made from a bottleneck of their own."))
        number_row(form, Field::query_rank);
}

void window_rows(FieldForm& form) {
    constexpr std::string_view fresh_window = "4096";
    if (!part_row(form, Field::window, "Attention window", fresh_window,
                  "Some layers see only the last tokens, and keep only their keys and values."))
        return;
    number_row(form, Field::window);
    flag_row(form, Field::window_chunked);
    layers_row(form, Field::window_layers);
}

// Of layers that see everything, beside such with a window.
void full_rows(FieldForm& form) {
    constexpr std::string_view fresh_size = "512";
    if (!has_row(form, Field::full_head_dim) ||
        !part_row(form, Field::full_head_dim, "Other full heads", fresh_size,
                  "Layers without a window have heads of another size, and another number of them (Gemma 4)."))
        return;
    number_row(form, Field::full_head_dim);
    number_row(form, Field::full_kv_heads);
    flag_row(form, Field::keys_are_values);
}

void index_rows(FieldForm& form) {
    constexpr std::string_view fresh_heads = "64";
    if (!has_row(form, Field::index_heads) ||
        !part_row(form, Field::index_heads, "Index", fresh_heads,
                  "Small heads choose which keys a token looks at (DeepSeek V3.2)."))
        return;
    number_row(form, Field::index_heads);
    number_row(form, Field::index_dim);
    number_row(form, Field::index_chosen);
    layers_row(form, Field::index_layers);
}

void encoder_rows(FieldForm& form) {
    constexpr std::string_view fresh_layers = "6";
    const bool there = part_row(form, Field::encoder_layers, "Encoder beside", fresh_layers,
                                "Layers that read another text all at once; in each of its layers the decoder looks at "
                                "what they made of it (T5).");
    if (!there) return;
    if (!stands_out(form, Field::encoder_layers)) number_row(form, Field::encoder_layers);
    number_row(form, Field::encoder_ffn_dim);
    flag_row(form, Field::encoder_embedding);
    for (const Field field : {Field::encoder_vocab, Field::encoder_context})
        if (has_row(form, field)) number_row(form, field);
    for (const Field field : {Field::encoder_window_layers, Field::encoder_mixture_layers})
        if (has_row(form, field)) layers_row(form, field);
}

void rotary_rows(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    if (!has_row(form, Field::rotated_layers)) return;
    if (has_row(form, Field::rotary_dim)) {
        const auto all = form.values[Symbol::head_dim].value_or(64);
        if (!arch.layer.attention.rotary_dim) {
            if (ruled_row(form, Field::rotary_dim, "= d_h", "own", "Turn only some of a head's columns"))
                set_field(form, Field::rotary_dim, std::to_string(std::max<std::int64_t>(2, all / 4 * 2)));
        } else {
            const ImVec2 row = ImGui::GetCursorScreenPos();
            number_row(form, Field::rotary_dim);
            if (mode_word(form, Field::rotary_dim, "all", "Turn all columns of a head", row))
                set_field(form, Field::rotary_dim, "auto");
        }
    }
    layers_row(form, Field::rotated_layers);
}

// "36 of 48 layers", "none".
std::string recurrence_remark(const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (!recurrence) return "none";
    std::int64_t layers = 0;
    for (std::int64_t layer = 0; layer < std::min(arch.layers, longest_pattern); ++layer)
        layers += layer_kind(arch, layer).recurrent;
    return std::to_string(layers) + " of " + std::to_string(arch.layers) + " layers";
}

// "2 of 8 experts", "dense", "none".
std::string feed_forward_remark(const Architecture& arch) {
    if (!matters(arch, Field::gated)) return "none";
    const std::optional<Mixture>& mixture = arch.layer.mixture;
    std::string remark = "dense";
    if (mixture)
        remark = std::to_string(mixture->experts_per_token) + " of " + std::to_string(mixture->experts) + " experts";
    return remark + (arch.layer.feed_forward.bias ? ", biases" : mixture ? "" : ", no biases");
}

std::string residual_remark(const Architecture& arch) {
    constexpr std::array<std::string_view, 4> placed{"norms before", "norms after", "norms on both sides",
                                                     "norms after sums"};
    if (arch.layer.joining == Joining::parallel) return "parallel";
    if (arch.layer.joining == Joining::parallel_shared) return "parallel, one norm";
    return std::string(placed[static_cast<std::size_t>(arch.norm.placement)]);
}

std::string ends_remark(const Architecture& arch) {
    std::string remark;
    if (arch.output != OutputKind::language)
        add(remark, true, info(Field::output).labels[static_cast<std::size_t>(arch.output)]);
    if (arch.token_types > 0) add(remark, true, std::to_string(arch.token_types) + " token types");
    if (arch.embedding_dim) add(remark, true, "width " + std::to_string(*arch.embedding_dim));
    add(remark, arch.embedding_norm, "norm");
    add(remark, has_position_table(arch) && arch.position_offset != 0, "offset");
    add(remark, arch.head_bias && has_head(arch), "head bias");
    return remark.empty() ? "plain" : remark;
}

}  // namespace

void attention_group(FieldForm& form) {
    if (!has_any_row(form, attention_fields)) return;
    const Architecture& arch = form.model.document.architecture;
    if (!begin_group(form,
                     {"attention", "Attention", attention_fields, attention_remark(arch), has(form, Field::kv_rank)}))
        return;
    if (!stands_out(form, Field::mask) && has_row(form, Field::mask)) choice_row(form, Field::mask);
    latent_rows(form);
    window_rows(form);
    full_rows(form);
    index_rows(form);
    if (has_row(form, Field::borrowing_layers)) layers_row(form, Field::borrowing_layers);
    encoder_rows(form);
    rotary_rows(form);
    if (has_row(form, Field::relative_buckets)) number_row(form, Field::relative_buckets);
    if (has_row(form, Field::relative_by_layer)) flag_row(form, Field::relative_by_layer);
    if (has_row(form, Field::qk_norm))
        choice_row(form, Field::qk_norm,
                   {.tooltip = "Queries and keys rescaled before they meet: each head with the same weights, with its "
                               "own, all heads as one row, or without weights."});
    for (const Field field : {Field::qk_norm_bias, Field::output_gate, Field::sinks, Field::differential,
                              Field::qkv_bias, Field::key_bias, Field::gate_bias, Field::attention_output_bias})
        if (has_row(form, field)) flag_row(form, field);
    gap(form.ui, 6);
}

void recurrence_group(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    if (!begin_group(form, {"recurrence", "Recurrence", recurrence_fields, recurrence_remark(arch),
                            has(form, Field::state_dim)}))
        return;
    constexpr std::string_view fresh_state = "128";
    if (part_row(form, Field::state_dim, "State in attention's place", fresh_state,
                 "Some layers remember what was before in a state of fixed size, and need no cache that grows.")) {
        layers_row(form, Field::recurrence_layers);
        choice_row(form, Field::recurrence);
        for (const Field field : {Field::state_heads, Field::state_groups, Field::state_dim, Field::state_head_dim,
                                  Field::conv_kernel, Field::step_rank})
            if (has_row(form, field)) number_row(form, field);
        if (has_row(form, Field::recurrence_inner_norms)) choice_row(form, Field::recurrence_inner_norms);
        for (const Field field : {Field::conv_bias, Field::recurrence_bias, Field::recurrence_output_bias,
                                  Field::recurrence_norm, Field::recurrence_norms_first, Field::beside_attention})
            if (has_row(form, field)) flag_row(form, field);
    }
    layers_row(form, Field::mixer_layers);
    gap(form.ui, 6);
}

void feed_forward_group(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    const bool mixture = arch.layer.mixture.has_value();
    if (!begin_group(form, {"feed_forward", "Feed-forward", feed_forward_fields, feed_forward_remark(arch),
                            has(form, Field::experts)}))
        return;
    constexpr std::string_view fresh_experts = "8";
    if (has_row(form, Field::experts) &&
        part_row(form, Field::experts, "Mixture of experts", fresh_experts,
                 "Several feed-forwards, of which a router picks a few for each token.")) {
        number_row(form, Field::experts);
        number_row(form, Field::experts_per_token);
        number_row(form, Field::expert_dim);
        number_row(form, Field::shared_experts);
        if (mixture && arch.layer.mixture->shared_experts > 0) {
            number_row(form, Field::shared_dim);
            flag_row(form, Field::shared_gate);
        }
        layers_row(form, Field::mixture_layers);
        flag_row(form, Field::router_bias);
        if (arch.layer.feed_forward.bias) flag_row(form, Field::expert_bias);
        flag_row(form, Field::correction_bias);
        flag_row(form, Field::mixture_norm);
        flag_row(form, Field::beside_dense);
    }
    for (const Field field : {Field::ffn_bias, Field::ffn_input_bias})
        if (has_row(form, field)) flag_row(form, field);
    layers_row(form, Field::ffn_layers);
    if (has_row(form, Field::ffn_doubled)) flag_row(form, Field::ffn_doubled);
    gap(form.ui, 6);
}

void residual_group(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    if (!begin_group(form, {"residual", "Residual stream", residual_fields, residual_remark(arch)})) return;
    if (has_row(form, Field::joining))
        choice_row(form, Field::joining,
                   {.tooltip = "Whether the feed-forward reads what attention has added to, or both read the same."});
    choice_row(form, Field::norm_placement);
    flag_row(form, Field::norm_scale);
    flag_row(form, Field::norm_bias);
    flag_row(form, Field::final_norm);
    flag_row(form, Field::inner_norm);
    if (has_row(form, Field::first_norm)) flag_row(form, Field::first_norm);
    if (has_row(form, Field::final_norm_bias)) flag_row(form, Field::final_norm_bias);
    flag_row(form, Field::tied_layers);
    text_row(form, Field::norm_epsilon);
    gap(form.ui, 6);
}

namespace {

// What stands in the place of tokens: an image's patches, or what convolutions make of sound.
void sense_rows(FieldForm& form) {
    constexpr std::string_view fresh_side = "224", fresh_channels = "80";
    if (has_row(form, Field::image_height) &&
        part_row(form, Field::image_height, "Image", fresh_side, "Patches of an image stand in the place of tokens.")) {
        for (const Field field : {Field::image_height, Field::image_width, Field::patch, Field::class_tokens,
                                  Field::registers, Field::image_channels})
            number_row(form, field);
        text_row(form, Field::patch_stride);
        flag_row(form, Field::patch_bias);
    }
    if (has_row(form, Field::sound_channels) &&
        part_row(form, Field::sound_channels, "Sound", fresh_channels, "Convolutions make rows of sound.")) {
        for (const Field field : {Field::sound_channels, Field::convolutions, Field::position_kernel,
                                  Field::position_groups, Field::position_layers})
            text_row(form, field);
        choice_row(form, Field::convolution_norms);
        for (const Field field : {Field::convolution_bias, Field::convolutions_padded}) flag_row(form, field);
    }
    for (const Field field : {Field::mask_row, Field::pooling_head})
        if (has_row(form, field)) flag_row(form, field);
}

void classifier_rows(FieldForm& form) {
    if (!has_row(form, Field::classes)) return;
    number_row(form, Field::classes);
    choice_row(form, Field::pooled);
    flag_row(form, Field::pooled_norm);
    text_row(form, Field::classifier_dim);
}

}  // namespace

void ends_group(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    if (!begin_group(form, {"ends", "Embedding and output", ends_fields, ends_remark(arch)})) return;
    if (!stands_out(form, Field::output)) choice_row(form, Field::output);
    classifier_rows(form);
    if (!stands_out(form, Field::token_types) && has_row(form, Field::token_types))
        number_row(form, Field::token_types);
    if (!arch.embedding_dim) {
        if (ruled_row(form, Field::embedding_dim, "d_emb = d", "own", "Give the embedding a width of its own"))
            set_field(form, Field::embedding_dim, std::to_string(std::max<std::int64_t>(1, arch.dim / 2)));
    } else {
        const ImVec2 row = ImGui::GetCursorScreenPos();
        number_row(form, Field::embedding_dim);
        if (mode_word(form, Field::embedding_dim, "auto", "As wide as the residual stream", row))
            set_field(form, Field::embedding_dim, "auto");
    }
    flag_row(form, Field::embedding_norm);
    if (has_row(form, Field::position_offset)) text_row(form, Field::position_offset);
    if (has_row(form, Field::head_bias)) flag_row(form, Field::head_bias);
    constexpr std::string_view fresh_width = "256";
    if (part_row(form, Field::layer_embedding_dim, "Layer embeddings", fresh_width,
                 "Each layer has numbers of every token by itself, from a table of their own (Gemma 3n).")) {
        number_row(form, Field::layer_embedding_dim);
        number_row(form, Field::layer_embedding_vocab);
    }
    flag_row(form, Field::layer_scale);
    flag_row(form, Field::branch_scale);
    sense_rows(form);
    if (has_row(form, Field::transform_bias)) flag_row(form, Field::transform_bias);
    if (has_row(form, Field::transform_dim)) number_row(form, Field::transform_dim);
    gap(form.ui, 6);
}

}  // namespace headcount
