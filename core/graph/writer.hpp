// The walk over a formula that writes it, for both notations, which differ in signs and brackets.
#pragma once

#include "core/graph/written.hpp"

namespace headcount {

class FormulaWriter {
  public:
    // How firmly a formula holds together: what is looser than its surroundings stands in brackets.
    enum class Binding { sums, products, whole };

    FormulaWriter(const ModelGraph& graph, const Node& node, Notation notation)
        : graph_(graph), node_(node), latex_(notation == Notation::latex) {}

    std::vector<WrittenPiece> pieces;

    // What comes from outside of these layers is the residual stream: of the layer before, or of the last.
    void add_tensor(TensorIndex tensor, std::string_view behind = {});
    void add(std::string_view text, std::string_view latex) { add_words(latex_ ? latex : text); }
    void add(std::string_view both) { add_words(both); }

    void write(const Formula& formula, Binding around = Binding::sums);

  private:
    // Neighbours become one piece, but for those that a line may be broken before.
    void add_words(std::string_view words);
    void add_number(double value);
    void add_size(const Expr& size);
    Binding binding(const Formula& formula) const;
    void call(std::string_view name, const std::vector<Formula>& operands);
    void two(const Formula& formula, std::string_view text, std::string_view latex, Binding left, Binding right);
    void write_bare(const Formula& formula);
    void write_over(const Formula& formula);
    void write_within(const Formula& formula);
    void write_columns(const Formula& formula);
    void write_head(const Formula& formula);
    void write_heads(const Formula& formula);
    void write_softmax(const Formula& formula);
    void write_best(const Formula& formula);
    void write_chosen(const Formula& formula);
    void write_over_experts(const Formula& formula);
    void write_row_mean(const Formula& formula);
    void write_inserted(const Formula& formula);
    void write_state(const Formula& formula);
    void write_faded(const Formula& formula);

    const ModelGraph& graph_;
    const Node& node_;
    bool latex_;
    static constexpr std::string_view row_ = "[t]";
};

}  // namespace headcount
