// What can go wrong in a transformer that is written by hand, as changed copies of a model: each mistake a row with its
// name, a sentence, and what it does to the graph, the weights or the run. Each function lists those that this model
// could have.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/changes.hpp"
#include "core/runtime/model.hpp"

namespace headcount {

// A model with mistakes in it.
struct Mutant {
    Model model;
    std::vector<NodeChange> changes = {};
    std::int64_t tokens = 0;   // that it is to read
    bool own_weights = false;  // the weights are a copy that may be written to
    bool takes_apart = false;  // queries, keys and values in another way: what makes all three at once is as it was
    // What stands where a tensor was: what a part that is left out read; nothing where it means something else now.
    std::map<TensorIndex, std::optional<TensorIndex>> stands_for = {};
    // What becomes of a token's logits before they are written down.
    std::function<void(std::span<float> logits)> logits = {};
};

struct Mutation {
    std::string name;                   // "rope-neighbours"
    std::string says;                   // "RoPE turns neighbouring columns, where the model turns halves"
    std::string about;                  // of what: two mistakes about the same are not made at once
    std::function<bool(Mutant&)> make;  // false where it cannot be made, of a mutant with others
};

using Mutations = std::vector<Mutation>;

void add_rope_mutations(const Model& model, Mutations& all);
void add_attention_mutations(const Model& model, Mutations& all);  // scores and their softmax
void add_mask_mutations(const Model& model, Mutations& all);
void add_distance_mutations(const Model& model, Mutations& all);
void add_head_mutations(const Model& model, Mutations& all);  // how heads are taken apart and put together
void add_norm_mutations(const Model& model, Mutations& all);
void add_stream_mutations(const Model& model, Mutations& all);        // what stands where on the residual stream
void add_feed_forward_mutations(const Model& model, Mutations& all);  // and residuals
void add_position_mutations(const Model& model, Mutations& all);
void add_end_mutations(const Model& model, Mutations& all);    // embedding, logits
void add_layer_mutations(const Model& model, Mutations& all);  // the layers as a list
void add_mixture_mutations(const Model& model, Mutations& all);
void add_weight_mutations(const Model& model, Mutations& all);      // transposed, reshaped, without bias
void add_projection_mutations(const Model& model, Mutations& all);  // which matrix makes queries, keys and values

// All of them, the likelier ones first.
Mutations mutations_of(const Model& model);

// What the rows are made of.

// "attention.queries" of "layer.attention.queries": the same in all kinds of layers.
std::string local_name(const ModelGraph& graph, TensorIndex tensor);
// Calls work(node) for every node of this op.
template <class Graph, class Work>
void each_node(Graph& graph, Op op, const Work& work) {
    for (auto& node : graph.nodes)
        if (node.op == op) work(node);
}
// Calls change(each) of all of them; true where it says of one that it changed something.
template <class All, class Change>
bool change_each(All&& all, const Change& change) {
    bool changed = false;
    for (auto& each : all) changed = change(each) || changed;
    return changed;
}
template <class Graph, class Change>
bool change_nodes(Graph& graph, Op op, const Change& change) {
    return change_each(graph.nodes, [&](auto& node) { return node.op == op && change(node); });
}
// A change of what stands on every node of this op: change(rule, node), true where it changes something.
template <class Rule, class Change>
std::function<bool(Mutant&)> on_rules(Op op, Change change) {
    return [op, change](Mutant& mutant) {
        return change_nodes(mutant.model.graph, op, [&](Node& node) {
            return change(std::get<Rule>(node.attributes), static_cast<const Node&>(node));
        });
    };
}
// Whoever reads `from` reads `to` instead.
void redirect(ModelGraph& graph, TensorIndex from, TensorIndex to);
// What two nodes do, in the other order: each keeps what it reads and makes.
void exchange(Mutant& mutant, Node& first, Node& second);
// Takes the parameters from those of this op's nodes; true where one had any.
bool without_parameters(Mutant& mutant, Op op, const std::function<bool(const Node&)>& which);
// Leaves nodes out: what they read takes the place of what they make. True where there was one.
bool leave_out(Mutant& mutant, const std::function<bool(const Node&)>& which);
// A node behind the one that makes the tensor, with an output as that is, which is returned; whoever has read the
// tensor reads that.
TensorIndex put_behind(Mutant& mutant, TensorIndex tensor, Node node);
// What divides rows by their length, or so many columns at a time by theirs: to be put behind what makes them.
Node norm_of_length(std::optional<Expr> group = {});
// A node before the first of these that read the tensor, with an output as that is: they read that.
bool put_before(Mutant& mutant, TensorIndex tensor, Node node, const std::function<bool(const Node&)>& readers);
// What stands where the tensor was, however often what took its place was left out, too; nothing where it means
// something else now.
std::optional<TensorIndex> standing_for(const Mutant& mutant, TensorIndex tensor);
// Makes of logits, rows of so many columns, what the mutant writes down.
void write_down(const Mutant& mutant, std::span<float> logits, std::int64_t columns);
// A copy of the weights, once.
bool own_weights(Mutant& mutant);
// The first copy that there is of a parameter: shapes are those of all.
MatrixView first_copy(const Model& model, TensorIndex parameter);
// How many columns an activation has; 0 where that depends on the text.
std::int64_t columns_of(const Model& model, TensorIndex tensor);
// How many layers there are; 1 for what is outside of them.
std::int64_t layers_with(const Model& model, TensorIndex tensor);
// The same change of what each of these nodes makes, in every layer.
void change_in_layers(Mutant& mutant, TensorIndex tensor, const NodeChange& change);

}  // namespace headcount
