// What a family of models decides: which configuration fields it reads, and how its checkpoints name and fuse tensors.
// The families are in core/families. Who reads or writes files that say a type, such as weights alone and GGUF, knows
// types by name in core/checkpoints, and core/arch/class_form.cpp which classes transformers has of them; nothing else
// does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/module.hpp"
#include "core/base/result.hpp"

namespace headcount {

struct Computation;  // core/arch/computation.hpp

// A parameter that the models of a family have beside what their fields say: it is stored and counted, and read by no
// operation here.
struct Extra {
    enum class Stacks { all, encoder, decoder };

    Component component = Component::embedding;
    // Its module's name below the layer's or the model's; what stands in `output` is below the whole.
    std::string name;
    std::string_view label, symbol, meaning;
    std::vector<Expr> weight;     // as stored: at most five sides; with none, and no bias, a single number
    std::vector<Expr> bias = {};  // empty: none
    bool alone = false;           // the weight's name is the module's, without ".weight"
    bool linear = false;          // the weight is that of a linear layer
    bool in_layers = false;       // in each layer of these stacks
    LayerSet layers = {};         // of a decoder's, or of the only stack's: in these
    Stacks stacks = Stacks::all;
    bool buffer = false;       // trained by no gradient, outside every total
    Part part = Part::beside;  // another: its name and place are those of the family's module for that
    std::int64_t copies = 1;   // of a tower or a connector: in each of so many layers, which are {n} in its name

    bool operator==(const Extra&) const = default;
};

// Whose tie_word_embeddings says that the output head is the embedding.
enum class HeadWord {
    whole,   // the file's own
    text,    // its text part's
    either,  // the one that says so
    none,    // nobody's: there is always a head of its own
};

// What scores have of the distance between tokens beside what these are (disentangled attention, He et al. 2021): a
// table has a row for each distance, or range of distances, of which layers make keys, queries or both.
struct DistanceTable {
    Expr rows;                           // half of them for either side
    bool normed = false;                 // they are rescaled first
    bool keys = false, queries = false;  // what is made of them
    bool shared = false;                 // by the matrices that make those of tokens; else by their own
    bool key_bias = false;               // these matrices have one for keys, too

    bool operator==(const DistanceTable&) const = default;
};

// A convolution of what enters the first layer over rows on both sides, which is added to what the layer makes (He et
// al. 2021, DeBERTa 2).
struct FirstConvolution {
    std::int64_t kernel = 3;
    Activation activation = Activation::tanh;

    bool operator==(const FirstConvolution&) const = default;
};

struct HeadSize {
    std::int64_t dim, vocab;
};

// Where the parts of a whole file stand in the names of its tensors.
struct WholeNames {
    std::string_view base = "model.";  // in the place of what the text's own names begin with where they begin so
    std::string_view rest{};           // before the text's others
    std::string_view before{};         // before those of tower and connector
};

// Names that transformers 5 writes otherwise than published files have them, by what they begin with; what comes first
// counts.
struct Rewritten {
    std::string_view published, written;
};
// Whether the file says that transformers before that version wrote it.
bool written_before(const nlohmann::json& file, int version);
// A tensor's name in the model's own file, of the text's own name for it: in a whole file as it is there. What a tensor
// of that name is called: as published where the file says that an older version of transformers wrote it, else as
// transformers 5 writes it. Without scores for tokens names begin below "model.".
std::string name_in_file(const Architecture& arch, std::string name);
std::string as_written(const Architecture& arch, std::string name);

// What a file holds beside its text part; nothing where its tower is of a type that is not known.
using Senses = std::optional<std::vector<Extra>>;

// A type of models that wrap a language model, to read pictures or sound besides.
struct Wrapper {
    std::string_view type;  // "mistral3"
    std::string_view text;  // the type of a text part that does not say its own: "mistral"
    HeadWord head_word = HeadWord::whole;
    bool tied = false;  // what the file's own word is where it is silent
    // Where an output head of its own has the file's own hidden_size and vocab_size: what these are where it is silent.
    std::optional<HeadSize> head_size{};
    // Tower and connector beside the text, whose own sizes are symbols, from the whole file's fields; null: not known.
    // Errors name the field.
    Result<Senses> (*senses)(const nlohmann::json& file) = nullptr;
    WholeNames names{};
    // The whole's class where its name does not say that it is one, or says that it is the text part's.
    std::string_view whole_class{};
    // What the text part's file says by itself where it is silent, since the whole reads it so; else it is refused.
    std::string_view implied{};
    std::span<const Rewritten> rewritten{}, bare_rewritten{};  // of the whole; of its class without scores for tokens
    bool flat = false;  // its published files have the text part's fields at the top
};

// What llama-quantize's recipes know of an architecture by its name (src/llama-quant.cpp of llama.cpp).
struct KnownToRecipes {
    bool falcon = false;                // other formats of down and output projections, and of the output head
    bool eighty_is_70b = false;         // with 80 layers values are given more bits
    bool shared_eighty_is_70b = false;  // the same where heads share values
    bool latent_whole = false;  // a file has latent attention's up-projection as one tensor, not by keys and values
};

// What low-rank adapters find in a model of the type: how transformers 5 has its modules, where that is not as files
// have them, and what PEFT 0.21 knows of it by its name (utils/constants.py, utils/transformers_weight_conversion.py).
struct KnownToPeft {
    bool experts_apart = false;  // each expert has linear layers of its own; else one parameter has those of all
    bool linear_router = false;  // the router's class is a linear layer
    bool parts_apart = false;    // what files have side by side in one matrix are linear layers of their own
    // Experts and router are adapted by the names that they had as linear layers, gate and up as one matrix; and where
    // they are, other linear layers of these names are not.
    bool experts_by_name = false;
    bool fused_states = false;                    // what it calls out_proj is never adapted
    std::span<const std::string_view> modules{};  // those that are, where none are named; empty: none that it knows
};

struct Family {
    std::string_view type{};        // "llama": model_type in config.json
    std::string_view name{};        // "LLaMA"
    std::string_view norm_class{};  // "LlamaRMSNorm": as its norms are printed; empty: as the kind of norm is
    // The module tree in the order in which transformers registers it, parents before children. A module whose parts
    // the layer does not have is left out.
    std::span<const Module> modules{};
    // From a file, whose absent fields take the model_type's default; and into one, as transformers would load it.
    Result<Architecture> (*read)(const nlohmann::json& config, const Family& family) = nullptr;
    nlohmann::ordered_json (*write)(const Architecture& arch) = nullptr;
    // What its models compute besides, from what the file says (Architecture::carried), with what of it cannot be.
    Computation (*computation)(const Architecture& arch) = nullptr;
    bool verified = true;  // false: a guess at a type that is not known
    // What its models have besides, from the fields and what the file says; null: nothing.
    std::vector<Extra> (*besides)(const Architecture& arch) = nullptr;
    // What some layers have before their mixers, from the fields and what the file says; null: nothing.
    std::optional<SharedLayer> (*shared)(const Architecture& arch) = nullptr;
    // What scores have of distances, and what the first layer has besides; null or nothing: neither.
    std::optional<DistanceTable> (*distances)(const Architecture& arch) = nullptr;
    std::optional<FirstConvolution> (*convolution)(const Architecture& arch) = nullptr;
    // Where each query says by how much its scores change with the distance, up to which distance ranges of these grow
    // (Chi et al. 2022; WavLM); null: nowhere.
    std::int64_t (*gated_distances)(const Architecture& arch) = nullptr;
    // Of what the feed-forwards of an encoder make what passes, where these have no gate and the decoder's have one;
    // null: both are alike.
    Activation (*ungated_encoder)(const Architecture& arch) = nullptr;
    bool hears_besides = false;  // convolutions over sound are among these, so that it needs no others
    // Where transformers builds or writes other tensors than published files have, which are followed here: a sentence
    // on what differs; empty where nothing does. Null: nowhere.
    std::string_view (*differs)(const Architecture& arch) = nullptr;
    // The token whose row of the embedding is padding where the file names none; its models print it with the table.
    std::optional<std::int64_t> padding{};
    // The class of the encoder by itself, whose file names its tensors as the encoder's stack does; empty: not known.
    std::string_view encoder_class{};
    std::span<const Rewritten> bare_rewritten{};  // of its class without a head
    // Fields that its models ignore, as transformers builds them, with spaces between: whatever a file says there
    // changes no shape.
    std::string_view ignored{};
    std::string_view numbers{};  // that what besides is made of are read from (Architecture::carried)
    KnownToRecipes recipes{};
    KnownToPeft peft{};

    // "model": what `tree --base` prints, the module that holds the layers, below the whole with its output head; empty
    // where nothing holds the rest.
    constexpr std::string_view base_path() const {
        const Module* top = nullptr;
        for (const Module& module : modules) {
            if (module.kind == ModuleKind::layer) break;
            if (module.depth == 1) top = &module;
        }
        return top && top->kind == ModuleKind::container ? top->name : std::string_view();
    }

    // Whether the module that holds the layers makes the scores as well, so that its class has them, too.
    constexpr bool scores_in_base() const {
        std::string_view top;
        for (const Module& module : modules) {
            if (module.depth == 1) top = module.name;
            if (module.depth > 1 && std::ranges::count(module.parts, Part::output_head) > 0) return top == base_path();
        }
        return false;
    }
};

// Whether the model has no place for what is in such a module of its family: it stands only beside an encoder, or it is
// of two stacks the one that is not there. The only stack is the decoder's, or the encoder's where it reads all at
// once.
inline bool lacks(const Architecture& arch, ModuleKind kind) {
    if (arch.encoder) return false;
    if (!is_stack(kind)) return kind == ModuleKind::cross || kind == ModuleKind::cross_norm;
    const auto is_encoder = [](const Module& module) { return module.kind == ModuleKind::encoder; };
    const bool encodes = sees_all(arch) && std::ranges::any_of(arch.family->modules, is_encoder);
    return encodes == (kind == ModuleKind::decoder);
}

constexpr Family known_to_recipes(Family family, const KnownToRecipes& recipes) {
    family.recipes = recipes;
    return family;
}

constexpr Family known_to_peft(Family family, const KnownToPeft& peft) {
    family.peft = peft;
    return family;
}

}  // namespace headcount
