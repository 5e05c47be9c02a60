// A question worked out on a model's graph: the number, its derivation, and what it lights.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"
#include "core/ask/read.hpp"
#include "core/base/find.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

struct AskOutcome {
    std::optional<AskAnswer> answer;
    std::string problem;
    std::vector<AskMatch> found;  // what has these sides or is this number
};

// What a question asks of the graph, whatever else its words may be; with a memory.
Asked ask_graph(std::string_view text, const AskAbout& about);

// Which tensors have these sides, as they are multiplied or as the checkpoint stores them.
AskOutcome find_sides(std::int64_t rows, std::int64_t columns, const CountedModel& model);
// What there is as many of: dimensions, parameters of tensors and of larger parts, numbers of activations.
AskOutcome find_number(std::int64_t number, const CountedModel& model);

// "LLaMA 7B · 100 tokens · 1,000 cached · 4 sequences · bf16", as far as the answer depends on it.
std::string asked_about(const CountedModel& model, bool input, std::string_view format = {});

// The derivation of a count, and the number itself.
void derive_count(AskAnswer& answer, const Expr& formula, const CountedModel& model, std::string_view unit);
// The same of a tensor's shape; lights the tensor.
AskAnswer shape_answer(const Tensor& tensor, const CountedModel& model);
AskMatch tensor_match(const Tensor& tensor, const CountedModel& model);

// A question about a whole model or several: the largest matrix, arithmetic, a comparison, what fits into so much
// memory.
struct WideQuestion {
    const Heard& heard;         // `wide` is there
    const CountedModel& model;  // that is named, or at hand
    const AskAbout& about;
};

// The model as a question supposes it, which says so in its name, and what was set for that: "layers=64".
struct Supposed {
    Architecture architecture;
    std::vector<std::string> sets;
};
Result<Supposed> supposed_of(const Architecture& base, const Heard& heard);
// Notes how many parameters that makes, beside those that it has, and how to have it so.
void note_change(Heard& heard, const Architecture& base, const Supposed& supposed, const CountedModel& model);

// "LoRA of rank 8": of a question about adapters.
std::string adapters_text(const Heard& heard);

// All that a pass with the model's input, or training on it, takes.
Result<Memory> memory_of(const CountedModel& model, const WideQuestion& question);

// How the devices that it names share the model, and where Costs opens.
Sharding sharding_of(const WideQuestion& question);
// As is said beside the question, with the optimizer and the adapters that were heard.
Training training_of(const WideQuestion& question);
AskCosts costs_of(const WideQuestion& question);
// Notes that a device would have to hold more than it has room for, where that is so of a pass with these options.
void note_too_large(AskAnswer& answer, const CountedModel& at_once, const PassOptions& options);
// " on 8 × NVIDIA H100 SXM"
std::string on_words(std::int64_t devices, const Device& device);

// That so many tokens exceed the model's context; empty where they do not. They can be counted all the same.
std::string beyond_context(std::int64_t tokens, const Architecture& architecture);

// What is asked of two or more models, of this one: a count, with how it is called.
struct ComparedCount {
    std::string name, unit, about, light;  // the name is empty where it is all parameters
    std::int64_t count = 0;
    std::optional<Expr> formula = {};
};
// Nothing where only single models have it, or this one does not.
std::optional<ComparedCount> compared(const Heard& heard, const CountedModel& model, const AskAbout& about);

AskOutcome answer_wide(const WideQuestion& question);
AskOutcome answer_compare(const WideQuestion& question);
AskOutcome answer_devices_beside(const WideQuestion& question);  // beside.cpp, with
AskOutcome answer_parts_beside(const WideQuestion& question);    // ... parts of the one model, or
AskOutcome answer_figures_beside(const WideQuestion& question);  // ... a figure of two models
AskOutcome answer_rank(const WideQuestion& question);            // rank.cpp, with
AskOutcome answer_models(const WideQuestion& question);          // ... which there are, and
AskOutcome answer_origin(const WideQuestion& question);          // ... where one is from
AskOutcome answer_tying(const WideQuestion& question);           // whether the output head is the embedding (wide.cpp)
// "shipped models", "shipped models of 2024, with experts"
std::string models_words(const Heard& heard);
// How many of the shipped models are so, and the largest of them.
AskOutcome list_models(std::string title, const AskAbout& about,
                       const std::function<bool(const Preset&, const CountedModel&)>& wanted);
AskOutcome answer_fits(const WideQuestion& question);         // fits.cpp, with
AskOutcome answer_memory(const WideQuestion& question);       // ... all that this input takes
AskOutcome answer_activations(const WideQuestion& question);  // ... of these alone
AskOutcome answer_devices(const WideQuestion& question);
AskOutcome answer_bits(const WideQuestion& question);       // facts.cpp, with
AskOutcome answer_layers_of(const WideQuestion& question);  // ... which layers are of which kind
AskOutcome answer_sized(const WideQuestion& question);      // ... what so many parameters take, of no model
AskOutcome answer_ratio(const WideQuestion& question);      // ... one dimension for each of another
AskOutcome answer_field(const WideQuestion& question);      // ... and what a field is
// What a symbol stands for; nothing where nothing in the model reads it.
std::optional<std::int64_t> size_of(const CountedModel& model, Symbol symbol);
// What the model has it as: "RMSNorm", "yes", "500000"; empty where it makes no difference.
std::string value_words(const Architecture& arch, Field field);
AskOutcome answer_figure(const WideQuestion& question);    // figure.cpp
AskOutcome answer_hire(const WideQuestion& question);      // hire.cpp: of a whole training
AskOutcome answer_adapters(const WideQuestion& question);  // wishes.cpp, with
AskOutcome answer_laws(const WideQuestion& question);
AskOutcome answer_design(const WideQuestion& question);

// What a subject turned out to be in this graph: a tensor, or a sum.
struct AskTarget {
    std::optional<TensorIndex> tensor;
    const Notion* sum = nullptr;
    bool less = false;  // as AskSubject::less
};

// What all layers have of a tensor, of every kind and in both stacks, itself among them: a parameter as often as each
// has one that does the same (a decoder's layers two query projections), all else at the same place of its stack. Of
// what is in no layer itself alone.
std::vector<TensorIndex> same_in_all_layers(const ModelGraph& graph, TensorIndex index);

// Words are settled first (settle.cpp): which of them say what is asked, which only where. Then shapes and
// dimensions (answer.cpp) or amounts (amount.cpp) are answered.
class AskAnswerer {
  public:
    AskAnswerer(const Heard& heard, const CountedModel& model, std::span<const Preset> presets, const PassOptions& pass)
        : heard_(heard), model_(model), presets_(presets), pass_(pass) {}

    AskOutcome outcome();

  private:
    bool has(AskScope scope) const { return contains(scopes_, scope); }
    // "In total in layer 0" is of that layer.
    bool all_layers() const { return has(AskScope::all_layers) || (has(AskScope::total) && !has(AskScope::one_layer)); }
    bool counts_parameters() const {
        return quantity_ == AskQuantity::parameters || quantity_ == AskQuantity::active ||
               quantity_ == AskQuantity::share || counts_tensors();
    }
    bool counts_tensors() const { return quantity_ == AskQuantity::tensors || quantity_ == AskQuantity::matrices; }
    bool asks_amount() const;
    const std::string& name() const { return model_.architecture.name; }
    void try_answer(AskOutcome& outcome);

    // "32 layers" says nothing new of a model that has 32, and is mended for one that has 40.
    void settle_claims();
    // Words that mean one thing alone and another beside others.
    void settle_words();
    // What is not to be counted comes last, of the model where nothing else is named.
    void settle_parts();
    // "attention queries" are queries: a part named beside one within it only says where that is.
    void settle_counted_parts();
    bool contains_another(const AskSubject& outer) const;

    // The first of these ids that the graph has, in the kind of layers that is asked about; else in another, unless it
    // was named.
    std::optional<TensorIndex> first_of(std::string_view ids) const;
    std::optional<AskTarget> target_of(const AskSubject& subject, bool parameters) const;
    std::string subject_name(const AskSubject& subject) const;

    // Why a subject has nothing of what is asked.
    void say_missing(const AskSubject& subject);
    std::optional<AskAnswer> about_subjects();
    // Shape, rows, columns or copies of the one tensor that is asked about.
    std::optional<AskAnswer> of_one(const std::vector<AskTarget>& targets);
    // How many tensors, or matrices, files have of a sum.
    std::optional<AskAnswer> stored_tensors(const AskTarget& target);
    // "32 in each layer, 1,024 in all", over all kinds of layers (layers.cpp).
    void add_copies(AskAnswer& answer, TensorIndex index) const;
    // The tensor, and where a whole layer or all are asked about what these have of it besides.
    std::vector<TensorIndex> copies_asked_about(TensorIndex index) const;
    // The blocks at this place in layers, "layer.feed_forward.expert": one of each kind that is asked about.
    std::vector<std::string> blocks_asked_about(std::string_view sum) const;
    Expr copies_of(TensorIndex index) const;  // how many there are of it in all layers, or in one
    std::optional<std::int64_t> layer_index() const;
    void add_stored(AskAnswer& answer, TensorIndex index) const;

    // Parameters, elements or bytes, added up over all that is asked about.
    std::optional<AskAnswer> amount(const std::vector<AskTarget>& targets);
    // How much of what is counted otherwise is in the targets that are not to be: each tensor once.
    std::optional<Expr> left_out(const std::vector<AskTarget>& targets, std::vector<CountedTensor> kept);
    // "sliding", "dense": what tells the layers apart that are asked about; empty where all are alike.
    std::string_view layer_label() const;
    std::string one_layer_words() const;
    std::string all_layers_words() const;
    // Whether all kinds of layers are asked about, or this tensor is in the kind that is.
    bool in_asked_kind(const Tensor& tensor) const;
    void say_share(AskAnswer& answer, std::int64_t part) const;
    Expr bytes_of(const AskTarget& target, const Expr& numbers) const;
    // What its numbers are stored in: what the question says, else as in a run.
    Formats formats_of(const AskTarget& target) const;
    bool in_cache(const AskTarget& target) const;
    bool is_activation(const AskTarget& target) const;
    std::string amount_title(const std::vector<AskTarget>& targets) const;
    void place(AskAnswer& answer, const AskTarget& target) const;
    // Numbers of an activation, or of the whole cache. The batch is in it only where there is one.
    std::optional<Expr> elements(const AskTarget& target);
    std::optional<Expr> parameters_of(const AskTarget& target);
    // The same of a sum, where layers are taken apart: one of them, one kind of them, or what is active.
    std::optional<Expr> layer_by_layer(const AskTarget& target);
    void count(TensorIndex tensor, Expr times) { counted_.push_back({tensor, std::move(times)}); }
    Expr copies_in_layer(const Tensor& tensor) const;
    bool counted(const Tensor& tensor, std::string_view sum) const;
    std::optional<Expr> resolved(const std::string& reference);
    std::optional<Expr> tensor_parameters(TensorIndex index);
    // What one head has of all projections of attention.
    std::optional<Expr> head_parameters(std::string_view sum);
    std::optional<Expr> block_parameters(const Notion& asked);
    // The same in one layer where all are asked about, and the other way round.
    void add_other_scopes(AskAnswer& answer, const AskTarget& target);

    // The value of a dimension, with the rule that makes it where there is one.
    std::optional<AskAnswer> dimension(Symbol symbol);
    // Of heads in all layers.
    void count_heads(AskAnswer& answer) const;
    // Of experts: how many there are, and how many a token passes.
    void add_experts(AskAnswer& answer, Symbol symbol) const;
    std::optional<std::int64_t> size_of(Symbol symbol) const { return headcount::size_of(model_, symbol); }
    // Of the context where each position has a row of parameters.
    // Of a feed-forward whose width is given as a number: whether it is one that a common rule leads to.
    void add_usual_width(AskAnswer& answer) const;
    void add_positions(AskAnswer& answer) const;

    const Heard& heard_;
    const CountedModel& model_;
    const ModelGraph& graph_ = model_.graph;
    std::span<const Preset> presets_;
    const PassOptions& pass_;
    std::vector<AskSubject> subjects_ = heard_.subjects;
    std::vector<Symbol> symbols_ = heard_.symbols;
    std::vector<AskScope> scopes_ = heard_.scopes;
    std::optional<AskQuantity> quantity_ = heard_.quantity;
    std::vector<CountedTensor> counted_;  // what an amount is the sum of
    bool counted_whole_ = true;           // not where shares of tensors are in it
    std::vector<std::string> wrong_claims_;
    std::string failed_;  // why there is no answer
};

}  // namespace headcount
