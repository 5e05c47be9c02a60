// Puts a graph together: the tool with which each sub-block's file describes itself.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/graph/graph.hpp"

namespace headcount {

// What a new tensor is, all but its place.
struct TensorSpec {
    std::string_view name;  // last part of its id: "queries"
    Part part;
    std::string_view label;
    std::string_view symbol;
    Shape shape;
    std::string_view meaning;
    Role role = Role::activation;
    bool view = false;
};

// A linear layer's parameters: (inputs, outputs) and, where there is one, its bias (outputs).
struct LinearSpec {
    std::string_view name;  // "query": its parameters become query.weight and query.bias
    Part part;
    std::string_view label;   // "Query projection"
    std::string_view symbol;  // "W_q"
    std::string_view bias_symbol;
    Expr outputs;
    bool bias;
    std::string_view meaning;
};

// What it makes.
struct LinearOutput {
    std::string_view name, label, symbol, meaning;
};

// A norm of the rows of `width` numbers, or of each head's columns in them.
struct NormSpec {
    std::string_view name;  // its parameters become name.weight and name.bias
    Part part;
    std::string_view label;
    std::string_view output = {};  // the name of what it makes; `name` where empty
    std::string_view symbol = "X_n";
    Expr width = Symbol::dim;
    std::optional<Shape> weights = {};  // (width) where not given
    std::string_view output_label = {};
    bool of_each_head = false;              // each head's columns by themselves
    std::optional<double> own_offset = {};  // added to its weights; the model's where not given
    NormRule::Over over = NormRule::Over::row;
    std::optional<ByLayer> times = {};  // what all is multiplied by in the end
    bool epsilon_least = false;         // the mean of squares is at least epsilon
};

class GraphBuilder {
  public:
    GraphBuilder(const Architecture& arch, const Computation& computation);

    // Nodes and tensors that follow belong to this block until `close`.
    void open(BlockKind kind, std::string_view name, const Expr& repeat = 1) { open(kind, name, repeat, repeat); }
    void open(BlockKind kind, std::string_view name, Expr repeat, Expr runs);
    void close();

    TensorIndex tensor(const TensorSpec& spec) { return parameter(std::string(spec.name), spec); }
    TensorIndex parameter(std::string name, const TensorSpec& spec);

    const Shape& shape(TensorIndex index) const { return graph.tensors[index].shape; }

    // A node; returns its output.
    TensorIndex node(Op op, std::vector<TensorIndex> inputs, std::vector<TensorIndex> parameters,
                     const TensorSpec& output, Attributes attributes = {});

    // input · W (+ b): of (rows, inputs) it makes (rows, outputs).
    TensorIndex linear(TensorIndex input, const LinearSpec& spec, const LinearOutput& output, LinearRule rule = {});
    std::optional<TensorIndex> bias(const LinearSpec& spec);

    // A parameter that is stored, and read by no node.
    TensorIndex idle(std::string name, const TensorSpec& spec);

    // With the parameters that `norm` has. The output has the input's shape.
    TensorIndex norm(TensorIndex input, const Norm& norm, const NormSpec& spec);

    const Architecture& arch;
    ModelGraph graph;
    const Computation& computation;
    // What the family says of this architecture.
    const std::vector<Extra> besides;
    const std::optional<SharedLayer> shared;
    const std::optional<DistanceTable> distances;
    const std::optional<FirstConvolution> convolution;
    const std::optional<std::int64_t> gated_distances;
    Component component = Component::embedding;  // of what follows, but for norms
    Expr rows = Symbol::tokens;                  // of the stack that is being built
    std::int64_t layer = 0;                      // the first of the kind that is being built

    std::optional<TensorIndex> embedded = {};  // (T, d): the tokens' rows, for layers that read them beside the stream
    std::optional<TensorIndex> first_values = {};  // (T, h_s·d_s): some of which later layers take

    // The residual stream's shape: (T, d), or (S, d).
    Shape stream() const { return {rows, Symbol::dim}; }

    // While what layers share is built: which set of weights this layer has, whether others have it too, and the
    // columns of the layer's own narrow ways beside those, where it has any.
    struct Sharing {
        std::int64_t set = 0;
        bool once = true;
        std::optional<Expr> rank = {};
        bool attention = false;
    };
    std::optional<Sharing> sharing = {};

    // The narrow way beside a matrix which layers share: input · A, (rows, r), and made + that · B. (Hu et al. 2021)
    struct Narrow {
        std::string_view down;  // its first parameter becomes down.weight
        Part down_part;
        std::string_view up, sum;  // its second up.weight; what both make
        Part up_part;
        std::string_view shared, own;  // symbols of what the shared matrix makes, and the layer's own
    };
    TensorIndex narrow(TensorIndex input, const Narrow& way);
    TensorIndex adapt(TensorIndex made, TensorIndex narrowed, const Narrow& way);

  private:
    BlockIndex current_ = 0;
    std::map<std::string, TensorIndex> shared_;  // by set and place in a layer
};

// What tells one layer's build from another's.
struct LayerBuild {
    LayerKind kind;
    Cache cache;
    std::optional<TensorIndex> memory = {};     // (S, d): what an encoder made, for the decoder to look at
    std::optional<TensorIndex> relative = {};   // (n_b, h): of relative positions
    std::optional<TensorIndex> own = {};        // (T, L·p): what layers have of the tokens by themselves
    std::optional<TensorIndex> distances = {};  // (rows, d): of the table of distances
};

// The parts of the model, each in its own file. A sub-block takes what its norm made of the residual stream, (T, d),
// and returns what is to be added to it, (T, d).
TensorIndex build_table(GraphBuilder& builder);
// The rows of the first layer from an image or from sound, in the place of embedded tokens.
TensorIndex build_patches(GraphBuilder& builder);
TensorIndex build_sound(GraphBuilder& builder);
TensorIndex add_registers(GraphBuilder& builder, TensorIndex stream);
TensorIndex build_position_convolutions(GraphBuilder& builder, TensorIndex stream);
// What is stored with these, and not read.
void build_mask_row(GraphBuilder& builder);
void build_pooling_head(GraphBuilder& builder);
TensorIndex build_embedding(GraphBuilder& builder, std::optional<TensorIndex> table);
TensorIndex build_layer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream);
TensorIndex build_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input);
TensorIndex build_cross_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input);
TensorIndex build_latent_attention(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input);
TensorIndex build_attention_of(GraphBuilder& builder, const LayerBuild& layer, TensorIndex input);  // one of these
TensorIndex build_recurrence(GraphBuilder& builder, const LayerKind& kind, TensorIndex input);
TensorIndex build_short_convolution(GraphBuilder& builder, TensorIndex input);
TensorIndex build_weighted_mean(GraphBuilder& builder, TensorIndex input);
TensorIndex build_linear_recurrence(GraphBuilder& builder, TensorIndex input);
TensorIndex build_receptance(GraphBuilder& builder, const LayerKind& kind, TensorIndex input);
TensorIndex build_feed_forward(GraphBuilder& builder, const LayerKind& kind, TensorIndex input);
// What is blended of a row and the one before, and what the share is called; `made`, (rows, columns), is added to it.
struct BlendWords {
    std::string_view name;  // its parameter becomes name.weight
    Part part;
    std::string_view label, symbol, output, output_symbol;
};
TensorIndex build_blend(GraphBuilder& builder, TensorIndex input, const BlendWords& words,
                        std::optional<TensorIndex> made = {});
// What heads with a state read, back on the residual stream.
TensorIndex project_state_back(GraphBuilder& builder, TensorIndex from);
// The last row, with which the next one is blended: a state.
void keep_last_row(GraphBuilder& builder, TensorIndex input, Part part);
// What `build` makes of the input blended with the row before, as far as a gate lets it through, where there is one
// (RWKV).
using FeedForwardOf = std::function<TensorIndex(TensorIndex)>;
TensorIndex build_let_through(GraphBuilder& builder, TensorIndex input, const FeedForwardOf& build);
// `routed` is what the router reads.
TensorIndex build_mixture(GraphBuilder& builder, const LayerKind& kind, TensorIndex input, TensorIndex routed);
// What a mixer reads in the place of the stream: with what a transformer's layer makes of it and of the embedded
// tokens, whose weights layers share.
TensorIndex add_shared(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream);
// What layers have of the tokens by themselves, (T, L·p), from the embedded ones.
TensorIndex build_layer_embedding(GraphBuilder& builder, TensorIndex stream);
// And what a layer makes of its part of these, (T, d), as much of it as `stream` lets in.
TensorIndex build_own(GraphBuilder& builder, TensorIndex own, TensorIndex stream);
// Several copies of the stream side by side, (T, n_x·d), of one; the mean, (T, d), of all, each but the first brought
// back by a matrix; and a layer: `layer` computes the first copy, (T, d) to (T, d), and what `own` makes of the
// corrected first, (T, d), is added to the others, where it is not empty.
TensorIndex build_copies(GraphBuilder& builder, TensorIndex stream);
TensorIndex join_copies(GraphBuilder& builder, TensorIndex stream);
using LayerOf = std::function<TensorIndex(TensorIndex)>;
using OwnOf = std::function<TensorIndex(TensorIndex)>;
TensorIndex build_layer_of_copies(GraphBuilder& builder, TensorIndex stream, const LayerOf& layer, const OwnOf& own);
void build_output(GraphBuilder& builder, TensorIndex stream);      // (T, V), or of a classifier (1, n_y)
void build_classifier(GraphBuilder& builder, TensorIndex stream);  // the latter

// What a convolution over the last tokens is called, what it makes, and what it keeps for the next ones.
struct ConvolutionWords {
    std::string_view name;  // its parameters become name_convolution.weight and name_convolution.bias
    Part part;
    std::string_view filter_label;
    std::string_view convolved, convolved_label, convolved_symbol;
    std::string_view tail, tail_label, tail_symbol;
};

// Each column over the last {K} tokens; and a state of what the convolution of later tokens needs of it.
TensorIndex build_convolution(GraphBuilder& builder, const ConvolutionWords& words, TensorIndex from);

// "state_space", "linear_attention": of the block that such a mixer is.
std::string_view block_name(RecurrenceKind kind);

// What is said of every cache that no window ends.
inline constexpr std::string_view kept_meaning = "kept, so that later tokens need not compute it again";

// What the kinds of attention share. How many tokens' keys the queries of this pass meet, P + T or what a window leaves
// of it:
Expr tokens_seen(const LayerBuild& layer);
// And which of them each looks at.
Mask mask_of(const Architecture& arch, const LayerKind& kind);
// The columns of every head that position turns: `head` columns apart, `columns` from `first` on.
Rotation rotation_of(const GraphBuilder& builder, const LayerKind& kind, const Expr& head, const Expr& first,
                     const Expr& columns);

// One head's share of queries (T, d_h), keys (seen, d_h) and values (seen, columns), and which keys a query meets.
struct HeadInputs {
    TensorIndex queries = 0, keys = 0, values = 0;
    Mask mask;
    std::optional<TensorIndex> sinks = {};
    std::optional<TensorIndex> chosen = {};   // (T, seen): the keys that each query looks at, where not all
    std::vector<TensorIndex> distances = {};  // (rows, d_h): the head's keys of distances, its queries of them, or both
    std::optional<TensorIndex> distance_gate = {};  // (T, 1)
};

// Softmax(Q·Kᵀ / √d_h)·V of one head, (T, columns), into the block that is open.
TensorIndex weigh_and_mix(GraphBuilder& builder, const LayerBuild& layer, const HeadInputs& head, const Expr& columns);

// The heads' (T, columns) side by side, (T, h·columns), where there is a gate times its sigmoid, through the output
// projection to (T, d).
TensorIndex join_and_project(GraphBuilder& builder, TensorIndex head, const Expr& columns,
                             std::optional<TensorIndex> gate = {});

// Of heads in pairs: values, with those of the head half as many further on beside each head's own; and what the second
// half of the heads found, (T, 2·h·columns), taken from what the first half did, (T, h·columns).
TensorIndex pair_values(GraphBuilder& builder, TensorIndex values, const Expr& columns);
TensorIndex subtract_pairs(GraphBuilder& builder, TensorIndex joined, const Expr& columns);

// What is added to scores for the distance between tokens, (n_b, h), where the architecture has that: in each layer of
// a stack, or in that which is open.
std::optional<TensorIndex> build_distances(GraphBuilder& builder);

// The rows of distances, (rows, d), that all layers of a stack make keys and queries of, where the family has a table.
std::optional<TensorIndex> build_distance_rows(GraphBuilder& builder);

// What the first layer has made, (T, d), with what a convolution makes of what entered it.
TensorIndex add_first_convolution(GraphBuilder& builder, TensorIndex entering, TensorIndex made);

// One trained score a head that takes weight away (Xiao et al. 2024), (h), where the architecture has them.
std::optional<TensorIndex> build_sinks(GraphBuilder& builder);

// What the family's models have besides: in layers of this group, or outside of layers (null).
void build_besides(GraphBuilder& builder, const LayerGroup* layer);
// And what a file holds beside its text part: tower and connector, by name and shape.
void build_senses(GraphBuilder& builder);

// The checkpoint's tensors, from the family's module tree: graph.stored and graph.buffers.
void build_checkpoint(ModelGraph& graph, const Architecture& arch);

// Whether transformers 5 has what lives there as a linear layer: a router's class has a bare parameter, and one
// parameter has all experts', however files store them.
bool is_linear(const ModelGraph& graph, const Module& module, const Tensor& tensor);

}  // namespace headcount
