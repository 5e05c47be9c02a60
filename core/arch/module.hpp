// The module trees by which families name and fuse tensors: which part of a model each place holds.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/arch/layer.hpp"

namespace headcount {

// The part that a tensor plays. Parameters fill a part; an activation belongs to the part that made it.
enum class Part {
    token_embedding,
    unscored_rows,  // of the embedding too, behind the vocabulary's: tokens that get no score
    position_embedding,
    token_type_embedding,
    embedding_norm,
    kept_embedding,    // the embedded tokens once more, for layers that read them beside the stream
    layer_embedding,   // each layer's own rows of tokens
    layer_projection,  // and what is made for each layer of the token's row
    layer_input_norm,
    embedding_projection,  // from the embedding's width to the residual stream's
    patch_embedding,       // from the pixels of a patch to the stream's width
    class_token,           // the first row, trained
    distillation_token,    // the second (DeiT)
    register_tokens,
    copy_projection,  // from the stream to a copy of it
    mask_row,         // for what is hidden in training: stored, and not read
    convolution,      // over time, of sound
    convolution_norm,
    position_convolution,  // around each row, in the place of positions
    position_bias,         // of that
    position_strength,     // how long its filters are, where they are stored as directions (weight normalization)
    entry_norm,            // behind positions that a convolution makes
    joined_norm,           // of the stream beside the embedded tokens
    query_adapter_down,    // the narrow ways that a layer has beside matrices which layers share (Hu et al. 2021)
    query_adapter,
    key_adapter_down,
    key_adapter,
    value_adapter_down,
    value_adapter,
    gate_adapter_down,
    gate_adapter,
    up_adapter,
    shared_layer_output,  // from what layers share to what the mixer reads
    attention_norm,
    query,
    query_down,  // into latent attention's bottleneck
    query_down_norm,
    query_norm,
    key,
    key_norm,
    value,
    value_norm,
    index_query,  // of what chooses keys
    index_key,
    index_norm,
    index_weight,  // how much each of its heads counts
    index_scores,  // what a key is worth to a token, and which are chosen
    latent_down,   // keys' and values' common bottleneck, and the key that all heads share
    latent_norm,
    latent_up,  // from the bottleneck to all heads' keys and values
    scores,
    sinks,
    relative_bias,  // what a distance adds to scores
    relative_rows,  // a table's rows of distances, of which keys and queries are made
    relative_norm,
    relative_key,
    relative_query,
    distance_gate,      // of how much a distance counts for each query
    distance_strength,  // and for each head
    paired_query_1,     // of heads in pairs: how much of the second is taken from the first
    paired_key_1,
    paired_query_2,
    paired_key_2,
    paired_norm,      // of the difference
    attention_gate,   // how much passes of what heads found
    state_query,      // of a recurrence: Mamba-2's C
    state_key,        // B
    state_value,      // x
    state_gate,       // z: how much passes of what was read
    state_gate_down,  // into the bottleneck before it (Kimi)
    state_step,       // dt, or a: how far the state fades at a token
    state_step_down,  // into the bottleneck before steps (Mamba)
    state_step_norm,
    state_key_norm,
    state_query_norm,
    state_write,  // b: how much of a token is written
    query_blend,  // how much of the token itself, or of the one before, a blend of both has (RWKV)
    key_blend,
    value_blend,
    gate_blend,
    step_blend,
    write_blend,
    low_blend,  // of what such shares are made of (RWKV-6)
    share_down,
    step_share,  // of the token before, as the token says
    key_share,
    value_share,
    query_share,
    gate_share,
    first_weight,      // what a token counts more while it is the last
    first_values,      // those that later layers take some of (RWKV-7)
    state_value_down,  // into the bottleneck before how much of these counts
    first_share,
    state_write_down,  // into the bottleneck before how much is taken away
    erased_key,        // what its direction has of each column of the key that is written
    written_key,       // how much less of it is written where less is taken away
    convolved_query,   // their convolutions
    convolved_key,
    convolved_value,
    step_bias,
    decay_rate,  // A_log
    state_skip,  // D: how much of its value a token adds to what it reads
    state_norm,
    state_output,
    attention_inner_norm,  // before attention's output projection
    attention_output,
    attention_output_norm,
    laurel_down,  // into the bottleneck beside attention (LAuReL)
    laurel_up,
    laurel_norm,
    feed_forward_norm,
    gate,
    up,
    up_blend,  // as key_blend, of what the feed-forward reads, and of what lets it through
    pass_blend,
    pass,
    activation_above,  // xIELU's trained numbers
    activation_below,
    feed_forward_inner_norm,  // before the down projection
    down,
    dense_output_norm,  // of a dense feed-forward beside experts
    mixture_input_norm,
    mixture_output_norm,
    router_norm,
    router,
    router_scale,  // how much each expert counts besides
    router_correction,
    idle_router,  // the router's columns for experts that do nothing, and their corrections
    idle_correction,
    expert_gate,
    expert_up,
    expert_down,
    shared_gate,
    shared_up,
    shared_down,
    shared_weight,  // how much the shared experts count
    feed_forward_output_norm,
    copy_router,  // what copies of the stream are mixed by (AltUp)
    copy_router_norm,
    copy_prediction,  // before the layer
    copy_correction,  // and behind it
    copy_scale,       // of what the others are given besides
    layer_gate,       // how much passes of the layer's own rows
    layer_output,     // and back to the stream
    layer_output_norm,
    layer_scale,      // of all that a layer makes
    attention_scale,  // of each column that attention makes
    feed_forward_scale,
    residual,
    copy_output,  // from a copy of the stream back
    final_norm,
    pooler,
    pooled_norm,            // of what a classifier reads
    classifier_projection,  // of each row, before it
    pooling_query,  // a trained query's attention to all rows, its feed-forward; a classifier reads it not (SigLIP)
    pooling_projection,
    pooling_output,
    pooling_norm,
    pooling_up,
    pooling_down,
    first_norm,      // behind the layers, of the class token's row; a classifier stores it and reads others (CLIP)
    head_transform,  // before the scores of a hidden token
    head_norm,
    output_projection,  // from the residual stream's width to the embedding's
    output_head,
    idle_head_bias,  // stored beside a head of its own, read by nothing (BERT)
    logits_bias,     // the head's bias where it has a name of its own (BART, ESM)
    idle_embedding,  // stored beside tables that each stack has of its own, read by nothing (BART)
    rotary_table,    // angles' sines and cosines, stored though a rule gives them (RoFormer)
    contact_head,    // which tokens touch, from all heads' weights: stored, and not computed here (ESM)
    sense,           // of a tower or its connector, which read pictures or sound, by a name of its own (see Extra)
    beside,          // what else a family's models have besides, the same
};
inline constexpr std::size_t part_count = static_cast<std::size_t>(Part::beside) + 1;

// Whether a parameter has a name of its own, and none by what it does.
constexpr bool is_extra(Part part) { return part == Part::sense || part == Part::beside; }

// Whether it makes what layers have of tokens by themselves, beside the residual stream.
constexpr bool is_of_layer_embedding(Part part) {
    return part == Part::layer_embedding || part == Part::layer_projection || part == Part::layer_input_norm;
}

// Whether files have it outside of layers, though one of them may be where it stands.
constexpr bool is_of_convolution(Part part) { return part == Part::convolution || part == Part::convolution_norm; }

// Whether it is made of a table of distances alone, whatever the tokens are.
constexpr bool is_of_distances(Part part) { return part >= Part::relative_rows && part <= Part::relative_query; }

// Whether what it makes before the layers is for all of them, and no part of the residual stream.
constexpr bool is_beside_stream(Part part) {
    return is_of_layer_embedding(part) || is_of_distances(part) || part == Part::kept_embedding ||
           part == Part::first_values;
}

// What stands at one place of the module tree.
enum class ModuleKind {
    container,    // only holds other modules
    encoder,      // the same: the stack beside the decoder
    decoder,      // the same, where there are two
    cross,        // the same: of a decoder's layer, the attention to what the encoder made, with its norms
    shared,       // the same: what layers share, in the first that has these weights; {u} counts those that have any
    layer,        // holds one layer; repeated
    expert,       // holds one expert; repeated
    embedding,    // a table, stored [rows, columns]
    frozen,       // the same, of numbers that a rule gives and nothing trains; transformers counts them (Marian)
    linear,       // stored [out, in]
    conv1d,       // stored [in, out] (transformers' Conv1D)
    convolution,  // one filter a channel, stored [channels, 1, kernel]
    patches,      // stored [out, channels, patch, patch], else as a linear layer's
    over_time,    // the same, stored [out, in, kernel]
    norm,
    cross_norm,      // of the attention to what the encoder made, where it does not stand inside of that
    each_head,       // one norm a head, each a tensor of its own
    bare,            // a parameter by itself: its name has no ".weight", nor ".bias"
    bare_bias,       // a bias by itself, of a matrix that is elsewhere
    bare_row,        // a bare one, stored [1, columns]
    bare_rows,       // the same, stored [1, rows, columns]
    bare_heads,      // the same, stored [1, 1, heads, 1]
    bare_planes,     // the same, stored [1, heads, 1, 1]
    bare_over_time,  // one over time
    packed,          // a linear layer's, whose names end in "_weight" and "_bias"
    by_head,         // the same of a matrix for each block of a state's columns, stored [heads, in, out]
    bare_stack,      // bare ones of several parts, all as large, stored [parts, in, out]
    stacked,  // the experts' matrices in one tensor [experts, in, out], named as a bare one; its bias ends in "_bias"
    stacked_linear,   // the same as linear layers store and name them: [experts, out, in]
    stacked_out,      // stored so, and named as a bare one
    stacked_rows,     // the same, all experts' rows behind one another: [experts · out, in] (DBRX)
    stacked_rows_in,  // and of matrices stored the other way round: [experts · in, out]
    activation,
    rotary,         // no parameters; there where positions are rotary
    rotary_always,  // the same with whatever positions
    stateless,      // no parameters: dropout, and a function that no field chooses
    buffer,         // stored, trained by no gradient, outside every total
    buffer_row,     // the same, stored [1, columns]
};

constexpr bool is_stack(ModuleKind kind) { return kind == ModuleKind::encoder || kind == ModuleKind::decoder; }

// Whether the parameters of all experts are in one tensor, whether as one matrix, and whether each output of those has
// its inputs in a row.
constexpr bool is_stacked(ModuleKind kind) {
    return kind >= ModuleKind::stacked && kind <= ModuleKind::stacked_rows_in;
}
constexpr bool is_stacked_behind(ModuleKind kind) {
    return kind == ModuleKind::stacked_rows || kind == ModuleKind::stacked_rows_in;
}
constexpr bool is_stacked_by_output(ModuleKind kind) {
    return is_stacked(kind) && kind != ModuleKind::stacked && kind != ModuleKind::stacked_rows_in;
}

constexpr bool is_buffer(ModuleKind kind) { return kind == ModuleKind::buffer || kind == ModuleKind::buffer_row; }

// Whether a tensor's name is the module's, without ".weight".
constexpr bool is_named_alone(ModuleKind kind) {
    return kind == ModuleKind::bare || kind == ModuleKind::bare_bias || kind == ModuleKind::bare_row ||
           is_buffer(kind) || (is_stacked(kind) && kind != ModuleKind::stacked_linear) ||
           kind == ModuleKind::bare_rows || kind == ModuleKind::bare_heads || kind == ModuleKind::bare_planes ||
           kind == ModuleKind::bare_over_time || kind == ModuleKind::packed || kind == ModuleKind::by_head ||
           kind == ModuleKind::bare_stack;
}

// Whether a row of what is stored is one output and its inputs.
constexpr bool is_stored_by_output(ModuleKind kind) {
    return kind == ModuleKind::linear || kind == ModuleKind::patches || kind == ModuleKind::over_time ||
           kind == ModuleKind::bare_over_time || kind == ModuleKind::packed || is_stacked_by_output(kind);
}

// Whether it only holds other modules.
constexpr bool holds_modules(ModuleKind kind) { return kind <= ModuleKind::expert; }

// Which parts' parameters live in a module: side by side along their outputs where there are several.
class Parts {
  public:
    constexpr Parts() = default;
    template <class... More>
    constexpr Parts(Part first, More... more) : parts_{first, more...}, count_(1 + sizeof...(more)) {}

    constexpr const Part* begin() const { return parts_.data(); }
    constexpr const Part* end() const { return parts_.data() + count_; }
    constexpr bool empty() const { return count_ == 0; }

  private:
    std::array<Part, 6> parts_{};
    std::size_t count_ = 0;
};

// How the parts of a fused tensor lie along its outputs.
enum class Fusing {
    in_turn,      // all of the first, all of the second, ...
    by_group,     // for each key/value head the queries that it serves, its key, its value; of others, for each group
    in_quarters,  // a quarter of each, four times (CodeGen)
    alternating,  // one column of the first, one of the second, and again (gpt-oss's gate and up)
};

// A place in the module tree, `depth` below the top. Its path joins the names from there on; {i} is the layer's index,
// {e} the expert's, {h} the head's. A tensor's checkpoint name is the path plus ".weight" or ".bias".
struct Module {
    std::int8_t depth;
    std::string_view name;
    ModuleKind kind;
    Parts parts;
    std::string_view class_name;  // as transformers prints it; empty where the kind decides
    // Where the same part has another name beside some other: only there, or only elsewhere.
    std::optional<Part> with{};
    std::optional<Part> without{};
    std::optional<Joining> joining{};  // only where the sub-blocks join so
    Fusing fusing{};
    std::string_view class_with{};  // of a layer that has `with`, in the place of class_name
    // Names of modules that files may have in its place: cut along the outputs, in this order.
    std::array<std::string_view, 3> pieces{};
};

// The module with its parts fused in another way.
constexpr Module fused(Module module, Fusing fusing) {
    module.fusing = fusing;
    return module;
}

// The module as files have it that store it in pieces.
constexpr Module in_pieces(Module module, std::array<std::string_view, 3> pieces) {
    module.pieces = pieces;
    return module;
}

}  // namespace headcount
