// Small heads that choose which keys a token looks at (DeepSeek-AI 2025, DeepSeek-V3.2, section 2.1). Columns of what
// they make are all tokens from the first one on.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/runtime/kernels.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

// Of each head what of its queries' products with the keys is above 0, as much as the head counts for the query.
void Run::index_scores(const Node& node) {
    const Value queries = input(node, 0), keys = input(node, 1), counts = input(node, 2);
    Value& out = output(node, queries.rows, keys.rows);
    out.columns = keys.rows;  // there is room for more
    if (error_) return;
    const Mask& mask = node.rule<Mask>();
    const std::int64_t first = first_seen(mask), end = first + keys.rows;
    const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(counts.columns * keys.columns)));
    const PlaceOf& room = plan_.index_head;
    pool_->run((queries.rows + block_rows - 1) / block_rows, [&](std::int64_t block, int thread) {
        const std::int64_t row = block * block_rows, rows = std::min(block_rows, queries.rows - row);
        const std::int64_t from = mask.first_visible(cached_ + row);
        const std::int64_t last = mask.end_visible(cached_ + row + rows - 1, end);
        float* const met = memory(room.memory) + room.offset + thread * room.copy_step;
        for (std::int64_t i = row; i < row + rows; ++i) std::fill(out.row(i) + first, out.row(i) + end, 0.0f);
        for (std::int64_t head = 0; head < counts.columns; ++head) {
            kernels::multiply({.left = queries.row(row) + head * keys.columns,
                               .left_step = queries.row_step,
                               .right = {keys.row(from - first), keys.column_step, 0},
                               .out = met,
                               .out_step = room.row_step,
                               .rows = rows,
                               .inner = keys.columns,
                               .columns = last - from,
                               .factor = factor});
            for (std::int64_t i = 0; i < rows; ++i) {
                const float share = counts.row(row + i)[head];
                const float* const line = met + i * room.row_step;
                float* const to = out.row(row + i) + from;
                const std::int64_t seen = mask.end_visible(cached_ + row + i, end) - from;
                for (std::int64_t key = 0; key < seen; ++key) to[key] += share * std::max(line[key], 0.0f);
            }
        }
    });
}

// 1 at the best keys that a query may see; of keys that are worth the same the first.
void Run::choose(const Node& node) {
    const Value scores = input(node, 0);
    Value& out = output(node, scores.rows, scores.columns);
    out.columns = scores.columns;
    chosen_ = out;
    if (error_) return;
    const Mask& mask = node.rule<Mask>();
    const std::int64_t first = first_seen(mask), end = first + scores.columns;
    each_row(out.rows, out.columns, [&](std::int64_t row) {
        std::fill(out.row(row) + first, out.row(row) + end, 0.0f);
        mark_best(mask, cached_ + row, end, scores.row(row), out.row(row));
    });
}

void mark_best(const Mask& mask, std::int64_t token, std::int64_t all, const float* scores, float* out) {
    const std::int64_t from = mask.first_visible(token), seen = mask.end_visible(token, all) - from;
    if (seen <= mask.chosen) {
        std::fill_n(out + from, seen, 1.0f);
        return;
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(seen));
    std::iota(order.begin(), order.end(), from);
    const auto worth = [&](std::int64_t key) {
        return std::isnan(scores[key]) ? std::numeric_limits<float>::lowest() : scores[key];
    };
    std::nth_element(order.begin(), order.begin() + mask.chosen, order.end(), [&](std::int64_t a, std::int64_t b) {
        return worth(a) > worth(b) || (worth(a) == worth(b) && a < b);
    });
    for (std::int64_t i = 0; i < mask.chosen; ++i) out[order[static_cast<std::size_t>(i)]] = 1;
}

}  // namespace headcount
