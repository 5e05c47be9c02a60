// What the explanations of all ops share: who reads what, and how a cell is named.
#pragma once

#include <string>

#include "core/runtime/explain.hpp"

namespace headcount::explaining {

class Explainer {
  public:
    Explainer(const RunNumbers& numbers, const CellAt& cell)
        : numbers(numbers), model(*numbers.model), graph(model.graph), cell(cell) {}

    const RunNumbers& numbers;
    const Model& model;
    const ModelGraph& graph;
    const CellAt cell;  // that is made
    Explanation out;
    std::optional<Error> error;

    // The matrix that a node reads as its i-th input in this cell's layer and copy: the tensor in question, or, where
    // it comes from outside of the layer, the residual stream. Row and column are those of `cell` until they are set.
    CellAt input(const Node& node, std::size_t index) const;
    CellAt parameter(const Node& node, std::size_t index) const;
    MatrixView matrix(const CellAt& at);
    double value(const CellAt& at);
    Operand operand(const CellAt& at) { return {cell_name(model, at), value(at), at}; }

    std::int64_t tokens() const { return static_cast<std::int64_t>(numbers.ids.size()); }
    std::int64_t number(const Expr& expr) const;
    std::int64_t columns_of(TensorIndex tensor) const { return number(graph.tensors[tensor].shape[1]); }
    std::int64_t expert_of(std::int64_t row, std::int64_t which);
    std::string symbol(const CellAt& at) const { return symbol_text(model, at); }

    // Of scores and their weights: why the one token does not see the other; nothing where it does.
    std::optional<std::string> unseen(const Mask& mask) const;
    // By which the node's head masks its scores.
    const Mask& mask_of(const Node& node) const { return graph.first(Op::masked_softmax, node.block)->rule<Mask>(); }

    void add_product(std::int64_t index, std::vector<Operand> factors);
    void then(std::string text, double value, std::vector<Operand> operands = {});
    void capped(std::optional<double> cap);  // cap · tanh(x / cap), where there is one
    double last() const { return out.after.empty() ? out.sum : out.after.back().value; }

    // Each explains a cell of the node's output.
    void embed(const Node& node);
    void add_positions(const Node& node);
    void norm(const Node& node);
    void weigh(const Node& node, std::int64_t width, std::int64_t columns);
    void linear(const Node& node);
    void rotate(const Node& node);
    void activate(const Node& node);
    void gate(const Node& node);
    void add(const Node& node);
    void scores(const Node& node);
    void masked_softmax(const Node& node);
    void mix(const Node& node);
    void route(const Node& node);
    void combine(const Node& node);

    // Of a node that only shows another's cells: where this one stands there.
    std::optional<CellAt> shown_by(const Node& node) const;
};

// "5, k": a place in a matrix with a letter for what the terms are numbered by.
struct Index {
    Index(std::int64_t number) : text(std::to_string(number)) {}
    Index(const char* letter) : text(letter) {}
    std::string text;
};
std::string place(const std::string& symbol, const Index& row, const Index& column);

}  // namespace headcount::explaining
