// Operations that take each token by itself, but for norms and products: what is looked up, activation functions, sums.
#include <algorithm>
#include <cmath>

#include "core/graph/formula.hpp"
#include "core/train/pass.hpp"

namespace headcount {

void BatchPass::embed(const Node& node) {
    const Weight table = weight(node.parameters.front());
    const std::vector<std::int32_t>& ids = stacks_.size() > 1 && stack_ == 0 ? batch_->source : batch_->ids;
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    const Value out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        const float* const from = table.data + table.row_of(ids[static_cast<std::size_t>(row)]) * table.columns;
        for (std::int64_t i = 0; i < out.columns; ++i) out.row(row)[i] = factor * from[i];
    });
}

void BatchPass::embed_back(const Node& node) {
    const Weight table = weight(node.parameters.front());
    if (!table.gradient) return;
    const std::vector<std::int32_t>& ids = stacks_.size() > 1 && stack_ == 0 ? batch_->source : batch_->ids;
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    const Value slopes = slope(node.output);
    for (std::int64_t row = 0; row < slopes.rows; ++row) {
        float* const to = table.gradient + table.row_of(ids[static_cast<std::size_t>(row)]) * table.columns;
        kernels::add(to, slopes.row(row), factor, to, slopes.columns);
    }
}

void BatchPass::table(const Node& node) {
    const Weight rows = weight(node.parameters.front());
    const Value out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        std::copy_n(rows.data + row * rows.columns, rows.columns, out.row(row));
    });
}

void BatchPass::table_back(const Node& node) {
    const Weight rows = weight(node.parameters.front());
    const Value slopes = slope(node.output);
    for (std::int64_t row = 0; rows.gradient && row < slopes.rows; ++row) {
        float* const to = rows.gradient + row * rows.columns;
        kernels::add(to, slopes.row(row), 1, to, rows.columns);
    }
}

void BatchPass::unfold(const Node& node) {
    const auto& rule = node.rule<UnfoldRule>();
    const Value in = input(node, 0), out = output(node);
    const std::int64_t line = in.rows / shape_.sequences, made = out.rows / shape_.sequences;
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        for (std::int64_t place = 0; place < rule.kernel; ++place) {
            const std::int64_t from = row % made * rule.stride + place - rule.before;
            const float* const there = from >= 0 && from < line ? in.row(row / made * line + from) : nullptr;
            for (std::int64_t column = 0; column < in.columns; ++column)
                out.row(row)[column * rule.kernel + place] = there ? there[column] : 0;
        }
    });
}

void BatchPass::unfold_back(const Node& node) {
    const auto& rule = node.rule<UnfoldRule>();
    const Value slopes = slope(node.output);
    const Into to = into(node.inputs.front());
    const std::int64_t line = to.value.rows / shape_.sequences, made = slopes.rows / shape_.sequences;
    each_row_into(to, [&](std::int64_t row, float* out) {
        std::fill_n(out, to.value.columns, 0.0f);
        for (std::int64_t place = 0; place < rule.kernel; ++place) {
            const std::int64_t shifted = row % line + rule.before - place;
            if (shifted < 0 || shifted % rule.stride != 0 || shifted / rule.stride >= made) continue;
            const float* const back = slopes.row(row / line * made + shifted / rule.stride);
            for (std::int64_t column = 0; column < to.value.columns; ++column)
                out[column] += back[column * rule.kernel + place];
        }
    });
}

// Which row of a table of positions, or of token types, is added to this one of so many.
std::int64_t BatchPass::added_row(const Node& node, std::int64_t row, std::int64_t rows) const {
    if (node.op == Op::add_types) return batch_->types.empty() ? 0 : batch_->types[static_cast<std::size_t>(row)];
    return node.rule<PositionRows>().first + row % (rows / shape_.sequences);
}

void BatchPass::add_rows(const Node& node) {
    const Weight table = weight(node.parameters.front());
    const Value in = input(node, 0), out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        const float* const added = table.data + added_row(node, row, out.rows) * table.columns;
        kernels::add(in.row(row), added, 1, out.row(row), out.columns);
    });
}

void BatchPass::add_rows_back(const Node& node) {
    const Weight table = weight(node.parameters.front());
    const Value slopes = slope(node.output);
    for (std::int64_t row = 0; table.gradient && row < slopes.rows; ++row) {
        float* const to = table.gradient + added_row(node, row, slopes.rows) * table.columns;
        kernels::add(to, slopes.row(row), 1, to, slopes.columns);
    }
    each_row_into(into(node.inputs.front()),
                  [&](std::int64_t row, float* out) { std::copy_n(slopes.row(row), slopes.columns, out); });
}

void BatchPass::rotate(const Node& node) { turn(node, input(node, 0), {output(node), true}, 1); }

// The other way round.
void BatchPass::rotate_back(const Node& node) { turn(node, slope(node.output), into(node.inputs.front()), -1); }

void BatchPass::turn(const Node& node, const Value& in, const Into& to, float direction) {
    const auto& rule = node.rule<Rotation>();
    const std::int64_t width = number(rule.head), first = number(rule.first), columns = number(rule.columns);
    const RopeTable& table =
        *std::ranges::find_if(ropes_, [&](const RopeTable& each) { return each.is_for(rule.rope, columns); });
    const bool halves = table.rope().pairs == RopePairs::halves;
    const std::int64_t pairs = table.pairs(), line = in.rows / shape_.sequences;
    const std::int64_t step = halves ? 1 : 2, apart = halves ? pairs : 1;
    each_row_into(to, [&](std::int64_t row, float* out) {
        const std::int64_t position = row % line + rule.position;
        const float *cosines = table.cosines(position), *sines = table.sines(position);
        std::copy_n(in.row(row), in.columns, out);
        for (std::int64_t head = first; head < in.columns; head += width)
            for (std::int64_t i = 0; i < pairs; ++i) {
                const float a = in.row(row)[head + i * step], b = in.row(row)[head + i * step + apart];
                const float sine = direction * sines[i];
                out[head + i * step] = a * cosines[i] - b * sine;
                out[head + i * step + apart] = b * cosines[i] + a * sine;
            }
    });
}

void BatchPass::add(const Node& node) {
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    auto whole = static_cast<float>(node.rule<Scaling>().whole);
    if (!node.parameters.empty()) whole *= *weight(node.parameters.front()).data;
    std::vector<Value> terms;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) terms.push_back(input(node, i));
    const Value out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        kernels::add(terms[0].row(row), terms[1].row(row), factor, out.row(row), out.columns);
        for (std::size_t i = 2; i < terms.size(); ++i)
            kernels::add(out.row(row), terms[i].row(row), factor, out.row(row), out.columns);
        if (whole != 1) kernels::scale(out.row(row), out.columns, whole);
    });
}

void BatchPass::add_back(const Node& node) {
    const auto factor = static_cast<float>(node.rule<Scaling>().factor);
    auto whole = static_cast<float>(node.rule<Scaling>().whole);
    const Value slopes = slope(node.output);
    if (!node.parameters.empty()) {
        const Weight scale = weight(node.parameters.front());
        double sum = 0;
        for (std::size_t i = 0; scale.gradient && i < node.inputs.size(); ++i) {
            const Value term = input(node, i);
            const double share = static_cast<double>(whole) * (i == 0 ? 1.0 : static_cast<double>(factor));
            for (std::int64_t row = 0; row < term.rows; ++row)
                for (std::int64_t j = 0; j < term.columns; ++j)
                    sum += share * static_cast<double>(term.row(row)[j]) * static_cast<double>(slopes.row(row)[j]);
        }
        if (scale.gradient) *scale.gradient += static_cast<float>(sum);
        whole *= *scale.data;
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const float share = i == 0 ? whole : whole * factor;
        each_row_into(into(node.inputs[i]), [&](std::int64_t row, float* out) {
            std::copy_n(slopes.row(row), slopes.columns, out);
            if (share != 1) kernels::scale(out, slopes.columns, share);
        });
    }
}

void BatchPass::scale_columns(const Node& node) {
    const Weight numbers = weight(node.parameters.front());
    const Value in = input(node, 0), out = output(node);
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        for (std::int64_t i = 0; i < out.columns; ++i) out.row(row)[i] = in.row(row)[i] * numbers.data[i];
    });
}

void BatchPass::scale_columns_back(const Node& node) {
    const Weight numbers = weight(node.parameters.front());
    const Value in = input(node, 0), slopes = slope(node.output);
    for (std::int64_t row = 0; numbers.gradient && row < in.rows; ++row)
        for (std::int64_t i = 0; i < in.columns; ++i) numbers.gradient[i] += in.row(row)[i] * slopes.row(row)[i];
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        for (std::int64_t i = 0; i < in.columns; ++i) out[i] = slopes.row(row)[i] * numbers.data[i];
    });
}

namespace {

// xIELU (Huang & Schlag 2024) with what its trained numbers come to, and what it changes by with each of them.
struct Xielu {
    float above, below;

    float of(float x) const { return 0.5f * x + (x > 0 ? above * x * x : below * (std::expm1(x) - x)); }
    float slope(float x) const { return 0.5f + (x > 0 ? 2 * above * x : below * std::expm1(x)); }
};

}  // namespace

void BatchPass::activate(const Node& node) {
    const auto& rule = node.rule<GateRule>();
    const Value first = input(node, 0), out = output(node);
    const Value second = node.op == Op::gate ? input(node, 1) : first;
    Xielu own{0, 0};
    if (rule.activation == Activation::xielu)
        own = {static_cast<float>(softplus(static_cast<double>(*weight(node.parameters[0]).data))),
               static_cast<float>(0.5 + softplus(static_cast<double>(*weight(node.parameters[1]).data)))};
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        const float *a = first.row(row), *b = second.row(row);
        if (rule.activation == Activation::xielu)
            for (std::int64_t i = 0; i < out.columns; ++i)
                out.row(row)[i] = own.of(a[i]) * (node.op == Op::gate ? b[i] : 1);
        else if (node.op == Op::activate)
            kernels::activate(rule.activation, a, out.row(row), out.columns);
        else if (rule.clamped)
            kernels::clamped_gate(*rule.clamped, a, b, out.row(row), out.columns);
        else
            kernels::gate(rule.activation, a, b, out.row(row), out.columns);
    });
}

void BatchPass::activate_back(const Node& node) {
    const auto& rule = node.rule<GateRule>();
    const bool gated = node.op == Op::gate;
    const Value first = input(node, 0), slopes = slope(node.output);
    const Value second = gated ? input(node, 1) : first;
    const std::int64_t columns = first.columns;
    if (rule.activation == Activation::xielu) return xielu_back(node, first, gated ? second : Value{}, slopes);
    if (rule.clamped) return clamped_back(node, first, second, slopes);
    each_row_into(into(node.inputs[0]), [&](std::int64_t row, float* out) {
        const float* back = slopes.row(row);
        if (gated) {
            for (std::int64_t i = 0; i < columns; ++i) out[i] = back[i] * second.row(row)[i];
            back = out;
        }
        kernels::activate_back(rule.activation, first.row(row), back, out, columns);
    });
    if (!gated) return;
    each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) {
        kernels::gate(rule.activation, first.row(row), slopes.row(row), out, columns);
    });
}

void BatchPass::xielu_back(const Node& node, const Value& x, const Value& up, const Value& slopes) {
    const Weight above = weight(node.parameters[0]), below = weight(node.parameters[1]);
    const Xielu own{static_cast<float>(softplus(static_cast<double>(*above.data))),
                    static_cast<float>(0.5 + softplus(static_cast<double>(*below.data)))};
    double of_above = 0, of_below = 0;
    for (std::int64_t row = 0; row < x.rows; ++row)
        for (std::int64_t i = 0; i < x.columns; ++i) {
            const auto each = static_cast<double>(x.row(row)[i]);
            const double back =
                static_cast<double>(slopes.row(row)[i]) * (up.data ? static_cast<double>(up.row(row)[i]) : 1);
            if (each > 0)
                of_above += back * each * each;
            else
                of_below += back * (std::expm1(each) - each);
        }
    const auto share = [](float raw) { return 1 / (1 + std::exp(-static_cast<double>(raw))); };  // softplus' slope
    if (above.gradient) *above.gradient += static_cast<float>(of_above * share(*above.data));
    if (below.gradient) *below.gradient += static_cast<float>(of_below * share(*below.data));
    each_row_into(into(node.inputs[0]), [&](std::int64_t row, float* out) {
        for (std::int64_t i = 0; i < x.columns; ++i)
            out[i] = slopes.row(row)[i] * own.slope(x.row(row)[i]) * (up.data ? up.row(row)[i] : 1);
    });
    if (!up.data) return;
    each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) {
        for (std::int64_t i = 0; i < x.columns; ++i) out[i] = slopes.row(row)[i] * own.of(x.row(row)[i]);
    });
}

// What is clamped passes nothing back.
void BatchPass::clamped_back(const Node& node, const Value& gates, const Value& up, const Value& slopes) {
    const auto alpha = static_cast<float>(node.rule<GateRule>().clamped->alpha);
    const auto limit = static_cast<float>(node.rule<GateRule>().clamped->limit);
    const auto added = static_cast<float>(node.rule<GateRule>().clamped->added);
    const auto each = [&](std::int64_t row, float* out, bool of_gate) {
        for (std::int64_t i = 0; i < gates.columns; ++i) {
            const float raw = gates.row(row)[i], wide = up.row(row)[i], back = slopes.row(row)[i];
            const float g = std::min(raw, limit), u = std::clamp(wide, -limit, limit);
            const float share = 1 / (1 + std::exp(-alpha * g));
            if (of_gate)
                out[i] = raw <= limit ? back * (u + added) * (share + g * alpha * share * (1 - share)) : 0;
            else
                out[i] = std::abs(wide) <= limit ? back * g * share : 0;
        }
    };
    each_row_into(into(node.inputs[0]), [&](std::int64_t row, float* out) { each(row, out, true); });
    each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) { each(row, out, false); });
}

}  // namespace headcount
