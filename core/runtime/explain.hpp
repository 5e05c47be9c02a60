// Where a number of a run comes from: its formula with every operand's real number, each of which is a cell again, down
// to a token's embedding or a weight. Computed anew from the kept activations, in doubles; for one cell at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/model.hpp"

namespace headcount {

class Run;

// A number of a model or of its run. `copy` is the head; of an expert's parameter the expert, of what experts make
// which of the token's k it is. A vector has one row.
struct CellAt {
    TensorIndex tensor = 0;
    std::int64_t layer = 0, copy = 0, row = 0, column = 0;

    bool operator==(const CellAt&) const = default;
};

// What `explain` reads: a run that kept all activations, or whatever holds the same numbers.
struct RunNumbers {
    const Model* model = nullptr;
    std::span<const std::int32_t> ids;                                                         // (tokens)
    std::function<MatrixView(TensorIndex, std::int64_t layer, std::int64_t copy)> activation;  // as Run has it
    std::function<std::span<const std::int32_t>(std::int64_t layer, bool encoder)> experts;    // as Run has it
    std::span<const std::int32_t> types = {};   // (tokens), of what kind each is; empty: all 0
    std::span<const std::int32_t> source = {};  // (source tokens), where there is an encoder beside the decoder

    // A row that is turned as if its token stood elsewhere: see core/runtime/turned.hpp.
    struct Standing {
        TensorIndex tensor = 0;
        std::int64_t layer = 0, row = 0, position = 0;
    };
    std::optional<Standing> standing = {};

    // A parameter or an activation; without data where it is not there.
    MatrixView matrix(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const;
    std::optional<float> value(const CellAt& cell) const;
};
RunNumbers numbers_of(const Run& run);

// A number that a formula reads.
struct Operand {
    std::string name;  // "X_n[5, 75]", "cos 0.35": underscores and carets are sub- and superscripts
    double value = 0;
    std::optional<CellAt> cell = {};  // where it stands; nothing: a constant
};

// One of the numbers that are added up: the product of its factors, or a function of the first.
struct Term {
    std::int64_t index = 0;  // k of X[5, k]
    std::vector<Operand> factors;
    double value = 0;
    std::string name = {};  // in place of its index; empty: none
};

// What becomes of the sum, one step after the other.
struct AfterSum {
    std::string text;               // "over the root of 16"
    std::vector<Operand> operands;  // that it reads besides
    double value = 0;               // then
};

struct Explanation {
    CellAt cell;      // that was asked for
    CellAt of;        // the same number where it is made: another cell where `cell` only shows it (a head's columns)
    double kept = 0;  // as the run has it
    bool masked = false;    // nobody reads it: a pass may have it or not
    std::string what;       // "sum over 96 inputs of"
    std::string formula;    // "X_n[5, k] · W_q[k, 17]"
    std::string index;      // what the terms are numbered by: "k", "j", "expert"; empty where they are not
    bool products = false;  // each term is the product of its factors; else a function of the first one
    std::vector<Term> terms;
    std::vector<std::size_t> largest;  // places in `terms`, by the size of their values, the largest first
    double sum = 0;
    std::vector<AfterSum> after;
    double result = 0;  // computed anew; equals `kept` up to rounding
};

// Where a number is made that others only show, and by which node; null of a parameter.
std::pair<CellAt, const Node*> made_at(const RunNumbers& numbers, const CellAt& cell);

// Errors: a cell that is not there, or an operand that this run has not kept.
Result<Explanation> explain(const RunNumbers& numbers, const CellAt& cell);

// A cell's matrix: "Q", and of what a layer leaves on the residual stream "X^(2)", where the graph, in which one layer
// stands for all, has "X^(i+1)".
std::string symbol_text(const ModelGraph& graph, const CellAt& cell);

// "Q[5, 17]"; of a vector "w[17]".
std::string cell_name(const ModelGraph& graph, const CellAt& cell);

// "-0.412", "2.250", "1.2e-05": as cells are written.
std::string cell_text(double value);

}  // namespace headcount
