// Attention: what is remembered, and for each head scores, softmax and mix.
#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include "core/runtime/kernels.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

// New rows behind those of earlier tokens; what is seen of both begins where the window does.
void Run::append_cache(const Node& node) {
    const Value in = input(node, 0);
    const std::int64_t first = first_seen(node.rule<Mask>());
    const bool cross = node.rule<Mask>().kind == Mask::Kind::cross;  // all at once, and not behind others
    Value& seen = output(node, cross ? in.rows : cached_ + in.rows - first, in.columns);
    if (error_) return;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        const float* from = in.row(row);
        float* to = seen.row(row);
        for (std::int64_t column = 0; column < in.columns; ++column) to[column * seen.column_step] = from[column];
    });
    if (!cross) seen.data -= (cached_ - first) * seen.row_step;
}

void Run::keep_window(const Node& node) {
    if (plan_.places[node.output].memory == PlaceIn::state) return keep_tail(node);
    const Value in = input(node, 0);
    const std::int64_t rows = std::min(cached_ + rows_, node.rule<Mask>().size);
    // Of the first tokens of a window that has slid there is one more than is seen.
    output(node, rows, in.columns);
}

// Head i of n: the columns of head i mod n/2, and those of the head n/2 further on.
void Run::pair_heads(const Node& node) {
    const Value read = input(node, 0);
    const std::pair<Value, Value> rows = new_rows(node, read, 2 * read.columns);
    const Value &in = rows.first, &out = rows.second;
    if (error_) return;
    const std::int64_t width = facts_[node.output].group_columns, half = in.columns / 2;
    each_row(in.rows, out.columns, [&](std::int64_t row) {
        for (std::int64_t first = 0; first < in.columns; first += width)
            for (std::int64_t i = 0; i < width; ++i) {
                out.row(row)[2 * first + i] = in.row(row)[first % half + i];
                out.row(row)[2 * first + width + i] = in.row(row)[half + first % half + i];
            }
    });
}

void Run::subtract(const Node& node) {
    const Value from = input(node, 0), taken = input(node, 1);
    const Value out = output(node, from.rows, from.columns);
    if (error_) return;
    std::array<const float*, 4> vectors{};
    for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = weight(node.parameters[i]).data;
    const std::int64_t width = weight(node.parameters.front()).columns;
    const auto share = node.rule<DifferenceRule>().share(vectors, width, layer_);
    each_row(out.rows, out.columns, [&](std::int64_t row) {
        kernels::add(from.row(row), taken.row(row), static_cast<float>(-share.all), out.row(row), out.columns);
    });
}

// Latent attention's keys: each head's own columns, and those that all heads share, of the new tokens.
void Run::put_keys_together(const Node& node) {
    const Value own = input(node, 0), shared = input(node, 1);
    const PlaceOf& place = plan_.places[node.output];
    const std::int64_t width = own.columns / place.copies, own_columns = place.columns - shared.columns;
    const std::int64_t before = own.rows - rows_;
    pool_->run(place.copies, [&](std::int64_t head, int) {
        const Value out = at(node.output, place, own.rows, head);
        for (std::int64_t row = 0; row < rows_; ++row) {
            const float* from = own.row(before + row) + head * width;
            float* to = out.row(row);
            for (std::int64_t i = 0; i < own_columns; ++i) to[i * out.column_step] = from[i];
            from = shared.row(before + row);
            for (std::int64_t i = 0; i < shared.columns; ++i) to[(own_columns + i) * out.column_step] = from[i];
        }
    });
}

// Keys of which nothing is remembered, by columns as heads read them.
void Run::turn_keys(const Node& node) {
    const Value in = input(node, 0);
    const PlaceOf& place = plan_.places[node.output];
    pool_->run(place.owners(), [&](std::int64_t owner, int) {
        const Value out = at(node.output, place, in.rows, place.first_of(owner));
        for (std::int64_t row = 0; row < in.rows; ++row)
            for (std::int64_t i = 0; i < place.columns; ++i)
                out.row(row)[i * out.column_step] = in.row(row)[owner * place.columns + i];
    });
}

Heads Run::open_head(const Step& step, std::int64_t head) const {
    Heads found{.number = head};
    std::array<const Node*, 5> takes{};  // queries, keys, values; of distances keys, queries or both
    std::size_t count = 0;
    for (const Node* node : step.nodes) {
        if (node->op == Op::scores) found.score = node;
        if (node->op == Op::masked_softmax) found.soften = node;
        if (node->op == Op::mix) found.mix = node;
        if (node->op != Op::take_head) continue;
        assert(count < takes.size());
        takes[count++] = node;
    }
    found.take_queries = takes[0];
    found.take_keys = takes[1];
    found.take_values = takes[2];
    // Of what is remembered, all that is seen.
    const std::int64_t before = found.soften->rule<Mask>().remembered(cached_);
    const auto open = [&](const Node& node, std::int64_t rows, std::int64_t back) {
        Value value = at(node.output, plan_.places[node.output], rows, head);
        value.data -= back * value.row_step;
        return value;
    };
    found.queries = open(*found.take_queries, input(*found.take_queries, 0).rows, 0);
    found.keys = open(*found.take_keys, input(*found.take_keys, 0).rows, before);
    found.values = open(*found.take_values, input(*found.take_values, 0).rows, before);
    found.mixed = open(*found.mix, found.queries.rows, 0);
    for (std::size_t i = 3; i < count; ++i) {
        const bool keys = model_->graph.tensors[takes[i]->output].part == Part::relative_key;
        (keys ? found.distance_keys : found.distance_queries) = open(*takes[i], input(*takes[i], 0).rows, 0);
    }
    if (found.soften->inputs.size() > 1) found.chosen = input(*found.soften, 1);
    return found;
}

// The shapes of one head; the others have the same.
void Run::check_head(const Heads& heads) {
    const Value &queries = heads.queries, &keys = heads.keys, &values = heads.values;
    check(heads.take_queries->output, queries.rows, queries.columns);
    check(heads.take_keys->output, keys.rows, keys.columns);
    check(heads.take_values->output, values.rows, values.columns);
    check(heads.score->output, queries.rows, keys.columns == queries.columns ? keys.rows : -1);
    check(heads.soften->output, queries.rows, keys.rows);
    check(heads.mix->output, queries.rows, values.rows == keys.rows ? values.columns : -1);
}

void Run::run_heads(const Step& step) {
    const std::int64_t heads = plan_.places[step.nodes.front()->output].copies;
    for (const Node* node : step.nodes) {
        if (node->op != Op::take_head) continue;
        if (node->inputs.size() == 2) {
            put_keys_together(*node);
        } else if (plan_.places[node->output].column_step != plan_.places[node->inputs.front()].column_step) {
            turn_keys(*node);
        }
    }
    const Heads first = open_head(step, 0);
    check_head(first);
    if (error_) return;
    if (!first.soften->rule<Mask>().by_row()) return run_heads_at_once(step);
    constexpr std::int64_t worth_sharing = 1 << 11;
    if (heads * rows_ * (cached_ + rows_) < worth_sharing) {
        for (std::int64_t head = 0; head < heads; ++head) run_head(step, head, 0);
        return;
    }
    pool_->run(heads, [&](std::int64_t head, int thread) { run_head(step, head, thread); });
}

// A few rows at a time, so that scores and weights are still at hand when they are read again. Columns of both are all
// tokens from the first one on, those that are not seen included.
void Run::run_head(const Step& step, std::int64_t head, int thread) {
    const Heads own = open_head(step, head);
    const Value &queries = own.queries, &keys = own.keys, &values = own.values;
    const Mask& mask = own.soften->rule<Mask>();
    const std::int64_t first = first_seen(mask);
    const bool kept_scores = plan_.places[own.score->output].memory == PlaceIn::kept;
    const bool kept_weights = plan_.places[own.soften->output].memory == PlaceIn::kept;
    const auto rows_of = [&](const Node& node, bool kept, std::int64_t row, std::int64_t rows) {
        Value value = at(node.output, plan_.places[node.output], rows, kept ? head : thread);
        if (kept) value.data += row * value.row_step;
        return value;
    };
    meet_keys(own, thread);
    for (std::int64_t row = 0; row < queries.rows; row += block_rows) {
        const std::int64_t rows = std::min(block_rows, queries.rows - row);
        const std::int64_t last = mask.end_visible(cached_ + row + rows - 1, first + keys.rows);
        const std::int64_t from = mask.first_visible(cached_ + row);
        const Value raw = rows_of(*own.score, kept_scores, row, rows);
        const Value soft = rows_of(*own.soften, kept_weights, row, rows);
        for (std::int64_t i = 0; i < rows; ++i) {
            if (kept_scores) expect_to_write(raw.row(i) + from, last - from);
            if (kept_weights) expect_to_write(soft.row(i) + from, last - from);
        }
        const Value seen_raw{raw.data + from, rows, last - from, raw.row_step};
        const Value seen_soft{soft.data + from, rows, last - from, soft.row_step};
        const Made of{.copy = head, .first_row = row, .first_column = from, .mask = &mask};
        scores(own, seen_raw, row, from, thread);
        if (!changes_.empty()) change(seen_raw, own.score->output, of);
        // Weights are 0 from the start where nobody looks; scores may be left of a pass whose blocks began elsewhere.
        for (std::int64_t i = 0; kept_scores && !mask.sees_later() && i < rows; ++i) {
            const std::int64_t token = cached_ + row + i;
            std::fill(raw.row(i) + mask.first_visible(std::max<std::int64_t>(0, token - block_rows + 1)),
                      raw.row(i) + from, 0.0f);
            const std::int64_t end = std::min(token + block_rows, raw.row_step);
            if (end > last) std::fill(raw.row(i) + last, raw.row(i) + end, 0.0f);
        }
        soften(own, seen_raw, seen_soft, row, from);
        if (!changes_.empty()) change(seen_soft, own.soften->output, of);
        kernels::multiply({.left = soft.data + from,
                           .left_step = soft.row_step,
                           .right = {values.row(from - first), values.row_step, 0},
                           .out = own.mixed.row(row),
                           .out_step = own.mixed.row_step,
                           .rows = rows,
                           .inner = last - from,
                           .columns = values.columns,
                           .out_is_far = plan_.places[own.mix->output].of_all_tokens()});
    }
}

// Q · Kᵀ of a few rows, as the model scales, caps and lowers it.
void Run::scores(const Heads& head, const Value& out, std::int64_t first_row, std::int64_t first_key, int thread) {
    const Node& node = *head.score;
    const auto& rule = node.rule<ScoreRule>();
    const std::int64_t seen = first_seen(head.soften->rule<Mask>());
    const Value queries{head.queries.row(first_row), out.rows, head.queries.columns, head.queries.row_step};
    const Value keys{head.keys.row(first_key - seen), out.columns, head.keys.columns, head.keys.row_step,
                     head.keys.column_step};
    const bool before_scale = rule.alibi && rule.alibi->rounded_before_scale;
    const bool by_row = rule.temperature || before_scale;
    kernels::multiply({.left = queries.data,
                       .left_step = queries.row_step,
                       .right = {keys.data, keys.column_step, 0},
                       .out = out.data,
                       .out_step = out.row_step,
                       .rows = queries.rows,
                       .inner = queries.columns,
                       .columns = keys.rows,
                       .factor = by_row ? 1.0f : static_cast<float>(rule.factor_of(layer_, 0))});
    const bool far = rule.relative && !(rule.relative_once && layer_ > 0);
    if (far && node.inputs.size() > 2) add_distances(head, queries, out, first_row, first_key, thread);
    const bool biased = far && !node.parameters.empty();
    if (!by_row && !rule.alibi && !rule.soft_cap && !biased) return;
    const auto slope =
        rule.alibi ? static_cast<float>(rule.alibi->slopes[static_cast<std::size_t>(head.number)]) : 0.0f;
    for (std::int64_t i = 0; i < queries.rows; ++i) {
        float* row = out.row(i);
        const std::int64_t token = cached_ + first_row + i;
        if (before_scale)
            for (std::int64_t key = 0; key < keys.rows; ++key)
                row[key] += as_bfloat16(as_bfloat16(slope) * static_cast<float>(first_key + key));
        if (by_row) kernels::scale(row, keys.rows, static_cast<float>(rule.factor_of(layer_, token)));
        if (rule.soft_cap) kernels::soft_cap(row, keys.rows, static_cast<float>(*rule.soft_cap));
        if (rule.alibi && !before_scale)
            for (std::int64_t key = 0; key < keys.rows; ++key)
                row[key] += slope * static_cast<float>(first_key + key - token);
        if (!biased) continue;
        const MatrixView added = weight(node.parameters.front());
        const std::int32_t* const none = ranges_of(*rule.relative);
        for (std::int64_t key = 0; key < keys.rows; ++key)
            row[key] += added.at(none[first_key + key - token], head.number);
    }
}

// Left times right's rows, scaled as scores are, in the thread's room for it.
Value Run::meet(const Node& scores, const Value& left, const Value& right, const PlaceOf& place, int thread) const {
    const auto& rule = scores.rule<ScoreRule>();
    float* const made = memory(place.memory) + place.offset + thread * place.copy_step;
    kernels::multiply({.left = left.data,
                       .left_step = left.row_step,
                       .right = {right.data, right.column_step, 0},
                       .out = made,
                       .out_step = place.row_step,
                       .rows = left.rows,
                       .inner = left.columns,
                       .columns = right.rows,
                       .factor = rule.temperature ? 1.0f : static_cast<float>(rule.factor_of(layer_, 0))});
    return {made, left.rows, right.rows, place.row_step};
}

void Run::meet_keys(const Heads& head, int thread) {
    if (head.distance_queries.data) meet(*head.score, head.distance_queries, head.keys, plan_.key_distances, thread);
}

// Of the products of queries with keys of distances, and of queries of distances with keys, what lies at each pair's.
void Run::add_distances(const Heads& head, const Value& queries, const Value& out, std::int64_t first_row,
                        std::int64_t first_key, int thread) {
    const std::int32_t* const none = ranges_of(*head.score->rule<ScoreRule>().relative);
    const auto each_pair = [&](const auto& made) {
        for (std::int64_t i = 0; i < out.rows; ++i)
            for (std::int64_t key = 0; key < out.columns; ++key)
                out.row(i)[key] += made(i, key, none[first_key + key - (cached_ + first_row + i)]);
    };
    if (head.distance_keys.data) {
        const Value met = meet(*head.score, queries, head.distance_keys, plan_.query_distances, thread);
        each_pair([&](std::int64_t i, std::int64_t, std::int64_t range) { return met.row(i)[range]; });
    }
    if (!head.distance_queries.data) return;
    const PlaceOf& place = plan_.key_distances;
    const float* const met = memory(place.memory) + place.offset + thread * place.copy_step + first_key -
                             first_seen(head.soften->rule<Mask>());
    each_pair([&](std::int64_t, std::int64_t key, std::int64_t range) { return met[range * place.row_step + key]; });
}

// Softmax of what each row may see, or has chosen of that; the rest is 0. Column 0 of both is token `first_key`.
void Run::soften(const Heads& head, const Value& raw, const Value& out, std::int64_t first_row,
                 std::int64_t first_key) {
    const Mask& mask = head.soften->rule<Mask>();
    const std::vector<TensorIndex>& sinks = head.soften->parameters;
    const float* const sink = sinks.empty() ? nullptr : weight(sinks.front()).data + head.number;
    constexpr float nothing = std::numeric_limits<float>::lowest() / 2;  // whose exponential is 0
    for (std::int64_t i = 0; i < raw.rows; ++i) {
        const std::int64_t token = cached_ + first_row + i;
        const std::int64_t from = mask.first_visible(token) - first_key;
        const std::int64_t to = mask.end_visible(token, first_key + raw.columns) - first_key;
        const float* scores = raw.row(i);
        if (head.chosen.data && to - from > mask.chosen) {
            const float* const chosen = head.chosen.row(first_row + i) + first_key;
            for (std::int64_t key = from; key < to; ++key) out.row(i)[key] = chosen[key] != 0 ? scores[key] : nothing;
            scores = out.row(i);
        }
        std::fill(out.row(i), out.row(i) + from, 0.0f);
        kernels::softmax(scores + from, out.row(i) + from, to - from, sink);
        std::fill(out.row(i) + to, out.row(i) + raw.columns, 0.0f);
    }
}

}  // namespace headcount
