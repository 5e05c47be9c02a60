// The model as a graph: every operation, every parameter, every activation, with named dimensions. All views read it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/family.hpp"
#include "core/arch/input.hpp"
#include "core/arch/layers.hpp"
#include "core/base/expr.hpp"
#include "core/graph/attributes.hpp"

namespace headcount {

enum class Component { embedding, attention, feed_forward, norm, output, recurrence, tower, connector };
inline constexpr std::array components{Component::embedding, Component::attention, Component::feed_forward,
                                       Component::norm,      Component::output,    Component::recurrence,
                                       Component::tower,     Component::connector};
// What a file holds beside its text part: what reads pictures or sound, and what leads from there to the text's width.
constexpr bool is_sense(Component component) {
    return component == Component::tower || component == Component::connector;
}
// Where each has a sum, as in JSON: what few models have is listed where there is some, the others always. Tables of
// parameters leave out whatever is 0.
constexpr bool is_listed(Component component, std::int64_t count) {
    return count != 0 || !(component == Component::recurrence || is_sense(component));
}
std::string_view component_key(Component component);   // "feed_forward": in JSON and ids
std::string_view component_name(Component component);  // "Feed-forward": on the screen

enum class Role {
    input,      // token ids
    parameter,  // trained, stored in the checkpoint
    buffer,     // stored in the checkpoint or given by a rule, trained by no gradient: not a parameter
    activation,
    cache,  // keys and values kept for the next tokens: grows with them
    state,  // of a recurrence, as large however many tokens there were
};
// Whether it is kept for the tokens that come next.
constexpr bool is_kept(Role role) { return role == Role::cache || role == Role::state; }
// Whether a pass makes its numbers.
constexpr bool is_computed(Role role) { return role == Role::activation || is_kept(role); }

// Up to five named dimensions, outermost first.
class Shape {
  public:
    Shape(std::initializer_list<Expr> dimensions) : Shape(std::span(dimensions.begin(), dimensions.size())) {}
    explicit Shape(std::span<const Expr> dimensions);

    std::size_t rank() const { return rank_; }
    const Expr& operator[](std::size_t axis) const { return dimensions_[axis]; }
    std::span<const Expr> dimensions() const { return {dimensions_.data(), rank_}; }
    bool operator==(const Shape& other) const;

  private:
    std::array<Expr, 5> dimensions_;
    std::size_t rank_;
};

// How many numbers a shape holds, as a formula: d·d_ff. And its value, without the price of making the formula.
Expr element_count(const Shape& shape);
Result<std::int64_t> element_count(const Shape& shape, const Bindings& bindings);

// Whether a side is made of this symbol: d_h is in (h·d_h) × d.
bool uses(const Shape& shape, Symbol symbol);

// "d × d_ff" and "4096 × 11008".
std::string shape_in_symbols(const Shape& shape);
std::string shape_in_numbers(const Shape& shape, const Bindings& bindings);

using BlockIndex = std::uint16_t;

struct Tensor {
    std::string id;  // "layer.attention.query.weight": stable across edits, unique in a graph
    Role role;
    Part part;  // which part it belongs to; decides its hue
    Component component;
    std::string_view label;   // "Up projection"
    std::string_view symbol;  // "W_up": underscore for a subscript, ^(..) for a superscript
    Shape shape;  // of one copy. Parameters as multiplied (rows in, columns out), activations (rows, columns)
    std::string_view meaning;  // a sentence; {d}, {h}, ... stand for numbers (see filled_in)
    BlockIndex block;
    bool view = false;  // another tensor's memory seen differently: takes no memory of its own
    bool bias = false;  // a parameter that is added, beside one that multiplies
    bool kept = false;  // for later tokens, in this form or another: see kept_in_cache
    bool idle = false;  // a parameter that is stored, and read by no node
    std::optional<BlockIndex> shared_in =
        {};               // of one that layers share, outside of all: the first block that reads it
    bool linear = false;  // the weight of a linear layer, as transformers has the model
    bool scalar = false;  // a single number, stored without sides

    BlockIndex read_in() const { return shared_in.value_or(block); }
};

// Whether these numbers are kept for later tokens: states, and keys and values in every form that the graph has of them
// (as projected, turned by position, with earlier rows, as one head sees them), but those of an encoder, which reads
// all tokens at once. They are outlined as cached wherever drawn.
inline bool kept_in_cache(const Tensor& tensor) { return tensor.kept; }

// Whether it is the residual stream as a sub-block or a layer leaves it: "layer.attention.stream". Whatever makes it,
// by its place in the tree it is known.
inline bool is_stream(const Tensor& tensor) { return tensor.id.ends_with(".stream"); }

enum class Op {
    embed,          // rows of a table by token id
    add_positions,  // + rows of a table by position
    add_types,      // + rows of a table by the token's type
    norm,
    linear,        // input · weight (+ bias)
    rotate,        // rotary positions
    append_cache,  // rows behind those already in the cache
    keep_window,   // the last rows, as many as later tokens see
    take_columns,  // some of the columns
    take_head,     // the columns of one head
    scores,  // Q · Kᵀ / √d_h, or times a factor of the model's own; with keys and queries of distances, or what a
             // distance adds, as much of it as a gate lets pass
    index_scores,    // what each key is worth to a token: of small heads what is above 0, as much as each counts
    choose,          // 1 at the best few of those that a row sees, 0 elsewhere
    gate_distances,  // how much a distance adds to the scores of each query
    masked_softmax,  // the future masked, every row sums to 1; or over the chosen keys alone
    mix,             // A · V
    pair_heads,      // beside each head's columns those of the head half as many further on
    join_heads,
    subtract,  // some of the second from the first
    activate,  // the activation function
    gate,      // activation(gate) ⊙ up
    route,     // softmax, and the best few of each row
    combine,   // experts' outputs, each as much as the router gave it, and those of the shared ones
    add,       // onto the residual stream
    first_row,
    pool,           // rows made into one
    insert_rows,    // of parameters, before those that are there or behind some of these
    unfold,         // rows around each, side by side
    scale_columns,  // each by a trained number
    convolve,       // each column with a filter over the last tokens
    step,           // softplus
    decay,          // exp(-rate · step): what is left of the state
    fade,           // each column: what is left of it, and as much more of what is added
    blend,          // each column some of this row, the rest of the row before
    weigh,          // a mean of all rows so far, whose weights are other rows' exponentials and fade
    sum_up,         // the sums of that mean after the last row
    update_state,   // faded, and written
    read_state,
    bonus,       // each head's value, as much as query and key of the same token agree
    sum,         // of what sub-blocks side by side made
    beside,      // the columns of all, side by side
    mix_blocks,  // of columns, by as many numbers as the row has for that
    magnitude,   // of a row: the root of its mean of squares
    threshold,   // what is above the row's, less that
    table,       // all rows of one
};

struct Node {
    Op op;
    BlockIndex block;
    std::vector<TensorIndex> inputs;
    std::vector<TensorIndex> parameters;  // weight, then bias
    TensorIndex output;
    Attributes attributes;  // those of its op

    template <class Rule>
    const Rule& rule() const {
        return std::get<Rule>(attributes);
    }
};

// `own`: what a layer has of each token by itself; `copies`: what it does to the copies of the stream before its
// sub-blocks, or behind them.
enum class BlockKind { model, stack, layer, mixer, cross, feed_forward, head, expert, shared, sense, own, copies };

// A named, nested group of nodes, `repeat` times inside its parent, of which a token passes `runs`: all but where it is
// sent to some of the experts.
struct Block {
    BlockKind kind;
    std::string name;  // "attention"
    std::string id;    // "layer.attention"; empty for the model
    Expr repeat;
    Expr runs;
    std::optional<BlockIndex> parent;
};

// "Shared feed-forward"
std::string words_of(const Block& block);

// Layers that are alike: one block, which stands for all of them.
struct LayerBlock {
    BlockIndex block;
    LayerGroup group;
};

// A tensor as the checkpoint stores it: one or several parameters side by side.
struct StoredTensor {
    std::string name;                  // "model.layers.{i}.self_attn.q_proj.weight"
    Shape shape;                       // as stored: [out, in] for a linear layer
    Expr copies;                       // L for a tensor of every layer, L·E for one of every expert
    Expr in_layer;                     // copies within one layer; 1 outside of layers
    std::optional<std::size_t> layer;  // index into ModelGraph::layers
    Component component;
    std::vector<TensorIndex> parts;  // more than one where the checkpoint fuses them
    ModuleKind kind;                 // decides the orientation: linear ones are stored [out, in]
    Fusing fusing = Fusing::in_turn;
    bool unpublished = false;                  // no published model of the family has it: the name is Headcount's own
    std::array<std::string_view, 3> pieces{};  // modules that files may have in the place of its own (Module::pieces)
};

// Whether keys and values of earlier tokens are in the cache: decides whether scores are T × T or T × (P + T).
enum class Cache { empty, filled };

struct ModelGraph {
    std::vector<Tensor> tensors;
    std::vector<Node> nodes;               // in the order in which they run
    std::vector<Block> blocks;             // parents before children; the first is the model
    std::vector<LayerBlock> layers;        // in the order of their first layers
    std::vector<StoredTensor> stored;      // in the checkpoint's order
    std::vector<StoredTensor> buffers;     // stored, but trained by no gradient: outside every total
    std::optional<TensorIndex> tied_head;  // the parameter that is also the output head, if one is
    bool tied_layers = false;              // all layers share one set of weights, which are in no layer's block
    std::optional<Error> unread;           // what of the model is not computed here, so that it cannot run
    Cache cache = Cache::empty;            // what it was expanded for
    std::string guess;                     // a sentence where the family is not verified: as what it computes
    KnownToPeft peft;                      // of its family

    const Tensor* find(std::string_view id) const;  // null where there is none
    const Block* find_block(std::string_view id) const;
    std::vector<std::string_view> tensor_ids() const;
    std::vector<std::string_view> place_ids() const;  // of tensors, then of blocks; the whole model has none

    // How many there are of the block in the whole model, L·h for a head; and how many of them a token passes.
    Expr copies(BlockIndex block) const;
    Expr runs(BlockIndex block) const;
    // The same within one layer; of a block outside of layers, all.
    Expr copies_in_layer(BlockIndex block) const;
    Expr runs_in_layer(BlockIndex block) const;

    // Whether something is kept for the tokens that come next.
    bool remembers() const {
        return std::ranges::any_of(tensors, [](const Tensor& tensor) { return is_kept(tensor.role); });
    }
    // Beside a decoder: then there are two stacks.
    bool has_encoder() const { return !layers.empty() && layers.front().group.kind.encoder; }
    // The input that is no list of ids: an image's patches, or the moments of sound, (rows, columns).
    std::optional<TensorIndex> numbers_read() const;
    // Whether it is one of the layer's sub-blocks, or one of two mixers side by side inside of one.
    bool is_part(BlockIndex block, BlockIndex layer) const;
    // The encoder or the decoder that the block is in; of a model with one stack, the model.
    BlockIndex stack_of(BlockIndex block) const;
    // Whether the tensor has a row for each of an encoder's tokens: made once, before the first of the decoder's.
    bool of_source(TensorIndex tensor) const {
        return tensors[tensor].shape.rank() > 0 && uses(tensors[tensor].shape[0], Symbol::source);
    }
    // How often it is there for a batch: once for each of its texts, or once where it is made of a table alone.
    Expr batch_of(TensorIndex tensor) const {
        return is_of_distances(tensors[tensor].part) ? Expr(1) : Expr(Symbol::batch);
    }
    // Whether it was made with the first of the decoder's tokens, and this pass only reads it.
    bool made_before(const Node& node) const { return cache == Cache::filled && of_source(node.output); }
    // Whether the node reads this input from outside of its layers' block as the residual stream, which there is that
    // of the layer before; or what the last layer of a stack has left.
    bool reads_stream(const Node& node, TensorIndex input) const;
    // Whether it is made before the layers, and read by them beside the stream.
    bool is_for_all_layers(TensorIndex tensor) const;
    bool reads_last_layer(const Node& node, TensorIndex input) const;
    // Which of `layers` the block is in, and which of them has layers of this kind.
    std::optional<std::size_t> layer_of(BlockIndex block) const;
    std::size_t group_of(const LayerKind& kind) const;
    // Which of them reads a parameter that files have in its layers.
    std::optional<std::size_t> layer_in_files(const Tensor& tensor) const;
    // The first of `layers` that reads what several share, and is in none; nothing of all other tensors.
    std::optional<std::size_t> first_sharing(const StoredTensor& stored) const;
    // How many layers have the block, as a formula: 1 of one outside of layers.
    Expr layers_with(BlockIndex block) const;
    // Of the layers in question the largest group, which views show where one has to stand for all: the block "layer".
    const LayerBlock& main_layer() const;
    bool inside(BlockIndex block, BlockIndex ancestor) const;
    bool is(BlockIndex block, BlockKind kind) const { return blocks[block].kind == kind; }
    bool within(BlockIndex block, BlockKind kind) const;  // or it is of that kind itself
    // The tensor that leaves the layers of a group, which is what came in where none of their operations is known, and
    // what stands before all layers of a stack.
    TensorIndex last_of(std::size_t group) const;
    TensorIndex before_layers(BlockIndex stack) const;

    // The node's parameter that is this; nothing where it has none.
    std::optional<TensorIndex> parameter_of(const Node& node, Part part) const;
    // The node that makes this tensor; null for parameters and inputs.
    const Node* producer(TensorIndex tensor) const;
    // The first node of this op in the model, or in a block; null where there is none.
    const Node* first(Op op, std::optional<BlockIndex> block = {}) const;
    // What scores are multiplied by where it is not 1/√(score_terms() · d_h).
    std::optional<double> own_score_factor() const;
    // Of how many products scores are said to be the sum: 1 but where distances are compared, too.
    std::int64_t score_terms() const;
    // Where heads stand side by side in this tensor, what one of them takes of it or puts there; else nothing, as of
    // latent attention, where keys and values of a head stand beside each other.
    std::optional<TensorIndex> one_head_of(TensorIndex tensor) const;
    // The product with weights that this tensor is made by, or made from along first inputs; null where there is none.
    const Node* product_behind(TensorIndex tensor) const;
    // Of scores: the keys and queries of distances among its inputs.
    std::vector<TensorIndex> distance_sides(const Node& scores) const;
};

// Kinds of layers that are built alike, in `layers`, and how many layers they are together.
struct LayerLook {
    std::vector<std::size_t> kinds;
    std::int64_t count = 0;
};
// In the order of their first kinds.
std::vector<LayerLook> looks_of(const ModelGraph& graph);

// Expands an architecture. Costs the number of different blocks, not the number of layers. The architecture must be
// valid (core/arch/validate.hpp).
ModelGraph expand(const Architecture& arch, Cache cache = Cache::empty);
// As if its family said that it computes so.
ModelGraph expand(const Architecture& arch, const Computation& computation, Cache cache);
// For a pass with this input, which reads a cache where there is something in it.
ModelGraph expand(const Architecture& arch, const Input& input);

// "32 heads of 128" from "{h} heads of {d_h}"; what has no value stays a symbol.
std::string filled_in(std::string_view meaning, const Bindings& bindings);

}  // namespace headcount
