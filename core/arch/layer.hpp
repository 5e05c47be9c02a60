// What layers are made of: attention, recurrences, feed-forwards and experts, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/arch/activation.hpp"
#include "core/arch/layer_set.hpp"

namespace headcount {

// Which tokens a token looks at, before windows narrow it.
enum class AttentionMask {
    causal,  // those before, and itself
    full,    // all: an encoder's (Devlin et al. 2019)
};

// How the two sub-blocks of a layer meet the residual stream.
enum class Joining {
    in_turn,          // the feed-forward reads what attention has added to
    parallel,         // both read the layer's input, each through a norm of its own (GPT-NeoX)
    parallel_shared,  // both read it through one norm (GPT-J)
};

// Norms of queries and keys before they meet.
enum class QkNorm {
    none,
    per_head,   // of each head, with one set of weights for all (d_h): Qwen 3, Gemma 3
    each_head,  // of each head, each with weights of its own (h × d_h): Command R+
    across,     // over all heads side by side (h·d_h): OLMo 2
    plain,      // of each head, without weights: Llama 4
};

// Attention that sees no further back than `size` tokens, itself included, in some of the layers.
struct AttentionWindow {
    std::int64_t size = 4096;
    bool chunked = false;  // in chunks that do not overlap (Llama 4), not sliding
    LayerSet layers;

    bool operator==(const AttentionWindow&) const = default;
};

// Multi-head latent attention (DeepSeek-AI 2024): keys and values made from a bottleneck that is all that is cached.
// A head's queries and keys have nope_dim + rope_dim columns, of which the last are turned by position.
struct Latent {
    std::optional<std::int64_t> query_rank;  // absent: queries come straight from the width
    std::int64_t kv_rank = 512;
    std::int64_t rope_dim = 64;
    std::int64_t nope_dim = 128;
    std::int64_t value_dim = 128;

    bool operator==(const Latent&) const = default;
};

// Sizes of layers without a window, where they are other than those of layers with one (Gemma 4).
struct FullHeads {
    std::int64_t head_dim = 512;
    std::int64_t kv_heads = 8;
    bool keys_are_values = false;  // no matrix for values: they are the keys as projected

    bool operator==(const FullHeads&) const = default;
};

// Small heads that choose which keys a token looks at in latent attention (DeepSeek-AI 2025, V3.2): those of the best
// `chosen` tokens before it.
struct Indexer {
    std::int64_t heads = 64;
    std::int64_t head_dim = 128;
    std::int64_t chosen = 2048;
    LayerSet layers;  // the others take the choice of the one before

    bool operator==(const Indexer&) const = default;
};

// Multi-head, grouped-query (Ainslie et al. 2023) or multi-query attention, by the number of key/value heads; or
// latent attention, where these play no part.
struct Attention {
    std::int64_t heads = 32;
    std::optional<std::int64_t> kv_heads;  // absent: one for each query head
    std::optional<std::int64_t> head_dim;  // absent: dim / heads
    bool qkv_bias = false;
    bool key_bias = true;  // keys have biases where queries and values do
    bool output_bias = false;
    QkNorm qk_norm = QkNorm::none;
    bool qk_norm_bias = false;
    AttentionMask mask = AttentionMask::causal;
    bool output_gate = false;                // as wide as the heads: how much of what they found passes (Qwen3-Next)
    bool gate_bias = true;                   // it has a bias where queries have one
    bool sinks = false;                      // a trained score a head that takes weight and gives nothing (gpt-oss)
    bool differential = false;               // heads in pairs, the second taken from the first (Ye et al. 2024)
    std::optional<std::int64_t> rotary_dim;  // columns of a head turned by rotary positions; absent: all
    LayerSet rotated;                        // the layers that turn them; the others have no positions (Llama 4)
    std::optional<AttentionWindow> window;   // absent: every layer sees all tokens before
    std::optional<FullHeads> full;           // beside layers with a window
    LayerSet borrowing = LayerSet::none();   // use the keys and values of the last layer of their kind that has its own
    std::optional<Latent> latent;
    std::optional<Indexer> indexer;      // of latent attention
    std::int64_t relative_buckets = 32;  // of relative positions: ranges of distances
    bool relative_by_layer = false;      // each layer has numbers of its own for them (UMT5)

    bool operator==(const Attention&) const = default;
};

// A multiplier kept as a fraction, so that 1.3 is 13/10 and not the nearest double.
struct Ratio {
    std::int64_t numerator = 1, denominator = 1;

    bool operator==(const Ratio&) const = default;
};

// Meta's rule for the feed-forward width (FeedForward.__init__ in facebookresearch/llama, model.py): two thirds of 4·d,
// rounded down, times a multiplier, rounded down, rounded up to a multiple.
struct MetaRule {
    std::int64_t multiple_of = 256;
    Ratio multiplier;

    bool operator==(const MetaRule&) const = default;
};

struct DenseFeedForward {
    bool gated = true;  // down(activation(gate(x)) * up(x)) (Shazeer 2020) instead of down(activation(up(x)))
    Activation activation = Activation::silu;
    std::variant<std::int64_t, MetaRule> width = std::int64_t{11008};
    bool bias = false;
    bool input_bias = true;  // of gate and up too, where the matrix that leads back has one (GTE: not)
    bool doubled = false;    // twice as wide in layers that borrow keys and values

    bool operator==(const DenseFeedForward&) const = default;
};

// Experts in the feed-forward's place, of which a router picks a few for each token (Shazeer et al. 2017). They have
// the dense feed-forward's form: its gate, activation and biases.
struct Mixture {
    std::int64_t experts = 8;
    std::int64_t experts_per_token = 2;
    std::int64_t expert_dim = 14336;
    std::int64_t shared_experts = 0;         // that every token passes, side by side
    std::optional<std::int64_t> shared_dim;  // of each of those; absent: as wide as the others
    bool shared_gate = false;                // how much they count is decided for each token
    bool router_bias = false;
    bool expert_bias = true;       // experts have biases where the dense feed-forward and the shared ones do
    bool correction_bias = false;  // a number an expert that balances the load, trained by no gradient (DeepSeek V3)
    bool beside_dense = false;     // beside the dense feed-forward, each behind norms of its own (Gemma 4)
    bool output_norm = false;      // one more norm, behind experts alone (A.X K1)
    LayerSet layers;               // the others have the dense feed-forward

    bool operator==(const Mixture&) const = default;
};

enum class RecurrenceKind {
    mamba2,       // state-space duality (Dao & Gu 2024): what a token writes is added
    gated_delta,  // gated delta rule (Yang et al. 2025): it replaces what its key had
    // Mamba (Gu & Dao 2023): as in Mamba-2, but each row of a state fades by itself, and what it is written and read by
    // is made of what was convolved, steps through a bottleneck. One group serves all heads.
    mamba,
    // No state but the last few tokens: gated, convolved, gated again, as wide as the model (LFM2, Liquid AI 2025).
    // Heads, groups and sizes play no part.
    short_convolution,
    // As gated_delta, but each row of a state fades by itself; steps and gates pass bottlenecks as wide as a head,
    // whose keys are as wide as its values (Kimi Delta Attention, Kimi Team 2025).
    kimi_delta,
    // What a token writes is added to a state that fades at a rate which is not trained, another in each head and layer
    // (lightning attention, Qin et al. 2024). Keys are as wide as values, and nothing is convolved.
    lightning,
    // Each column is remembered by itself: it fades as far as a gate says, and takes up as much of what another gate
    // lets pass. Heads are the blocks of columns that the gates' matrices read (RG-LRU, De et al. 2024).
    gated_linear,
    // A mean of all values so far, whose weights grow with keys and fade with every token; what a token is read by is
    // blended with the one before, in the feed-forward too, which a gate lets through. Of heads there is one, whose
    // columns all are (RWKV-4, Peng et al. 2023).
    weighted_mean,
    // What a token writes is added; each row of a state fades as far as the token says, and what a token is read by is
    // blended with the one before as far as both say, in the feed-forward as in weighted_mean. Keys are as wide as
    // values (RWKV-6, Peng et al. 2024).
    dynamic_decay,
    // The same, where a state also loses what another key than that which is written had, and layers but the first take
    // some of its values (RWKV-7, Peng et al. 2025).
    general_delta,
};

// Whether what its projections read of a token is blended with the token before.
constexpr bool blends_tokens(RecurrenceKind kind) { return kind >= RecurrenceKind::weighted_mean; }

// Norms of what a state is written and read by, and of the steps, before the bottleneck is left.
enum class InnerNorms { none, plain, trained };

// A mixer in attention's place whose memory of earlier tokens does not grow: each head's state, state_dim × head_dim,
// which fades, is written by keys and values and is read by queries. Queries, keys and values pass a short convolution
// first. What Mamba-2 calls C, B and x are queries, keys and values here.
struct Recurrence {
    std::int64_t state_dim = 128;
    std::int64_t heads = 64;
    std::int64_t groups = 1;  // of heads that share queries and keys
    std::int64_t head_dim = 64;
    std::int64_t conv_kernel = 4;
    bool conv_bias = true;
    bool bias = false;         // of the projections that read the layer's input
    bool output_bias = false;  // of the one that leads back
    bool norm = true;          // of what was read
    bool norms_first = false;  // such layers have their norms before, whatever the others have (OLMo Hybrid)
    RecurrenceKind kind = RecurrenceKind::mamba2;
    std::int64_t step_rank = 48;   // of Mamba and RWKV: columns of the bottleneck before steps
    std::int64_t blend_rank = 32;  // of RWKV-6: of each of five before blends
    // Of RWKV-7: before how much of what a key had is taken away, before how much the first layer's values count, and
    // before the gate.
    std::int64_t write_rank = 64, value_rank = 32, gate_rank = 128;
    InnerNorms inner_norms = InnerNorms::none;
    bool beside_attention = false;  // both read the layer's input, and what they make is added up (Falcon-H1)
    LayerSet layers;                // the others have attention alone

    bool operator==(const Recurrence&) const = default;
};

// A table with a row of its own for each layer and token, which a gate lets into the layer's output (Gemma 3n).
struct LayerEmbedding {
    std::int64_t dim = 256, vocab = 262144;

    bool operator==(const LayerEmbedding&) const = default;
};

// A transformer's layer before the mixer of some layers, whose weights these share. It reads the stream beside the
// embedded tokens, and what it makes is added to what the mixer reads (Zamba, Glorioso et al. 2024). A feed-forward has
// the form of the others.
struct SharedLayer {
    LayerSet layers;
    std::int64_t width = 0;    // that it reads: twice the stream's, or it cannot be computed
    std::int64_t sets = 1;     // of weights, which layers take in turn
    std::int64_t adapted = 0;  // the first so many have, each its own, narrow ways beside the feed-forward's matrices
    std::int64_t adapter_rank = 128;  // of so many columns
    bool attention_adapters = false;  // and beside those of queries, keys and values

    bool operator==(const SharedLayer&) const = default;
};

// What the layers of a model are made of. Which of it a layer has, where they differ, is in core/arch/layers.hpp.
struct Layer {
    Attention attention;
    std::optional<Recurrence> recurrence;
    LayerSet mixer_layers;  // the others have neither attention nor a recurrence
    DenseFeedForward feed_forward;
    LayerSet feed_forward_layers;               // the others have nothing in its place
    LayerSet sparse_layers = LayerSet::none();  // of the gate the largest numbers alone count there (Gemma 3n)
    std::optional<Mixture> mixture;
    std::optional<LayerEmbedding> embedding;
    bool scaled = false;  // a stored number, trained by no gradient, multiplies what each layer makes (Gemma 4)
    bool branch_scale =
        false;  // trained numbers, one a column, multiply what each sub-block makes (Touvron et al. 2021)
    Joining joining = Joining::in_turn;
    // So many copies of the stream side by side, of which a layer computes the first; the others follow as far as
    // trained numbers say (AltUp, Baykal et al. 2023). Absent: one stream.
    std::optional<std::int64_t> stream_copies;
    // Columns of a bottleneck through which what a mixer reads is added to what it makes (LAuReL, Menghani et al.
    // 2024). Absent: there is none.
    std::optional<std::int64_t> laurel_rank;

    bool operator==(const Layer&) const = default;
};

// "SwiGLU", "GeGLU", "GELU", "ReLU", ...: the field's name for a feed-forward.
std::string_view feed_forward_name(const DenseFeedForward& feed_forward);

}  // namespace headcount
