// A question taken apart, word by word: what is asked of what, in which model, with which input. Nothing is worked out
// yet.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arch/fields.hpp"
#include "core/arch/kind.hpp"
#include "core/ask/ask.hpp"
#include "core/ask/words.hpp"

namespace headcount {

// What a question is about: a notion, or tensors that the graph calls so.
struct AskSubject {
    const Notion* notion = nullptr;
    bool weight = false;
    std::vector<TensorIndex> tensors;  // where there is no notion: the likeliest first
    bool less = false;                 // it is not to be counted

    bool operator==(const AskSubject&) const = default;
};

// Words that were not understood, and where they stand.
struct HeardUnknown {
    AskUnknown unknown;
    std::size_t begin, end;
    bool slip = false;  // the nearest is the same word but for a slip, and no model's name: nobody means another
};

// What models have between two numbers of, both included: all parameters, or a dimension.
struct AskBound {
    std::optional<Symbol> of;
    std::optional<std::int64_t> least, most;
};

// Which of the shipped models are asked about: "models of 2024 between 1b and 3b", "the largest dense model".
struct AskShelf {
    std::vector<AskBound> bounds;
    std::optional<int> first_year, last_year;
    std::optional<bool> mixture;  // with experts, or without
    std::optional<bool> tied;     // embeddings
    std::optional<ModelKind> kind;
    std::optional<std::vector<const Preset*>> sort;  // those that a word is in the names of, or said of: "qwen"
    std::vector<std::string> words;                  // all of it as it was read: "of 2024", "under 3b"

    bool has(const Preset& preset, const CountedModel& model) const;
};

struct Heard {
    std::vector<AskReading> readings;
    std::vector<HeardUnknown> unknown;
    std::vector<std::string> notes;  // what a reading leaves open: "8k is taken as 8,192"
    std::string problem;             // what of the unknown is known: "7b" is in the names of 21 models
    std::optional<AskQuantity> quantity;
    std::optional<AskWide> wide;
    std::optional<Metric> figure;              // of AskWide::figure
    std::optional<AskRatio> ratio;             // of AskWide::ratio
    std::optional<Field> field;                // of AskWide::field
    std::optional<std::int64_t> budget;        // "24 GB", in bytes
    std::optional<double> price;               // "$2 an hour", of a device
    const Device* device = nullptr;            // whose memory is the budget where none is said
    std::vector<const Device*> devices;        // all that are named, in their order
    bool enough = false;                       // of several: which is
    bool device_named = false;                 // in the question, and not beside it
    std::optional<std::int64_t> device_count;  // "8 h100", which share the model
    bool counts_others = false;                // so many of another device as well
    std::optional<std::int64_t> zero;          // "zero 3": a stage of ZeRO
    std::optional<std::int64_t> train_tokens;  // of a whole training: "15T tokens"
    std::optional<double> operations;          // of a whole training: "1e24"
    std::optional<std::int64_t> total;  // "3 B": parameters that a model is to have, or of which there are so many
    std::optional<AdapterKind> adapter;
    std::optional<std::int64_t> rank;  // of adapters
    bool training = false;
    std::optional<Phase> pass;           // prefill or decode, where one is named
    std::optional<Optimizer> optimizer;  // in training
    const Preset* second = nullptr;      // to compare with
    bool between_parts = false;          // "attention vs feed-forward in llama 2 7b": these are compared
    bool behind_than = false;            // "bigger than llama 3 8b": the first that is named is what is compared with
    std::vector<AskScope> scopes;
    std::vector<std::pair<AskScope, std::int64_t>> indices;  // "layer 0", "head 3": which one, from 0
    std::vector<AskSubject> subjects;
    std::vector<Symbol> symbols;
    std::vector<std::pair<Symbol, std::int64_t>> claims;    // "32 layers"
    std::vector<std::pair<Symbol, std::int64_t>> supposed;  // "what if it had 8 kv heads"
    std::optional<bool> tied;                               // likewise
    bool asked_tied = true;                                 // of AskWide::tying: or whether it is not
    std::vector<FieldText> chosen;                          // "switch to relu", "without biases"
    std::vector<std::string> chosen_words;                  // of these, as they are said: "ReLU", "no biases"
    std::optional<AskChange> scale;                         // "double", whose dimension is not read yet
    std::vector<std::pair<Symbol, AskChange>> scaled;       // "double the layers"
    std::optional<AskChange> step;                          // "add 8 layers": of what is supposed
    bool less = false, less_said = false;                   // what follows is not to be counted; something is not
    bool at_hand = false;   // "it": the model that is on the screen, and not all that ship
    bool supposes = false;  // what it says of the model is to be so
    Input input;
    bool tokens_given = false, batch_given = false, cached_given = false, precision_given = false;
    bool published = true;  // no format is said: each model is in its own
    bool cache_format_given = false;
    bool precision_of_weights = false;  // "int8 weights": all else is in the format that it has
    std::vector<Formats> formats;       // all that are named, of which the last is the input's
    bool weights_said = false;          // no memory but that of weights is meant
    bool active = false;                // only what a token uses
    bool parameters_said = false;       // and not only "active", which experts are as well
    bool full_context = false;
    AskShelf shelf;
    bool says_age = false, says_origin = false;  // "newest", "when was it published"
    const Preset* preset = nullptr;              // the one that is named
    std::vector<const Preset*> other_presets;    // that are named as well, or could be meant
    std::optional<std::pair<std::int64_t, std::int64_t>> sides;
    std::vector<std::int64_t> numbers;  // that nothing is said of
    std::string layer = "layer";        // the block of the kind of layers that is asked about
    bool layer_named = false;           // one kind of several was named: no other is meant

    bool has(AskScope scope) const;
    std::optional<Adapters> adapters() const {
        if (!adapter && !rank) return std::nullopt;
        return adapters_of(adapter.value_or(AdapterKind::lora), rank);
    }
    bool changes() const { return !supposed.empty() || tied || !scaled.empty() || !chosen.empty(); }
    bool compares() const { return wide == AskWide::compare || wide == AskWide::larger || wide == AskWide::smaller; }
    // "which model has the most layers": all shipped models are asked about.
    bool ranks() const { return wide == AskWide::most || wide == AskWide::fewest; }
    // "models of 2024": which there are.
    bool lists() const { return wide == AskWide::models || wide == AskWide::newest || wide == AskWide::oldest; }
    // Whether anything is asked of models but which they are, or where they are from.
    bool asks_more() const;
};

// Takes the kind that the layer with the number is of for the one that is asked about. Says why there is no such layer,
// head or expert in the model, a sentence; empty where there is.
std::string choose_layer(Heard& heard, const CountedModel& model);

// Whether one model is asked about, and not all that ship: "it", or the one that was given beside the question.
bool is_of_one(std::span<const Atom> atoms, const AskAbout& about);

// Reads the words with those that this graph has. Preset names are read whatever the graph.
class QuestionReader {
  public:
    QuestionReader(std::string_view text, const AskAbout& about, const ModelGraph& graph)
        : text_(text), about_(about), graph_(graph) {
        heard_.input = about.input;
        heard_.tokens_given = about.said.tokens;
        heard_.batch_given = about.said.batch;
        heard_.cached_given = about.said.cached;
        heard_.published = !about.said.precision;
        if (about.said.device) heard_.device = &*about.pass.device;
        if (!graph.layers.empty()) heard_.layer = graph.blocks[graph.main_layer().block].id;
    }

    Heard read();

  private:
    // A reading of some atoms: how many, and what it says of the question.
    struct Found {
        std::size_t atoms = 0;
        std::function<void()> take;
    };
    // "tokens", and "context" beside a number.
    struct UnitAt {
        AskUnit unit = AskUnit::tokens;
        std::size_t atoms = 0;
    };

    bool has_word(std::string_view word) const {
        return std::ranges::any_of(atoms_, [&](const Atom& each) { return each.text == word; });
    }
    bool asks() const { return heard_.quantity || !heard_.subjects.empty() || !heard_.symbols.empty(); }
    std::string words(std::size_t at, std::size_t count) const {
        const std::size_t begin = atoms_[at].begin;
        return std::string(text_.substr(begin, atoms_[at + count - 1].end - begin));
    }
    void understood(std::size_t at, std::size_t count, std::string meaning) {
        heard_.readings.push_back({words(at, count), std::move(meaning)});
    }

    // The longest reading of the words from here on; of two that are as long the first.
    Found longest_at(std::size_t at);
    // Inputs and sides (read_numbers.cpp): "8k tokens"; "4096x11008", but "4 x 100 tokens" is an input; a number
    // alone, or one of something that the model has: "32 layers".
    UnitAt unit_at(std::size_t at) const;
    Found input(std::size_t at);
    void set(AskUnit unit, const ReadNumber& number, std::size_t at, std::size_t atoms);
    Found sides(std::size_t at);
    // "24 GB" of memory, or the device that has it: "h100".
    Found budget(std::size_t at);
    Found price(std::size_t at);
    Found device(std::size_t at);
    Found number(std::size_t at);
    // What is wished for (read_wishes.cpp): "3 B, 8 kv heads", "1e24 operations", "15T tokens", "rank 16".
    Found total(std::size_t at);
    Found sized(std::size_t at);
    Found operations(std::size_t at);
    Found train_tokens(std::size_t at);
    Found rank(std::size_t at);
    Found zero(std::size_t at);
    // "a vocabulary of 128256", "set ffn to 14336", "what if width is 8192", "with width 4097"
    Found valued(std::size_t at);
    // "switch to relu", "without FFN biases" (choices.cpp), where the question is a change by words
    bool changes_by_words() const;
    Found choice(std::size_t at);
    Found chooser(std::size_t at);
    void claim(Symbol symbol, std::int64_t number, std::size_t at, std::size_t atoms);
    // "v100", "2 h100": a name begins here, though its letter alone is a symbol.
    bool stuck(std::size_t at) const;
    bool named_by_article(std::size_t at) const;  // "a b200" is a thing, "b200" may be an input
    // An id or a name as the checkpoint has it, typed in full.
    Found path(std::size_t at);
    Found phrase(std::size_t at);
    // "int8 kv cache", "a cache in fp8": these words are of what is called so, which stands beside them.
    bool stands_beside(std::size_t at, std::size_t atoms, std::span<const std::string_view> names) const;
    void take(const AskMeaning& meaning, std::size_t at, std::size_t atoms);
    // "dense layer" where layers differ (layers.cpp), and which layer, head or expert it is: "layer 0".
    Found layer_kind(std::size_t at);
    std::optional<std::int64_t> index_at(AskScope scope, std::size_t at);
    void take_index(AskScope scope, std::int64_t index);
    Found graph_phrase(std::size_t at);
    // Which models (read_models.cpp): one by its name, or of all that ship some: "under 3b", "of 2024", "dense".
    Found model(std::size_t at);
    Found models_about(std::size_t at);
    Found named_model(std::size_t at, NamedModel named);
    Found shelf(std::size_t at);
    Found size_bound(std::size_t at);
    Found year(std::size_t at);
    Found least_context(std::size_t at);
    // Says that of one kind of condition there are two.
    void clash();
    Found sort(std::size_t at, std::size_t atoms, std::vector<const Preset*> of_it);
    // "3b", "1.5 billion parameters", and how many atoms that is; 0 where it is none.
    std::pair<std::int64_t, std::size_t> parameters_at(std::size_t at) const;
    // ... or "100 layers"
    struct Amount {
        std::int64_t value = 0;
        std::size_t atoms = 0;
        std::optional<Symbol> of = {};
    };
    Amount amount_at(std::size_t at) const;
    // Whether models that ship are asked about, and not one of them: "models", "the largest model".
    bool of_models() const;
    // Whether what fits is asked for, so that a context is one to be held.
    bool of_room();
    void settle_shelf();
    void settle_models();
    // "llama 3.1 8b" is no model that is known: the nearest names are said.
    void miss(std::size_t at, const NamedModel& named);
    // What the question is about where that depends on all of its words: "24 GB" alone asks what fits.
    void settle_wide();
    void settle_devices();
    bool asks_for_room() const;
    // What is behind "than" where it is no model.
    void settle_than();
    void settle_field();
    // "memory to fine-tune with lora": what of the question is of adapters.
    void settle_adapters();
    // Whether "largest", "smallest" and the like are of a model or of something in it.
    void settle_rank();
    // Whether weights or a training of so many parameters are asked about, and no model; `said` where it says itself
    // that it is no name.
    bool asks_of_a_size(bool said) const;
    void settle_size();
    // "8 kv heads" is said of the model, or supposed.
    void settle_changes();
    // What was understood and makes no difference is said.
    void note_idle();
    // Words next to each other that were not understood may be one with a slip: "fed forward".
    void report(const std::vector<std::size_t>& unread);

    std::string_view text_;
    const AskAbout& about_;
    const ModelGraph& graph_;
    std::vector<Atom> atoms_ = atoms_of(text_);
    std::span<const ModelName> models_ = about_.memory->names(about_.presets);
    std::vector<GraphPhrase> graph_phrases_ = phrases_of(graph_);
    bool of_models_ = of_models();
    bool by_words_ = !of_models_ && changes_by_words();
    std::size_t went_ = 0;  // the word behind what is to go; 0: nothing is
    Heard heard_;
    bool asks_tokens_ = false;  // "how many tokens": of a training, unless room is asked for
};

}  // namespace headcount
