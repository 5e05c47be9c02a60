// Every field of an architecture by name: what --set, presets, saved documents and the sliders share; and two
// architectures field by field: in which they differ, and one of them with a field of the other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"

namespace headcount {

enum class Field {
    dim,
    layers,
    heads,
    kv_heads,
    head_dim,
    ffn_dim,
    ffn_multiple_of,
    ffn_multiplier,
    vocab,
    context,
    positions,
    relative_buckets,
    relative_by_layer,
    norm,
    norm_placement,
    norm_scale,
    norm_bias,
    norm_epsilon,
    gated,
    activation,
    tied,
    tied_layers,
    qkv_bias,
    key_bias,
    gate_bias,
    attention_output_bias,
    ffn_bias,
    ffn_input_bias,
    joining,
    final_norm,
    inner_norm,
    first_norm,
    final_norm_bias,
    position_offset,
    token_types,
    embedding_dim,
    embedding_norm,
    output,
    head_bias,
    transform_bias,
    transform_dim,
    classes,
    pooled,
    pooled_norm,
    classifier_dim,
    pooling_head,
    mask_row,
    image_height,
    image_width,
    patch,
    patch_stride,
    image_channels,
    patch_bias,
    class_tokens,
    registers,
    sound_channels,
    convolutions,
    convolution_bias,
    convolutions_padded,
    convolution_norms,
    position_kernel,
    position_groups,
    position_layers,
    mask,
    qk_norm,
    qk_norm_bias,
    output_gate,
    sinks,
    differential,
    rotary_dim,
    rotated_layers,
    window,
    window_chunked,
    window_layers,
    full_head_dim,
    full_kv_heads,
    keys_are_values,
    borrowing_layers,
    index_heads,
    index_dim,
    index_chosen,
    index_layers,
    kv_rank,
    query_rank,
    rope_dim,
    nope_dim,
    value_dim,
    state_dim,
    state_heads,
    state_groups,
    state_head_dim,
    conv_kernel,
    conv_bias,
    step_rank,
    blend_rank,
    write_rank,
    value_rank,
    gate_rank,
    recurrence_inner_norms,
    recurrence,
    recurrence_bias,
    recurrence_output_bias,
    recurrence_norm,
    recurrence_norms_first,
    beside_attention,
    recurrence_layers,
    mixer_layers,
    ffn_layers,
    ffn_doubled,
    ffn_sparse_layers,
    layer_embedding_dim,
    layer_embedding_vocab,
    layer_scale,
    branch_scale,
    stream_copies,
    laurel_rank,
    encoder_layers,
    encoder_ffn_dim,
    encoder_embedding,
    encoder_vocab,
    encoder_context,
    encoder_window_layers,
    encoder_mixture_layers,
    experts,
    experts_per_token,
    expert_dim,
    shared_experts,
    shared_dim,
    shared_gate,
    router_bias,
    expert_bias,
    correction_bias,
    beside_dense,
    mixture_norm,
    mixture_layers,
};

enum class FieldKind { number, ratio, real, choice, flag, layers, convolutions };

// What a field's number may be besides a number, as the word that stands for it in files.
enum class Absence {
    never,
    rule,  // "auto" leaves it to a rule (head_dim = dim / heads)
    none,  // "none": the architecture has no such part (experts, window, kv_rank)
};

struct FieldInfo {
    Field field;
    std::string_view key;    // "ffn_dim": in files and flags
    std::string_view label;  // "FFN hidden": beside its slider
    // What it is, as docs/models.md, the tooltip of its slider and the inspector say it: a sentence or two.
    std::string_view meaning;
    FieldKind kind;
    std::optional<Symbol> symbol;               // of a dimension
    std::span<const std::string_view> choices;  // of a choice: the words in files
    std::span<const std::string_view> labels;   // of a choice: the words on the screen
    Absence absence = Absence::never;
    std::int64_t least = 1;  // of a number
};

std::span<const FieldInfo> fields();
const FieldInfo& info(Field field);
std::optional<Field> field_of(Symbol symbol);  // the field that sets a dimension, if one does

// The field's value as text that `with_field` reads back: "4096", "auto", "rope", "true", "1.3". Nothing where the
// field does not apply (Meta's multiple where the width is given, an expert's width where there are no experts).
std::optional<std::string> field_text(const Architecture& arch, Field field);

// Of a choice its place among the choices, of a flag 0 or 1; 0 of other fields.
int field_place(const Architecture& arch, Field field);

// The value in effect, rules worked out: 128 for a head size left to dim / heads. Nothing where there is none.
std::optional<std::int64_t> field_number(const Architecture& arch, Field field);

// The architecture with one field changed. The text is checked by itself (a number from 1 up, one of the choices);
// how fields fit together is for `validate`. Setting ffn_dim gives the width; setting ffn_multiple_of or
// ffn_multiplier leaves it to Meta's rule; setting a field of a part that is not there (expert_dim, rope_dim) brings
// the part in, as wide as what it stands for.
Result<Architecture> with_field(Architecture arch, Field field, std::string_view text);

// The same by key, as in "--set kv_heads=8", which errors then call it by, and not by its label; an unknown key is
// answered with the nearest ones.
Result<Architecture> with_field(Architecture arch, std::string_view key, std::string_view text);

// The field that the window calls so, or files, whose dimension has this name or this symbol: "Width", "KV heads",
// "kv-heads", "hidden_size", "feed-forward width", "d_ff".
std::optional<Field> field_called(std::string_view name);

// The fields whose value in effect differs, in the order of fields(). A part that only one of them has is one change,
// of the field that brings it in.
std::vector<Field> changed_fields(const Architecture& from, const Architecture& to);

// A field's value as people read it: "128", "none"; of a rule what it makes.
std::string field_words(const Architecture& arch, Field field);

// `to` with one field as `from` has it. A part that one of them lacks comes or goes as a whole, and so does a width
// whose rule does; nothing where `from` has no such field. Whether the result is possible is for `validate`.
std::optional<Architecture> with_field_of(Architecture to, const Architecture& from, Field field);

// Parts that an architecture may lack, each brought in by one field: a mixture by its experts, a window by its size,
// latent attention by its rank, a recurrence by its state's size. Nothing of a field that is in none of them.
std::optional<Field> part_with(Field field);
bool has_part(const Architecture& arch, Field part);

}  // namespace headcount
