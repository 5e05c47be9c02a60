// Attention: of each line and head the scores, their softmax under the mask, and the values mixed; and the way back.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/train/pass.hpp"

namespace headcount {

struct BatchPass::Heads {
    const Node *score = nullptr, *soften = nullptr, *mix = nullptr;
    Side queries, keys, values;
    Side distance_keys, distance_queries;  // without rows where there are none
    Value mixed, mixed_slopes;
    float* weights = nullptr;               // (sequences, heads, rows, keys)
    std::int64_t count = 0;                 // heads
    std::vector<std::int32_t> ranges = {};  // of distances, from the furthest before on
    Weight relative, sinks;
};

// Head i of n: the columns of head i mod n/2, and those of the head n/2 further on.
void BatchPass::pair_heads(const Node& node) {
    const Value in = input(node, 0), out = output(node);
    const std::int64_t width = number(node.rule<HeadRule>().step), half = in.columns / 2;
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        for (std::int64_t first = 0; first < in.columns; first += width) {
            float* const to = std::copy_n(in.row(row) + first % half, width, out.row(row) + 2 * first);
            std::copy_n(in.row(row) + half + first % half, width, to);
        }
    });
}

void BatchPass::pair_heads_back(const Node& node) {
    const Value slopes = slope(node.output);
    const std::int64_t width = number(node.rule<HeadRule>().step), columns = slopes.columns / 2, half = columns / 2;
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        std::fill_n(out, columns, 0.0f);
        for (std::int64_t first = 0; first < columns; first += width) {
            const float* const back = slopes.row(row) + 2 * first;
            kernels::add(out + first % half, back, 1, out + first % half, width);
            kernels::add(out + half + first % half, back + width, 1, out + half + first % half, width);
        }
    });
}

void BatchPass::subtract(const Node& node) {
    const Value from = input(node, 0), taken = input(node, 1), out = output(node);
    std::array<const float*, 4> vectors{};
    for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = weight(node.parameters[i]).data;
    const auto share = node.rule<DifferenceRule>().share(vectors, weight(node.parameters.front()).columns, layer_);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        kernels::add(from.row(row), taken.row(row), static_cast<float>(-share.all), out.row(row), out.columns);
    });
}

void BatchPass::subtract_back(const Node& node) {
    const Value taken = input(node, 1), slopes = slope(node.output);
    std::array<Weight, 4> all{};
    std::array<const float*, 4> vectors{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = weight(node.parameters[i]), vectors[i] = all[i].data;
    const auto share = node.rule<DifferenceRule>().share(vectors, all.front().columns, layer_);
    double of_share = 0;
    for (std::int64_t row = 0; row < slopes.rows; ++row)
        for (std::int64_t i = 0; i < slopes.columns; ++i)
            of_share -= static_cast<double>(slopes.row(row)[i]) * static_cast<double>(taken.row(row)[i]);
    for (std::size_t i = 0; i < all.size(); ++i)  // a query by its key, and the other way round
        if (all[i].gradient)
            kernels::add(all[i].gradient, all[i ^ 1].data,
                         static_cast<float>(of_share * (i < 2 ? share.first : -share.second)), all[i].gradient,
                         all[i].columns);
    for (std::size_t i = 0; i < 2; ++i)
        each_row_into(into(node.inputs[i]), [&](std::int64_t row, float* out) {
            std::copy_n(slopes.row(row), slopes.columns, out);
            if (i == 1) kernels::scale(out, slopes.columns, static_cast<float>(-share.all));
        });
}

namespace {

// (columns, rows) of a few rows.
void turn_over(const float* from, std::int64_t step, std::int64_t rows, std::int64_t columns, float* to) {
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column) to[column * rows + row] = from[row * step + column];
}

void multiply_small(const float* left, std::int64_t left_step, const float* right, std::int64_t right_step, float* out,
                    std::int64_t out_step, std::int64_t rows, std::int64_t inner, std::int64_t columns) {
    kernels::multiply({.left = left,
                       .left_step = left_step,
                       .right = {right, right_step, 0},
                       .out = out,
                       .out_step = out_step,
                       .rows = rows,
                       .inner = inner,
                       .columns = columns});
}

// So many floats of the room, and as many behind them as a product may read.
float* take(float*& room, std::int64_t floats) {
    float* const taken = room;
    room += whole_lines(floats + panel_columns);
    return taken;
}

}  // namespace

BatchPass::Side BatchPass::open_side(const Node& take, bool back) {
    const auto& rule = take.rule<HeadRule>();
    Side side;
    side.own = value(take.inputs.front());
    if (take.inputs.size() > 1) side.shared = value(take.inputs[1]);
    if (back) {
        side.own_slopes = slope(take.inputs.front());
        if (take.inputs.size() > 1) side.shared_slopes = slope(take.inputs[1]);
    }
    side.width = number(trainee_->graph.tensors[take.output].shape[1]);
    side.own_width = side.width - side.shared.columns;
    const bool once = is_of_distances(trainee_->graph.tensors[take.output].part);
    side.rows = once ? side.own.rows : side.own.rows / shape_.sequences;
    side.apart = once ? 0 : side.rows;
    const std::int64_t heads = number(trainee_->graph.blocks[take.block].repeat);
    const std::int64_t share = std::max<std::int64_t>(1, number(rule.share)), step = number(rule.step);
    for (std::int64_t head = 0; head < heads; ++head)
        side.columns.push_back((rule.in_turn ? head % (heads / share) : head / share) * step + number(rule.first));
    return side;
}

// One head's rows of a line, as they lie or put together.
BatchPass::HeadRows BatchPass::rows_of(const Side& side, std::int64_t sequence, std::int64_t head, float*& room) {
    const float* const from = side.own.row(sequence * side.apart) + side.columns[static_cast<std::size_t>(head)];
    if (side.shared.columns == 0) return {from, side.own.row_step};
    float* const together = take(room, side.rows * side.width);
    for (std::int64_t row = 0; row < side.rows; ++row) {
        std::copy_n(from + row * side.own.row_step, side.own_width, together + row * side.width);
        std::copy_n(side.shared.row(sequence * side.apart + row), side.shared.columns,
                    together + row * side.width + side.own_width);
    }
    return {together, side.width};
}

// (rows of a line, width) to where they were taken from.
void BatchPass::add_slopes(const Side& side, std::int64_t sequence, std::int64_t head, const float* slopes) {
    for (std::int64_t row = 0; row < side.rows; ++row) {
        const float* const from = slopes + row * side.width;
        float* const own =
            side.own_slopes.row(sequence * side.apart + row) + side.columns[static_cast<std::size_t>(head)];
        kernels::add(own, from, 1, own, side.own_width);
        if (side.shared.columns == 0) continue;
        float* const shared = side.shared_slopes.row(sequence * side.apart + row);
        kernels::add(shared, from + side.own_width, 1, shared, side.shared.columns);
    }
}

BatchPass::Heads BatchPass::open_heads(const Step& step, bool back) {
    Heads found;
    std::vector<const Node*> takes;
    for (const Node* node : step.nodes) {
        if (node->op == Op::scores) found.score = node;
        if (node->op == Op::masked_softmax) found.soften = node;
        if (node->op == Op::mix) found.mix = node;
        if (node->op == Op::take_head) takes.push_back(node);
    }
    found.queries = open_side(*takes[0], back);
    found.keys = open_side(*takes[1], back);
    found.values = open_side(*takes[2], back);
    for (std::size_t i = 3; i < takes.size(); ++i) {
        const bool keys = trainee_->graph.tensors[takes[i]->output].part == Part::relative_key;
        (keys ? found.distance_keys : found.distance_queries) = open_side(*takes[i], back);
    }
    found.count = std::ssize(found.queries.columns);
    found.mixed = value(found.mix->output);
    if (back) found.mixed_slopes = slope(found.mix->output);
    found.weights = value(found.soften->output).data;
    if (!found.soften->parameters.empty()) found.sinks = weight(found.soften->parameters.front());
    const auto& rule = found.score->rule<ScoreRule>();
    if (!rule.relative) return found;
    if (!found.score->parameters.empty()) found.relative = weight(found.score->parameters.front());
    for (std::int64_t distance = 1 - found.queries.rows; distance < found.keys.rows; ++distance)
        found.ranges.push_back(static_cast<std::int32_t>(rule.relative->bucket(distance)));
    return found;
}

namespace {

// Goes through the keys and the queries of distances, as far as there are any, with what meets them, the queries and
// the keys of tokens: work(of distances, of tokens, the latter's rows, place), where place(row, key) is that of a pair
// of tokens in their product, (tokens, distances).
template <class Heads, class HeadRows, class Work>
void each_meeting(const Heads& heads, const HeadRows& queries, const HeadRows& keys, const Work& work) {
    for (const bool of_keys : {true, false}) {
        const auto& far = of_keys ? heads.distance_keys : heads.distance_queries;
        if (far.rows == 0) continue;
        const auto place = [&](std::int64_t row, std::int64_t key) {
            return (of_keys ? row : key) * far.rows +
                   heads.ranges[static_cast<std::size_t>(heads.queries.rows - 1 - row + key)];
        };
        work(far, of_keys ? heads.queries : heads.keys, of_keys ? queries : keys, place);
    }
}

}  // namespace

void BatchPass::add_distances(const Heads& heads, std::int64_t sequence, std::int64_t head, const HeadRows& queries,
                              const HeadRows& keys, float* room, float* out) {
    const std::int64_t rows = heads.queries.rows, all = heads.keys.rows, width = heads.keys.width;
    each_meeting(heads, queries, keys, [&](const Side& far, const Side& side, const HeadRows& met, const auto& place) {
        const HeadRows own = rows_of(far, sequence, head, room);
        float* const turned = take(room, far.rows * width);
        float* const made = take(room, side.rows * far.rows);
        turn_over(own.data, own.step, far.rows, width, turned);
        multiply_small(met.data, met.step, turned, far.rows, made, far.rows, side.rows, width, far.rows);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t key = 0; key < all; ++key) out[row * all + key] += made[place(row, key)];
    });
}

void BatchPass::add_distances_back(const Heads& heads, std::int64_t sequence, std::int64_t head,
                                   const HeadRows& queries, const HeadRows& keys, float* room, const float* slopes) {
    const std::int64_t rows = heads.queries.rows, all = heads.keys.rows, width = heads.keys.width;
    each_meeting(heads, queries, keys, [&](const Side& far, const Side& side, const HeadRows& met, const auto& place) {
        const HeadRows own = rows_of(far, sequence, head, room);
        float* const met_slopes = take(room, side.rows * far.rows);
        float* const turned = take(room, side.rows * far.rows);
        float* const made = take(room, std::max(side.rows, far.rows) * width);
        std::fill_n(met_slopes, side.rows * far.rows, 0.0f);
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t key = 0; key < all; ++key) met_slopes[place(row, key)] += slopes[row * all + key];
        multiply_small(met_slopes, far.rows, own.data, own.step, made, width, side.rows, far.rows, width);
        add_slopes(side, sequence, head, made);
        turn_over(met_slopes, far.rows, side.rows, far.rows, turned);
        multiply_small(turned, side.rows, met.data, met.step, made, width, far.rows, side.rows, width);
        add_slopes(far, sequence, head, made);
    });
}

// (rows, keys): as the model scales, caps and lowers them.
void BatchPass::score(const Heads& heads, std::int64_t sequence, std::int64_t head, const HeadRows& queries,
                      const HeadRows& keys, float* room, float* out) {
    const auto& rule = heads.score->rule<ScoreRule>();
    const std::int64_t rows = heads.queries.rows, all = heads.keys.rows;
    const bool before_scale = rule.alibi && rule.alibi->rounded_before_scale;
    const auto slope = rule.alibi ? static_cast<float>(rule.alibi->slopes[static_cast<std::size_t>(head)]) : 0.0f;
    float* const turned = take(room, all * heads.keys.width);
    turn_over(keys.data, keys.step, all, heads.keys.width, turned);
    multiply_small(queries.data, queries.step, turned, all, out, all, rows, heads.keys.width, all);
    add_distances(heads, sequence, head, queries, keys, room, out);
    for (std::int64_t row = 0; row < rows; ++row) {
        float* const line = out + row * all;
        if (before_scale)
            for (std::int64_t key = 0; key < all; ++key)
                line[key] += as_bfloat16(as_bfloat16(slope) * static_cast<float>(key));
        kernels::scale(line, all, static_cast<float>(rule.factor_of(layer_, row)));
        if (rule.soft_cap) kernels::soft_cap(line, all, static_cast<float>(*rule.soft_cap));
        if (rule.alibi && !before_scale)
            for (std::int64_t key = 0; key < all; ++key) line[key] += slope * static_cast<float>(key - row);
        if (!heads.relative) continue;
        const std::int32_t* const ranges = &heads.ranges[static_cast<std::size_t>(rows - 1 - row)];
        for (std::int64_t key = 0; key < all; ++key)
            line[key] += heads.relative.data[ranges[key] * heads.relative.columns + head];
    }
}

void BatchPass::index_scores(const Node& node) {
    const Value queries = input(node, 0), keys = input(node, 1), counts = input(node, 2), out = output(node);
    const std::int64_t rows = out.columns, width = keys.columns;
    const auto factor = static_cast<float>(1 / std::sqrt(static_cast<double>(counts.columns * width)));
    const Mask& mask = node.rule<Mask>();
    pool_->run(shape_.sequences, [&](std::int64_t sequence, int thread) {
        float* place = room(thread);
        float* const turned = take(place, rows * width);
        float* const met = take(place, rows * rows);
        const std::int64_t first = sequence * rows;
        turn_over(keys.row(first), keys.row_step, rows, width, turned);
        std::fill_n(out.row(first), rows * rows, 0.0f);
        for (std::int64_t head = 0; head < counts.columns; ++head) {
            multiply_small(queries.row(first) + head * width, queries.row_step, turned, rows, met, rows, rows, width,
                           rows);
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t key = mask.first_visible(row); key < mask.end_visible(row, rows); ++key)
                    out.row(first + row)[key] +=
                        counts.row(first + row)[head] * factor * std::max(met[row * rows + key], 0.0f);
        }
    });
}

void BatchPass::choose(const Node& node) {
    const Value scores = input(node, 0), out = output(node);
    chosen_ = out;
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        std::fill_n(out.row(row), out.columns, 0.0f);
        mark_best(node.rule<Mask>(), row % out.columns, out.columns, scores.row(row), out.row(row));
    });
}

void BatchPass::run_heads(const Step& step) {
    const Heads heads = open_heads(step, false);
    const Mask& mask = heads.soften->rule<Mask>();
    const std::int64_t rows = heads.queries.rows, all = heads.keys.rows;
    const bool chooses = heads.soften->inputs.size() > 1;
    constexpr float nothing = std::numeric_limits<float>::lowest() / 2;  // whose exponential is 0
    pool_->run(shape_.sequences, [&](std::int64_t sequence, int thread) {
        for (std::int64_t head = 0; head < heads.count; ++head) {
            float* place = room(thread);
            const HeadRows queries = rows_of(heads.queries, sequence, head, place);
            const HeadRows keys = rows_of(heads.keys, sequence, head, place);
            const HeadRows values = rows_of(heads.values, sequence, head, place);
            float* const weights = heads.weights + (sequence * heads.count + head) * rows * all;
            score(heads, sequence, head, queries, keys, place, weights);
            for (std::int64_t row = 0; row < rows; ++row) {
                float* const line = weights + row * all;
                const std::int64_t from = mask.first_visible(row), end = mask.end_visible(row, all);
                if (chooses && end - from > mask.chosen)
                    for (std::int64_t key = from; key < end; ++key)
                        if (chosen_.row(sequence * rows + row)[key] == 0) line[key] = nothing;
                std::fill(line, line + from, 0.0f);
                kernels::softmax(line + from, line + from, end - from, heads.sinks ? heads.sinks.data + head : nullptr);
                std::fill(line + end, line + all, 0.0f);
            }
            multiply_small(weights, all, values.data, values.step,
                           heads.mixed.row(sequence * rows) + head * heads.values.width, heads.mixed.row_step, rows,
                           all, heads.values.width);
        }
    });
}

// A·V: dA = dO · Vᵀ, dV = Aᵀ · dO. Softmax: dS = A ⊙ (dA - Σ A · dA), of the row. Q · Kᵀ: dQ = dS · K, dK = dSᵀ · Q.
void BatchPass::run_head_back(const Heads& heads, std::int64_t sequence, std::int64_t head, float* room) {
    const auto& rule = heads.score->rule<ScoreRule>();
    const std::int64_t rows = heads.queries.rows, all = heads.keys.rows, wide = heads.values.width,
                       width = heads.queries.width;
    const HeadRows queries = rows_of(heads.queries, sequence, head, room);
    const HeadRows keys = rows_of(heads.keys, sequence, head, room);
    const HeadRows values = rows_of(heads.values, sequence, head, room);
    const float* const weights = heads.weights + (sequence * heads.count + head) * rows * all;
    const float* const mixed = heads.mixed_slopes.row(sequence * rows) + head * wide;
    const std::int64_t step = heads.mixed_slopes.row_step;
    float* const slopes = take(room, rows * all);
    float* const turned = take(room, std::max({all * wide, rows * all}));
    float* const made = take(room, std::max(rows, all) * std::max(wide, width));
    turn_over(values.data, values.step, all, wide, turned);
    multiply_small(mixed, step, turned, all, slopes, all, rows, wide, all);
    turn_over(weights, all, rows, all, turned);
    multiply_small(turned, rows, mixed, step, made, wide, all, rows, wide);
    add_slopes(heads.values, sequence, head, made);
    // What the cap was applied to follows from the scores as they were.
    float* const scored = rule.soft_cap ? take(room, rows * all) : nullptr;
    if (scored) score(heads, sequence, head, queries, keys, room, scored);
    for (std::int64_t row = 0; row < rows; ++row) {
        float* const line = slopes + row * all;
        const float* const shares = weights + row * all;
        float together = 0, sum = 0;
        for (std::int64_t key = 0; key < all; ++key) together += shares[key] * line[key], sum += shares[key];
        for (std::int64_t key = 0; key < all; ++key) line[key] = shares[key] * (line[key] - together);
        if (heads.sinks.gradient) heads.sinks.gradient[head] -= (1 - sum) * together;
        if (heads.relative.gradient) {
            const std::int32_t* const ranges = &heads.ranges[static_cast<std::size_t>(rows - 1 - row)];
            for (std::int64_t key = 0; key < all; ++key)
                heads.relative.gradient[ranges[key] * heads.relative.columns + head] += line[key];
        }
        if (scored) {
            const auto cap = static_cast<float>(*rule.soft_cap);
            const bool lowered = rule.alibi && !rule.alibi->rounded_before_scale;
            const auto lower = lowered ? static_cast<float>(rule.alibi->slopes[static_cast<std::size_t>(head)]) : 0.0f;
            for (std::int64_t key = 0; key < all; ++key) {
                float capped = scored[row * all + key] - lower * static_cast<float>(key - row);
                if (heads.relative)
                    capped -= heads.relative.data[heads.ranges[static_cast<std::size_t>(rows - 1 - row + key)] *
                                                      heads.relative.columns +
                                                  head];
                line[key] *= 1 - capped / cap * (capped / cap);
            }
        }
        kernels::scale(line, all, static_cast<float>(rule.factor_of(layer_, row)));
    }
    multiply_small(slopes, all, keys.data, keys.step, made, width, rows, all, width);
    add_slopes(heads.queries, sequence, head, made);
    turn_over(slopes, all, rows, all, turned);
    multiply_small(turned, rows, queries.data, queries.step, made, width, all, rows, width);
    add_slopes(heads.keys, sequence, head, made);
    add_distances_back(heads, sequence, head, queries, keys, room, slopes);
}

void BatchPass::run_heads_back(const Step& step) {
    const Heads heads = open_heads(step, true);
    // Numbers that all lines share are summed in their order.
    const bool far = heads.distance_keys.rows > 0 || heads.distance_queries.rows > 0;
    if (heads.sinks.gradient || heads.relative.gradient || far) {
        for (std::int64_t sequence = 0; sequence < shape_.sequences; ++sequence)
            for (std::int64_t head = 0; head < heads.count; ++head) run_head_back(heads, sequence, head, room(0));
        return;
    }
    pool_->run(shape_.sequences, [&](std::int64_t sequence, int thread) {
        for (std::int64_t head = 0; head < heads.count; ++head) run_head_back(heads, sequence, head, room(thread));
    });
}

}  // namespace headcount
