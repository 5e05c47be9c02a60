// Attention whose weights follow from more than the first keys of their own row: no model's, but what mistakes leave
// (core/diagnose). All heads and rows at once, of a pass that is the first.
#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "core/runtime/kernels.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

// (heads, rows, keys), with each row on lines of its own.
struct Cube {
    std::int64_t heads = 0, rows = 0, keys = 0, step = whole_lines(keys);
    std::vector<float> cells = std::vector<float>(static_cast<std::size_t>(heads * rows * step));

    Value of(std::int64_t head) { return {cells.data() + head * rows * step, rows, keys, step}; }
    float& at(const std::array<std::int64_t, 3>& place) {
        return cells[static_cast<std::size_t>((place[0] * rows + place[1]) * step + place[2])];
    }
};

bool is_seen(const Mask& mask, std::int64_t row, std::int64_t key, std::int64_t keys) {
    return key >= mask.first_visible(row) && key < mask.end_visible(row, keys);
}

// Calls work(place) for each cell of a line along one side, the place begun with the others.
template <class Work>
void along_line(std::array<std::int64_t, 3> place, std::size_t along, std::int64_t count, const Work& work) {
    for (place[along] = 0; place[along] < count; ++place[along]) work(place);
}

// Weights of scores, line by line: each query's over keys, each key's over queries, or over heads. `sinks` are one for
// each head, or null. A line of which nothing is seen weighs all alike. Of keys that are `chosen` only these are seen.
void weigh(const Mask& mask, Cube& raw, Cube& soft, const float* sinks, const Value& chosen) {
    const std::array<std::int64_t, 3> sides{raw.heads, raw.rows, raw.keys};
    const std::size_t along = mask.sum == Mask::Sum::heads ? 0 : mask.sum == Mask::Sum::queries ? 1 : 2;
    const bool all = mask.sum == Mask::Sum::masked || mask.sum == Mask::Sum::all;
    const auto sees = [&](const std::array<std::int64_t, 3>& place) {
        return all || (is_seen(mask, place[1], place[2], raw.keys) &&
                       (!chosen.data || raw.keys <= mask.chosen || chosen.row(place[1])[place[2]] != 0));
    };
    std::array<std::int64_t, 3> lines = sides, place{};
    lines[along] = 1;
    std::vector<float> line;
    for (place[0] = 0; place[0] < lines[0]; ++place[0])
        for (place[1] = 0; place[1] < lines[1]; ++place[1])
            for (place[2] = 0; place[2] < lines[2]; ++place[2]) {
                line.clear();
                along_line(place, along, sides[along], [&](const auto& each) {
                    if (sees(each)) line.push_back(raw.at(each));
                });
                const bool none = line.empty();
                if (none) line.assign(static_cast<std::size_t>(sides[along]), 0.0f);
                if (mask.sum != Mask::Sum::nothing)
                    kernels::softmax(line.data(), line.data(), std::ssize(line),
                                     sinks && along == 2 ? sinks + place[0] : nullptr);
                auto next = line.begin();
                along_line(place, along, sides[along], [&](const auto& each) {
                    if (none || sees(each)) soft.at(each) = *next++;
                });
            }
}

// Aᵀ, where that can be multiplied with the values in its place.
void turn(const Value& weights) {
    for (std::int64_t row = 0; row < weights.rows; ++row)
        for (std::int64_t key = 0; key < row; ++key) std::swap(weights.row(row)[key], weights.row(key)[row]);
}

// Of each token its heads' queries with its heads' keys, and what comes of their values.
void mix_heads_of_tokens(std::span<const Heads> heads, bool causal, float factor) {
    std::vector<float> weights(heads.size());
    for (std::int64_t row = 0; row < heads.front().queries.rows; ++row)
        for (std::size_t head = 0; head < heads.size(); ++head) {
            const std::size_t seen = causal ? head + 1 : heads.size();
            const Value& queries = heads[head].queries;
            for (std::size_t other = 0; other < seen; ++other) {
                const Value& keys = heads[other].keys;
                weights[other] = 0;
                for (std::int64_t i = 0; i < queries.columns; ++i)
                    weights[other] += factor * queries.row(row)[i] * keys.row(row)[i * keys.column_step];
            }
            kernels::softmax(weights.data(), weights.data(), static_cast<std::int64_t>(seen), nullptr);
            const Value& mixed = heads[head].mixed;
            std::fill_n(mixed.row(row), mixed.columns, 0.0f);
            for (std::size_t other = 0; other < seen; ++other)
                kernels::add(mixed.row(row), heads[other].values.row(row), weights[other], mixed.row(row),
                             mixed.columns);
        }
}

}  // namespace

void Run::run_heads_at_once(const Step& step) {
    assert(cached_ == 0);
    std::vector<Heads> heads;
    for (std::int64_t head = 0; head < plan_.places[step.nodes.front()->output].copies; ++head)
        heads.push_back(open_head(step, head));
    const Heads& first = heads.front();
    const Mask& mask = first.soften->rule<Mask>();
    const std::int64_t rows = first.queries.rows, keys = first.keys.rows;
    if (mask.between_heads)
        return mix_heads_of_tokens(heads, !mask.sees_all(),
                                   static_cast<float>(first.score->rule<ScoreRule>().factor_of(layer_, 0)));
    Cube raw{.heads = std::ssize(heads), .rows = rows, .keys = keys}, soft = raw;
    for (std::int64_t head = 0; head < raw.heads; ++head) {
        const Heads& own = heads[static_cast<std::size_t>(head)];
        const Value scored = raw.of(head);
        meet_keys(own, 0);
        for (std::int64_t row = 0; row < rows; row += block_rows)
            scores(own, {scored.row(row), std::min(block_rows, rows - row), keys, scored.row_step}, row, 0, 0);
        for (std::int64_t row = 0; mask.sum == Mask::Sum::masked && row < rows; ++row)
            for (std::int64_t key = 0; key < keys; ++key)
                if (float& score = scored.row(row)[key]; !is_seen(mask, row, key, keys))
                    score = static_cast<float>(mask.masked_score + (mask.masked_adds ? static_cast<double>(score) : 0));
    }
    weigh(mask, raw, soft, first.soften->parameters.empty() ? nullptr : weight(first.soften->parameters.front()).data,
          first.chosen);
    for (std::int64_t head = 0; head < raw.heads; ++head) {
        const Heads& own = heads[static_cast<std::size_t>(head)];
        const Value weights = soft.of(head);
        for (std::int64_t row = 0; row < rows; ++row) {
            float* const line = weights.row(row);
            for (std::int64_t key = 0; mask.sum == Mask::Sum::all && key < keys; ++key)
                if (!is_seen(mask, row, key, keys)) line[key] = 0;
            if (mask.twice) kernels::softmax(line, line, keys, nullptr);
        }
        for (const auto& [node, made] : {std::pair(own.score, raw.of(head)), std::pair(own.soften, weights)}) {
            if (plan_.places[node->output].memory != PlaceIn::kept) continue;
            const Value kept = at(node->output, plan_.places[node->output], rows, head);
            for (std::int64_t row = 0; row < rows; ++row) std::copy_n(made.row(row), keys, kept.row(row));
        }
        if (mask.turned && rows == keys) turn(weights);
        kernels::multiply({.left = weights.data,
                           .left_step = weights.row_step,
                           .right = {own.values.data, own.values.row_step, 0},
                           .out = own.mixed.data,
                           .out_step = own.mixed.row_step,
                           .rows = rows,
                           .inner = keys,
                           .columns = own.values.columns});
    }
}

}  // namespace headcount
