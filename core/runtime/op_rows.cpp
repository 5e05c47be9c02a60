// The ops that take each token by itself: embedding, norms, linear layers, activation functions, adding.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/graph/formula.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/norm_row.hpp"
#include "core/runtime/run.hpp"
#include "core/runtime/token_rows.hpp"

namespace headcount {
namespace {

// From how many multiplications on two threads are sooner done than one: waking the other takes about a microsecond.
constexpr std::int64_t worth_sharing = 1 << 16;

// xIELU (Huang & Schlag 2024), with what its trained numbers come to.
float xielu(float x, float above, float below) {
    return 0.5f * x + (x > 0 ? above * x * x : below * (std::expm1(x) - x));
}

}  // namespace

void Run::embed(const Node& node) {
    const MatrixView table = weight(node.parameters.front());
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    const Value out = output(node, rows_, table.columns);
    if (error_) return;
    const auto width = static_cast<std::size_t>(table.columns);
    for (std::int64_t row = 0; row < rows_; ++row) {
        const std::int32_t id = new_ids_[static_cast<std::size_t>(row)];
        copy_row(table, id < table.rows ? id : 0, {out.row(row), width});
        kernels::scale(out.row(row), table.columns, factor);
    }
}

void Run::table(const Node& node) {
    const MatrixView rows = weight(node.parameters.front());
    const Value out = output(node, rows.rows, rows.columns);
    if (error_) return;
    for (std::int64_t row = 0; row < rows.rows; ++row)
        copy_row(rows, row, {out.row(row), static_cast<std::size_t>(rows.columns)});
}

void Run::add_positions(const Node& node) {
    const MatrixView table = weight(node.parameters.front());
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, table.columns);
    const auto& rule = node.rule<PositionRows>();
    for (std::int64_t row = 0; row < in.rows; ++row)
        kernels::add(in.row(row), table.data + rule.row(cached_ + row) * table.row_step, 1, out.row(row),
                     table.columns);
}

void Run::add_types(const Node& node) {
    const MatrixView table = weight(node.parameters.front());
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, table.columns);
    for (std::int64_t row = 0; row < in.rows; ++row) {
        const auto token = static_cast<std::size_t>(cached_ + row);
        const std::int64_t type = token < types_.size() ? types_[token] : 0;
        kernels::add(in.row(row), table.data + type * table.row_step, 1, out.row(row), table.columns);
    }
}

void Run::first_row(const Node& node) {
    const Value in = input(node, 0);
    const Value out = output(node, 1, in.columns);
    if (!error_) std::copy_n(in.row(0), in.columns, out.row(0));
}

void Run::pool(const Node& node) {
    const auto& rule = node.rule<PoolRule>();
    const Value in = input(node, 0);
    const bool both = rule.rows == PooledRows::first_and_patch_mean;
    const std::int64_t tokens = *evaluate(rule.before, bindings(model_->architecture, Input{}));
    const bool behind = both || rule.rows == PooledRows::patch_mean, class_only = rule.rows == PooledRows::class_mean;
    const std::int64_t first = behind ? tokens : 0, end = class_only ? std::min(tokens, in.rows) : in.rows;
    const Value out = output(node, 1, both ? 2 * in.columns : in.columns);
    if (error_) return;
    float* mean = out.row(0);
    if (both) mean = std::copy_n(in.row(0), in.columns, mean);
    for (std::int64_t column = 0; column < in.columns; ++column) {
        double sum = 0;
        for (std::int64_t row = first; row < end; ++row) sum += static_cast<double>(in.row(row)[column]);
        mean[column] = static_cast<float>(sum / static_cast<double>(end - first));
    }
}

void Run::insert_rows(const Node& node) {
    const Value in = input(node, 0);
    const std::int64_t before = *evaluate(node.rule<InsertionRule>().before, bindings(model_->architecture, Input{}));
    std::int64_t rows = in.rows;
    for (const TensorIndex each : node.parameters) rows += weight(each).rows;
    const Value out = output(node, rows, in.columns);
    if (error_) return;
    std::int64_t to = 0;
    const auto copy_from = [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t row = first; row < end; ++row) std::copy_n(in.row(row), in.columns, out.row(to++));
    };
    copy_from(0, before);
    for (const TensorIndex each : node.parameters) {
        const MatrixView trained = weight(each);
        for (std::int64_t row = 0; row < trained.rows; ++row, ++to)
            for (std::int64_t column = 0; column < in.columns; ++column) out.row(to)[column] = trained.at(row, column);
    }
    copy_from(before, in.rows);
}

void Run::unfold(const Node& node) {
    const auto& rule = node.rule<UnfoldRule>();
    const Value in = input(node, 0);
    const Value out =
        output(node, (in.rows + 2 * rule.before - rule.kernel) / rule.stride + 1, in.columns * rule.kernel);
    if (error_) return;
    each_row(out.rows, out.columns, [&](std::int64_t row) {
        for (std::int64_t place = 0; place < rule.kernel; ++place) {
            const std::int64_t from = row * rule.stride + place - rule.before;
            const bool there = from >= 0 && from < in.rows;
            for (std::int64_t column = 0; column < in.columns; ++column)
                out.row(row)[column * rule.kernel + place] = there ? in.row(from)[column] : 0;
        }
    });
}

void Run::scale_columns(const Node& node) {
    const Value in = input(node, 0);
    const MatrixView numbers = weight(node.parameters.front());
    const Value out = output(node, in.rows, in.columns);
    if (error_) return;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        for (std::int64_t i = 0; i < in.columns; ++i) out.row(row)[i] = in.row(row)[i] * numbers.at(0, i);
    });
}

void Run::norm(const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, in.columns);
    MatrixView weights, biases;
    for (const TensorIndex each : node.parameters) (model_->graph.tensors[each].bias ? biases : weights) = weight(each);
    const std::int64_t grouped = facts_[node.output].group_columns, width = grouped > 0 ? grouped : in.columns;
    const bool own = weights.rows > 1 || weights.columns > width;  // each group has weights of its own
    const std::int64_t weight_step = own ? width : 0;
    kernels::NormRow row = row_of(rule, width);
    if (rule.over != NormRule::Over::row) {
        if (!error_) norm_across(node, in, out, row);
        return;
    }
    each_row(in.rows, in.columns, [&](std::int64_t index) {
        kernels::NormRow part = row;
        for (std::int64_t column = 0, at = 0; column < in.columns; column += width, at += weight_step) {
            part.weight = weights ? weights.data + at : nullptr;
            part.bias = biases ? biases.data + at : nullptr;
            kernels::norm(in.row(index) + column, out.row(index) + column, part);
        }
        if (rule.times) kernels::scale(out.row(index), in.columns, static_cast<float>(rule.times->of(layer_)));
    });
}

// Each column by itself, over all rows of the pass; or all numbers of the pass together.
void Run::norm_across(const Node& node, const Value& in, const Value& out, kernels::NormRow row) {
    const bool together = node.rule<NormRule>().over == NormRule::Over::all;
    std::vector<float> line;
    for (std::int64_t first = 0; first < (together ? 1 : in.columns); ++first) {
        const std::int64_t end = together ? in.columns : first + 1;
        line.clear();
        for (std::int64_t j = 0; j < in.rows; ++j) line.insert(line.end(), in.row(j) + first, in.row(j) + end);
        row.columns = std::ssize(line);
        kernels::norm(line.data(), line.data(), row);
        auto next = line.begin();
        for (std::int64_t j = 0; j < in.rows; ++j, next += end - first)
            std::copy_n(next, end - first, out.row(j) + first);
    }
    for (const TensorIndex each : node.parameters) {
        const MatrixView own = weight(each);
        const bool bias = model_->graph.tensors[each].bias;
        for (std::int64_t j = 0; j < in.rows; ++j)
            for (std::int64_t i = 0; i < in.columns; ++i)
                out.row(j)[i] = bias ? out.row(j)[i] + own.at(0, i) : out.row(j)[i] * (row.offset + own.at(0, i));
    }
}

void Run::multiply(const Value& left, const Node& node, const Value& out, std::int64_t expert, std::int64_t first) {
    MatrixView weights = weight(node.parameters.front(), expert);
    // An embedding that is also the output head has its outputs along its rows.
    const bool tied = weights.row_panel != 0;
    const std::int64_t inner = left.columns, columns = tied ? weights.rows : weights.columns;
    const MatrixView bias = node.parameters.size() > 1 ? weight(node.parameters[1], expert) : MatrixView{};
    if (first > 0) weights.data += first * panel_columns;  // so many rows further down in each panel
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        kernels::multiply({.left = left.data,
                           .left_step = left.row_step,
                           .right = right_of(weights, begin),
                           .out = out.data + begin,
                           .out_step = out.row_step,
                           .rows = left.rows,
                           .inner = inner,
                           .columns = end - begin,
                           .bias = bias ? bias.data + first + begin : nullptr,
                           .out_is_far = plan_.places[node.output].of_all_tokens()});
    };
    constexpr std::int64_t step = 4 * panel_columns;
    if (left.rows * inner * columns < worth_sharing) return part(0, columns);
    pool_->split(columns, step, part);
}

std::pair<Value, Value> Run::new_rows(const Node& node, const Value& in, std::int64_t columns) {
    Value& whole = output(node, in.rows, columns);
    std::pair<Value, Value> some{in, whole};
    if (plan_.places[node.output].memory == PlaceIn::cache && in.rows > rows_) {  // earlier tokens' rows are there
        whole.data -= (in.rows - rows_) * whole.row_step;
        some.first.data = in.row(in.rows - rows_);
        some.first.rows = some.second.rows = rows_;
    }
    return some;
}

void Run::linear(const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    const MatrixView weights = weight(node.parameters.front());
    const Value read = input(node, 0);
    const std::int64_t columns = rule.head ? read.columns : weights.row_panel != 0 ? weights.rows : weights.columns;
    const std::pair<Value, Value> rows = new_rows(node, read, columns);
    const Value &in = rows.first, &out = rows.second;
    if (error_) return;
    const std::int64_t head = rule.head ? weights.columns : in.columns;
    for (std::int64_t first = 0; first < in.columns; first += head) {
        const Value some{in.data + first, in.rows, head, in.row_step};
        multiply(some, node, {out.data + first, out.rows, head, out.row_step}, 0, first);
    }
    if (!rule.finishes()) return;
    each_row(out.rows, columns, [&](std::int64_t row) {
        float* values = out.row(row);
        if (rule.clip) kernels::clamp(values, columns, static_cast<float>(*rule.clip));
        if (rule.scale != 1) kernels::scale(values, columns, static_cast<float>(rule.scale));
        for (std::int64_t i = 0; rule.offset != 0 && i < columns; ++i) values[i] += static_cast<float>(rule.offset);
        if (rule.soft_cap) kernels::soft_cap(values, columns, static_cast<float>(*rule.soft_cap));
    });
}

void Run::feed_forward(const Node& node) {
    const auto& rule = node.rule<GateRule>();
    const Value first = input(node, 0);
    const Value second = node.op == Op::gate ? input(node, 1) : first;
    // An expert's rows are placed by who runs it.
    const bool expert = facts_[node.output].in_expert;
    const Value out = expert ? values_[node.output] : output(node, first.rows, first.columns);
    if (error_) return;
    float above = 0, below = 0;
    if (rule.activation == Activation::xielu) {
        above = static_cast<float>(softplus(*weight(node.parameters[0]).data));
        below = static_cast<float>(0.5 + softplus(*weight(node.parameters[1]).data));
    }
    each_row(first.rows, first.columns, [&](std::int64_t row) {
        const float *a = first.row(row), *b = second.row(row);
        if (rule.activation == Activation::xielu) {
            for (std::int64_t i = 0; i < first.columns; ++i)
                out.row(row)[i] = xielu(a[i], above, below) * (node.op == Op::activate ? 1 : b[i]);
        } else if (node.op == Op::activate) {
            kernels::activate(rule.activation, a, out.row(row), first.columns);
        } else if (rule.clamped) {
            kernels::clamped_gate(*rule.clamped, a, b, out.row(row), first.columns);
        } else {
            kernels::gate(rule.activation, a, b, out.row(row), first.columns);
        }
    });
}

void Run::add(const Node& node) {
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    auto whole = static_cast<float>(node.rule<Scaling>().whole);
    if (!node.parameters.empty()) whole *= *weight(node.parameters.front()).data;
    std::vector<const Value*> terms;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) terms.push_back(&input(node, i));
    const Value first = *terms.front();
    for (const Value* term : terms)
        if (term->rows != first.rows || term->columns != first.columns) return check(node.output, -1, -1);
    const Value out = output(node, first.rows, first.columns);
    if (error_) return;
    each_row(first.rows, first.columns, [&](std::int64_t row) {
        kernels::add(first.row(row), terms[1]->row(row), factor, out.row(row), first.columns);
        for (std::size_t i = 2; i < terms.size(); ++i)
            kernels::add(out.row(row), terms[i]->row(row), factor, out.row(row), first.columns);
        if (whole != 1) kernels::scale(out.row(row), first.columns, whole);
    });
}

namespace {

// Each column with the angle of its own place, where a mistake gives the two of a pair different ones, or adds where
// it is to subtract.
void turn_each(const Rotation& rule, const float* from, float* to, const float* cosines, const float* sines,
               std::int64_t pairs) {
    const bool halves = rule.rope.pairs == RopePairs::halves;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const std::int64_t a = halves ? i : 2 * i, b = halves ? i + pairs : a + 1;
        const auto angle = [&](std::int64_t column) {
            return rule.turn != Rotation::Turn::crossed ? i : halves ? column / 2 : column % pairs;
        };
        const float other = rule.turn == Rotation::Turn::added ? from[b] : -from[b];
        const float first = from[a] * cosines[angle(a)] + other * sines[angle(a)];
        to[b] = from[b] * cosines[angle(b)] + from[a] * sines[angle(b)];
        to[a] = first;
    }
}

}  // namespace

void turn_row(const Rotation& rule, const RopeTable& table, const TurnedColumns& where, const float* from, float* to) {
    const std::int64_t first = where.first, turned = 2 * table.pairs();
    std::copy_n(from, first, to);
    const float *cosines = table.cosines(where.position), *sines = table.sines(where.position);
    if (rule.turn == Rotation::Turn::exchanged) std::swap(cosines, sines);
    if (rule.turn == Rotation::Turn::crossed || rule.turn == Rotation::Turn::added)
        turn_each(rule, from + first, to + first, cosines, sines, table.pairs());
    else
        kernels::rotate(from + first, to + first, cosines, sines, table.pairs(), rule.rope.pairs == RopePairs::halves);
    std::copy_n(from + first + turned, where.width - first - turned, to + first + turned);
}

void Run::rotate(const Node& node) {
    const auto& rule = node.rule<Rotation>();
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, in.columns);
    if (error_) return;
    const std::int64_t width = turned_[node.output].head, first = turned_[node.output].first;
    const RopeTable& table = ropes_[turned_[node.output].table];
    const std::int64_t heads = in.columns / width;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < heads; ++head) {
            const std::int64_t position = rule.by_head ? head : rule.of(cached_ + row);
            turn_row(rule, table, {position, width, first}, in.row(row) + head * width, out.row(row) + head * width);
        }
    });
}

}  // namespace headcount
