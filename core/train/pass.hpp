// The graph forwards and backwards over a batch of lines, all tokens of it at once: each operation's derivative stands
// beside what it computes (op_*.cpp). What a derivative reads is kept by layer, as the table of operations says; all
// else lies in memory that the next layer overwrites.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/run.hpp"
#include "core/train/parameters.hpp"

namespace headcount {

// What a pass is of: the graph without a cache, and where its parameters lie.
struct Trainee {
    explicit Trainee(const Architecture& arch)
        : architecture(arch), graph(expand(arch, Cache::empty)), parameters(arch, graph) {}

    Architecture architecture;
    ModelGraph graph;
    ParameterLayout parameters;
};

// Why a model cannot be trained here: it reads no text, gives no scores for tokens, or has an operation without a
// derivative, which is named. Nothing where it can.
std::optional<Error> cannot_train(const Architecture& arch, const ModelGraph& graph);

struct PassShape {
    std::int64_t sequences = 1, tokens = 1;
    std::int64_t source = 0;  // tokens of each that an encoder beside the decoder reads
    int threads = 1;
};

// Lines side by side. A target below 0 is not counted.
struct LineBatch {
    std::vector<std::int32_t> ids, targets;  // (sequences, tokens)
    std::vector<std::int32_t> source;        // (sequences, source tokens)
    std::vector<std::int32_t> types = {};    // (sequences, tokens), where tokens are of several kinds; absent: all 0
};

// A number of a linear layer's gradient as a backward pass adds it up: for each row that the layer has read, the
// number of its input and the gradient of the number that it made of it.
struct GradientSum {
    std::int64_t matrix = 0, row = 0, column = 0;  // where the matrix lies in the parameters' floats; the number in it
    std::vector<float> inputs, slopes;
    std::vector<std::int64_t> rows;  // of all lines of all these passes below each other
    std::int64_t passes = 0;
    bool turned = false;                       // the matrix is a table: its rows are the outputs
    bool encoder = false;                      // of the lines that an encoder beside the decoder reads
    std::optional<TensorIndex> input, output;  // nothing: no linear layer has that matrix
};

class BatchPass {
  public:
    // Takes its memory. Errors: `cannot_train`'s; more tokens than are computed or have positions; no memory.
    static Result<BatchPass> make(std::shared_ptr<const Trainee> trainee, const PassShape& shape);

    // The mean over all counted tokens of -ln of the target's share, in nats. `weights` are laid as the trainee's
    // parameters, with `panel_columns` floats behind them that may be read; they must stay until `backward` is done.
    double forward(const float* weights, const LineBatch& batch);
    // Adds what the loss of that forward pass changes by. (parameters().trained()) floats.
    void backward(float* gradients);

    // What later backward passes write down besides; null: nothing.
    void watch(GradientSum* sum) { watched_ = sum; }

    // The first tensor of a forward pass that holds a number that is none, by its name in a run:
    // "layer.3.attention.queries".
    std::optional<std::string> first_not_finite(const float* weights, const LineBatch& batch);

    MatrixView logits() const;  // (sequences · tokens, V)
    std::int64_t counted() const { return counted_; }
    // (rows, k): where the tokens of that layer were sent; empty where there are no experts.
    std::span<const std::int32_t> experts(std::int64_t layer) const {
        const std::vector<std::vector<std::int32_t>>& layers = stacks_.back().experts;
        return layer < std::ssize(layers) ? std::span(layers[static_cast<std::size_t>(layer)])
                                          : std::span<const std::int32_t>{};
    }
    const PassShape& shape() const { return shape_; }
    std::int64_t kept_bytes() const { return kept_.size() * std::int64_t{sizeof(float)}; }
    // Not kept: what is overwritten on the way forwards, where on the way back gradients of activations lie.
    std::int64_t passing_bytes() const { return passing_.size() * std::int64_t{sizeof(float)}; }
    // What operations write down while they work: matrices turned over, the rows of experts, each thread's room.
    std::int64_t working_bytes() const;
    Pool& pool() { return *pool_; }

  private:
    // Where a tensor's numbers lie, all lines below each other: one block a layer where they are kept.
    struct Place {
        std::int64_t rows = 0, columns = 0;
        std::int64_t offset = -1, layer_step = 0;  // -1: it shows another's, or the layer's way out
        bool kept = false;
        std::int64_t gradient = -1;  // in passing memory
        std::optional<TensorIndex> shows = {};
        std::int64_t first_column = 0, columns_by_layer = 0;  // of what it shows

        std::int64_t floats() const { return rows * columns; }
    };
    // The way that the residual stream takes through a stack.
    struct Stream {
        std::vector<std::int64_t> offsets;  // of what leaves each layer
        std::vector<bool> kept;
        std::int64_t gradients[2] = {-1, -1};  // what enters a layer and what leaves it, in turn
        char touched[2] = {0, 0};
        std::int64_t rows = 0, columns = 0;
    };
    // Where a gradient is to go: `fresh` numbers are written, others added to.
    struct Into {
        Value value;
        bool fresh = false;
    };
    struct Spot {
        Value part, whole;
        char* touched = nullptr;  // null: begun
    };
    struct Facts {
        std::size_t stack = 0;
        std::optional<std::size_t> group;
        bool in_expert = false;
        bool of_all_layers = false;  // outside of layers, and read by them beside the stream
    };
    // What later layers read besides, keys or values, and where what these change by comes together until this layer's
    // own is worked out.
    struct Lent {
        TensorIndex of = 0;
        std::int64_t layer = 0, gradient = -1;
        char touched = 0;
    };
    using Work = void (BatchPass::*)(const Node&);
    struct OpWork {
        Op op;
        Work forward, back;
    };

    BatchPass(std::shared_ptr<const Trainee> trainee, const PassShape& shape);
    // In pass_plan.cpp.
    // How many floats have a place, by what overwrites them: nothing; the next layer; the next layer back.
    struct Ends {
        std::int64_t kept = 0, ahead = 0, back = 0;
        double all = 0;  // roughly, but however many there are

        std::int64_t reserve(std::int64_t Ends::*end, std::int64_t floats, std::int64_t copies = 1);
    };
    std::optional<Error> lay_out();
    void lay_out_group(std::optional<std::size_t> group, const std::vector<bool>& kept, Ends& ends);
    void lay_out_streams(const std::vector<bool>& kept, const std::vector<bool>& entered, Ends& ends);
    void lay_out_working(Ends& ends);
    void find_steps();
    void place(const Node& node);
    void place_borrowed(std::vector<bool>& kept);
    std::vector<TensorIndex> shown_by(TensorIndex tensor) const;
    std::vector<bool> find_kept(std::vector<bool>& entered) const;
    bool is_stream(TensorIndex tensor) const;
    bool leaves_layer(TensorIndex tensor) const;

    std::int64_t number(const Expr& expr) const;
    float* floats(bool kept, std::int64_t offset) { return (kept ? kept_ : passing_).data() + offset; }

    void run(const std::vector<Step>& steps);
    void run_back(const std::vector<Step>& steps);
    void run_stack(std::size_t stack);
    void run_stack_back(std::size_t stack);
    void take_back_lent();
    void check(const Step& step);
    double lose();

    // What a tensor is in the layer that the walk is in.
    // Of a tensor that shows columns of another, the whole in its place; returns the first of the columns.
    std::int64_t go_to_whole(TensorIndex& tensor) const;
    Lent* lent(TensorIndex tensor);
    Value value(TensorIndex tensor);
    Value stream_value(bool out, std::size_t stack);
    Value input(const Node& node, std::size_t index) { return value(node.inputs[index]); }
    Value output(const Node& node) { return value(node.output); }
    // Its gradient: of an output as it has come together, of an input where it is to go.
    Value slope(TensorIndex tensor);
    Into into(TensorIndex tensor);
    Spot spot(TensorIndex tensor);
    static void begin_with_zeros(const Spot& spot);

    struct Weight {
        const float* data = nullptr;
        float* gradient = nullptr;  // null: not trained
        std::int64_t rows = 0, columns = 0;

        explicit operator bool() const { return data != nullptr; }
        // Of a token: a table may have rows for some of them alone, and the others have the first.
        std::int64_t row_of(std::int64_t id) const { return id < rows ? id : 0; }
    };
    Weight weight(TensorIndex tensor) const;
    // No numbers where the node has no such parameter.
    Weight weight_of(const Node& node, Part part) const;

    // The operations, in op_*.cpp.
    void embed(const Node& node);
    void embed_back(const Node& node);
    std::int64_t added_row(const Node& node, std::int64_t row, std::int64_t rows) const;
    void add_rows(const Node& node);
    void add_rows_back(const Node& node);
    void norm(const Node& node);
    void norm_back(const Node& node);
    void linear(const Node& node);
    void linear_back(const Node& node);
    void finish_back(const Node& node, const Value& slopes);
    void note_sum(const Node& node, const Value& slopes);
    // Nothing goes back through a choice.
    void index_scores(const Node& node);
    void choose(const Node& node);
    void pair_heads(const Node& node);
    void pair_heads_back(const Node& node);
    void subtract(const Node& node);
    void subtract_back(const Node& node);
    void rotate(const Node& node);
    void rotate_back(const Node& node);
    void turn(const Node& node, const Value& in, const Into& to, float direction);
    void activate(const Node& node);
    void activate_back(const Node& node);
    void xielu_back(const Node& node, const Value& x, const Value& up, const Value& slopes);
    void clamped_back(const Node& node, const Value& gates, const Value& up, const Value& slopes);
    void add(const Node& node);
    void add_back(const Node& node);
    void scale_columns(const Node& node);
    void scale_columns_back(const Node& node);
    void route(const Node& node);
    void route_back(const Node& node);
    void scale_experts_back(const Node& node, const Weight& scale);
    void combine(const Node& node);
    void combine_back(const Node& node);
    void convolve(const Node& node);
    void convolve_back(const Node& node);
    void time_steps(const Node& node);
    void time_steps_back(const Node& node);
    void decay(const Node& node);
    void decay_back(const Node& node);
    void blend(const Node& node);
    void blend_back(const Node& node);
    void bonus(const Node& node);
    void bonus_back(const Node& node);
    void weighted_mean(const Node& node);
    void weighted_mean_back(const Node& node);
    void fade(const Node& node);
    void fade_back(const Node& node);
    void beside(const Node& node);
    void beside_back(const Node& node);
    void mix_blocks(const Node& node);
    void mix_blocks_back(const Node& node);
    void magnitude(const Node& node);
    void magnitude_back(const Node& node);
    void threshold(const Node& node);
    void threshold_back(const Node& node);
    void table(const Node& node);
    void table_back(const Node& node);
    void unfold(const Node& node);
    void unfold_back(const Node& node);
    void nothing(const Node&) {}  // shows what is there
    static std::span<const OpWork> works();
    friend std::optional<Error> cannot_train(const Architecture& arch, const ModelGraph& graph);

    // Columns that heads take of a matrix, or of two.
    struct Side {
        Value own, shared, own_slopes, shared_slopes;
        std::vector<std::int64_t> columns;                // where each head's begin
        std::int64_t own_width = 0, width = 0, rows = 0;  // rows of one line
        std::int64_t apart = 0;                           // rows from one line's to the next; 0: all have the same
    };
    struct HeadRows {
        const float* data = nullptr;
        std::int64_t step = 0;
    };
    struct Heads;
    Side open_side(const Node& take, bool back);
    static HeadRows rows_of(const Side& side, std::int64_t sequence, std::int64_t head, float*& room);
    static HeadRows rows_or(const Side& side, std::int64_t sequence, std::int64_t head, const float& other);
    static void add_slopes(const Side& side, std::int64_t sequence, std::int64_t head, const float* slopes);
    Heads open_heads(const Step& step, bool back);
    void score(const Heads& heads, std::int64_t sequence, std::int64_t head, const HeadRows& queries,
               const HeadRows& keys, float* room, float* out);
    // What scores have of distances, (rows, keys), added to `out`; and back from the slopes of scores.
    static void add_distances(const Heads& heads, std::int64_t sequence, std::int64_t head, const HeadRows& queries,
                              const HeadRows& keys, float* room, float* out);
    static void add_distances_back(const Heads& heads, std::int64_t sequence, std::int64_t head,
                                   const HeadRows& queries, const HeadRows& keys, float* room, const float* slopes);
    void run_head_back(const Heads& heads, std::int64_t sequence, std::int64_t head, float* room);
    void run_heads(const Step& step);
    void run_heads_back(const Step& step);
    struct States;
    States open_states(const Step& step, bool back);
    static void make_states(const States& states, std::int64_t sequence, std::int64_t head, float* all);
    float run_state_back(const States& states, std::int64_t sequence, std::int64_t head, float* room);
    void run_states(const Step& step);
    void run_states_back(const Step& step);
    void sort_by_expert();
    void gather(const Step& step);
    template <class Act>
    void each_expert(const Act& act);
    void run_experts(const Step& step);
    void run_experts_back(const Step& step);

    // left · right, (rows, inner) · (inner, columns), added to what is there where it is not `fresh`.
    struct Multiplied {
        const float* left;
        std::int64_t left_step;
        const float* right;
        std::int64_t right_step;
        float* out;
        std::int64_t out_step;
        std::int64_t rows, inner, columns;
        const float* bias = nullptr;
        bool fresh = true;
    };
    void multiply(const Multiplied& product);
    // (columns, rows) of a matrix, in memory that stays until this `place` is written to again.
    enum class Room { left, right };
    const float* transposed(const Value& matrix, Room place);
    void finish(const LinearRule& rule, float* row, std::int64_t columns) const;

    float* working(std::int64_t offset) { return working_.data() + offset; }
    float* room(int thread) { return working(rooms_ + thread * room_floats_); }
    // Each row by itself, over all threads: work(row, room of the thread).
    template <class Act>
    void each_row(std::int64_t rows, std::int64_t columns, const Act& act) {
        constexpr std::int64_t worth_sharing = 1 << 14;  // cells
        const std::int64_t parts = rows * columns < worth_sharing ? 1 : std::min<std::int64_t>(rows, pool_->threads());
        pool_->run(parts, [&](std::int64_t part, int thread) {
            for (std::int64_t row = rows * part / parts; row < rows * (part + 1) / parts; ++row) act(row, room(thread));
        });
    }
    // Each row of a gradient is made by make(row, out) and goes where it is to.
    template <class Make>
    void each_row_into(const Into& to, const Make& make);

    std::shared_ptr<const Trainee> trainee_;
    PassShape shape_;
    Bindings values_;
    std::unique_ptr<Pool> pool_;
    std::vector<Facts> facts_;   // by TensorIndex
    std::vector<Place> places_;  // the same
    std::vector<StackSteps> stacks_;
    std::vector<std::vector<Step>> layers_;  // by group
    std::vector<Stream> streams_;            // by stack
    std::vector<Lent> lent_;
    std::map<TensorIndex, std::size_t> lent_of_;  // of what a layer borrows: which of these
    std::vector<RopeTable> ropes_;
    FloatMemory kept_, passing_, working_;
    // Where in `working_` there is: what `transposed` has made, rows by expert and their gradients, of each row of a
    // norm its mean and factor, what a linear layer made before its cap, of each line and head its part of a gradient,
    // and the threads' rooms.
    std::int64_t turned_[2] = {0, 0}, gathered_ = 0, gathered_slopes_ = 0, roots_ = 0, raw_ = 0, skips_ = 0, rooms_ = 0;
    std::int64_t room_floats_ = 0;
    const float* turned_of_ = nullptr;  // on the left
    std::int64_t turned_columns_ = 0;
    std::vector<std::int64_t> row_of_, token_of_, begins_, next_;
    std::vector<double> lost_;                                       // by row
    std::int64_t expert_ = 0, expert_begin_ = 0, expert_rows_ = -1;  // of the expert that is run; -1: none
    std::vector<char> touched_;                                      // by TensorIndex: whether its gradient is begun

    // Where the walk is.
    std::size_t stack_ = 0;
    std::optional<std::size_t> group_;
    std::int64_t layer_ = 0;
    const float* weights_ = nullptr;
    float* gradients_ = nullptr;
    GradientSum* watched_ = nullptr;
    const LineBatch* batch_ = nullptr;
    Value chosen_;  // of the last layer that chooses keys, (rows, keys of a line)
    std::int64_t counted_ = 0;
    std::optional<std::string> not_finite_;
    bool checks_ = false;
};

template <class Make>
void BatchPass::each_row_into(const Into& to, const Make& make) {
    each_row(to.value.rows, to.value.columns, [&](std::int64_t row, float* room) {
        float* const there = to.value.row(row);
        if (to.fresh) return make(row, there);
        make(row, room);
        kernels::add(there, room, 1, there, to.value.columns);
    });
}

}  // namespace headcount
