// What is to happen to rows that a node has made: done where they are.
#include <algorithm>
#include <cassert>

#include "core/runtime/kernels.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

void regroup(const Value& made, const Regrouping& how) {
    const std::int64_t width = made.columns / how.heads;
    assert(width * how.heads == made.columns);
    std::vector<float> all(static_cast<std::size_t>(made.rows * made.columns));
    // Where the number lies that is taken for the one of this row and column.
    const auto taken = [&](std::int64_t row, std::int64_t column) {
        const std::int64_t head = column / width, i = column % width;
        if (how.as == Regrouping::As::heads_first) return (head * made.rows + row) * width + i;
        if (how.as == Regrouping::As::columns_first) return row * made.columns + i * how.heads + head;
        const std::int64_t turned = i * made.rows + row;
        return turned / width * made.columns + head * width + turned % width;
    };
    const auto each_cell = [&](const auto& work) {
        for (std::int64_t row = 0; row < made.rows; ++row)
            for (std::int64_t column = 0; column < made.columns; ++column)
                work(made.row(row)[column], static_cast<std::size_t>(row * made.columns + column),
                     static_cast<std::size_t>(taken(row, column)));
    };
    each_cell([&](float cell, std::size_t here, std::size_t there) { all[how.back ? there : here] = cell; });
    each_cell([&](float& cell, std::size_t here, std::size_t there) { cell = all[how.back ? here : there]; });
}

}  // namespace

void Run::change(const Value& made, TensorIndex tensor, const Made& of) {
    const std::int64_t layer = facts_[tensor].group ? layer_ : 0;
    const std::int64_t chosen = of.sorted ? model_->architecture.layer.mixture->experts_per_token : 1;
    for (const NodeChange& change : changes_) {
        if (change.tensor != tensor || change.layer != layer || change.copy != of.copy) continue;
        if (change.regrouping) regroup(made, *change.regrouping);
        // Of rows that stand behind others, and of columns the first of which are left out.
        const std::int64_t from = std::max<std::int64_t>(0, change.first_column - of.first_column);
        const std::int64_t to = std::min(made.columns, change.first_column + change.columns - of.first_column);
        for (std::int64_t row = 0; row < made.rows; ++row) {
            const std::int64_t at = of.first_row + row;
            const std::int64_t token = cached_ + (of.sorted ? token_of_[static_cast<std::size_t>(at)] / chosen : at);
            if (change.token.value_or(token) != token) continue;
            const auto own = change.rows.find(token);
            const std::vector<float>& other = own != change.rows.end() ? own->second : change.row;
            float* const cells = made.row(row);
            const std::int64_t first = of.mask ? std::max(from, of.mask->first_visible(token) - of.first_column) : from;
            const std::int64_t end =
                of.mask ? std::min(to, of.mask->end_visible(token, of.first_column + made.columns) - of.first_column)
                        : to;
            for (std::int64_t i = first; i < end; ++i) {
                const std::int64_t there = of.first_column + i - change.first_column;
                if (change.number) cells[i] = *change.number;
                if (there < std::ssize(other)) cells[i] = other[static_cast<std::size_t>(there)];
                if (change.factor) cells[i] = *change.factor == 0 ? 0 : *change.factor * cells[i];
                if (change.rounded) cells[i] = as_bfloat16(cells[i]);
            }
        }
    }
}

}  // namespace headcount
