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
#include "core/base/find.hpp"

namespace headcount {
namespace {

// The fields of each group, in the order of their rows.
constexpr std::array attention_fields{Field::mask,
                                      Field::kv_rank,
                                      Field::rope_dim,
                                      Field::nope_dim,
                                      Field::value_dim,
                                      Field::query_rank,
                                      Field::window,
                                      Field::window_chunked,
                                      Field::window_layers,
                                      Field::full_head_dim,
                                      Field::full_kv_heads,
                                      Field::keys_are_values,
                                      Field::index_heads,
                                      Field::index_dim,
                                      Field::index_chosen,
                                      Field::index_layers,
                                      Field::borrowing_layers,
                                      Field::encoder_layers,
                                      Field::encoder_ffn_dim,
                                      Field::encoder_embedding,
                                      Field::encoder_vocab,
                                      Field::encoder_context,
                                      Field::encoder_window_layers,
                                      Field::encoder_mixture_layers,
                                      Field::rotary_dim,
                                      Field::rotated_layers,
                                      Field::relative_buckets,
                                      Field::relative_by_layer,
                                      Field::qk_norm,
                                      Field::qk_norm_bias,
                                      Field::output_gate,
                                      Field::sinks,
                                      Field::differential,
                                      Field::qkv_bias,
                                      Field::key_bias,
                                      Field::gate_bias,
                                      Field::attention_output_bias};
constexpr std::array recurrence_fields{Field::state_dim,
                                       Field::recurrence_layers,
                                       Field::recurrence,
                                       Field::state_heads,
                                       Field::state_groups,
                                       Field::state_head_dim,
                                       Field::conv_kernel,
                                       Field::step_rank,
                                       Field::blend_rank,
                                       Field::write_rank,
                                       Field::value_rank,
                                       Field::gate_rank,
                                       Field::recurrence_inner_norms,
                                       Field::conv_bias,
                                       Field::recurrence_bias,
                                       Field::recurrence_output_bias,
                                       Field::recurrence_norm,
                                       Field::recurrence_norms_first,
                                       Field::beside_attention,
                                       Field::mixer_layers};
constexpr std::array feed_forward_fields{
    Field::experts,      Field::experts_per_token, Field::expert_dim,  Field::shared_experts, Field::shared_dim,
    Field::shared_gate,  Field::mixture_layers,    Field::router_bias, Field::expert_bias,    Field::correction_bias,
    Field::mixture_norm, Field::beside_dense,      Field::ffn_bias,    Field::ffn_input_bias, Field::ffn_layers,
    Field::ffn_doubled,  Field::ffn_sparse_layers};
constexpr std::array residual_fields{
    Field::joining,    Field::norm_placement, Field::norm_scale,      Field::norm_bias,   Field::final_norm,
    Field::inner_norm, Field::first_norm,     Field::final_norm_bias, Field::tied_layers, Field::norm_epsilon};
constexpr std::array ends_fields{Field::output,
                                 Field::classes,
                                 Field::pooled,
                                 Field::pooled_norm,
                                 Field::classifier_dim,
                                 Field::token_types,
                                 Field::embedding_dim,
                                 Field::embedding_norm,
                                 Field::position_offset,
                                 Field::head_bias,
                                 Field::layer_embedding_dim,
                                 Field::layer_embedding_vocab,
                                 Field::layer_scale,
                                 Field::branch_scale,
                                 Field::stream_copies,
                                 Field::laurel_rank,
                                 Field::image_height,
                                 Field::image_width,
                                 Field::patch,
                                 Field::class_tokens,
                                 Field::registers,
                                 Field::image_channels,
                                 Field::patch_stride,
                                 Field::patch_bias,
                                 Field::sound_channels,
                                 Field::convolutions,
                                 Field::position_kernel,
                                 Field::position_groups,
                                 Field::position_layers,
                                 Field::convolution_norms,
                                 Field::convolution_bias,
                                 Field::convolutions_padded,
                                 Field::mask_row,
                                 Field::pooling_head,
                                 Field::transform_bias,
                                 Field::transform_dim};

// What the switch says that brings in a part which an architecture may lack, and the first value of its field.
struct PartWords {
    Field field;
    std::string_view label, fresh, tooltip;
};
constexpr std::array part_words{
    PartWords{Field::kv_rank, "Latent attention", "512",
              "Keys and values made from a bottleneck, which is nearly all that is cached (DeepSeek V2)."},
    PartWords{Field::query_rank, "Query bottleneck", "1536", "Queries made from a bottleneck of their own."},
    PartWords{Field::window, "Attention window", "4096",
              "Some layers see only the last tokens, and keep only their keys and values."},
    PartWords{Field::full_head_dim, "Other full heads", "512",
              "Layers without a window have heads of another size, and another number of them (Gemma 4)."},
    PartWords{Field::index_heads, "Index", "64", "Small heads choose which keys a token looks at (DeepSeek V3.2)."},
    PartWords{Field::encoder_layers, "Encoder beside", "6",
              "Layers that read another text all at once; in each of its layers the decoder looks at what they made of "
              "it (T5)."},
    PartWords{Field::state_dim, "State in attention's place", "128",
              "Some layers remember what was before in a state of fixed size, and need no cache that grows."},
    PartWords{Field::experts, "Mixture of experts", "8",
              "Several feed-forwards, of which a router picks a few for each token."},
    PartWords{Field::layer_embedding_dim, "Layer embeddings", "256",
              "Each layer has numbers of every token by itself, from a table of their own (Gemma 3n)."},
    PartWords{Field::image_height, "Image", "224", "Patches of an image stand in the place of tokens."},
    PartWords{Field::sound_channels, "Sound", "80", "Convolutions make rows of sound."},
};

bool there(const Architecture& arch, Field part) { return field_text(arch, part).value_or("none") != "none"; }

// One row, and the switch before it where the field brings in a part.
void row(FieldForm& form, Field field) {
    const Architecture& arch = form.model.document.architecture;
    const std::optional<Field> part = part_with(field);
    if (!has_row(form, field) || (part && *part != field && !there(arch, *part))) return;
    const auto* const words =
        std::ranges::find_if(part_words, [&](const PartWords& each) { return each.field == field; });
    if (words != part_words.end() && !part_row(form, field, words->label, words->fresh, words->tooltip)) return;
    if (stands_out(form, field)) return;
    if (field == Field::rotary_dim)
        ruled_or_own_row(form, field,
                         {"= d_h", "Turn only some of a head's columns", "all", "Turn all columns of a head"},
                         std::max<std::int64_t>(2, form.values[Symbol::head_dim].value_or(64) / 4 * 2));
    else if (field == Field::embedding_dim)
        ruled_or_own_row(
            form, field,
            {"d_emb = d", "Give the embedding a width of its own", "auto", "As wide as the residual stream"},
            std::max<std::int64_t>(1, arch.dim / 2));
    else
        field_row(form, field);
}

// One group: its name, what is in it, and what it says of itself while it is closed.
struct Group {
    std::string_view key, label;
    std::span<const Field> fields;
    std::string remark;
    Field part = Field::dim;  // open at first where the document or its base has it: switching it off closes nothing
};

bool begin_group(const FieldForm& form, const Group& group) {
    const auto holds = [&](Field field) { return contains(group.fields, field); };
    const std::vector<Field>& changes = form.model.derived.changed;
    const bool changed = std::ranges::any_of(changes, holds);
    const bool wrong = std::ranges::any_of(
        form.complaints, [&](const Complaint& complaint) { return complaint.field && holds(*complaint.field); });
    const bool wanted = wrong || (form.reveal && holds(*form.reveal));
    const Document& document = form.model.document;
    const bool open_at_first = group.part != Field::dim &&
                               (has_part(document.architecture, group.part) || has_part(document.base, group.part));
    return disclosure_row(form.ui, row_name(group.key), {group.label, group.remark, changed, open_at_first, wanted});
}

void group_rows(FieldForm& form, const Group& group) {
    if (std::ranges::none_of(group.fields, [&](Field field) { return has_row(form, field); })) return;
    if (!begin_group(form, group)) return;
    for (const Field field : group.fields) row(form, field);
    gap(form.ui, 6);
}

void add(std::string& remark, bool is, std::string_view word) {
    if (is) remark += (remark.empty() ? "" : ", ") + std::string(word);
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

// "36 of 48 layers", "none".
std::string recurrence_remark(const Architecture& arch) {
    const std::optional<Recurrence>& recurrence = arch.layer.recurrence;
    if (!recurrence) return "none";
    std::int64_t layers = 0;
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < std::min(arch.layers, longest_pattern); ++layer)
        layers += kinds[layer].recurrent;
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

bool stands_out(const FieldForm& form, Field field) {
    const Architecture& base = form.model.document.base;
    switch (field) {
        case Field::token_types: return base.token_types > 0;
        case Field::encoder_layers: return base.encoder.has_value();
        case Field::output: return base.output != OutputKind::language;
        case Field::mask: return sees_all(base);
        default: return false;
    }
}

void mixer_and_feed_forward_groups(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    group_rows(form, {"attention", "Attention", attention_fields, attention_remark(arch), Field::kv_rank});
    group_rows(form, {"recurrence", "Recurrence", recurrence_fields, recurrence_remark(arch), Field::state_dim});
    group_rows(form, {"feed_forward", "Feed-forward", feed_forward_fields, feed_forward_remark(arch), Field::experts});
}

void stream_and_ends_groups(FieldForm& form) {
    const Architecture& arch = form.model.document.architecture;
    group_rows(form, {"residual", "Residual stream", residual_fields, residual_remark(arch)});
    group_rows(form, {"ends", "Embedding and output", ends_fields, ends_remark(arch)});
}

}  // namespace headcount
