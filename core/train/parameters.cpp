// Lays parameters side by side, and copies them to and from a run's weights.
#include "core/train/parameters.hpp"

#include <algorithm>

#include "core/arch/architecture.hpp"

namespace headcount {

ParameterLayout::ParameterLayout(const Architecture& arch, const ModelGraph& graph)
    : by_tensor_(graph.tensors.size()), trains_(graph.tensors.size(), false), ruled_(graph.tensors.size(), false) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const auto number = [&](const Expr& expr) { return evaluate(expr, values) ? *evaluate(expr, values) : 0; };
    for (const Node& node : graph.nodes)
        if (node.op == Op::add_positions && node.rule<PositionRows>().waves) ruled_[node.parameters.front()] = true;
    const auto place = [&](std::size_t index) {
        const Tensor& tensor = graph.tensors[index];
        const bool vector = tensor.shape.rank() == 1;
        ParameterCopy each{.tensor = static_cast<TensorIndex>(index)};
        each.rows = vector ? 1 : number(tensor.shape[0]);
        each.columns = number(tensor.shape[vector ? 0 : 1]);
        each.matrix = !vector;
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        each.of_layer = group.has_value();
        const LayerKind* const kind = group ? &graph.layers[*group].group.kind : nullptr;
        const std::int64_t copies = number(graph.copies_in_layer(tensor.block));
        for (each.layer = 0; each.layer < (kind ? stack_layers(arch, *kind) : 1); ++each.layer) {
            if (kind && !is_of_kind(arch, each.layer, *kind)) continue;
            for (each.copy = 0; each.copy < copies; ++each.copy) {
                each.offset = floats_;
                by_tensor_[index].push_back(copies_.size());
                copies_.push_back(each);
                floats_ += each.floats();
            }
        }
    };
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.role != Role::parameter || is_sense(tensor.component) || ruled_[i]) continue;
        trains_[i] = true;
        place(i);
    }
    trained_ = floats_;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        const bool stored = tensor.role == Role::parameter || tensor.role == Role::buffer;
        if (stored && !trains_[i] && !is_sense(tensor.component)) place(i);
    }
}

const ParameterCopy* ParameterLayout::find(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    for (const std::size_t index : by_tensor_[tensor])
        if (copies_[index].layer == layer && copies_[index].copy == copy) return &copies_[index];
    return nullptr;
}

const ParameterCopy* ParameterLayout::at(std::int64_t place) const {
    const auto behind = std::ranges::upper_bound(copies_, place, {}, &ParameterCopy::offset);
    if (behind == copies_.begin() || place >= floats_) return nullptr;
    return &*(behind - 1);
}

void ParameterLayout::copy_from(const Weights& weights, std::span<float> floats) const {
    for (const ParameterCopy& each : copies_) {
        const MatrixView view = weights.view(each.tensor, each.layer, each.copy);
        float* to = floats.data() + each.offset;
        for (std::int64_t row = 0; row < each.rows; ++row)
            for (std::int64_t column = 0; column < each.columns; ++column) *to++ = view.at(row, column);
    }
}

void ParameterLayout::copy_to(std::span<const float> floats, Weights& weights) const {
    for (const ParameterCopy& each : copies_) {
        const MatrixView view = weights.view(each.tensor, each.layer, each.copy);
        float* const to = weights.floats(each.tensor, each.layer, each.copy);
        const float* from = floats.data() + each.offset;
        for (std::int64_t row = 0; row < each.rows; ++row)
            for (std::int64_t column = 0; column < each.columns; ++column) to[view.offset(row, column)] = *from++;
    }
}

}  // namespace headcount
