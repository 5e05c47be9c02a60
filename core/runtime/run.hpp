// One run of a model over tokens: the graph's nodes with real numbers, keys and values kept between passes.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/graph/choice.hpp"
#include "core/runtime/changes.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/model.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

// Sines and cosines of rotary positions, one row a position, for so many columns.
class RopeTable {
  public:
    RopeTable(Rope rope, std::int64_t columns) : rope_(std::move(rope)), columns_(columns) {}

    bool is_for(const Rope& rope, std::int64_t columns) const { return rope_ == rope && columns_ == columns; }
    const Rope& rope() const { return rope_; }

    // For positions below `capacity` in a sequence of so many tokens; made anew only where the angles change with
    // these.
    void prepare(std::int64_t capacity, std::int64_t tokens) {
        if (!turns_otherwise(tokens)) return;
        std::vector<double> angles = rope_angles(rope_, columns_, tokens);
        cosines_.resize(static_cast<std::size_t>(capacity) * angles.size());
        sines_.resize(cosines_.size());
        std::size_t at = 0;
        for (std::int64_t position = 0; position < capacity; ++position)
            for (const double angle : angles) {
                const double turned = static_cast<double>(position) * angle;
                cosines_[at] = static_cast<float>(std::cos(turned) * rope_.attention_factor);
                sines_[at++] = static_cast<float>(std::sin(turned) * rope_.attention_factor);
            }
        // Last: where there is no memory for them, the table is not taken for one.
        pairs_ = static_cast<std::int64_t>(angles.size());
        angles_ = std::move(angles);
    }

    // Whether a sequence of so many tokens has other angles than this table.
    bool turns_otherwise(std::int64_t tokens) const {
        const bool changes = rope_.scaling == RopeScaling::dynamic || rope_.scaling == RopeScaling::longrope;
        return angles_.empty() || (changes && rope_angles(rope_, columns_, tokens) != angles_);
    }

    std::int64_t pairs() const { return pairs_; }
    const float* cosines(std::int64_t position) const { return cosines_.data() + position * pairs_; }
    const float* sines(std::int64_t position) const { return sines_.data() + position * pairs_; }

  private:
    Rope rope_;
    std::int64_t columns_ = 0, pairs_ = 0;
    std::vector<double> angles_;
    std::vector<float> cosines_, sines_;
};

// One head's columns of a row: as many as `width`, of which those of the table from `first` on are turned.
struct TurnedColumns {
    std::int64_t position = 0, width = 0, first = 0;
};
void turn_row(const Rotation& rule, const RopeTable& table, const TurnedColumns& where, const float* from, float* to);

// A tensor as it stands in this pass: its rows are the pass's tokens, or all that are seen.
struct Value {
    float* data = nullptr;
    std::int64_t rows = 0, columns = 0, row_step = 0, column_step = 1;

    float* row(std::int64_t index) const { return data + index * row_step; }
};

// One node, or those that are run together: for each head in turn, of attention or with a state, or for each expert the
// rows that are sent to it.
struct Step {
    enum class Kind { node, heads, states, experts } kind = Kind::node;
    std::vector<const Node*> nodes;
};

// One head's matrices in this pass, and the nodes that make them.
struct Heads {
    const Node *take_queries = nullptr, *take_keys = nullptr, *take_values = nullptr;
    const Node *score = nullptr, *soften = nullptr, *mix = nullptr;
    Value queries, keys, values, mixed;
    Value distance_keys, distance_queries;  // (rows of distances, d_h), where there are any
    Value chosen;                           // (rows, all tokens): 1 for the keys that each query looks at
    std::int64_t number = 0;                // which head it is
};

// What the walk asks of a tensor again and again.
struct TensorFacts {
    std::size_t stack = 0;
    std::optional<std::size_t> group;  // of layers
    bool of_source = false;            // rows of an encoder's tokens
    bool in_expert = false;
    std::array<std::optional<std::int64_t>, 2> fixed;  // sides that are the same in every pass
    std::int64_t group_columns = 0;        // of what a norm or pairing makes: so many by themselves; 0: a whole row
    bool of_all_layers = false;            // outside of layers, and read by them beside the stream
    std::int64_t first_column = 0;         // of columns that are taken: where they begin
    std::array<std::int64_t, 2> blocks{};  // of blocks that are mixed: how many are read, and made
    TensorIndex rates = 0;                 // of a mean's sums: the parameter by which its weights fade
    TensorIndex tail = 0;  // of a convolution, a blend, what fades, a mean: where earlier rows, or their sums, are kept
};

// What is turned by position: of every `head` columns some from `first` on.
struct Turned {
    std::size_t table = 0;
    std::int64_t head = 0, first = 0;
};

// An encoder, a decoder, or the only stack: before its layers, each kind of them, and behind them.
struct StackSteps {
    std::vector<Step> before, after;
    std::vector<std::size_t> groups;                 // of each layer
    std::vector<std::int64_t> ordinals;              // of each layer in its group
    TensorIndex entering = 0;                        // the stream that the first layer reads
    std::vector<std::vector<std::int32_t>> experts;  // of each layer, (tokens there is room for, k); empty: none
};

// The stacks in their order, without room for experts, and the steps of each group of layers. Heads' nodes and experts'
// nodes that follow each other become one step.
std::pair<std::vector<StackSteps>, std::vector<std::vector<Step>>> steps_of(const Architecture& arch,
                                                                            const ModelGraph& graph);
// Writes 1 at the best keys that this token may see, of so many tokens in all, as many as the mask says; of keys that
// are worth the same at the first.
void mark_best(const Mask& mask, std::int64_t token, std::int64_t all, const float* scores, float* out);
// In which of them the block is; what stands in neither reads the last.
std::size_t stack_with(const ModelGraph& graph, BlockIndex block);

// Not for two threads at once. What it hands out points into the run, until its next change.
class Run {
  public:
    // Takes the memory that `memory_need` says. Fails where there is none, or where the capacity
    // is beyond the rows of a table of positions.
    static Result<Run> start(std::shared_ptr<const Model> model, const RunOptions& options);

    const Model& model() const { return *model_; }
    const RunOptions& options() const { return options_; }

    // What an encoder beside the decoder reads, from the next `append` on, for which all else is forgotten. Errors: a
    // token outside the vocabulary, or more than there is room for; the run is then as it was before.
    std::optional<Error> set_source(std::span<const std::int32_t> ids);
    std::span<const std::int32_t> source() const { return source_; }

    // The same of what is no text: an image's patches, or the moments of sound, (rows, columns) as the graph has its
    // input. Of an image all rows come with the next `append`, whose ids say nothing.
    std::optional<Error> set_numbers(std::vector<float> numbers);

    // Puts tokens behind those that are there: many of a prompt in one pass, or the one that was chosen. Every
    // activation's shape is checked against the graph's. Errors: a token outside the vocabulary, more tokens than the
    // capacity, no source where there is an encoder, stopped; the run is then as it was before.
    // Not where `turns_anew` says so.
    std::optional<Error> append(std::span<const std::int32_t> ids, const Watch& watch = {});

    // Whether with so many tokens more the earlier ones come out otherwise: as an encoder's, which see the later ones,
    // or turned by other angles, as texts beyond the first context of longrope are. Then all of them are to be read
    // again, from the first on, by this run or by another.
    bool turns_anew(std::int64_t more) const;

    // Forgets all tokens but the first `tokens`, whose keys and values stay. A state cannot go back: the next `append`
    // makes it anew from the first token on, and before it there is none to see.
    void keep_first(std::int64_t tokens);

    std::span<const std::int32_t> ids() const { return ids_; }  // all tokens so far
    std::int64_t tokens() const { return static_cast<std::int64_t>(ids().size()); }

    // Which kind each token is of, from the first on, for all that are appended from now on; those behind are of kind
    // 0.
    void set_types(std::vector<std::int32_t> types) { types_ = std::move(types); }
    std::span<const std::int32_t> types() const { return types_; }

    // Experiments on all tokens that are appended from now on, obeyed in their order.
    void set_changes(std::vector<NodeChange> changes) { changes_ = std::move(changes); }

    // Of the last token, one number for each of the vocabulary; empty before the first, and of models without a head.
    std::span<const float> logits() const { return logits_; }

    // A kept activation or a cache of all tokens so far, or a state as the last has left it: as if they had come in one
    // pass, with the shape that the graph then says. `layer` is 0 outside of layers; `copy` is the head, or which of a
    // token's k experts (see `experts`). Scores that no token may look at, of keys that came later or are out of the
    // window, may be 0: no pass needs them. Without data where it is not kept.
    MatrixView activation(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    // (tokens, k): the experts that each token of that layer was sent to, best first; empty where there are none. Of
    // the encoder beside the decoder: (source tokens, k).
    std::span<const std::int32_t> experts(std::int64_t layer, bool encoder = false) const;

    // The residual stream that enters layer 0 (`layer` = 0) and that leaves each layer (1 ... L): (tokens, dim). Of the
    // encoder beside the decoder: (source tokens, dim).
    MatrixView hidden(std::int64_t layer) const { return hidden_of(stacks_.back(), layer); }
    MatrixView encoder_hidden(std::int64_t layer) const;
    // What the encoder hands to the decoder: behind its final norm, where it has one.
    MatrixView encoder_output() const;

    double seconds() const { return seconds_; }  // that the last append took

  private:
    Run(std::shared_ptr<const Model> model, const RunOptions& options, RunPlan plan);

    // One pass over `ids`, at most RunPlan::pass_rows of them. Nothing counts as done before it returns no error.
    std::optional<Error> pass(std::span<const std::int32_t> ids, const Watch& watch);
    std::optional<Error> pass_in_pieces(std::span<const std::int32_t> ids, const Watch& watch);
    // What `append` does once it is known to be possible: in pieces, with states that are lost made anew.
    std::optional<Error> read(std::span<const std::int32_t> ids, const Watch& watch);
    // Sines and cosines for a sequence of so many tokens.
    void prepare_positions(std::int64_t tokens);
    void find_facts();
    void find_turns();
    void expect_shapes(std::int64_t rows);
    std::optional<Error> run(const std::vector<Step>& steps);
    // The stack's layers and what stands before them, for `rows_` tokens behind `cached_`.
    std::optional<Error> run_stack(std::size_t stack, std::span<const std::int32_t> ids, const Watch& watch);
    std::optional<Error> encode(const Watch& watch);
    std::optional<Error> token_error(std::span<const std::int32_t> ids, std::string_view of) const;
    MatrixView hidden_of(const StackSteps& stack, std::int64_t layer) const;
    std::int64_t rows_now(TensorIndex tensor, std::int64_t tokens) const;

    // The ops, in op_*.cpp. Each reads its inputs' values and makes its output's.
    void run_node(const Node& node);
    void embed(const Node& node);
    void add_positions(const Node& node);
    void add_types(const Node& node);
    void first_row(const Node& node);
    void pool(const Node& node);
    void insert_rows(const Node& node);
    void unfold(const Node& node);
    void scale_columns(const Node& node);
    void norm(const Node& node);
    void norm_across(const Node& node, const Value& in, const Value& out, kernels::NormRow row);
    void linear(const Node& node);
    void rotate(const Node& node);
    void append_cache(const Node& node);
    void keep_window(const Node& node);
    void take_columns(const Node& node);
    void pair_heads(const Node& node);
    void subtract(const Node& node);
    void beside(const Node& node);
    void mix_blocks(const Node& node);
    void magnitude(const Node& node);
    void threshold(const Node& node);
    void table(const Node& node);
    // Of what is made of all that is seen, and stays: the rows of this pass alone.
    std::pair<Value, Value> new_rows(const Node& node, const Value& in, std::int64_t columns);
    void feed_forward(const Node& node);  // activate and gate
    void add(const Node& node);
    void route(const Node& node);
    void combine(const Node& node);
    void run_heads(const Step& step);
    void run_experts(const Step& step);
    std::vector<std::int64_t> gather_by_expert(const Step& step, const Value& gathered);
    // Which rows and columns of all that a node makes: of the pass's tokens, or, sorted, of those that are sent to an
    // expert; of a head or an expert.
    struct Made {
        std::optional<std::int64_t> copy = {};
        std::int64_t first_row = 0, first_column = 0;
        bool sorted = false;
        const Mask* mask = nullptr;  // of what looks at tokens: others than it lets be seen stay as they are
    };
    // Obeys what is to happen to what a node has made.
    void change(const Value& made, TensorIndex tensor, const Made& of);
    void put_keys_together(const Node& node);
    void turn_keys(const Node& node);
    void index_scores(const Node& node);
    void choose(const Node& node);
    void convolve(const Node& node);
    void keep_tail(const Node& node);
    void time_steps(const Node& node);
    void decay(const Node& node);
    void fade(const Node& node);
    void blend(const Node& node);
    void weighted_mean(const Node& node);
    void bonus(const Node& node);
    void sum_up(const Node& node);
    void run_states(const Step& step);
    void clear_states();
    bool has_states() const;
    void run_head(const Step& step, std::int64_t head, int thread);
    void run_heads_at_once(const Step& step);
    Heads open_head(const Step& step, std::int64_t head) const;
    void check_head(const Heads& heads);
    // Of the head's queries from `first_row` on, as many as `out` has rows and at most `block_rows`, and its keys from
    // the token `first_key` on. Queries of distances must have met all keys on that thread before.
    void scores(const Heads& head, const Value& out, std::int64_t first_row, std::int64_t first_key, int thread);
    void meet_keys(const Heads& head, int thread);
    Value meet(const Node& scores, const Value& left, const Value& right, const PlaceOf& place, int thread) const;
    void add_distances(const Heads& head, const Value& queries, const Value& out, std::int64_t first_row,
                       std::int64_t first_key, int thread);
    void soften(const Heads& head, const Value& scores, const Value& out, std::int64_t first_row,
                std::int64_t first_key);

    // What a tensor is now, or, where it comes from outside of this layer, the residual stream.
    const Value& input(const Node& node, std::size_t index) const;
    // The output's place for so many rows and columns: where the shape is the graph's. Else the pass fails.
    Value& output(const Node& node, std::int64_t rows, std::int64_t columns);
    void check(TensorIndex tensor, std::int64_t rows, std::int64_t columns);
    Value at(TensorIndex tensor, const PlaceOf& place, std::int64_t rows, std::int64_t copy) const;
    float* memory(PlaceIn where) const;
    // No numbers where the node has no such parameter.
    MatrixView weight_of(const Node& node, Part part) const {
        const auto tensor = model_->graph.parameter_of(node, part);
        return tensor ? weight(*tensor) : MatrixView{};
    }
    MatrixView weight(TensorIndex tensor, std::int64_t copy = 0) const {
        return model_->weights.view(tensor, facts_[tensor].group ? layer_ : 0, copy);
    }
    // Each row by itself, over all threads: work(row).
    template <class Work>
    void each_row(std::int64_t rows, std::int64_t columns, const Work& work) {
        constexpr std::int64_t worth_sharing = 1 << 15;  // cells
        if (rows == 1 || rows * columns < worth_sharing) {
            for (std::int64_t row = 0; row < rows; ++row) work(row);
            return;
        }
        pool_->split(rows, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) work(row);
        });
    }
    // By the matrix of an expert, or by some rows of it, as many as `left` has columns.
    void multiply(const Value& left, const Node& node, const Value& out, std::int64_t expert, std::int64_t first = 0);

    // The first of the tokens whose keys the queries meet.
    std::int64_t first_seen(const Mask& mask) const {
        return mask.kind == Mask::Kind::cross ? 0 : cached_ - mask.remembered(cached_);
    }

    std::shared_ptr<const Model> model_;
    RunOptions options_;
    RunPlan plan_;
    bool narrows_ = false;        // of what comes behind the layers the last token's is all
    std::unique_ptr<Pool> pool_;  // whose threads know where it is
    FloatMemory scratch_, cache_, kept_;
    std::vector<StackSteps> stacks_;
    std::vector<std::vector<Step>> layers_;  // by group
    std::vector<RopeTable> ropes_;
    std::int64_t first_position_ = 0;  // the furthest that a first token stands
    std::vector<std::int32_t> ids_, types_, source_;
    std::vector<float> numbers_;  // of the input that is no text
    std::vector<NodeChange> changes_;

    std::vector<TensorFacts> facts_;                    // by TensorIndex
    std::vector<Turned> turned_;                        // the same
    std::vector<std::optional<TensorIndex>> choices_;   // by group of layers: which keys it has chosen
    std::array<std::vector<std::int32_t>, 2> buckets_;  // of relative positions, by distance: causal, and both ways
    // Of no distance; those of others lie beside it.
    const std::int32_t* ranges_of(const RelativeRule& rule) const {
        const std::vector<std::int32_t>& ranges = buckets_[rule.both_ways];
        return &ranges[ranges.size() / 2];
    }

    // Of the pass that is under way.
    std::span<const std::int32_t> new_ids_;
    std::vector<Value> values_;  // by TensorIndex
    Value stream_;
    Value chosen_;  // what the last layer that chooses keys has chosen
    std::size_t stack_ = 0;
    std::int64_t layer_ = 0;
    std::optional<std::size_t> group_;
    std::int64_t cached_ = 0, rows_ = 0;
    std::vector<std::array<std::int64_t, 2>> expected_;  // by TensorIndex
    std::vector<std::int64_t> row_of_, token_of_;        // of the sorted rows that experts read
    std::optional<Error> error_;
    std::span<const float> logits_;
    double seconds_ = 0;
    bool states_lost_ = false;  // they are of other tokens than `ids_`
    bool encoding_ = false;     // what is made of the source is made in this pass, and not there already
};

}  // namespace headcount
