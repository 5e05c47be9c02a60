// The table of operations: of each its names, its equation, and what follows from what it is for arithmetic, traffic
// and training. Who asks what a node is, asks here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/formula.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// What the backward pass of an operation reads of the forward pass, weights apart.
enum class KeptForTraining { nothing, first_input, inputs, output, all };

// What an operation does to memory where attention is fused.
enum class Moves {
    all,      // reads its inputs and parameters, writes its output
    rows,     // the same, and of its table only the rows that are looked up
    on_chip,  // its output never leaves the processor
    nothing,  // only shows what is there
    cache,    // writes new rows into what is remembered
    state,    // the same of its inputs, and reads and writes all of what is remembered
};

struct OpInfo {
    Op op;
    std::string_view key;     // "masked_softmax": in files
    std::string_view name;    // "Softmax under a mask"
    bool multiplies = false;  // matrices: two floating-point operations a cell and inner column
    Moves moves = Moves::all;
    KeptForTraining kept = KeptForTraining::nothing;
    bool of_pairs = false;   // its output has a row for each query and a column for each key
    std::string_view words;  // of its explanation, before what is added up: empty where the numbers say more
    Formula (*formula)(const ModelGraph& graph, const Node& node);
};
const OpInfo& info(Op op);

// Which keys queries look at, of an operation on pairs of both: what it says itself, or the softmax of its head does.
// Null of all others.
const Mask* mask_over(const ModelGraph& graph, const Node& node);

// "X_n = X / √(mean(X²) + 1e-05) ⊙ g": a node's output, and what it is.
struct Equation {
    TensorIndex left = 0;
    Formula right;
    std::vector<std::string> where = {};  // sentences that say what a name in it means: "RoPE turns ..."
};
Equation equation_of(const ModelGraph& graph, const Node& node);
std::vector<std::string> sentences_of(const ModelGraph& graph, const Node& node);

}  // namespace headcount
