// Walks the graph's nodes with real numbers. What `Run` does, without its manners.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/model.hpp"
#include "core/runtime/plan.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/rope_table.hpp"

namespace headcount {

// A tensor as it stands in this pass: its rows are the pass's tokens, or all that are seen.
struct Value {
    float* data = nullptr;
    std::int64_t rows = 0, columns = 0, row_step = 0, column_step = 1;

    float* row(std::int64_t index) const { return data + index * row_step; }
};

// One node, or those that are run together: for each head in turn, or for each expert the rows that are sent to it.
struct Step {
    enum class Kind { node, heads, experts } kind = Kind::node;
    std::vector<const Node*> nodes;
};

// One head's matrices in this pass, and the nodes that make them.
struct Heads {
    const Node *take_queries = nullptr, *take_keys = nullptr, *take_values = nullptr;
    const Node *score = nullptr, *soften = nullptr, *mix = nullptr;
    Value queries, keys, values, mixed;
};

// What the walk asks of a tensor again and again.
struct TensorFacts {
    std::optional<std::size_t> group;  // of layers
    bool bias = false, in_expert = false;
    std::array<std::optional<std::int64_t>, 2> fixed;  // sides that are the same in every pass
};

class Interpreter {
  public:
    static Result<std::unique_ptr<Interpreter>> make(std::shared_ptr<const Model> model, const RunOptions& options);

    // Sines and cosines for a sequence of so many tokens.
    void prepare_positions(std::int64_t tokens);
    // Whether the keys of tokens that are there are turned otherwise in it.
    bool turns_anew(std::int64_t tokens) const;

    // One pass over `ids`, at most RunPlan::pass_rows of them. Nothing counts as done before it returns no error.
    std::optional<Error> pass(std::span<const std::int32_t> ids, const Watch& watch);
    void keep_first(std::int64_t tokens);

    MatrixView view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const;
    MatrixView hidden(std::int64_t layer) const;
    std::span<const float> logits() const { return logits_; }
    std::span<const std::int32_t> experts(std::int64_t layer) const;

    const Model& model() const { return *model_; }
    const RunOptions& options() const { return options_; }
    const RunPlan& plan() const { return plan_; }
    const std::vector<std::int32_t>& ids() const { return ids_; }
    double seconds = 0;

  private:
    Interpreter(std::shared_ptr<const Model> model, const RunOptions& options, RunPlan plan);

    void find_facts();
    std::int64_t turned_columns() const;  // of each head
    void make_steps();
    void expect_shapes(std::int64_t rows);
    std::optional<Error> run(const std::vector<Step>& steps);
    std::optional<Error> run(const Step& step);

    // The ops, in op_*.cpp. Each reads its inputs' values and makes its output's.
    void run_node(const Node& node);
    void embed(const Node& node);
    void add_positions(const Node& node);
    void norm(const Node& node);
    void linear(const Node& node);
    void rotate(const Node& node);
    void append_cache(const Node& node);
    void keep_window(const Node& node);
    void take_columns(const Node& node);
    void feed_forward(const Node& node);  // activate and gate
    void add(const Node& node);
    void route(const Node& node);
    void combine(const Node& node);
    void run_heads(const Step& step);
    void run_experts(const Step& step);
    std::vector<std::int64_t> gather_by_expert(const Step& step, const Value& gathered);
    void put_keys_together(const Node& node);
    void run_head(const Step& step, std::int64_t head, int thread);
    Heads open_head(const Step& step, std::int64_t head) const;
    void check_head(const Heads& heads);
    void scores(const Value& queries, const Value& keys, const Value& out, std::int64_t first_row,
                std::int64_t first_key, std::int64_t head);
    void soften(const Value& scores, const Value& out, std::int64_t first_row, std::int64_t first_key,
                const float* sink);
    TensorIndex routing_of(const Step& experts) const;

    // What a tensor is now, or, where it comes from outside of this layer, the residual stream.
    const Value& input(const Node& node, std::size_t index) const;
    // The output's place for so many rows and columns: where the shape is the graph's. Else the pass fails.
    Value& output(const Node& node, std::int64_t rows, std::int64_t columns);
    void check(TensorIndex tensor, std::int64_t rows, std::int64_t columns);
    Value at(TensorIndex tensor, const PlaceOf& place, std::int64_t rows, std::int64_t copy) const;
    float* memory(PlaceIn where) const;
    MatrixView weight(TensorIndex tensor, std::int64_t copy = 0) const;
    // Each row by itself, over all threads: work(row).
    template <class Work>
    void each_row(std::int64_t rows, std::int64_t columns, const Work& work) {
        constexpr std::int64_t worth_sharing = 1 << 15;  // cells
        if (rows == 1 || rows * columns < worth_sharing) {
            for (std::int64_t row = 0; row < rows; ++row) work(row);
            return;
        }
        pool_.split(rows, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) work(row);
        });
    }
    void multiply(const Value& left, const Node& node, const Value& out, std::int64_t expert);

    std::int64_t first_seen() const;                       // of the tokens whose keys this layer's queries meet
    std::int64_t first_visible(std::int64_t token) const;  // that this token may look at in this layer

    std::shared_ptr<const Model> model_;
    RunOptions options_;
    RunPlan plan_;
    Pool pool_;
    FloatMemory scratch_, cache_, kept_;
    std::vector<Step> before_, after_;
    std::vector<std::vector<Step>> layers_;  // by group
    std::vector<std::size_t> group_of_;      // by layer
    std::vector<std::int64_t> ordinal_;      // of each layer in its group
    std::vector<LayerKind> kinds_;           // by layer
    RopeTable rope_, windowed_rope_;
    std::vector<std::vector<std::int32_t>> experts_;  // by layer: (capacity, k)
    std::vector<std::int32_t> ids_;

    std::vector<TensorFacts> facts_;  // by TensorIndex

    // Of the pass that is under way.
    std::span<const std::int32_t> new_ids_;
    std::vector<Value> values_;  // by TensorIndex
    Value stream_;
    std::int64_t layer_ = 0;
    std::optional<std::size_t> group_;
    std::int64_t cached_ = 0, rows_ = 0;
    std::vector<std::array<std::int64_t, 2>> expected_;  // by TensorIndex
    std::vector<std::int64_t> row_of_, token_of_;        // of the sorted rows that experts read
    std::vector<std::int32_t> order_;
    std::optional<Error> error_;
    std::span<const float> logits_;
};

}  // namespace headcount
