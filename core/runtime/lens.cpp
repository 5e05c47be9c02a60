// Walks the nodes behind the last layer for one row.
#include "core/runtime/lens.hpp"

#include <algorithm>
#include <cmath>

#include "core/runtime/kernels.hpp"

namespace headcount {
namespace {

using Row = std::vector<float>;

// The nodes that follow the last one of a layer.
std::size_t first_behind_layers(const ModelGraph& graph) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.layer_of(graph.nodes[i].block)) first = i + 1;
    return first;
}

Row normed(const Model& model, const Node& node, const Row& in) {
    const auto& rule = node.rule<NormRule>();
    const bool centred = rule.kind == NormKind::layer;
    const auto count = static_cast<double>(in.size());
    double mean = 0, square = 0;
    if (centred)
        for (const float x : in) mean += static_cast<double>(x) / count;
    for (const float x : in) square += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / count;
    const double factor = 1 / std::sqrt(square + rule.epsilon);
    MatrixView weight, bias;
    if (!node.parameters.empty()) weight = model.weights.view(node.parameters[0]);
    if (node.parameters.size() > 1) bias = model.weights.view(node.parameters[1]);
    Row out(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i);
        double x = (static_cast<double>(in[i]) - mean) * factor;
        if (weight) x *= static_cast<double>(weight.at(0, column)) + rule.offset;
        if (bias) x += static_cast<double>(bias.at(0, column));
        out[i] = static_cast<float>(x);
    }
    return out;
}

Row multiplied(const Model& model, const Node& node, const Row& in) {
    const MatrixView weight = model.weights.view(node.parameters.front());
    const bool table = weight.row_panel != 0;  // that is tied to the head: it lies as (vocabulary, width)
    MatrixView bias;
    if (node.parameters.size() > 1) bias = model.weights.view(node.parameters[1]);
    const auto inner = static_cast<std::int64_t>(in.size());
    Row out(static_cast<std::size_t>(table ? weight.rows : weight.columns));
    kernels::multiply({.left = in.data(),
                       .left_step = inner,
                       .right = right_of(weight),
                       .out = out.data(),
                       .out_step = static_cast<std::int64_t>(out.size()),
                       .rows = 1,
                       .inner = inner,
                       .columns = static_cast<std::int64_t>(out.size()),
                       .bias = bias.data});
    return out;
}

void finish(const LinearRule& rule, Row& values) {
    for (float& value : values) {
        double x = static_cast<double>(value) * rule.scale;
        if (rule.soft_cap) x = *rule.soft_cap * std::tanh(x / *rule.soft_cap);
        value = static_cast<float>(x);
    }
}

}  // namespace

Result<std::vector<float>> logits_of(const Model& model, const MatrixView& stream, std::int64_t row) {
    if (!stream || row < 0 || row >= stream.rows) return Error{"the residual stream is not there", "", ""};
    Row values(static_cast<std::size_t>(stream.columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.at(row, static_cast<std::int64_t>(i));
    const std::vector<Node>& nodes = model.graph.nodes;
    for (std::size_t i = first_behind_layers(model.graph); i < nodes.size(); ++i) {
        if (nodes[i].op == Op::norm)
            values = normed(model, nodes[i], values);
        else if (nodes[i].op == Op::linear)
            finish(nodes[i].rule<LinearRule>(), values = multiplied(model, nodes[i], values));
        else if (nodes[i].op == Op::activate)
            kernels::activate(nodes[i].rule<GateRule>().activation, values.data(), values.data(),
                              static_cast<std::int64_t>(values.size()));
        else
            return Error{"the model has no scores for tokens", "", ""};
    }
    return values;
}

double length_of(const MatrixView& stream, std::int64_t row) {
    double square = 0;
    if (!stream || row < 0 || row >= stream.rows) return 0;
    for (std::int64_t i = 0; i < stream.columns; ++i) {
        const auto x = static_cast<double>(stream.at(row, i));
        square += x * x;
    }
    return std::sqrt(square);
}

}  // namespace headcount
