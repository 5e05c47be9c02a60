// Every field of an architecture by name: the table of what each is called and what it may be.
#include "core/arch/fields.hpp"

#include <array>

#include "core/base/checked.hpp"

namespace headcount {

namespace {

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 7> position_words{"rope",     "learned",          "alibi",     "none",
                                                         "relative", "learned_relative", "sinusoidal"};
constexpr std::array<std::string_view, 7> position_labels{"RoPE",     "Learned",      "ALiBi",     "None",
                                                          "Relative", "Learned+rel.", "Sinusoidal"};
constexpr std::array<std::string_view, 2> norm_words{"rms", "layer"};
constexpr std::array<std::string_view, 2> norm_labels{"RMSNorm", "LayerNorm"};
constexpr std::array<std::string_view, 4> placement_words{"before", "after", "both", "after_sum"};
constexpr std::array<std::string_view, 4> placement_labels{"Before", "After", "Both", "After sum"};
constexpr std::array<std::string_view, 3> joining_words{"in_turn", "parallel", "parallel_shared"};
constexpr std::array<std::string_view, 3> joining_labels{"In turn", "Parallel", "Parallel, one norm"};
constexpr std::array<std::string_view, 5> qk_norm_words{"none", "per_head", "each_head", "across", "plain"};
constexpr std::array<std::string_view, 5> qk_norm_labels{"None", "Per head", "Each head", "Across", "Plain"};
constexpr std::array<std::string_view, 2> sight_words{"causal", "full"};
constexpr std::array<std::string_view, 2> sight_labels{"Causal", "Full"};
constexpr std::array<std::string_view, 5> output_words{"language", "masked", "pooler", "none", "classes"};
constexpr std::array<std::string_view, 5> output_labels{"Next token", "Masked LM", "Pooler", "None", "Classes"};
constexpr std::array<std::string_view, 5> pooled_words{"first", "class_mean", "mean", "patch_mean",
                                                       "first_and_patch_mean"};
constexpr std::array<std::string_view, 5> pooled_labels{"First", "Class mean", "Mean", "Patch mean", "First+mean"};
constexpr std::array<std::string_view, 4> convolution_norm_words{"none", "first", "each", "first_whole"};
constexpr std::array<std::string_view, 4> convolution_norm_labels{"None", "First", "Each", "Whole"};
constexpr std::array<std::string_view, 10> recurrence_words{
    "mamba2",    "gated_delta",  "mamba",         "short_convolution", "kimi_delta",
    "lightning", "gated_linear", "weighted_mean", "dynamic_decay",     "general_delta"};
constexpr std::array<std::string_view, 10> recurrence_labels{"Mamba-2",   "Delta",  "Mamba",  "Conv",   "Kimi",
                                                             "Lightning", "RG-LRU", "RWKV-4", "RWKV-6", "RWKV-7"};
constexpr std::array<std::string_view, 3> inner_norm_words{"none", "plain", "trained"};
constexpr std::array<std::string_view, 3> inner_norm_labels{"None", "Plain", "Trained"};
constexpr auto activation_words = activation_names(&ActivationInfo::key);
constexpr auto activation_labels = activation_names(&ActivationInfo::label);

constexpr FieldInfo number(Field field, std::string_view key, std::string_view label, std::string_view meaning,
                           std::optional<Symbol> symbol = {}, Absence absence = Absence::never,
                           std::int64_t least = 1) {
    return {field, key, label, meaning, FieldKind::number, symbol, {}, {}, absence, least};
}
constexpr FieldInfo choice(Field field, std::string_view key, std::string_view label, std::string_view meaning,
                           Words choices, Words labels) {
    return {field, key, label, meaning, FieldKind::choice, {}, choices, labels};
}
constexpr FieldInfo plain(Field field, std::string_view key, std::string_view label, std::string_view meaning,
                          FieldKind kind) {
    return {field, key, label, meaning, kind, {}, {}, {}};
}

constexpr std::array table = std::to_array<FieldInfo>({
    number(Field::dim, "dim", "Width", "the numbers that stand for one token between the layers", Symbol::dim),
    number(Field::layers, "layers", "Layers", "layers, one behind the other", Symbol::layers),
    number(Field::heads, "heads", "Heads", "attention heads: those of the queries", Symbol::heads),
    number(Field::kv_heads, "kv_heads", "KV heads",
           "heads of keys and values; where they are fewer, several heads of the queries share one", Symbol::kv_heads,
           Absence::rule),
    number(Field::head_dim, "head_dim", "Head size", "columns of one head", Symbol::head_dim, Absence::rule),
    number(Field::ffn_dim, "ffn_dim", "FFN hidden", "columns between the matrices of the feed-forward",
           Symbol::ffn_dim),
    number(Field::ffn_multiple_of, "ffn_multiple_of", "FFN multiple of",
           "leaves ffn_dim to Meta's rule: 2/3 · 4 · dim, times ffn_multiplier, rounded up to a multiple of this"),
    plain(Field::ffn_multiplier, "ffn_multiplier", "FFN multiplier",
          "the multiplier of Meta's rule; setting it leaves ffn_dim to that rule", FieldKind::ratio),
    number(Field::vocab, "vocab", "Vocabulary", "the tokens there are", Symbol::vocab),
    number(Field::context, "context", "Context", "the longest input; counts only where positions are learned",
           Symbol::context),
    choice(Field::positions, "positions", "Positions", "how a token's position enters", position_words,
           position_labels),
    number(Field::relative_buckets, "relative_buckets", "Distance buckets",
           "ranges of distances between tokens, each with a trained number for each head, where positions are relative",
           Symbol::relative_buckets),
    plain(Field::relative_by_layer, "relative_by_layer", "Buckets by layer",
          "each layer has numbers of its own for the distances, not a stack one set for all", FieldKind::flag),
    choice(Field::norm, "norm", "Norm",
           "RMSNorm divides by the root mean square of the values, LayerNorm takes their mean away before", norm_words,
           norm_labels),
    choice(Field::norm_placement, "norm_placement", "Norm placed",
           "on the input of attention and feed-forward, on their output, on both, or on the sum behind them",
           placement_words, placement_labels),
    plain(Field::norm_scale, "norm_scale", "Norm weights", "norms have trained weights", FieldKind::flag),
    plain(Field::norm_bias, "norm_bias", "Norm biases", "norms have trained biases", FieldKind::flag),
    plain(Field::norm_epsilon, "norm_epsilon", "Norm epsilon", "what norms add before dividing; not part of any count",
          FieldKind::real),
    plain(Field::gated, "gated", "FFN gate", "three feed-forward matrices, one of which is a gate, or two",
          FieldKind::flag),
    choice(Field::activation, "activation", "Activation", "the activation function", activation_words,
           activation_labels),
    plain(Field::tied, "tied", "Tied embeddings", "the output head is the embedding, counted once", FieldKind::flag),
    plain(Field::tied_layers, "tied_layers", "Tied layers", "all layers share one set of weights, counted once",
          FieldKind::flag),
    plain(Field::qkv_bias, "qkv_bias", "Q, K, V biases", "biases on queries, keys and values", FieldKind::flag),
    plain(Field::key_bias, "key_bias", "Key biases", "keys have biases where queries and values do", FieldKind::flag),
    plain(Field::gate_bias, "gate_bias", "Gate biases", "the gate on what heads find has biases where queries do",
          FieldKind::flag),
    plain(Field::attention_output_bias, "attention_output_bias", "Attention output bias",
          "a bias on attention's output", FieldKind::flag),
    plain(Field::ffn_bias, "ffn_bias", "FFN biases", "biases on the feed-forward matrices", FieldKind::flag),
    plain(Field::ffn_input_bias, "ffn_input_bias", "FFN input biases",
          "those biases on the matrices that read the feed-forward's input too", FieldKind::flag),
    choice(Field::joining, "joining", "Sub-blocks",
           "the feed-forward reads what attention has added to, or both read the same, through a norm each or one for "
           "both",
           joining_words, joining_labels),
    plain(Field::final_norm, "final_norm", "Final norm", "one more norm before the output head", FieldKind::flag),
    plain(Field::inner_norm, "inner_norm", "Inner norms",
          "one more norm before attention's output projection, and before the down projection of a dense feed-forward",
          FieldKind::flag),
    plain(Field::first_norm, "first_norm", "First norm", "the first layer has a norm before its attention too",
          FieldKind::flag),
    plain(Field::final_norm_bias, "final_norm_bias", "Final norm bias",
          "the final norm has trained biases where the other norms do", FieldKind::flag),
    number(Field::position_offset, "position_offset", "Position offset",
           "rows of the position table before the first position", {}, Absence::never, 0),
    number(Field::token_types, "token_types", "Token types",
           "kinds of tokens, such as first and second sentence, each with a row that is added; 0 is none",
           Symbol::token_types, Absence::never, 0),
    number(Field::embedding_dim, "embedding_dim", "Embedding width",
           "width of the embedding, where a matrix leads from it to dim", Symbol::embedding_dim, Absence::rule),
    plain(Field::embedding_norm, "embedding_norm", "Embedding norm", "a norm behind the embedding", FieldKind::flag),
    choice(Field::output, "output", "On top",
           "what stands on the last layer: scores for the next token, scores for a hidden one behind a matrix, an "
           "activation and a norm, the first token's row through a matrix and tanh, nothing, or scores for classes",
           output_words, output_labels),
    plain(Field::head_bias, "head_bias", "Output head bias", "a bias on the output head", FieldKind::flag),
    plain(Field::transform_bias, "transform_bias", "Transform bias",
          "a bias on the matrix before the scores for a hidden token", FieldKind::flag),
    number(Field::transform_dim, "transform_dim", "Transform width",
           "columns of that matrix, and of an output head that is not the embedding", Symbol::transform_dim,
           Absence::rule),
    number(Field::classes, "classes", "Classes", "what a classifier tells apart", Symbol::classes),
    choice(Field::pooled, "pooled", "Classifier reads",
           "the rows that a classifier reads: the first, the mean of the class tokens', of all or of the others, or "
           "the first beside the mean of the others",
           pooled_words, pooled_labels),
    plain(Field::pooled_norm, "pooled_norm", "Pooled norm", "a norm of what the classifier reads", FieldKind::flag),
    number(Field::classifier_dim, "classifier_dim", "Classifier width",
           "columns of a matrix before the classifier, which makes them of each row", Symbol::classifier_dim,
           Absence::none),
    plain(Field::pooling_head, "pooling_head", "Pooling head",
          "attention of one trained query to all rows, with a feed-forward; stored, and not read by a classifier",
          FieldKind::flag),
    plain(Field::mask_row, "mask_row", "Mask row",
          "a trained row in the place of what is hidden in training; stored, and not read", FieldKind::flag),
    number(Field::image_height, "image_height", "Image height",
           "rows of pixels of an image, whose patches stand in the place of tokens", Symbol::image_height,
           Absence::none),
    number(Field::image_width, "image_width", "Image width", "columns of its pixels", Symbol::image_width),
    number(Field::patch, "patch", "Patch", "rows and columns of pixels of a patch", Symbol::patch),
    number(Field::patch_stride, "patch_stride", "Patch stride", "pixels from one patch to the next, where they overlap",
           {}, Absence::rule),
    number(Field::image_channels, "image_channels", "Channels", "numbers of a pixel", Symbol::channels),
    plain(Field::patch_bias, "patch_bias", "Patch bias", "a bias on the matrix that reads patches", FieldKind::flag),
    number(Field::class_tokens, "class_tokens", "Class tokens", "trained rows before those of patches, with positions",
           Symbol::class_tokens, Absence::never, 0),
    number(Field::registers, "registers", "Registers", "trained rows behind those, without positions",
           Symbol::registers, Absence::never, 0),
    number(Field::sound_channels, "sound_channels", "Sound channels",
           "numbers of a moment of sound, of which convolutions make the rows that stand in the place of tokens", {},
           Absence::none),
    plain(Field::convolutions, "convolutions", "Convolutions",
          "these convolutions, each as its columns (of the last the embedding's), its kernel and its stride: 512x3/2, "
          "or dx3/2 as wide as the model",
          FieldKind::convolutions),
    plain(Field::convolution_bias, "convolution_bias", "Convolution biases", "biases on them", FieldKind::flag),
    plain(Field::convolutions_padded, "convolutions_padded", "Padded",
          "zeros around them, so that a stride of 1 keeps the number of rows", FieldKind::flag),
    choice(
        Field::convolution_norms, "convolution_norms", "Convolution norms",
        "norms behind them: behind the first, of each column over time, behind each, of each row, or behind the first "
        "and its tanh, of all its numbers together",
        convolution_norm_words, convolution_norm_labels),
    number(Field::position_kernel, "position_kernel", "Position kernel",
           "rows that a convolution in the place of positions reads; 0 is none", {}, Absence::never, 0),
    number(Field::position_groups, "position_groups", "Position groups",
           "groups of that convolution's columns, each by itself", {}),
    number(Field::position_layers, "position_layers", "Position layers", "such convolutions, one behind the other", {}),
    choice(Field::mask, "mask", "Attention mask",
           "a token looks at those before it and itself, or, in an encoder, at all", sight_words, sight_labels),
    choice(Field::qk_norm, "qk_norm", "Q, K norms",
           "norms of queries and keys: of each head with the same weights for all, with its own, over all heads side "
           "by side, or without weights",
           qk_norm_words, qk_norm_labels),
    plain(Field::qk_norm_bias, "qk_norm_bias", "Q, K norm biases", "biases in the norms of queries and keys",
          FieldKind::flag),
    plain(Field::output_gate, "output_gate", "Attention gate",
          "how much passes of what heads found is decided for each token and column", FieldKind::flag),
    plain(Field::sinks, "sinks", "Attention sinks",
          "a trained score for each head, which takes attention and gives nothing", FieldKind::flag),
    plain(Field::differential, "differential", "Heads in pairs",
          "what the second half of the heads finds is taken from what the first half finds, as much as trained "
          "vectors say",
          FieldKind::flag),
    number(Field::rotary_dim, "rotary_dim", "Rotary columns", "columns of each head that rotary positions turn", {},
           Absence::rule),
    plain(Field::rotated_layers, "rotated_layers", "Rotary layers",
          "the layers in which positions turn queries and keys", FieldKind::layers),
    number(Field::window, "window", "Window", "how many tokens, itself included, a token sees in some of the layers",
           Symbol::window, Absence::none),
    plain(Field::window_chunked, "window_chunked", "Window in chunks",
          "the window is in chunks that do not overlap, or slides", FieldKind::flag),
    plain(Field::window_layers, "window_layers", "Window layers", "the layers that have the window", FieldKind::layers),
    number(Field::full_head_dim, "full_head_dim", "Full head size",
           "columns of a head in layers without a window, where those with one have others", Symbol::full_head_dim,
           Absence::none),
    number(Field::full_kv_heads, "full_kv_heads", "Full KV heads", "key and value heads in those layers",
           Symbol::full_kv_heads),
    plain(Field::keys_are_values, "keys_are_values", "Keys as values",
          "those layers have no matrix for values, and take their keys", FieldKind::flag),
    plain(Field::borrowing_layers, "borrowing_layers", "Borrowing layers",
          "the layers that use the keys and values of the last layer of their kind that has its own",
          FieldKind::layers),
    number(Field::index_heads, "index_heads", "Index heads",
           "small heads that choose which keys a token of latent attention looks at", Symbol::index_heads,
           Absence::none),
    number(Field::index_dim, "index_dim", "Index head size", "columns of one of those", Symbol::index_dim),
    number(Field::index_chosen, "index_chosen", "Keys chosen", "how many keys they choose for each token", {}),
    plain(Field::index_layers, "index_layers", "Index layers",
          "the layers that choose; the others take the choice of the one before", FieldKind::layers),
    number(Field::kv_rank, "kv_rank", "KV rank",
           "the bottleneck of latent attention, from which keys and values are made", Symbol::kv_rank, Absence::none),
    number(Field::query_rank, "query_rank", "Query rank", "the bottleneck before the queries of latent attention",
           Symbol::query_rank, Absence::none),
    number(Field::rope_dim, "rope_dim", "Rotated columns", "columns of a head of latent attention that position turns",
           Symbol::rope_dim),
    number(Field::nope_dim, "nope_dim", "Unrotated columns",
           "columns of a head of latent attention that position does not turn", Symbol::nope_dim),
    number(Field::value_dim, "value_dim", "Value size", "columns of a value of latent attention", Symbol::value_dim),
    number(Field::state_dim, "state_dim", "State size",
           "rows of each head's state, the columns of its keys, in layers that have a state in attention's place",
           Symbol::state_dim, Absence::none),
    number(Field::state_heads, "state_heads", "State heads", "heads that each have a state", Symbol::state_heads),
    number(Field::state_groups, "state_groups", "State groups", "sets of queries and keys that these heads share",
           Symbol::state_groups),
    number(Field::state_head_dim, "state_head_dim", "State head size", "columns of each head's state and of its values",
           Symbol::state_head_dim),
    number(Field::conv_kernel, "conv_kernel", "Convolution",
           "tokens that the convolution before the state sees, itself included", Symbol::conv_kernel, Absence::never,
           2),
    plain(Field::conv_bias, "conv_bias", "Convolution bias", "a bias on that convolution", FieldKind::flag),
    number(Field::step_rank, "step_rank", "Step rank",
           "the bottleneck before the steps of Mamba, the decays of RWKV and Kimi Linear, and Kimi Linear's gate",
           Symbol::step_rank),
    number(Field::blend_rank, "blend_rank", "Blend rank",
           "the bottlenecks before how much of a token counts in RWKV-6's blends with the one before",
           Symbol::blend_rank),
    number(Field::write_rank, "write_rank", "Write rank",
           "the bottleneck before how much of what a key had is taken away in RWKV-7", Symbol::write_rank),
    number(Field::value_rank, "value_rank", "Value rank",
           "the bottleneck before how much the first layer's values count in RWKV-7", Symbol::value_rank),
    number(Field::gate_rank, "gate_rank", "Gate rank", "the bottleneck before the gate of RWKV-7", Symbol::gate_rank),
    choice(Field::recurrence_inner_norms, "recurrence_inner_norms", "State inner norms",
           "norms of what Mamba's states are written and read by, without weights or with them", inner_norm_words,
           inner_norm_labels),
    choice(
        Field::recurrence, "recurrence", "State's rule",
        "what a token writes is added to the state (Mamba-2), or replaces what its key had (gated delta rule), or "
        "each row of it fades by itself (Mamba); or there are only the last tokens, of as many as the convolution "
        "sees (LFM2); or what a key had is replaced and each row fades by itself (Kimi); or states fade at rates "
        "that are not trained (lightning attention); or each column fades by itself, as far as a gate says "
        "(RG-LRU); or there is a mean of all values, whose weights fade (RWKV-4); or each row of a state fades as far "
        "as the token says, and it is added to (RWKV-6), or loses what another key had as well (RWKV-7)",
        recurrence_words, recurrence_labels),
    plain(Field::recurrence_bias, "recurrence_bias", "State biases",
          "biases on the projections that read such a layer's input", FieldKind::flag),
    plain(Field::recurrence_output_bias, "recurrence_output_bias", "State output bias",
          "a bias on its output projection", FieldKind::flag),
    plain(Field::recurrence_norm, "recurrence_norm", "State norm", "a norm of what was read from states",
          FieldKind::flag),
    plain(Field::recurrence_norms_first, "recurrence_norms_first", "State norms first",
          "layers with a state have their norms before, wherever the others have them", FieldKind::flag),
    plain(Field::beside_attention, "beside_attention", "Beside attention",
          "such a layer has attention too: both read the same, and what they make is added up", FieldKind::flag),
    plain(Field::recurrence_layers, "recurrence_layers", "State layers",
          "the layers that have a state; the others have attention", FieldKind::layers),
    plain(Field::mixer_layers, "mixer_layers", "Mixer layers",
          "the layers that have attention or a state; the others have a feed-forward alone", FieldKind::layers),
    plain(Field::ffn_layers, "ffn_layers", "FFN layers", "the layers that have a feed-forward", FieldKind::layers),
    plain(Field::ffn_doubled, "ffn_doubled", "Doubled FFN",
          "the feed-forward is twice as wide in layers that borrow keys and values", FieldKind::flag),
    plain(Field::ffn_sparse_layers, "ffn_sparse_layers", "Sparse FFN layers",
          "the layers in which only the largest numbers of the feed-forward's gate count", FieldKind::layers),
    number(Field::layer_embedding_dim, "layer_embedding_dim", "Layer embedding",
           "numbers that each layer has of every token by itself, from a table of their own",
           Symbol::layer_embedding_dim, Absence::none),
    number(Field::layer_embedding_vocab, "layer_embedding_vocab", "Layer vocabulary", "the tokens in that table",
           Symbol::layer_embedding_vocab),
    plain(Field::layer_scale, "layer_scale", "Layer scale",
          "a number for each layer that multiplies what it makes; stored, not trained, in no total", FieldKind::flag),
    plain(Field::branch_scale, "branch_scale", "Branch scale",
          "trained numbers, one a column, multiply what attention and what the feed-forward make", FieldKind::flag),
    number(Field::stream_copies, "stream_copies", "Stream copies",
           "copies of the residual stream side by side, of which layers compute the first; the others follow",
           Symbol::stream_copies, Absence::none),
    number(Field::laurel_rank, "laurel_rank", "LAuReL rank",
           "the bottleneck through which what a mixer reads is added to what it makes", Symbol::laurel_rank,
           Absence::none),
    number(Field::encoder_layers, "encoder_layers", "Encoder layers",
           "layers of an encoder beside the decoder, which looks at what they make of another text",
           Symbol::encoder_layers, Absence::none),
    number(Field::encoder_ffn_dim, "encoder_ffn_dim", "Encoder FFN hidden",
           "columns between the matrices of the encoder's feed-forward", Symbol::encoder_ffn_dim, Absence::rule),
    plain(Field::encoder_embedding, "encoder_embedding", "Encoder's embedding",
          "the encoder has an embedding of its own, not the decoder's", FieldKind::flag),
    number(Field::encoder_vocab, "encoder_vocab", "Encoder's vocabulary", "the tokens in the encoder's own embedding",
           Symbol::encoder_vocab, Absence::rule),
    number(Field::encoder_context, "encoder_context", "Encoder's context",
           "the longest input of the encoder; counts only where positions have a table", Symbol::encoder_context,
           Absence::rule),
    plain(Field::encoder_window_layers, "encoder_window_layers", "Encoder's window",
          "the encoder's layers that have the window, to either side", FieldKind::layers),
    plain(Field::encoder_mixture_layers, "encoder_mixture_layers", "Encoder's mixture",
          "the encoder's layers that have experts", FieldKind::layers),
    number(Field::experts, "experts", "Experts", "experts in the feed-forward's place", Symbol::experts, Absence::none),
    number(Field::experts_per_token, "experts_per_token", "Experts per token", "to how many experts a token is sent",
           Symbol::experts_per_token),
    number(Field::expert_dim, "expert_dim", "Expert hidden", "columns between the matrices of one expert",
           Symbol::expert_dim),
    number(Field::shared_experts, "shared_experts", "Shared experts", "experts that every token passes",
           Symbol::shared_experts, Absence::never, 0),
    number(Field::shared_dim, "shared_dim", "Shared hidden", "columns between the matrices of one of those",
           Symbol::shared_dim, Absence::rule),
    plain(Field::shared_gate, "shared_gate", "Shared expert gate",
          "how much the shared experts count is decided for each token", FieldKind::flag),
    plain(Field::router_bias, "router_bias", "Router bias", "a bias on the router", FieldKind::flag),
    plain(Field::expert_bias, "expert_bias", "Expert biases",
          "experts have biases where the dense feed-forward and the shared experts do", FieldKind::flag),
    plain(Field::correction_bias, "correction_bias", "Load-balancing bias",
          "a number for each expert that balances their load; stored, not trained, in no total", FieldKind::flag),
    plain(Field::beside_dense, "beside_dense", "Beside a dense one",
          "experts stand beside the dense feed-forward, each behind norms of its own", FieldKind::flag),
    plain(Field::mixture_norm, "mixture_norm", "Mixture norm", "one more norm, behind experts alone", FieldKind::flag),
    plain(Field::mixture_layers, "mixture_layers", "Mixture layers",
          "the layers that have experts; the others have the dense feed-forward", FieldKind::layers),
});

static_assert(in_order(table, &FieldInfo::field), "info() looks fields up by their place in the table");

}  // namespace

std::span<const FieldInfo> fields() {
    return table;
}
const FieldInfo& info(Field field) {
    return table[static_cast<std::size_t>(field)];
}

std::optional<Field> field_of(Symbol symbol) {
    for (const FieldInfo& field : table)
        if (field.symbol == symbol) return field.field;
    return std::nullopt;
}

}  // namespace headcount
