// Which layers the host has, and what of what is outside of layers; see the header.
#include "core/analysis/host_layers.hpp"

#include <algorithm>

#include "core/arch/layers.hpp"
#include "core/base/find.hpp"

namespace headcount {

HostLayers::HostLayers(const Architecture& arch, const ModelGraph& graph, std::int64_t on_device)
    : graph_(graph), layers_(graph.layers.size()), output_(on_device == 0) {
    const std::int64_t host = output_ ? arch.layers : std::max<std::int64_t>(arch.layers - (on_device - 1), 0);
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < host; ++layer) ++layers_[graph.group_of(kinds[layer])];
    first_ = host > 0;
    const auto begin =
        std::ranges::find_if(graph.nodes, [&](const Node& node) { return graph.layer_of(node.block).has_value(); });
    begin_ = static_cast<std::size_t>(begin - graph.nodes.begin());
}

Expr HostLayers::copies(BlockIndex block) const {
    const std::optional<std::size_t> group = graph_.layer_of(block);
    return Expr(group ? layers_[*group] : 0) * graph_.copies_in_layer(block);
}

Expr HostLayers::weights(const StoredWeights& weights) const {
    // What comes before the first layer lies where that lies.
    const auto before = [&](TensorIndex parameter) {
        return std::any_of(graph_.nodes.begin(), graph_.nodes.begin() + static_cast<std::ptrdiff_t>(begin_),
                           [&](const Node& node) { return contains(node.parameters, parameter); });
    };
    std::vector<Expr> terms;
    for (const StoredTensor& stored : graph_.stored)
        for (const TensorIndex part : stored.parts) {
            const Tensor& tensor = graph_.tensors[part];
            if (const std::optional<std::size_t> group = graph_.layer_of(tensor.block))
                terms.push_back(weights.of_first(graph_, part, layers_[*group]));
            else if (is_table(tensor) || (before(part) ? first_ : output_))
                terms.push_back(weights.of_first(graph_, part, 1));
        }
    return sum_of(terms);
}

Expr HostLayers::in_both(const StoredWeights& weights) const {
    return output_ || !graph_.tied_head ? Expr(0) : weights.of_first(graph_, *graph_.tied_head, 1);
}

}  // namespace headcount
