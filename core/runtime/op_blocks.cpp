// The ops that take a row as blocks of columns, or as one: copies of the stream put side by side and mixed, and what is
// above a row's threshold.
#include <algorithm>

#include "core/runtime/row_blocks.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

// Where its columns lie elsewhere, as those of the stream do, which each layer finds at another place, they are copied.
void Run::take_columns(const Node& node) {
    const Value in = input(node, 0);
    const auto& rule = node.rule<ColumnRange>();
    const PlaceOf& place = plan_.places[node.output];
    const Value out = output(node, in.rows, place.columns);
    const std::int64_t first = facts_[node.output].first_column + (rule.by_layer ? layer_ * place.columns : 0);
    if (error_ || out.data == in.data + first * in.column_step) return;
    each_row(in.rows, out.columns,
             [&](std::int64_t row) { std::copy_n(in.row(row) + first, out.columns, out.row(row)); });
}

void Run::beside(const Node& node) {
    std::vector<Value> parts;
    std::int64_t columns = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) columns += parts.emplace_back(input(node, i)).columns;
    const Value out = output(node, parts.front().rows, columns);
    if (error_) return;
    each_row(out.rows, columns, [&](std::int64_t row) {
        float* to = out.row(row);
        for (const Value& part : parts) to = std::copy_n(part.row(row), part.columns, to);
    });
}

void Run::mix_blocks(const Node& node) {
    const Value in = input(node, 0), shares = input(node, 1);
    const std::array<std::int64_t, 2>& blocks = facts_[node.output].blocks;
    const RowBlocks of{.in = blocks[0], .out = blocks[1], .width = in.columns / blocks[0]};
    const Value out = output(node, in.rows, of.out * of.width);
    if (error_) return;
    each_row(out.rows, of.in * out.columns,
             [&](std::int64_t row) { headcount::mix_blocks(of, in.row(row), shares.row(row), out.row(row)); });
}

void Run::magnitude(const Node& node) {
    const Value in = input(node, 0), out = output(node, in.rows, 1);
    if (error_) return;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        *out.row(row) = static_cast<float>(headcount::magnitude(in.row(row), in.columns));
    });
}

void Run::threshold(const Node& node) {
    const Value in = input(node, 0), out = output(node, in.rows, in.columns);
    const double deviations = node.rule<ThresholdRule>().deviations;
    if (error_) return;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        const float* const from = in.row(row);
        const auto bound = static_cast<float>(spread_of(from, in.columns).above(deviations));
        for (std::int64_t i = 0; i < in.columns; ++i) out.row(row)[i] = std::max(from[i] - bound, 0.0f);
    });
}

}  // namespace headcount
