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
constexpr std::array<std::string_view, 6> pooled_words{"first",      "class_mean",           "mean",
                                                       "patch_mean", "first_and_patch_mean", "each"};
constexpr std::array<std::string_view, 6> pooled_labels{"First",      "Class mean", "Mean",
                                                        "Patch mean", "First+mean", "Each"};
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
constexpr FieldInfo flag(Field field, std::string_view key, std::string_view label, std::string_view meaning) {
    return plain(field, key, label, meaning, FieldKind::flag);
}
constexpr FieldInfo layers(Field field, std::string_view key, std::string_view label, std::string_view meaning) {
    return plain(field, key, label, meaning, FieldKind::layers);
}

constexpr std::array table = std::to_array<FieldInfo>({
    number(Field::dim, "dim", "Width",
           "How many numbers describe a token between the layers: the width of the residual stream.", Symbol::dim),
    number(Field::layers, "layers", "Layers", "How many layers stand behind one another, each with its own numbers.",
           Symbol::layers),
    number(Field::heads, "heads", "Heads",
           "How many queries each token asks in every layer, each with its own view of the text.", Symbol::heads),
    number(Field::kv_heads, "kv_heads", "KV heads",
           "How many keys and values each token has. Fewer than heads: several query heads share one, and the "
           "key/value cache shrinks.",
           Symbol::kv_heads, Absence::rule),
    number(Field::head_dim, "head_dim", "Head size", "How many numbers a query, a key and a value of one head have.",
           Symbol::head_dim, Absence::rule),
    number(Field::ffn_dim, "ffn_dim", "FFN hidden",
           "How many features the feed-forward works with between its up and its down projection.", Symbol::ffn_dim),
    number(Field::ffn_multiple_of, "ffn_multiple_of", "FFN multiple of",
           "Leaves the feed-forward width to Meta's rule: 2/3 · 4 · dim, times ffn_multiplier, rounded up to a "
           "multiple of this."),
    plain(Field::ffn_multiplier, "ffn_multiplier", "FFN multiplier",
          "The multiplier of Meta's rule. Setting it leaves the feed-forward width to that rule.", FieldKind::ratio),
    number(Field::vocab, "vocab", "Vocabulary",
           "How many different tokens there are: rows of the embedding, and columns of the output head.",
           Symbol::vocab),
    number(Field::context, "context", "Context",
           "The longest text. It adds parameters only where positions are learned.", Symbol::context),
    choice(Field::positions, "positions", "Positions",
           "How the model knows where a token stands. RoPE turns queries and keys and has no parameters; learned "
           "positions are a table with one row for each; ALiBi lowers scores by distance.",
           position_words, position_labels),
    number(Field::relative_buckets, "relative_buckets", "Distance buckets",
           "Into how many ranges distances between tokens are sorted. Each head has a trained number for each of them.",
           Symbol::relative_buckets),
    flag(Field::relative_by_layer, "relative_by_layer", "Buckets by layer",
         "Each layer has numbers of its own for the distances, not a stack one set for all."),
    choice(Field::norm, "norm", "Norm",
           "RMSNorm divides each row by its root mean square; LayerNorm takes its mean away before.", norm_words,
           norm_labels),
    choice(Field::norm_placement, "norm_placement", "Norm placed",
           "Before a sub-block on its input, after it on its output, on both, or on the sum with the stream.",
           placement_words, placement_labels),
    flag(Field::norm_scale, "norm_scale", "Norm weights", "One trained factor for each channel of every norm."),
    flag(Field::norm_bias, "norm_bias", "Norm biases", "One trained offset for each channel of every norm."),
    plain(Field::norm_epsilon, "norm_epsilon", "Norm epsilon",
          "What norms add before they divide, which keeps them from dividing by zero. No parameters.", FieldKind::real),
    flag(Field::gated, "gated", "FFN gate", "A third matrix, the gate, decides how much of each feature passes."),
    choice(Field::activation, "activation", "Activation",
           "The function between the matrices of the feed-forward. No parameters.", activation_words,
           activation_labels),
    flag(Field::tied, "tied", "Tied embeddings", "The output head is the embedding, counted once."),
    flag(Field::tied_layers, "tied_layers", "Tied layers", "All layers share one set of weights, counted once."),
    flag(Field::qkv_bias, "qkv_bias", "Q, K, V biases",
         "One trained offset for each output of the query, key and value projections."),
    flag(Field::key_bias, "key_bias", "Key biases", "Whether keys have such offsets where queries and values do."),
    flag(Field::gate_bias, "gate_bias", "Gate biases",
         "Whether the gate on what heads find has such offsets where queries do."),
    flag(Field::attention_output_bias, "attention_output_bias", "Attention output bias",
         "One trained offset for each output of attention's output projection."),
    flag(Field::ffn_bias, "ffn_bias", "FFN biases",
         "One trained offset for each output of the feed-forward's projections."),
    flag(Field::ffn_input_bias, "ffn_input_bias", "FFN input biases",
         "Whether the feed-forward's projections that read its input have such offsets too."),
    choice(Field::joining, "joining", "Sub-blocks",
           "In turn, the feed-forward reads what attention has added to; in parallel, both read the layer's input, "
           "each through a norm of its own or both through one.",
           joining_words, joining_labels),
    flag(Field::final_norm, "final_norm", "Final norm", "One more norm between the last layer and the output head."),
    flag(Field::inner_norm, "inner_norm", "Inner norms",
         "One more norm before attention's output projection, and before the down projection of a dense feed-forward."),
    flag(Field::first_norm, "first_norm", "First norm",
         "Whether the first layer norms what its attention reads. Where a norm stands behind the embedding, it need "
         "not."),
    flag(Field::final_norm_bias, "final_norm_bias", "Final norm bias",
         "Whether the norm behind the last layer has trained offsets where the others have."),
    number(Field::position_offset, "position_offset", "Position offset",
           "Rows of the position table before the first position.", {}, Absence::never, 0),
    number(Field::token_types, "token_types", "Token types",
           "How many kinds of tokens there are, such as those of a first and of a second sentence. Each kind has a "
           "row, which is added to the token's. 0 is none.",
           Symbol::token_types, Absence::never, 0),
    number(Field::embedding_dim, "embedding_dim", "Embedding width",
           "How many numbers the embedding has for a token. Where it is not the width, a matrix leads from one to the "
           "other, and another back before the output head.",
           Symbol::embedding_dim, Absence::rule),
    flag(Field::embedding_norm, "embedding_norm", "Embedding norm",
         "A norm between the embedding and the first layer."),
    choice(Field::output, "output", "On top",
           "What stands on the last layer. Scores for the next token; scores for a hidden token, behind a matrix, an "
           "activation function and a norm; a pooler, which turns the first token's row into one for the whole text; "
           "nothing, and the last layer's rows are what the model gives; or scores for classes.",
           output_words, output_labels),
    flag(Field::head_bias, "head_bias", "Output head bias", "One trained offset for each score of the output head."),
    flag(Field::transform_bias, "transform_bias", "Transform bias",
         "One trained offset for each output of the matrix before the scores."),
    number(Field::transform_dim, "transform_dim", "Transform width",
           "How many numbers of each token the scores are made from.", Symbol::transform_dim, Absence::rule),
    number(Field::classes, "classes", "Classes", "How many classes a classifier tells apart: one score for each.",
           Symbol::classes),
    choice(Field::pooled, "pooled", "Classifier reads",
           "The rows that a classifier reads: the first, the mean of class tokens', of all or of the others, or each.",
           pooled_words, pooled_labels),
    flag(Field::pooled_norm, "pooled_norm", "Pooled norm", "One more norm, of the row alone that a classifier reads."),
    number(Field::classifier_dim, "classifier_dim", "Classifier width",
           "How wide a matrix makes what is read before it is scored.", Symbol::classifier_dim, Absence::none),
    flag(Field::pooling_head, "pooling_head", "Pooling head",
         "Attention of one trained query to all rows, with a feed-forward. It is stored; a classifier does not read "
         "it."),
    flag(Field::mask_row, "mask_row", "Mask row",
         "A trained row that stands, in training, for what is hidden. It is stored, and not read."),
    number(Field::image_height, "image_height", "Image height",
           "How many rows of pixels an image has. It is cut into patches, each of which is a token.",
           Symbol::image_height, Absence::none),
    number(Field::image_width, "image_width", "Image width", "The columns of pixels of an image.", Symbol::image_width),
    number(Field::patch, "patch", "Patch", "How many pixels a patch has on either side.", Symbol::patch),
    number(Field::patch_stride, "patch_stride", "Patch stride",
           "How many pixels lie between one patch's beginning and the next one's.", {}, Absence::rule),
    number(Field::image_channels, "image_channels", "Channels",
           "How many numbers a pixel is: three of a coloured image.", Symbol::channels),
    flag(Field::patch_bias, "patch_bias", "Patch bias", "One trained offset for each number that is made of a patch."),
    number(Field::class_tokens, "class_tokens", "Class tokens",
           "How many trained rows stand before the patches' and gather what the image shows.", Symbol::class_tokens,
           Absence::never, 0),
    number(Field::registers, "registers", "Registers", "Trained rows without positions, behind all others.",
           Symbol::registers, Absence::never, 0),
    number(Field::sound_channels, "sound_channels", "Sound channels",
           "How many numbers a moment of sound is: one of a wave, or one for each frequency.", {}, Absence::none),
    plain(Field::convolutions, "convolutions", "Convolutions",
          "Which convolutions over time make rows of it, each as its columns (of the last the embedding's), its kernel "
          "and its stride: 512x3/2, or dx3/2 as wide as the model.",
          FieldKind::convolutions),
    flag(Field::convolution_bias, "convolution_bias", "Convolution biases",
         "One trained offset for each number that convolutions over sound make."),
    flag(Field::convolutions_padded, "convolutions_padded", "Padded",
         "Whether zeros stand around the sound, so that a stride of 1 keeps the number of rows."),
    choice(Field::convolution_norms, "convolution_norms", "Convolution norms",
           "Norms of convolutions over sound: behind the first, of each column over time, behind each, of each row, or "
           "behind the first and its tanh, of all its numbers together.",
           convolution_norm_words, convolution_norm_labels),
    number(Field::position_kernel, "position_kernel", "Position kernel",
           "How many rows are read to tell where one of them stands. 0 is none.", {}, Absence::never, 0),
    number(Field::position_groups, "position_groups", "Position groups",
           "Into how many groups the columns of a convolution in the place of positions are parted.", {}),
    number(Field::position_layers, "position_layers", "Position layers",
           "How many convolutions stand in the place of positions, one behind the other.", {}),
    choice(Field::mask, "mask", "Attention mask",
           "Which tokens a token looks at: those before it and itself, or all of them. What looks at all of them reads "
           "a text at once, writes none and keeps no cache. No parameters.",
           sight_words, sight_labels),
    choice(Field::qk_norm, "qk_norm", "Q, K norms",
           "Whether queries and keys are rescaled before they meet: each head with the same weights for all, with its "
           "own, or without any, or all heads side by side.",
           qk_norm_words, qk_norm_labels),
    flag(Field::qk_norm_bias, "qk_norm_bias", "Q, K norm biases", "Trained offsets in the norms of queries and keys."),
    flag(Field::output_gate, "output_gate", "Attention gate",
         "One more matrix, as wide as the heads, decides for each token how much passes of what they found."),
    flag(Field::sinks, "sinks", "Attention sinks", "One trained score a head that takes weight and gives no value."),
    flag(Field::differential, "differential", "Heads in pairs",
         "Heads in pairs, whose values lie side by side: what the second half of them finds is taken from what the "
         "first half finds, so that what both look at without need falls away."),
    number(Field::rotary_dim, "rotary_dim", "Rotary columns",
           "How many of a head's columns rotary positions turn. No parameters.", {}, Absence::rule),
    layers(Field::rotated_layers, "rotated_layers", "Rotary layers",
           "Which layers turn queries and keys by position. The others know no position. No parameters."),
    number(Field::window, "window", "Window",
           "How many tokens, itself included, a token sees in some of the layers. It bounds the key/value cache and "
           "changes no count.",
           Symbol::window, Absence::none),
    flag(Field::window_chunked, "window_chunked", "Window in chunks",
         "Whether windows are chunks that do not overlap, rather than sliding along."),
    layers(Field::window_layers, "window_layers", "Window layers",
           "Which layers see only their window. The others see all tokens before."),
    number(Field::full_head_dim, "full_head_dim", "Full head size",
           "How many columns a head has in layers without a window.", Symbol::full_head_dim, Absence::none),
    number(Field::full_kv_heads, "full_kv_heads", "Full KV heads",
           "How many key and value heads layers without a window have.", Symbol::full_kv_heads),
    flag(Field::keys_are_values, "keys_are_values", "Keys as values",
         "Whether layers without a window have no matrix for values and take the keys, as projected, for them."),
    layers(
        Field::borrowing_layers, "borrowing_layers", "Borrowing layers",
        "Which layers have no keys and values of their own, and use those of the last layer of their kind that has."),
    number(Field::index_heads, "index_heads", "Index heads", "How many small heads choose which keys a token looks at.",
           Symbol::index_heads, Absence::none),
    number(Field::index_dim, "index_dim", "Index head size", "The columns of a head that chooses keys.",
           Symbol::index_dim),
    number(Field::index_chosen, "index_chosen", "Keys chosen",
           "How many keys such heads choose for each token. It changes the work, and no count.", Symbol::index_chosen),
    layers(Field::index_layers, "index_layers", "Index layers",
           "Which layers choose keys. The others take the choice of the one before."),
    number(Field::kv_rank, "kv_rank", "KV rank",
           "Latent attention makes all keys and values of a layer from a bottleneck of so many numbers a token, which "
           "is nearly all that the cache keeps.",
           Symbol::kv_rank, Absence::none),
    number(Field::query_rank, "query_rank", "Query rank",
           "Queries, too, may come from a bottleneck: fewer parameters, the same cache.", Symbol::query_rank,
           Absence::none),
    number(Field::rope_dim, "rope_dim", "Rotated columns",
           "How many columns of a query and a key are turned by position. Their key is one for all heads.",
           Symbol::rope_dim),
    number(Field::nope_dim, "nope_dim", "Unrotated columns", "How many columns of a query and a key know no position.",
           Symbol::nope_dim),
    number(Field::value_dim, "value_dim", "Value size",
           "How many numbers a value of one head has; here it need not be the head size.", Symbol::value_dim),
    number(Field::state_dim, "state_dim", "State size",
           "How many rows the state of one head has, and how many numbers its keys and queries. A layer with such a "
           "state has no attention, and nothing in it grows with the text.",
           Symbol::state_dim, Absence::none),
    number(Field::state_heads, "state_heads", "State heads",
           "How many heads such a layer has, each with a state of its own.", Symbol::state_heads),
    number(Field::state_groups, "state_groups", "State groups",
           "How many sets of keys and queries there are. Fewer than heads: several heads share one.",
           Symbol::state_groups),
    number(Field::state_head_dim, "state_head_dim", "State head size",
           "How many columns the state of one head has, and how many numbers its values.", Symbol::state_head_dim),
    number(Field::conv_kernel, "conv_kernel", "Convolution",
           "How many tokens, itself included, each column of queries, keys and values is made from before the state is "
           "written.",
           Symbol::conv_kernel, Absence::never, 2),
    flag(Field::conv_bias, "conv_bias", "Convolution bias", "One trained offset for each column of the convolution."),
    number(Field::step_rank, "step_rank", "Step rank",
           "The bottleneck before the steps of Mamba, the decays of RWKV and Kimi Linear, and Kimi Linear's gate.",
           Symbol::step_rank),
    number(Field::blend_rank, "blend_rank", "Blend rank",
           "The bottlenecks before how much of a token counts in RWKV-6's blends with the one before.",
           Symbol::blend_rank),
    number(Field::write_rank, "write_rank", "Write rank",
           "The bottleneck before how much of what a key had is taken away in RWKV-7.", Symbol::write_rank),
    number(Field::value_rank, "value_rank", "Value rank",
           "The bottleneck before how much the first layer's values count in RWKV-7.", Symbol::value_rank),
    number(Field::gate_rank, "gate_rank", "Gate rank", "The bottleneck before the gate of RWKV-7.", Symbol::gate_rank),
    choice(
        Field::recurrence_inner_norms, "recurrence_inner_norms", "State inner norms",
        "Whether keys, queries and what steps are made from are rescaled first, without weights or with trained ones.",
        inner_norm_words, inner_norm_labels),
    choice(Field::recurrence, "recurrence", "State's rule",
           "How a state is written. Mamba-2 lets it fade and adds what a token writes; the gated delta rule also takes "
           "away what its key had before, and Kimi's too, of which each row fades by itself. Lightning attention adds, "
           "and fades at rates that nothing trains. A convolution alone keeps the last few tokens, and no state. "
           "RG-LRU remembers each column by itself, as far as a gate says, and RWKV-4 a mean of all values, whose "
           "weights fade; RWKV-6 adds to a state each row of which fades as far as the token says, and RWKV-7 takes "
           "away what another key had.",
           recurrence_words, recurrence_labels),
    flag(Field::recurrence_bias, "recurrence_bias", "State biases",
         "One trained offset for each output of the projections that read such a layer's input."),
    flag(Field::recurrence_output_bias, "recurrence_output_bias", "State output bias",
         "One trained offset for each column of what such a layer makes."),
    flag(Field::recurrence_norm, "recurrence_norm", "State norm",
         "Whether what heads read from their states is rescaled before it is projected back."),
    flag(Field::recurrence_norms_first, "recurrence_norms_first", "State norms first",
         "Whether layers with a state have their norms before mixer and feed-forward, wherever the others have them."),
    flag(Field::beside_attention, "beside_attention", "Beside attention",
         "Whether layers with a state have attention beside it, which reads the same. What both make is added up."),
    layers(Field::recurrence_layers, "recurrence_layers", "State layers",
           "Which layers have a state. The others have attention."),
    layers(Field::mixer_layers, "mixer_layers", "Mixer layers",
           "Which layers have attention or a state. The others are a feed-forward alone."),
    layers(Field::ffn_layers, "ffn_layers", "FFN layers",
           "Which layers have a feed-forward. The others are their mixer alone."),
    flag(Field::ffn_doubled, "ffn_doubled", "Doubled FFN",
         "Whether the feed-forward is twice as wide in layers that borrow keys and values."),
    layers(Field::ffn_sparse_layers, "ffn_sparse_layers", "Sparse FFN layers",
           "In which layers only the largest numbers of the feed-forward's gate count. It changes no count."),
    number(Field::layer_embedding_dim, "layer_embedding_dim", "Layer embedding",
           "How many numbers each layer has of every token by itself, from a table of its own.",
           Symbol::layer_embedding_dim, Absence::none),
    number(Field::layer_embedding_vocab, "layer_embedding_vocab", "Layer vocabulary",
           "How many tokens the table has from which layers have numbers of their own.", Symbol::layer_embedding_vocab),
    flag(Field::layer_scale, "layer_scale", "Layer scale",
         "One number a layer that multiplies what it makes. It is stored, trained by no gradient, and counts as no "
         "parameter."),
    flag(Field::branch_scale, "branch_scale", "Branch scale",
         "One trained number for each column of what attention and the feed-forward add."),
    number(Field::stream_copies, "stream_copies", "Stream copies",
           "How many copies of the residual stream there are side by side. A layer computes the first, and the others "
           "follow (AltUp).",
           Symbol::stream_copies, Absence::none),
    number(Field::laurel_rank, "laurel_rank", "LAuReL rank",
           "How wide the bottleneck is through which what a mixer reads is added to what it makes (LAuReL).",
           Symbol::laurel_rank, Absence::none),
    number(Field::encoder_layers, "encoder_layers", "Encoder layers",
           "How many layers read the source, all of it at once. The decoder looks at what they make of it.",
           Symbol::encoder_layers, Absence::none),
    number(Field::encoder_ffn_dim, "encoder_ffn_dim", "Encoder FFN hidden",
           "How many features the encoder's feed-forward works with.", Symbol::encoder_ffn_dim, Absence::rule),
    flag(Field::encoder_embedding, "encoder_embedding", "Encoder's embedding",
         "Whether the source's tokens have an embedding of their own."),
    number(Field::encoder_vocab, "encoder_vocab", "Encoder's vocabulary",
           "How many tokens the source's own embedding has.", Symbol::encoder_vocab, Absence::rule),
    number(Field::encoder_context, "encoder_context", "Encoder's context",
           "The longest source. It adds parameters only where its positions have a table.", Symbol::encoder_context,
           Absence::rule),
    layers(Field::encoder_window_layers, "encoder_window_layers", "Encoder's window",
           "Which of the encoder's layers see only their window, to either side. The others see all of the source."),
    layers(Field::encoder_mixture_layers, "encoder_mixture_layers", "Encoder's mixture",
           "Which of the encoder's layers have experts in the feed-forward's place."),
    number(Field::experts, "experts", "Experts",
           "How many feed-forwards a layer has, of which a router picks a few for each token.", Symbol::experts,
           Absence::none),
    number(Field::experts_per_token, "experts_per_token", "Experts per token",
           "To how many experts a token is sent. It changes the work, and no count.", Symbol::experts_per_token),
    number(Field::expert_dim, "expert_dim", "Expert hidden", "How many features one expert works with.",
           Symbol::expert_dim),
    number(Field::shared_experts, "shared_experts", "Shared experts",
           "Experts that every token passes, besides those that the router picks.", Symbol::shared_experts,
           Absence::never, 0),
    number(Field::shared_dim, "shared_dim", "Shared hidden",
           "How many columns lie between the matrices of a shared expert.", Symbol::shared_dim, Absence::rule),
    flag(Field::shared_gate, "shared_gate", "Shared expert gate",
         "One more row decides, for each token, how much the shared experts count."),
    flag(Field::router_bias, "router_bias", "Router bias", "One trained offset for each expert's score."),
    flag(Field::expert_bias, "expert_bias", "Expert biases",
         "Whether experts have biases where the dense feed-forward has."),
    flag(Field::correction_bias, "correction_bias", "Load-balancing bias",
         "One number an expert that keeps all of them busy. It is set while training, but by no gradient, and counts "
         "as no parameter."),
    flag(Field::beside_dense, "beside_dense", "Beside a dense one",
         "Whether experts stand beside the dense feed-forward, and not in its place."),
    flag(Field::mixture_norm, "mixture_norm", "Mixture norm", "One more norm of what the experts make together."),
    layers(Field::mixture_layers, "mixture_layers", "Mixture layers",
           "Which layers have experts. The others have the dense feed-forward."),
});
static_assert(in_order(table, &FieldInfo::field), "info() looks fields up by their place in the table");

}  // namespace

std::span<const FieldInfo> fields() { return table; }
const FieldInfo& info(Field field) { return table[static_cast<std::size_t>(field)]; }

std::optional<Field> field_of(Symbol symbol) {
    for (const FieldInfo& field : table)
        if (field.symbol == symbol) return field.field;
    return std::nullopt;
}

}  // namespace headcount
