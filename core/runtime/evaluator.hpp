// What the formula of a node comes to at one cell of a run: worked out from the kept numbers, in doubles.
#pragma once

#include <vector>

#include "core/graph/ops.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

class Evaluator {
  public:
    // Of this cell of what the node makes.
    Evaluator(const RunNumbers& numbers, const CellAt& cell, const Node& node)
        : numbers_(numbers),
          model_(*numbers.model),
          graph_(model_.graph),
          sizes_(bindings(model_.architecture, Input{})),
          cell_(cell),
          node_(node),
          copy_(cell.copy) {}

    double at(const Formula& formula, std::int64_t row, std::int64_t column);

    // Where the number stands that a formula only shows: a tensor's, or a piece of one put elsewhere. Nothing of one
    // that computes.
    std::optional<CellAt> shown(const Formula& formula, std::int64_t row, std::int64_t column);

    // A number under the name of its cell. One that is not there is an error, and 0.
    Operand operand(const CellAt& cell);
    double value(const CellAt& cell);
    bool has(const CellAt& cell) const { return numbers_.value(cell).has_value(); }

    // The columns that a mean goes over, as many as `width`: the group that this column is in.
    struct Group {
        std::int64_t first = 0, width = 1;
    };
    Group group(const Formula& formula, std::int64_t column) const;
    // What a product adds up: the columns of its first matrix from `first` on, times this one of the second.
    struct Summed {
        std::int64_t first = 0, end = 0, column = 0;
    };
    Summed summed(const Formula& formula, std::int64_t row, std::int64_t column) const;
    // Of blocks that are mixed: the columns of the first from `column` on, `step` apart, times those of the second from
    // `share` on, `count` of them.
    struct Blocks {
        std::int64_t count = 0, column = 0, step = 0, share = 0;
    };
    Blocks blocks(const Formula& formula, std::int64_t column) const;
    // Of a mean over rows: the first, and the one behind the last.
    std::pair<std::int64_t, std::int64_t> rows_of_mean(const Formula& formula) const;

    // The experts that a token was sent to, best first.
    std::vector<std::int64_t> experts_of(std::int64_t row);
    std::int64_t type_of(std::int64_t row) const {
        const auto at = static_cast<std::size_t>(row);
        return at < numbers_.types.size() ? numbers_.types[at] : 0;
    }
    // From now on operands are read of this one of heads, or of a token's experts.
    void read_copy(std::int64_t copy) { copy_ = copy; }
    // And of heads that are added up, this one.
    void read_head(std::int64_t head) { head_ = head; }

    std::int64_t number(const Expr& expr) const;
    std::int64_t tokens() const { return static_cast<std::int64_t>(numbers_.ids.size()); }
    // Where the token of a row stands: elsewhere than at its place among the tokens if that was asked for.
    std::int64_t standing(std::int64_t row) const {
        const auto& moved = numbers_.standing;
        const bool here = moved && moved->tensor == node_.output && moved->layer == cell_.layer && moved->row == row;
        return here ? moved->position : row;
    }
    // Tokens that the queries of this head are compared with.
    std::int64_t keys() const {
        const TensorIndex tensor = info(node_.op).of_pairs ? node_.output : node_.inputs.front();
        const Shape& pairs = graph_.tensors[tensor].shape;
        return uses(pairs[1], Symbol::source) ? static_cast<std::int64_t>(numbers_.source.size()) : tokens();
    }
    // One column of this head's state around a token, computed from the first token on.
    struct StateColumn {
        std::vector<double> before, after;
        double found = 0;  // what the token's key had in the state, faded
    };
    StateColumn state_column(const Node& update, std::int64_t token, std::int64_t column);
    // Of what the node itself makes, the cell of the token before.
    CellAt cell_before(std::int64_t row, std::int64_t column) const;
    // How much each row up to this one counts in a mean whose weights fade; they sum to 1.
    std::vector<double> shares(const Formula& formula, std::int64_t row, std::int64_t column);
    // The node that writes the state which this one reads or writes.
    const Node& state_writer() const;
    // Whether each row of its state fades by itself.
    bool fades_by_row(const Node& update) const;

    // Of pairs; the mix has its head's.
    const Mask& mask() const {
        const Mask* const own = mask_over(graph_, node_);
        return own ? *own : graph_.first(Op::masked_softmax, node_.block)->rule<Mask>();
    }
    // Whether the key is one of those that are softened for this query.
    bool softens(const Formula& scores, std::int64_t row, std::int64_t key) {
        return scores.kind != Formula::Kind::where_chosen || at(scores.operands[1], row, key) != 0;
    }
    // Of so many that a query sees how many have a larger score than this key, or as large a one before it.
    std::int64_t better(const Formula& best, std::int64_t row, std::int64_t key);

    const CellAt& cell() const { return cell_; }
    const Node& node() const { return node_; }
    const Model& model() const { return model_; }

    std::optional<Error> error;  // the first operand that is not there

  private:
    CellAt cell_of(TensorIndex tensor, std::int64_t row, std::int64_t column);
    CellAt input(std::size_t index) const;
    std::int64_t table_row(const Formula& table, std::int64_t id) const;
    double average(const Formula& formula, std::int64_t row, std::int64_t column, double less, bool squared);
    double product(const Formula& formula, std::int64_t row, std::int64_t column);
    double turned(const Formula& formula, std::int64_t row, std::int64_t column);
    double mixed_blocks(const Formula& formula, std::int64_t row, std::int64_t column);
    double convolved(const Formula& formula, std::int64_t row, std::int64_t column);
    double faded(const Formula& formula, std::int64_t row, std::int64_t column);
    double weighed(const Formula& formula, std::int64_t row, std::int64_t column);
    double summed_up(const Formula& formula, std::int64_t row, std::int64_t column);
    double read_state(const Formula& formula, std::int64_t row, std::int64_t column);
    double softmax(const Formula& formula, std::int64_t row, std::int64_t column);
    double chosen(const Formula& formula, std::int64_t row, std::int64_t column);
    double over_experts(const Formula& formula, std::int64_t row, std::int64_t column);
    double over_heads(const Formula& formula, std::int64_t row, std::int64_t column);

    const RunNumbers& numbers_;
    const Model& model_;
    const ModelGraph& graph_;
    const Bindings sizes_;
    const CellAt cell_;
    const Node& node_;
    std::int64_t copy_, head_ = 0;
};

// A pair of columns that position turns: the angle, and what its cosine and sine multiply by.
struct TurnedPair {
    std::int64_t first = 0, second = 0, pair = 0, position = 0;
    double angle = 0, step = 0, cosine = 1, sine = 0;
};
// Nothing of a column that is not turned.
std::optional<TurnedPair> turned_pair(const Evaluator& evaluator, std::int64_t row, std::int64_t column);

// What the score of one of a token's experts, the one in this place among them, is divided by to say how much it
// counts: a sum of scores, then what all of the token's have of it.
struct ExpertWeight {
    std::vector<std::int64_t> over;  // the experts whose scores are added up
    double largest = 0;              // of their scores, taken off before the exponential; 0 of a sigmoid
    double sum = 1, used_sum = 1;
};
ExpertWeight expert_weight(const Routing& routing, const std::vector<double>& scores,
                           const std::vector<std::int64_t>& used, std::int64_t which);
// What one score becomes before it is divided.
double opened(const Routing& routing, double score, double largest);

}  // namespace headcount
