// The architecture of a transformer as a value: what the sliders edit and everything else is read from.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/input.hpp"
#include "core/arch/layer.hpp"
#include "core/arch/source.hpp"
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
    // The same with one field more.
    Carried with(std::string name, const nlohmann::json& value) const;
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
    each,                  // none is made: each has scores of its own
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
    bool transform_bias = true;                  // of the matrix before a masked head's scores, or a text's classes
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

// How many patches an image has: ⌊H / P_x⌋·⌊W_x / P_x⌋, or more where they overlap.
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

// Of a mixture's E experts those that are expected to be read when so many times B·T tokens are each sent to k of them,
// whichever: E·(1 - (1 - k/E)^(B·T)), in thousandths, rounded down. `values` has E, k, B and T, or no mixture.
inline constexpr std::int64_t parts_of_expert = 1000;
void bind_experts_read(Bindings& values, double times = 1);

}  // namespace headcount
