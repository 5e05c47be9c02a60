// Operations that take a row as blocks of columns, or as one.
#include <algorithm>

#include "core/runtime/row_blocks.hpp"
#include "core/train/pass.hpp"

namespace headcount {

void BatchPass::beside(const Node& node) {
    const Value out = output(node);
    std::vector<Value> parts;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) parts.push_back(input(node, i));
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        float* to = out.row(row);
        for (const Value& part : parts) to = std::copy_n(part.row(row), part.columns, to);
    });
}

void BatchPass::beside_back(const Node& node) {
    const Value slopes = slope(node.output);
    std::int64_t first = 0;
    for (const TensorIndex each : node.inputs) {
        const Into to = into(each);
        each_row_into(
            to, [&](std::int64_t row, float* out) { std::copy_n(slopes.row(row) + first, to.value.columns, out); });
        first += to.value.columns;
    }
}

void BatchPass::mix_blocks(const Node& node) {
    const auto& rule = node.rule<BlockRule>();
    const Value in = input(node, 0), shares = input(node, 1), out = output(node);
    const RowBlocks of{.in = number(rule.in), .out = number(rule.out), .width = in.columns / number(rule.in)};
    each_row(out.rows, of.in * out.columns,
             [&](std::int64_t row, float*) { headcount::mix_blocks(of, in.row(row), shares.row(row), out.row(row)); });
}

// y_j = Σ_i c_ji · x_i: dx_i = Σ_j c_ji · dy_j, dc_ji = x_i · dy_j.
void BatchPass::mix_blocks_back(const Node& node) {
    const auto& rule = node.rule<BlockRule>();
    const Value in = input(node, 0), shares = input(node, 1), slopes = slope(node.output);
    const std::int64_t read = number(rule.in), made = number(rule.out), width = in.columns / read;
    each_row_into(into(node.inputs[0]), [&](std::int64_t row, float* out) {
        std::fill_n(out, in.columns, 0.0f);
        for (std::int64_t j = 0; j < made; ++j)
            for (std::int64_t i = 0; i < read; ++i)
                kernels::add(out + i * width, slopes.row(row) + j * width, shares.row(row)[j * read + i],
                             out + i * width, width);
    });
    each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) {
        for (std::int64_t j = 0; j < made; ++j)
            for (std::int64_t i = 0; i < read; ++i) {
                double sum = 0;
                for (std::int64_t k = 0; k < width; ++k)
                    sum += static_cast<double>(in.row(row)[i * width + k]) *
                           static_cast<double>(slopes.row(row)[j * width + k]);
                out[j * read + i] = static_cast<float>(sum);
            }
    });
}

void BatchPass::magnitude(const Node& node) {
    const Value in = input(node, 0), out = output(node);
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        *out.row(row) = static_cast<float>(headcount::magnitude(in.row(row), in.columns));
    });
}

// m = √(mean of x²): dx = x · dm / (n · m).
void BatchPass::magnitude_back(const Node& node) {
    const Value in = input(node, 0), slopes = slope(node.output);
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        const double root = headcount::magnitude(in.row(row), in.columns);
        const auto share =
            root > 0
                ? static_cast<float>(static_cast<double>(*slopes.row(row)) / (root * static_cast<double>(in.columns)))
                : 0.0f;
        for (std::int64_t i = 0; i < in.columns; ++i) out[i] = share * in.row(row)[i];
    });
}

void BatchPass::threshold(const Node& node) {
    const Value in = input(node, 0), out = output(node);
    const double deviations = node.rule<ThresholdRule>().deviations;
    each_row(in.rows, in.columns, [&](std::int64_t row, float*) {
        const auto bound = static_cast<float>(spread_of(in.row(row), in.columns).above(deviations));
        for (std::int64_t i = 0; i < in.columns; ++i) out.row(row)[i] = std::max(in.row(row)[i] - bound, 0.0f);
    });
}

// y = max(x - μ - k · σ, 0). Of g, dy where y is above 0: dx_j = g_j - (Σ g) · (1 + k · (x_j - μ) / σ) / n.
void BatchPass::threshold_back(const Node& node) {
    const Value in = input(node, 0), slopes = slope(node.output);
    const double deviations = node.rule<ThresholdRule>().deviations;
    const auto count = static_cast<double>(in.columns);
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        const float* const x = in.row(row);
        const Spread spread = spread_of(x, in.columns);
        const auto bound = static_cast<float>(spread.above(deviations));
        double sum = 0;
        for (std::int64_t i = 0; i < in.columns; ++i) {
            out[i] = x[i] > bound ? slopes.row(row)[i] : 0.0f;
            sum += static_cast<double>(out[i]);
        }
        const double by_spread = spread.deviation > 0 ? deviations / spread.deviation : 0;
        for (std::int64_t i = 0; i < in.columns; ++i)
            out[i] -= static_cast<float>(sum * (1 + by_spread * (static_cast<double>(x[i]) - spread.mean)) / count);
    });
}

}  // namespace headcount
