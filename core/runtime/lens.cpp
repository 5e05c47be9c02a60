// Walks the nodes behind the last layer for one row.
#include "core/runtime/lens.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "core/runtime/kernels.hpp"
#include "core/runtime/norm_row.hpp"
#include "core/runtime/row_blocks.hpp"

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

std::int64_t size_of(const Model& model, const Expr& expr) {
    return *evaluate(expr, bindings(model.architecture, Input{}));
}

Row normed(const Model& model, const Node& node, const Row& in) {
    const auto& rule = node.rule<NormRule>();
    const auto columns = static_cast<std::int64_t>(in.size());
    const std::int64_t width = rule.group ? size_of(model, *rule.group) : columns;
    MatrixView weight, bias;
    if (!node.parameters.empty()) weight = model.weights.view(node.parameters[0]);
    if (node.parameters.size() > 1) bias = model.weights.view(node.parameters[1]);
    kernels::NormRow row = row_of(rule, width);
    row.weight = weight.data;
    row.bias = bias.data;
    Row out(in.size());
    for (std::int64_t first = 0; first < columns; first += width)
        kernels::norm(in.data() + first, out.data() + first, row);
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
        double x = static_cast<double>(value) * rule.scale + rule.offset;
        if (rule.soft_cap) x = *rule.soft_cap * std::tanh(x / *rule.soft_cap);
        value = static_cast<float>(x);
    }
}

Row added(const Node& node, const std::vector<const Row*>& inputs) {
    const auto& rule = node.rule<Scaling>();
    Row sum = *inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i)
        kernels::add(sum.data(), inputs[i]->data(), static_cast<float>(rule.factor), sum.data(), std::ssize(sum));
    kernels::scale(sum.data(), std::ssize(sum), static_cast<float>(rule.whole));
    return sum;
}

Row taken(const Model& model, const Node& node, const Row& in) {
    const auto first = in.begin() + size_of(model, node.rule<ColumnRange>().first);
    return {first, first + size_of(model, model.graph.tensors[node.output].shape[1])};
}

Row mixed(const Model& model, const Node& node, const Row& in, const Row& shares) {
    const auto& rule = node.rule<BlockRule>();
    const RowBlocks blocks{.in = size_of(model, rule.in),
                           .out = size_of(model, rule.out),
                           .width = std::ssize(in) / size_of(model, rule.in)};
    Row out(static_cast<std::size_t>(blocks.out * blocks.width));
    mix_blocks(blocks, in.data(), shares.data(), out.data());
    return out;
}

// What the node makes of one row; nothing where it makes no scores for tokens.
std::optional<Row> row_of(const Model& model, const Node& node, const std::vector<const Row*>& inputs) {
    const Row& in = *inputs.front();
    switch (node.op) {
        case Op::norm: return normed(model, node, in);
        case Op::linear: {
            Row out = multiplied(model, node, in);
            finish(node.rule<LinearRule>(), out);
            return out;
        }
        case Op::activate: {
            Row out(in.size());
            kernels::activate(node.rule<GateRule>().activation, in.data(), out.data(), std::ssize(out));
            return out;
        }
        case Op::take_columns: return taken(model, node, in);
        case Op::beside: {
            Row all;
            for (const Row* each : inputs) all.insert(all.end(), each->begin(), each->end());
            return all;
        }
        case Op::sum: return added(node, inputs);
        case Op::mix_blocks: return mixed(model, node, in, *inputs[1]);
        case Op::magnitude: return Row{static_cast<float>(magnitude(in.data(), std::ssize(in)))};
        default: return std::nullopt;
    }
}

}  // namespace

Result<std::vector<float>> logits_of(const Model& model, const MatrixView& stream, std::int64_t row) {
    if (!stream || row < 0 || row >= stream.rows) return Error{"the residual stream is not there", "", ""};
    Row entering(static_cast<std::size_t>(stream.columns));
    for (std::size_t i = 0; i < entering.size(); ++i) entering[i] = stream.at(row, static_cast<std::int64_t>(i));
    std::map<TensorIndex, Row> made;  // by the nodes so far; what none of them has made is the stream
    const std::vector<Node>& nodes = model.graph.nodes;
    Row last = entering;
    for (std::size_t i = first_behind_layers(model.graph); i < nodes.size(); ++i) {
        std::vector<const Row*> inputs;
        for (const TensorIndex each : nodes[i].inputs)
            inputs.push_back(made.contains(each) ? &made.at(each) : &entering);
        std::optional<Row> next = row_of(model, nodes[i], inputs);
        if (!next) return Error{"the model has no scores for tokens", "", ""};
        last = made[nodes[i].output] = *std::move(next);
    }
    return last;
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
