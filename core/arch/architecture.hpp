// The architecture of a transformer as a value: what the sliders edit and everything else is read from.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/arch/activation.hpp"
#include "core/arch/input.hpp"
#include "core/arch/layer_set.hpp"
#include "core/base/expr.hpp"

namespace headcount {

// Fields of a configuration by name, each as JSON text, sorted by name. Copies share one list, which never changes.
class Carried {
  public:
    using Field = std::pair<std::string, std::string>;

    Carried() = default;
    explicit Carried(std::vector<Field> fields);

    const std::vector<Field>& fields() const { return kept().fields; }
    // A field's value as JSON text; null where the file does not have it.
    const std::string* find(std::string_view name) const;
    // All of them as one object: read once, whoever asks. What is no JSON is left out.
    const nlohmann::json& object() const { return *kept().object; }

    bool operator==(const Carried& other) const { return kept_ == other.kept_ || fields() == other.fields(); }

  private:
    struct Kept {
        std::vector<Field> fields;
        std::shared_ptr<const nlohmann::json> object;
    };
    const Kept& kept() const;

    std::shared_ptr<const Kept> kept_;
};

// Of a JSON object.
Carried carried_from(const nlohmann::json& object);

struct Family;   // core/arch/family.hpp
struct Wrapper;  // the same

enum class Positions {
    rope,     // rotary: queries and keys are turned by their position, no parameters (Su et al. 2021)
    learned,  // one trained row a position, added to the embedding
    alibi,    // scores lowered by distance, no parameters (Press et al. 2022)
    none,
    relative,          // a trained number a head and range of distances, added to scores (Raffel et al. 2020)
    learned_relative,  // both (MPNet)
    sinusoidal,        // a fixed row of sines and cosines a position, added to the embedding (Vaswani et al. 2017)
};

enum class NormKind {
    rms,    // Zhang & Sennrich 2019
    layer,  // Ba et al. 2016
    l2,     // to length 1: of queries and keys alone, no field's choice
};
enum class NormPlacement {
    before,     // on the sub-block's input
    after,      // on its output, before it is added to the residual stream (OLMo 2)
    both,       // on both (Gemma 2)
    after_sum,  // on the residual stream, after the output is added (Vaswani et al. 2017)
};

struct Norm {
    NormKind kind = NormKind::rms;
    NormPlacement placement = NormPlacement::before;
    bool scale = true;  // a trained weight a channel
    bool bias = false;  // a trained offset a channel
    bool final = true;  // one more before the output head
    bool inner =
        false;  // one more before the matrix that leads out of attention, and of the dense feed-forward (BitNet)
    bool first = true;       // one before the mixer of the first layer too (ModernBERT: that of the embedding serves)
    bool final_bias = true;  // the final one has a bias where the others do (ESM C: it has none)
    double epsilon = 1e-6;

    bool operator==(const Norm&) const = default;
};

// Which tokens a token looks at, before windows narrow it.
enum class AttentionMask {
    causal,  // those before, and itself
    full,    // all: an encoder's (Devlin et al. 2019)
};

// What stands on the last layer.
enum class OutputKind {
    language,  // one score for each possible next token
    masked,    // one for each token that a hidden one may be, behind a matrix, an activation function and a norm
    pooler,    // the first token's row through a matrix and tanh
    none,
    classes,  // one score for each class, of the whole input
};

// Which rows of the last layer a classifier reads, made into one.
enum class PooledRows {
    first,                 // the class token's (Dosovitskiy et al. 2020)
    class_mean,            // the mean of all class tokens' (AST)
    mean,                  // of all rows
    patch_mean,            // of all but the class tokens' (BEiT)
    first_and_patch_mean,  // the first, and the mean of the others, side by side (DINOv2)
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

// Layers beside the decoder's that read another text, all at once; in each of its layers the decoder looks at what they
// make of it (Vaswani et al. 2017). They are as wide as the decoder's, and have what those have.
struct Encoder {
    std::int64_t layers = 6;
    std::optional<std::int64_t> ffn_dim = {};  // absent: the decoder's
    bool own_embedding = false;                // beside the decoder's
    std::optional<std::int64_t> vocab = {};    // of that embedding; absent: the decoder's
    std::optional<std::int64_t> context = {};  // absent: the decoder's
    // Its layers with the window, whose tokens see so many on either side; the others see all.
    LayerSet windowed = LayerSet::none();
    LayerSet mixtures = LayerSet::none();  // its layers with experts, where the decoder has some

    bool operator==(const Encoder&) const = default;
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
};

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
    std::int64_t step_rank = 48;  // of Mamba: columns of the bottleneck before steps
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

// An image cut into patches, which a matrix makes into the rows that layers read, in the place of tokens (Dosovitskiy
// et al. 2020). Before them stand trained rows: class tokens, which have positions, and registers behind these, which
// have none (Darcet et al. 2023). Sound as a picture of frequencies is such an image (Gong et al. 2021).
struct Patches {
    std::int64_t height = 224, width = 224;  // pixels
    std::int64_t size = 16;                  // pixels on either side
    std::optional<std::int64_t> stride;      // pixels from one to the next; absent: the size
    std::int64_t channels = 3;
    bool bias = true;
    std::int64_t class_tokens = 1;
    std::int64_t registers = 0;

    bool operator==(const Patches&) const = default;
};

// One of the convolutions over time that make sound into rows: of `kernel` moments each row of `columns` numbers, and
// the next one of those `stride` moments later.
struct Convolution {
    std::int64_t columns = 512, kernel = 3, stride = 1;

    bool operator==(const Convolution&) const = default;
};

// Norms behind those convolutions.
enum class ConvolutionNorms {
    none,
    first,  // behind the first, of each column over time
    each,   // behind each, of each row
};

// Sound as rows of numbers, one a moment: frequencies (Radford et al. 2022), or a single one of the wave (Baevski et
// al. 2020). Convolutions make it into what the first layers read, in the place of tokens.
struct Sound {
    std::int64_t channels = 80;  // numbers of a moment
    // The last one's columns are those of the embedding, whatever stands here. None: what the family's models have
    // besides makes the rows.
    std::vector<Convolution> convolutions{{512, 3, 1}, {512, 3, 2}};
    bool bias = true;
    bool padded = true;  // by zeros on both sides, so that a stride of 1 keeps the number of rows
    ConvolutionNorms norms = ConvolutionNorms::none;
    // Of a convolution in the place of positions, which reads so many rows around each; 0: there is none.
    std::int64_t position_kernel = 0;
    std::int64_t position_groups = 16;  // of its columns, each by themselves
    std::int64_t position_layers = 1;   // one behind the other

    bool operator==(const Sound&) const = default;
};

// What the layers of a model are made of. Which of it a layer has, where they differ, is in core/arch/layers.hpp.
struct Layer {
    Attention attention;
    std::optional<Recurrence> recurrence;
    LayerSet mixer_layers;  // the others have neither attention nor a recurrence
    DenseFeedForward feed_forward;
    LayerSet feed_forward_layers;  // the others have nothing in its place
    std::optional<Mixture> mixture;
    std::optional<LayerEmbedding> embedding;
    bool scaled = false;  // a stored number, trained by no gradient, multiplies what each layer makes (Gemma 4)
    bool branch_scale =
        false;  // trained numbers, one a column, multiply what each sub-block makes (Touvron et al. 2021)
    Joining joining = Joining::in_turn;

    bool operator==(const Layer&) const = default;
};

// The file of a model that sees or hears besides, of which the architecture is the text part.
struct WholeFile {
    const Wrapper* type = nullptr;  // never null once made
    Carried file;                   // all that it says but its text part: what its tower and its connector are made of

    bool operator==(const WholeFile&) const = default;
};

struct Architecture {
    const Family* family = nullptr;  // never null once made: says how the checkpoint names and fuses its tensors
    std::string name;
    std::int64_t dim = 4096;
    std::int64_t layers = 32;
    std::int64_t vocab = 32000;
    std::int64_t context = 4096;
    Positions positions = Positions::rope;
    std::int64_t position_offset = 0;  // rows of the position table before the first position (OPT)
    // Absent: dim; else a matrix leads from one to the other. A norm behind the embedding stands before that matrix,
    // with all that is added to the rows, and the matrix then has a bias (ELECTRA).
    std::optional<std::int64_t> embedding_dim;
    std::optional<Patches> patches;  // of the only stack
    std::optional<Sound> sound;      // of the encoder beside a decoder, or of the only stack
    bool mask_row = false;           // a trained row for what is hidden in training; stored, and not read
    std::int64_t token_types = 0;    // 0: tokens are of one kind
    bool embedding_norm = false;
    OutputKind output = OutputKind::language;
    bool tied = false;         // the output head is the embedding, counted once
    bool tied_layers = false;  // all layers have one set of weights, counted once (ALBERT)
    bool head_bias = false;
    bool transform_bias = true;                  // of the matrix before a masked head's scores
    std::optional<std::int64_t> transform_dim;   // its columns; absent: as many as the embedding's (RemBERT has more)
    std::int64_t classes = 1000;                 // of a classifier
    PooledRows pooled = PooledRows::first;       // that it reads
    bool pooled_norm = false;                    // of what it reads
    std::optional<std::int64_t> classifier_dim;  // absent: it reads the rows; else a matrix makes them so wide before
    bool pooling_head = false;  // attention of one trained query to all rows; stored, and not read (SigLIP)
    Norm norm;
    Layer layer;
    std::optional<Encoder> encoder;
    std::optional<WholeFile> whole;  // absent: text alone, or of a type whose tower is not known
    Carried carried;  // what its file says besides: of what its family's besides are made, and what changes no shape

    bool operator==(const Architecture&) const = default;
};

// The token that the text of a decoder beside an encoder begins with: as the file says, else that for padding, or 0.
std::int32_t decoder_start(const Architecture& arch);

// h_kv: as given, or one for each query head.
std::int64_t kv_heads(const Architecture& arch);

// Whether some of each head's columns are turned by position.
bool rotates(const Architecture& arch);

// Whether some of its layers have attention; a recurrence.
bool attends(const Architecture& arch);
bool recurs(const Architecture& arch);

// Whether a row a position is added to the embedding.
bool has_position_table(const Architecture& arch);

// Whether scores get a trained number for the distance.
bool scores_distances(const Architecture& arch);

// Whether the mask lets every token see every other, so that all are read at once.
bool sees_all(const Architecture& arch);

// Whether tokens come one by one, each from those before.
bool generates(const Architecture& arch);

// Whether it ends in scores: for each token of the vocabulary, or for each class.
bool has_head(const Architecture& arch);

// How many rows its stack reads at most, and the encoder beside a decoder: an image has so many, a text at most.
std::int64_t most_tokens(const Architecture& arch);
std::int64_t most_source(const Architecture& arch);

// Whether its only stack reads an image or sound: there are no token ids.
bool reads_numbers(const Architecture& arch);

// How many patches an image has: (H / P_x)·(W_x / P_x), or more where they overlap.
Expr patch_count(const Architecture& arch);

// How many moments of sound make so many rows; or how many rows behind the first convolutions do. The fewest: the last
// stride may pass over some.
Expr moments_of(const Sound& sound, Expr rows, std::size_t behind = 0);

// d_h and d_ff as formulas: the number given, or the rule that makes it (d / h; ceil_to(2·4·d/3, 256)).
Expr head_dim_rule(const Architecture& arch);
Expr ffn_dim_rule(const Architecture& arch);

// What every symbol stands for in this architecture with this input. A derived dimension that has no value (no heads
// to divide by, a product that does not fit) stays unset; `validate` says so in words.
Bindings bindings(const Architecture& arch, const Input& input);

// "SwiGLU", "GeGLU", "GELU", "ReLU", ...: the field's name for a feed-forward.
std::string_view feed_forward_name(const DenseFeedForward& feed_forward);

}  // namespace headcount
