// Linear layers and norms.
#include <algorithm>
#include <cmath>

#include "core/runtime/norm_row.hpp"
#include "core/train/pass.hpp"

namespace headcount {
namespace {

constexpr std::int64_t rows_at_once = 24;

}  // namespace

void BatchPass::multiply(const Multiplied& p) {
    constexpr std::int64_t worth_sharing = 1 << 16;
    const auto part = [&](std::int64_t begin, std::int64_t end, float* room) {
        const kernels::Product all{.left = p.left + begin * p.left_step,
                                   .left_step = p.left_step,
                                   .right = {p.right, p.right_step, 0},
                                   .out = p.out + begin * p.out_step,
                                   .out_step = p.out_step,
                                   .rows = end - begin,
                                   .inner = p.inner,
                                   .columns = p.columns,
                                   .bias = p.bias};
        if (p.fresh) return kernels::multiply(all);
        for (std::int64_t row = 0; row < all.rows; row += rows_at_once) {
            kernels::Product some = all;
            some.left += row * p.left_step;
            some.out = room;
            some.out_step = p.columns;
            some.rows = std::min(rows_at_once, all.rows - row);
            kernels::multiply(some);
            for (std::int64_t i = 0; i < some.rows; ++i) {
                float* const to = all.out + (row + i) * p.out_step;
                kernels::add(to, room + i * p.columns, 1, to, p.columns);
            }
        }
    };
    if (p.rows * p.inner * p.columns < worth_sharing) return part(0, p.rows, room(0));
    const std::int64_t steps = (p.rows + rows_at_once - 1) / rows_at_once;
    const std::int64_t parts = std::min<std::int64_t>(steps, pool_->threads());
    pool_->run(parts, [&](std::int64_t piece, int thread) {
        part(steps * piece / parts * rows_at_once, std::min(p.rows, steps * (piece + 1) / parts * rows_at_once),
             room(thread));
    });
}

const float* BatchPass::transposed(const Value& matrix, Room place) {
    float* const to = working(turned_[place == Room::left ? 0 : 1]);
    if (place == Room::left) {
        // Queries, keys and values read the same.
        if (turned_of_ == matrix.data && turned_columns_ == matrix.columns && expert_rows_ < 0) return to;
        turned_of_ = matrix.data;
        turned_columns_ = matrix.columns;
    }
    constexpr std::int64_t block = 16;
    pool_->split(matrix.columns, block, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = 0; row < matrix.rows; row += block)
            for (std::int64_t column = begin; column < end; ++column)
                for (std::int64_t i = row; i < std::min(row + block, matrix.rows); ++i)
                    to[column * matrix.rows + i] = matrix.row(i)[column];
    });
    return to;
}

void BatchPass::finish(const LinearRule& rule, float* row, std::int64_t columns) const {
    if (rule.clip) kernels::clamp(row, columns, static_cast<float>(*rule.clip));
    if (rule.scale != 1) kernels::scale(row, columns, static_cast<float>(rule.scale));
    for (std::int64_t i = 0; rule.offset != 0 && i < columns; ++i) row[i] += static_cast<float>(rule.offset);
    if (rule.soft_cap) kernels::soft_cap(row, columns, static_cast<float>(*rule.soft_cap));
}

void BatchPass::linear(const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    const Value in = input(node, 0), out = output(node);
    const Weight matrix = weight(node.parameters.front());
    const Weight bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : Weight{};
    // A table's rows are the outputs.
    const Value table{const_cast<float*>(matrix.data), matrix.rows, matrix.columns, matrix.columns};
    const float* const right = rule.transposed ? transposed(table, Room::right) : matrix.data;
    const std::int64_t head = rule.head ? matrix.columns : in.columns;
    for (std::int64_t first = 0; first < in.columns; first += head)
        multiply({.left = in.data + first,
                  .left_step = in.row_step,
                  .right = right + first * matrix.columns,
                  .right_step = rule.transposed ? matrix.rows : matrix.columns,
                  .out = out.data + first,
                  .out_step = out.row_step,
                  .rows = in.rows,
                  .inner = head,
                  .columns = rule.head ? head : out.columns,
                  .bias = bias ? bias.data + first : nullptr});
    if (!rule.finishes()) return;
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) { finish(rule, out.row(row), out.columns); });
}

// Back through the cap, the factor and the clamp: what they were applied to is worked out again.
void BatchPass::finish_back(const Node& node, const Value& slopes) {
    const auto& rule = node.rule<LinearRule>();
    if (rule.clip || rule.soft_cap) {
        const Value in = input(node, 0);
        const Weight matrix = weight(node.parameters.front());
        const Weight bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : Weight{};
        const Value table{const_cast<float*>(matrix.data), matrix.rows, matrix.columns, matrix.columns};
        float* const raw = working(raw_);
        multiply({.left = in.data,
                  .left_step = in.row_step,
                  .right = rule.transposed ? transposed(table, Room::right) : matrix.data,
                  .right_step = rule.transposed ? matrix.rows : matrix.columns,
                  .out = raw,
                  .out_step = slopes.columns,
                  .rows = in.rows,
                  .inner = in.columns,
                  .columns = slopes.columns,
                  .bias = bias.data});
        each_row(slopes.rows, slopes.columns, [&](std::int64_t row, float*) {
            for (std::int64_t i = 0; i < slopes.columns; ++i) {
                float x = raw[row * slopes.columns + i];
                float& back = slopes.row(row)[i];
                if (rule.clip && std::abs(x) > static_cast<float>(*rule.clip)) {
                    back = 0;
                    continue;
                }
                x = x * static_cast<float>(rule.scale) + static_cast<float>(rule.offset);
                if (!rule.soft_cap) continue;
                const float tangent = std::tanh(x / static_cast<float>(*rule.soft_cap));
                back *= 1 - tangent * tangent;
            }
        });
    }
    if (rule.scale != 1)
        each_row(slopes.rows, slopes.columns, [&](std::int64_t row, float*) {
            kernels::scale(slopes.row(row), slopes.columns, static_cast<float>(rule.scale));
        });
}

// Of a table's rows the outputs and the inputs change places.
void BatchPass::note_sum(const Node& node, const Value& slopes) {
    const Weight matrix = weight(node.parameters.front());
    if (!matrix.gradient || matrix.gradient != gradients_ + watched_->matrix) return;
    const auto& rule = node.rule<LinearRule>();
    const bool turned = rule.transposed;
    const std::int64_t head = rule.head ? watched_->row / matrix.columns * matrix.columns : 0;  // its first column
    const Value in = input(node, 0);
    const std::int64_t chosen = expert_rows_ < 0 ? 1 : number(Symbol::experts_per_token);
    watched_->input = node.inputs.front();
    watched_->output = node.output;
    watched_->turned = turned;
    // Keys and values of what the other stack has made are of the encoder's tokens, too.
    watched_->encoder = stacks_.size() > 1 && facts_[node.inputs.front()].stack == 0;
    const std::int64_t before =
        (watched_->passes - 1) * shape_.sequences * (watched_->encoder ? shape_.source : shape_.tokens);
    for (std::int64_t row = 0; row < slopes.rows; ++row) {
        watched_->inputs.push_back(in.row(row)[turned ? watched_->column : watched_->row]);
        watched_->slopes.push_back(slopes.row(row)[turned ? watched_->row : head + watched_->column]);
        const std::int64_t token =
            expert_rows_ < 0 ? row : token_of_[static_cast<std::size_t>(expert_begin_ + row)] / chosen;
        watched_->rows.push_back(before + token);
    }
}

void BatchPass::linear_back(const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    const Value slopes = slope(node.output);
    if (slopes.rows == 0) return;
    if (rule.finishes()) finish_back(node, slopes);
    const Value in = input(node, 0);
    const Weight matrix = weight(node.parameters.front());
    const Weight bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : Weight{};
    if (bias.gradient)
        for (std::int64_t row = 0; row < slopes.rows; ++row)
            kernels::add(bias.gradient, slopes.row(row), 1, bias.gradient, slopes.columns);
    if (watched_) note_sum(node, slopes);
    const Value &left = rule.transposed ? slopes : in, &right = rule.transposed ? in : slopes;
    const std::int64_t head = rule.head ? matrix.columns : in.columns;
    if (matrix.gradient) {
        const float* const turned = rule.transposed ? transposed(left, Room::right) : transposed(left, Room::left);
        for (std::int64_t first = 0; first < in.columns; first += head)
            multiply({.left = turned + first * left.rows,
                      .left_step = left.rows,
                      .right = right.data + first,
                      .right_step = right.row_step,
                      .out = matrix.gradient + first * matrix.columns,
                      .out_step = matrix.columns,
                      .rows = rule.head ? head : matrix.rows,
                      .inner = left.rows,
                      .columns = matrix.columns,
                      .fresh = false});
    }
    const Into to = into(node.inputs.front());
    const Value weights{const_cast<float*>(matrix.data), matrix.rows, matrix.columns, matrix.columns};
    const float* const back = rule.transposed ? matrix.data : transposed(weights, Room::right);
    for (std::int64_t first = 0; first < in.columns; first += head)
        multiply({.left = slopes.data + first,
                  .left_step = slopes.row_step,
                  .right = back + first,
                  .right_step = rule.transposed ? matrix.columns : matrix.rows,
                  .out = to.value.data + first,
                  .out_step = to.value.row_step,
                  .rows = slopes.rows,
                  .inner = rule.head ? head : slopes.columns,
                  .columns = head,
                  .fresh = to.fresh});
}

namespace {

// Of a norm's node what its rows have in common.
struct NormForm {
    kernels::NormRow row;
    std::int64_t width = 0, weights = 0;  // columns by themselves; columns that have weights of their own
};

NormForm form_of(const NormRule& rule, std::int64_t width, std::int64_t columns, std::int64_t weights) {
    return {.row = row_of(rule, width), .width = width, .weights = weights > width ? columns : width};
}

}  // namespace

void BatchPass::norm(const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const Value in = input(node, 0), out = output(node);
    Weight weights, biases;
    for (const TensorIndex each : node.parameters)
        (trainee_->graph.tensors[each].bias ? biases : weights) = weight(each);
    const std::int64_t width = rule.group ? number(*rule.group) : in.columns;
    const NormForm form = form_of(rule, width, in.columns, weights.rows * weights.columns);
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        kernels::NormRow part = form.row;
        for (std::int64_t column = 0; column < in.columns; column += width) {
            part.weight = weights ? weights.data + column % form.weights : nullptr;
            part.bias = biases ? biases.data + column % form.weights : nullptr;
            kernels::norm(in.row(row) + column, out.row(row) + column, part);
        }
        if (rule.times) kernels::scale(out.row(row), in.columns, static_cast<float>(rule.times->of(layer_)));
    });
}

// y = w · (x - m) · r + b, r = 1 / root. With s = x - m and g = w · dy:
//   dx = r · g - s · (Σ g · s) · r² / (n · √(mean of s² + epsilon within)), less its mean where x is centred.
void BatchPass::norm_back(const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const Value in = input(node, 0), slopes = slope(node.output);
    Weight weights, biases;
    for (const TensorIndex each : node.parameters)
        (trainee_->graph.tensors[each].bias ? biases : weights) = weight(each);
    const std::int64_t width = rule.group ? number(*rule.group) : in.columns, groups = in.columns / width;
    const NormForm form = form_of(rule, width, in.columns, weights.rows * weights.columns);
    const kernels::NormRow& of = form.row;
    if (rule.times)  // in place: nobody reads these slopes again
        each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
            kernels::scale(slopes.row(row), in.columns, static_cast<float>(rule.times->of(layer_)));
        });
    const auto count = static_cast<float>(width);
    const float divisor = of.of_sum ? 1.0f : of.less_one ? count - 1 : count;
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        for (std::int64_t group = 0; group < groups; ++group) {
            const std::int64_t first = group * width;
            const float *x = in.row(row) + first, *back = slopes.row(row) + first;
            const float* w = weights ? weights.data + first % form.weights : nullptr;
            float* to = out + first;
            const float mean = of.centred ? kernels::sum(x, width) / count : 0.0f;
            float squares = 0, together = 0;
            for (std::int64_t i = 0; i < width; ++i) {
                const float apart = x[i] - mean, g = w ? back[i] * (w[i] + of.offset) : back[i];
                squares += apart * apart;
                together += g * apart;
            }
            const bool least = of.epsilon_least && squares / divisor < of.epsilon;  // which nothing changes
            const bool added = !of.epsilon_outside && !of.epsilon_least;
            const float within = std::sqrt(least ? of.epsilon : squares / divisor + (added ? of.epsilon : 0.0f));
            const float factor = 1 / (of.epsilon_outside ? within + of.epsilon : within);
            const float pulled = within > 0 && !least ? together * factor * factor / (divisor * within) : 0.0f;
            float sum = 0;
            for (std::int64_t i = 0; i < width; ++i) {
                const float g = w ? back[i] * (w[i] + of.offset) : back[i];
                to[i] = factor * g - pulled * (x[i] - mean);
                sum += to[i];
            }
            if (of.centred)
                for (std::int64_t i = 0; i < width; ++i) to[i] -= sum / count;
            float* const root = working(roots_) + 2 * (row * groups + group);
            root[0] = mean;
            root[1] = factor;
        }
    });
    if (!weights.gradient && !biases.gradient) return;
    // Each thread some columns of all rows, so that sums are made in the same order by any number of them.
    pool_->split(form.weights, panel_columns, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = 0; row < in.rows; ++row)
            for (std::int64_t first = 0; first < in.columns; first += form.weights) {
                const float *const x = in.row(row) + first, *const back = slopes.row(row) + first;
                for (std::int64_t from = begin, to = begin; from < end; from = to) {
                    const std::int64_t group = (first + from) / width;  // all of it at once: to divide takes long
                    to = std::min(end, (group + 1) * width - first);
                    const float* const root = working(roots_) + 2 * (row * groups + group);
                    const float mean = root[0], factor = root[1];
                    float *const of_weights = weights.gradient, *const of_biases = biases.gradient;
                    for (std::int64_t i = from; of_weights && i < to; ++i)
                        of_weights[i] += back[i] * (x[i] - mean) * factor;
                    for (std::int64_t i = from; of_biases && i < to; ++i) of_biases[i] += back[i];
                }
            }
    });
}

}  // namespace headcount
