// Recurrences of columns that know nothing of each other: blends with the row before, means whose weights fade, and
// what fades and takes up more.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/graph/weighed_sums.hpp"
#include "core/train/pass.hpp"

namespace headcount {

// x · s + x' · (1 - s) of a row and the one before, or x + (x' - x) · s where the share is of the latter.
void BatchPass::blend(const Node& node) {
    const Weight shares = weight(node.parameters.front());
    const Value in = input(node, 0), more = node.inputs.size() > 1 ? input(node, 1) : Value{}, out = output(node);
    const std::int64_t line = in.rows / shape_.sequences;
    const bool of_before = node.rule<BlendRule>().of_before;
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        for (std::int64_t i = 0; i < in.columns; ++i) {
            const float share = shares.data[i] + (more.data ? more.row(row)[i] : 0), x = in.row(row)[i];
            const float before = row % line == 0 ? 0 : in.row(row - 1)[i];
            out.row(row)[i] = of_before ? x + (before - x) * share : x * share + before * (1 - share);
        }
    });
}

void BatchPass::blend_back(const Node& node) {
    const Weight shares = weight(node.parameters.front());
    const Value in = input(node, 0), more = node.inputs.size() > 1 ? input(node, 1) : Value{},
                slopes = slope(node.output);
    const std::int64_t line = in.rows / shape_.sequences;
    const bool of_before = node.rule<BlendRule>().of_before;
    const auto of_row = [&](std::int64_t row, std::int64_t i) {  // how much the row itself counts
        const float share = shares.data[i] + (more.data ? more.row(row)[i] : 0);
        return of_before ? 1 - share : share;
    };
    const auto to_share = [&](std::int64_t row, std::int64_t i) {
        const float less = in.row(row)[i] - (row % line == 0 ? 0 : in.row(row - 1)[i]);
        return slopes.row(row)[i] * (of_before ? -less : less);
    };
    for (std::int64_t row = 0; shares.gradient && row < in.rows; ++row)
        for (std::int64_t i = 0; i < in.columns; ++i) shares.gradient[i] += to_share(row, i);
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        for (std::int64_t i = 0; i < in.columns; ++i)
            out[i] = slopes.row(row)[i] * of_row(row, i) +
                     ((row + 1) % line == 0 ? 0 : slopes.row(row + 1)[i] * (1 - of_row(row + 1, i)));
    });
    if (more.data)
        each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) {
            for (std::int64_t i = 0; i < in.columns; ++i) out[i] = to_share(row, i);
        });
}

void BatchPass::weighted_mean(const Node& node) {
    const Weight rates = weight(node.parameters[0]), more = weight(node.parameters[1]);
    const Value keys = input(node, 0), values = input(node, 1), out = output(node);
    const std::int64_t line = out.rows / shape_.sequences;
    for (std::int64_t i = 0; i < out.columns; ++i)
        for (std::int64_t row = 0; row < out.rows;) {
            WeighedSums<float> sums;
            for (const std::int64_t end = row + line; row < end; ++row) {
                const float key = keys.row(row)[i], value = values.row(row)[i];
                out.row(row)[i] = sums.mean_with(key + more.data[i], value);
                sums.add(key, value, std::exp(rates.data[i]));
            }
        }
}

// m = Σ p_s · v_s, p the softmax of l_s = k_s - (t - 1 - s) · e^w, of the token itself k_t + u:
//   dv_s = p_s · dm, dl_s = p_s · (v_s - m) · dm. A token's shares follow from the logarithm of their sum.
void BatchPass::weighted_mean_back(const Node& node) {
    const Weight rates = weight(node.parameters[0]), more = weight(node.parameters[1]);
    const Value keys = input(node, 0), values = input(node, 1), out = output(node), slopes = slope(node.output);
    const std::int64_t line = out.rows / shape_.sequences;
    std::vector<double> shares(static_cast<std::size_t>(line));
    std::vector<float> to_keys(static_cast<std::size_t>(out.rows * out.columns)), to_values(to_keys.size());
    for (std::int64_t i = 0; i < out.columns; ++i) {
        const double fades = std::exp(static_cast<double>(rates.data[i]));
        double to_rate = 0, to_more = 0;
        for (std::int64_t row = 0; row < out.rows; ++row) {
            const std::int64_t first = row / line * line;
            double largest = -std::numeric_limits<double>::infinity(), sum = 0;
            for (std::int64_t s = first; s <= row; ++s) {
                const double later =
                    s == row ? static_cast<double>(more.data[i]) : -static_cast<double>(row - 1 - s) * fades;
                double& each = shares[static_cast<std::size_t>(s - first)];
                each = static_cast<double>(keys.row(s)[i]) + later;
                largest = std::max(largest, each);
            }
            for (std::int64_t s = first; s <= row; ++s) {
                double& each = shares[static_cast<std::size_t>(s - first)];
                sum += each = std::exp(each - largest);
            }
            for (std::int64_t s = first; s <= row; ++s) {
                const double share = shares[static_cast<std::size_t>(s - first)] / sum;
                const auto back = static_cast<double>(slopes.row(row)[i]);
                const double to_exponent =
                    back * share * (static_cast<double>(values.row(s)[i]) - static_cast<double>(out.row(row)[i]));
                const auto at = static_cast<std::size_t>(s * out.columns + i);
                to_values[at] += static_cast<float>(back * share);
                to_keys[at] += static_cast<float>(to_exponent);
                if (s == row)
                    to_more += to_exponent;
                else
                    to_rate -= to_exponent * static_cast<double>(row - 1 - s) * fades;
            }
        }
        if (rates.gradient) rates.gradient[i] += static_cast<float>(to_rate);
        if (more.gradient) more.gradient[i] += static_cast<float>(to_more);
    }
    for (const std::size_t which : {0, 1}) {
        const std::vector<float>& made = which == 0 ? to_keys : to_values;
        each_row_into(into(node.inputs[which]), [&](std::int64_t row, float* to) {
            std::copy_n(made.begin() + row * out.columns, out.columns, to);
        });
    }
}

// h = a · h + √(1 - a²) · x, a of the first token 0.
void BatchPass::fade(const Node& node) {
    const Value decays = input(node, 0), added = input(node, 1), out = output(node);
    const std::int64_t line = out.rows / shape_.sequences;
    for (std::int64_t row = 0; row < out.rows; ++row) {
        const bool first = row % line == 0;
        for (std::int64_t i = 0; i < out.columns; ++i) {
            const float left = first ? 0 : decays.row(row)[i];
            out.row(row)[i] = (first ? 0 : left * out.row(row - 1)[i]) + std::sqrt(1 - left * left) * added.row(row)[i];
        }
    }
}

// From the last token to the first. The root's derivative is cut off where a is nearly 1, as transformers does.
void BatchPass::fade_back(const Node& node) {
    constexpr float least = 1.0f / 2000;
    const Value decays = input(node, 0), added = input(node, 1), out = output(node), slopes = slope(node.output);
    const std::int64_t line = out.rows / shape_.sequences;
    const auto left = [&](std::int64_t row, std::int64_t i) { return row % line == 0 ? 0 : decays.row(row)[i]; };
    // In place, what a token passes on to the one before it: nobody reads these slopes again.
    for (std::int64_t row = out.rows; row-- > 0;)
        for (std::int64_t i = 0; row % line > 0 && i < out.columns; ++i)
            slopes.row(row - 1)[i] += left(row, i) * slopes.row(row)[i];
    each_row_into(into(node.inputs[0]), [&](std::int64_t row, float* to) {
        for (std::int64_t i = 0; i < out.columns; ++i) {
            const float a = left(row, i), root = std::max(std::sqrt(1 - a * a), least);
            to[i] = row % line == 0 ? 0 : slopes.row(row)[i] * (out.row(row - 1)[i] - a / root * added.row(row)[i]);
        }
    });
    each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* to) {
        for (std::int64_t i = 0; i < out.columns; ++i)
            to[i] = slopes.row(row)[i] * std::sqrt(1 - left(row, i) * left(row, i));
    });
}

}  // namespace headcount
