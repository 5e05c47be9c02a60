// Finds the pairs that a number was turned with, and turns a row anew by the code that turns it in a run.
#include "core/runtime/turned.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "core/runtime/evaluator.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

struct Found {
    CellAt cell;
    std::int64_t position = 0;
    Hand hand;
};

// Nothing of what is not turned by its token's position, or not there.
std::optional<Found> found_hand(const RunNumbers& numbers, const CellAt& shown) {
    const auto made = made_at(numbers, shown);
    const CellAt& cell = made.first;
    const Node* const node = made.second;
    if (!node || node->op != Op::rotate || node->rule<Rotation>().by_head) return std::nullopt;
    const std::optional<TurnedPair> pair = turned_pair(Evaluator(numbers, cell, *node), cell.row, cell.column);
    if (!pair) return std::nullopt;
    const MatrixView before = numbers.matrix(node->inputs.front(), cell.layer, cell.copy);
    const MatrixView after = numbers.matrix(cell.tensor, cell.layer, cell.copy);
    if (!before || !after) return std::nullopt;
    const auto both = [&](const MatrixView& of) {
        return std::array{static_cast<double>(of.at(cell.row, pair->first)),
                          static_cast<double>(of.at(cell.row, pair->second))};
    };
    return Found{cell, pair->position, {pair->pair, pair->step, both(before), both(after)}};
}

// What others show of the moved row, such as one head's columns of it; of whatever else the numbers as they are.
class Showing {
  public:
    Showing(RunNumbers before, const CellAt& at, const MatrixView& moved)
        : before_(std::move(before)), at_(at), moved_(moved) {}

    MatrixView view(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
        const MatrixView own = before_.activation(tensor, layer, copy);
        const auto made = [&](std::int64_t column) {
            return made_at(before_, {tensor, layer, copy, at_.row, column}).first;
        };
        if (!own || layer != at_.layer || own.rows != moved_.rows || made(0).tensor != at_.tensor) return own;
        const auto [found, is_new] = copies_->try_emplace({tensor, copy});
        std::vector<float>& all = found->second;
        for (std::int64_t row = 0; is_new && row < own.rows; ++row)
            for (std::int64_t column = 0; column < own.columns; ++column)
                all.push_back(row == at_.row ? moved_.at(row, made(column).column) : own.at(row, column));
        return {.data = all.data(), .rows = own.rows, .columns = own.columns, .row_step = own.columns};
    }

  private:
    RunNumbers before_;
    CellAt at_;
    MatrixView moved_;
    std::shared_ptr<std::map<std::pair<TensorIndex, std::int64_t>, std::vector<float>>> copies_ =
        std::make_shared<std::map<std::pair<TensorIndex, std::int64_t>, std::vector<float>>>();
};

}  // namespace

std::optional<TurnedHands> turned_hands(const RunNumbers& numbers, const Explanation& said) {
    if (const std::optional<Found> found = found_hand(numbers, said.of))
        return TurnedHands{found->cell, found->position, {found->hand}, {}};
    if (!said.products) return std::nullopt;
    TurnedHands hands;
    for (const Term& term : said.terms) {
        if (term.factors.size() != 2 || !term.factors[0].cell || !term.factors[1].cell) return std::nullopt;
        const std::optional<Found> own = found_hand(numbers, *term.factors[0].cell);
        const std::optional<Found> other = found_hand(numbers, *term.factors[1].cell);
        // Columns that stay as they are stand behind those that are turned, or before them.
        if (!own || !other) continue;
        const auto same = [&](const Hand& hand) { return hand.pair == own->hand.pair; };
        if (std::ranges::any_of(hands.own, same)) continue;
        hands.cell = own->cell;
        hands.position = own->position;
        hands.own.push_back(own->hand);
        hands.other.push_back(other->hand);
    }
    return hands.own.empty() ? std::nullopt : std::optional(std::move(hands));
}

RunNumbers standing_at(const RunNumbers& numbers, const CellAt& turned, std::int64_t position) {
    const auto [cell, node] = made_at(numbers, turned);
    const MatrixView before = node ? numbers.matrix(node->inputs.front(), cell.layer, cell.copy) : MatrixView{};
    const MatrixView after = numbers.matrix(cell.tensor, cell.layer, cell.copy);
    if (!before || !after || node->op != Op::rotate) return numbers;
    const Evaluator sizes(numbers, cell, *node);
    const auto& rule = node->rule<Rotation>();
    RopeTable table(rule.rope, sizes.number(rule.columns));
    table.prepare(rule.of(position) + 1, sizes.tokens());
    const std::int64_t width = sizes.number(rule.head), first = sizes.number(rule.first);
    std::vector<float> row;
    for (std::int64_t column = 0; column < before.columns; ++column) row.push_back(before.at(cell.row, column));
    const auto cells = std::make_shared<std::vector<float>>();
    for (std::int64_t i = 0; i < after.rows; ++i)
        for (std::int64_t column = 0; column < after.columns; ++column) cells->push_back(after.at(i, column));
    float* const to = cells->data() + cell.row * after.columns;
    for (std::int64_t from = 0; from + width <= before.columns; from += width)
        turn_row(rule, table, {rule.of(position), width, first}, row.data() + from, to + from);
    const MatrixView moved{
        .data = cells->data(), .rows = after.rows, .columns = after.columns, .row_step = after.columns};
    RunNumbers there = numbers;
    there.standing = RunNumbers::Standing{cell.tensor, cell.layer, cell.row, position};
    there.activation = [moved, cells, at = cell, shows = Showing(numbers, cell, moved)](
                           TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
        return tensor == at.tensor && layer == at.layer && copy == at.copy ? moved : shows.view(tensor, layer, copy);
    };
    return there;
}

}  // namespace headcount
