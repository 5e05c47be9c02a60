// Tells how a formula comes to its number: which terms are added up, and what becomes of the sum.
#pragma once

#include "core/runtime/evaluator.hpp"

namespace headcount {

class Teller {
  public:
    explicit Teller(Evaluator& evaluator) : cells_(evaluator) {}

    // The explanation of the evaluator's cell; `cell`, `of` and `kept` are the caller's.
    Explanation tell(const Formula& formula);

  private:
    // Each says how its part of the formula comes about, and leaves the number as the last one told.
    void tell_of(const Formula& formula);
    void tell_leaf(const Formula& formula);
    bool tell_inner_first(const Formula& formula);
    void tell_product(const Formula& formula);
    void tell_products(const Formula& formula);
    void tell_mean(const Formula& formula);
    void tell_mean_of_products(const Formula& formula);
    void tell_mixed_blocks(const Formula& formula);
    void tell_row_mean(const Formula& formula, std::int64_t column);
    void tell_turned(const Formula& formula);
    void tell_softmax(const Formula& formula);
    void tell_heads(const Formula& formula);
    void tell_best(const Formula& formula);
    void tell_chosen(const Formula& formula);
    void tell_experts(const Formula& formula);
    void tell_convolved(const Formula& formula);
    void tell_faded(const Formula& formula);
    void tell_weighed(const Formula& formula);
    void tell_summed_up(const Formula& formula);
    void tell_written_state();
    void tell_read_state(const Formula& formula);
    void tell_pair(const Formula& formula);
    void tell_terms(const Formula& formula);

    double at(const Formula& formula) { return cells_.at(formula, row(), column()); }
    double last() const { return out_.after.empty() ? out_.sum : out_.after.back().value; }
    void add_product(std::int64_t index, std::vector<Operand> factors);
    void then(std::string text, double value, std::vector<Operand> operands = {});

    // A part that adds nothing up, as it is said: "g[5]", "(1 + g[5])", "0.25", "the root of 64"; and what it reads.
    std::string words(const Formula& formula);
    std::vector<Operand> operands(const Formula& formula);
    // The first cell of each matrix that it reads.
    std::vector<Operand> first_operands(const Formula& formula);
    std::vector<Operand> factors(const Formula& formula, std::int64_t row, std::int64_t column);
    // "X_n[5, k]": a place in a matrix with a letter for what the terms are numbered by.
    std::string place(const Formula& formula, const std::string& row, const std::string& column);

    // A number that a node of this head reads; and one of the state after a token.
    Operand cell_of_input(const Node& node, std::size_t index, std::int64_t row, std::int64_t column);
    Operand state_cell(std::int64_t token, std::int64_t row, double value);

    std::int64_t row() const { return cells_.cell().row; }
    std::int64_t column() const { return cells_.cell().column; }
    std::string token() const { return "token " + std::to_string(row()); }

    Evaluator& cells_;
    Explanation out_;
};

}  // namespace headcount
