// Puts a graph together: the tool with which each sub-block's file describes itself.
#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace headcount {

// What a new tensor is, all but its place.
struct TensorSpec {
    std::string_view name;  // last part of its id: "queries"
    Part part;
    Component component;
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
    Component component;
    std::string_view label;   // "Query projection"
    std::string_view symbol;  // "W_q"
    std::string_view bias_symbol;
    Expr inputs, outputs;
    bool bias;
    std::string_view meaning;
};

class GraphBuilder {
  public:
    GraphBuilder();

    // Nodes and tensors that follow belong to this block until `close`.
    void open(std::string_view name, Expr repeat = 1);
    void close();

    TensorIndex tensor(const TensorSpec& spec);
    TensorIndex parameter(std::string name, const TensorSpec& spec);

    // A node; returns its output.
    TensorIndex node(Op op, std::vector<TensorIndex> inputs, std::vector<TensorIndex> parameters,
                     const TensorSpec& output);

    // input · W (+ b)
    TensorIndex linear(TensorIndex input, const LinearSpec& spec, const TensorSpec& output);

    // A norm with the parameters that `norm` has, (dim) each. `name` is both the block's prefix and the output's name.
    TensorIndex norm(TensorIndex input, const Norm& norm, std::string_view name, Part part, std::string_view label);

    ModelGraph graph;

  private:
    BlockIndex current_ = 0;
};

// The parts of the model, each in its own file. Each takes the residual stream and returns what it makes of it.
TensorIndex build_embedding(GraphBuilder& builder, const Architecture& arch);  // (T, d)
TensorIndex build_attention(GraphBuilder& builder, const Architecture& arch, TensorIndex stream,
                            Cache cache);                                                             // (T, d)
TensorIndex build_feed_forward(GraphBuilder& builder, const Architecture& arch, TensorIndex stream);  // (T, d)
void build_output(GraphBuilder& builder, const Architecture& arch, TensorIndex stream);               // (T, V)

// The checkpoint's tensors, from the family's module tree: graph.stored.
void build_checkpoint(ModelGraph& graph, const Architecture& arch);

}  // namespace headcount
