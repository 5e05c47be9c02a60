// The words of the ask bar's grammar: a text cut into atoms, the phrases that mean something in any model, what a graph
// calls its tensors, and the names of the shipped models.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/adapters.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/pass.hpp"
#include "core/arch/fields.hpp"
#include "core/base/expr.hpp"
#include "core/files/presets.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// The smallest piece that means something: letters, or a number. "llama-2-7b" has four, "4096x11008" three.
struct Atom {
    std::string text;  // in lower case; a number without the commas that group it
    bool number = false;
    std::size_t begin = 0, end = 0;  // in the text
    bool glued = false;              // nothing stands between it and the one before

    // "-3", which is no number here: nothing that is asked about is counted below 0.
    bool negative() const { return text.starts_with('-'); }
};
std::vector<Atom> atoms_of(std::string_view text);
// The atoms with single spaces.
std::string joined(std::span<const Atom> atoms);

// How many atoms from `at` on spell `words`, which are in lower case with single spaces; 0 where they do not.
std::size_t spelled_at(std::span<const Atom> atoms, std::size_t at, std::string_view words);

// The longest of the phrases that are wanted and spelled from `at` on, of two that are as long the first, and how many
// atoms it has; null where there is none.
template <class Phrase, class Wanted>
std::pair<const Phrase*, std::size_t> longest_spelled(std::span<const Phrase> phrases, std::span<const Atom> atoms,
                                                      std::size_t at, const Wanted& wanted) {
    std::pair<const Phrase*, std::size_t> longest{};
    for (const Phrase& each : phrases)
        if (wanted(each))
            if (const std::size_t spelled = spelled_at(atoms, at, each.words); spelled > longest.second)
                longest = {&each, spelled};
    return longest;
}

// The number, "k" and "m" (1,024 and 1,024²) behind it included, and how many atoms it takes; 0 where there is none.
struct ReadNumber {
    std::int64_t value = 0;
    std::size_t atoms = 0;
    bool scaled = false;
};
ReadNumber number_at(std::span<const Atom> atoms, std::size_t at);

enum class AskQuantity {
    parameters,
    weights,
    size,  // parameters, or in a format bytes, as weights are
    active,
    shape,
    rows,
    columns,
    elements,
    bytes,
    copies,
    share,
    tensors,
    matrices
};
enum class AskScope { one_head, all_heads, one_layer, all_layers, total, one_token, one_expert, all_experts };
enum class AskUnit { tokens, batch, cached };
// What is asked of a whole model, or of several.
enum class AskWide {
    largest_matrix,
    smallest_matrix,
    largest_activation,
    largest_part,
    flops,
    compare,
    larger,
    smaller,
    fits,
    memory,
    devices,   // that hold it
    figure,    // of those that a sweep has, on a device
    hire,      // how long devices take for a training
    adapters,  // that are trained in place of the model
    laws,      // of scaling
    design,    // which numbers meet several conditions
    most,
    fewest,  // of all shipped models, the one that has so
    models,  // which of these there are
    newest,
    oldest,
    origin,          // when it was published, and where
    devices_beside,  // that the model may run on, compared
    tying,           // whether the output head is the embedding
    activations,     // what these take of the memory
    bits_each,       // that a parameter takes
    bytes_each,      // ... in bytes
    layers_of,       // which layers are of which kind
    sized,           // what so many parameters take, of no model
    ratio,           // of two dimensions
    field,           // what the model has it as: "qk norm"
    intensity,       // operations for each byte
    bandwidth,       // of a device
    peak,            // of a device's arithmetic
    rope_base,       // of rotary positions
};

// What a question supposes of the model: another value of what follows, twice or half of it, or so many more or fewer.
enum class AskChange { value, twice, half, tied, untied, more, fewer };

// What a question can be about, and where the graph has it: ids with spaces between, of which the first that the graph
// has is meant. "layer." stands for whichever layer is asked about.
struct Notion {
    std::string name;        // "queries"
    std::string activation;  // of all heads
    std::string head;        // of one head
    std::string parameter;
    std::string sum;      // "attention", "model", "layer", "cache", ... or a block's id: what is added up for it
    AskQuantity natural;  // what is asked of it if nothing is said
    std::optional<Symbol> width = {};  // the dimension that "set ffn to 14336" is about
};
std::span<const Notion> notions();
const Notion& notion(std::string_view name);  // one that there is

struct AskFiller {
    bool often_misspelt = false;  // then a slip in it is not worth a question back: "waht"

    bool operator==(const AskFiller&) const = default;
};
struct AskNotion {
    const Notion* notion;
    bool weight;  // its parameters are meant: "w_q"

    bool operator==(const AskNotion&) const = default;
};
// What follows is not to be counted: "parameters without embeddings".
struct AskLess {
    bool operator==(const AskLess&) const = default;
};
// Of two dimensions: query heads for each key/value head.
struct AskRatio {
    Symbol over, under;

    bool operator==(const AskRatio&) const = default;
};
using AskMeaning = std::variant<AskFiller, AskLess, AskQuantity, AskScope, AskUnit, AskWide, Metric, AskChange, Symbol,
                                AskRatio, Field, Formats, Phase, Optimizer, AdapterKind, AskNotion>;

struct AskPhrase {
    std::string words;
    AskMeaning meaning;
};
std::span<const AskPhrase> ask_phrases();  // no words are there twice

// Values of fields by words that are no number: "relu", "FFN biases". Of a part, it may also be wanted without it.
struct FieldText {
    Field field;
    std::string value;

    bool operator==(const FieldText&) const = default;
};
struct AskChoice {
    std::string words;
    std::vector<FieldText> sets;
    bool part = false;  // the model has it or not
};
inline constexpr const char* sets_off = "false";

// A word of the lecture, and how it is shown.
struct AskTerm {
    std::string name, says;         // "Softmax", and a sentence
    std::vector<std::string> asks;  // questions whose figure and place belong to it: the first that a model answers
    // Above 0 where a model has it: "h - h_kv"; or a field's text: "positions=alibi"; empty: where it has such a
    // figure.
    std::string where;
    std::string field;  // the key of the one that says which kind of it a model has; may be empty
    std::string in;     // a preset that answers where the one at hand does not
    std::string tour;   // the id of one that shows it; may be empty
};
// Words that are a whole question together with those that say nothing: "what does" only says that a term is asked
// for, "dark mode" does what the action "theme" does.
struct AskExplains {};
struct AskDoes {
    std::string action;
    std::string numbered = {};  // with a number the action that begins so and goes on with it: "worksheet 5", "sheet."
};
using AskSaying = std::variant<AskExplains, AskDoes, const AskTerm*>;
struct AskWord {
    std::string words;
    AskSaying meaning;
};
std::span<const AskTerm> ask_terms();
std::span<const AskWord> ask_words();

// "parameters", "one head": how a phrase's meaning is called.
std::string_view ask_name(AskQuantity quantity);
std::string_view ask_name(AskScope scope);
std::string_view ask_name(AskChange change);
std::string_view ask_name(AskWide wide);

// A label, a symbol or the end of a checkpoint's name, cut into words.
struct GraphPhrase {
    std::string words;
    std::vector<TensorIndex> tensors;
};
std::vector<GraphPhrase> phrases_of(const ModelGraph& graph);

// An id, or a name as the checkpoint has it, typed in full; empty where there is none.
std::vector<TensorIndex> tensors_called(const ModelGraph& graph, std::string_view path);

// A preset's id and name, cut into atoms, and how it is spelled in full: these, and as it was published
// ("Llama-2-7b-hf").
struct ModelName {
    const Preset* preset;
    std::vector<Atom> id, name;
    std::vector<std::string> in_full;
};

// What the atoms from `at` on name. Words may be left out ("llama 8b", "llama 3"); then several models may be meant, of
// which the one with the id `likely`, or else the first, is taken. A size or version that no model has is a miss.
struct NamedModel {
    const Preset* preset = nullptr;  // null where there is none
    std::size_t atoms = 0;           // how many; 0 where they are about no model
    std::vector<const Preset*>
        others;  // that could as well be meant; of a miss those that come near, the nearest first
};
NamedModel model_at(std::span<const Atom> atoms, std::size_t at, std::span<const ModelName> names,
                    std::string_view likely);

}  // namespace headcount
