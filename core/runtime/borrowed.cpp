// Finds whose keys and values a layer borrows.
#include "core/runtime/borrowed.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/base/text.hpp"

namespace headcount {
namespace {

// What the heads of a group take keys of, where `reader` is the scores, or values, where it is the mix.
std::optional<TensorIndex> taken(const ModelGraph& graph, std::size_t group, Op reader) {
    for (const Node& node : graph.nodes)
        if (node.op == reader && graph.layer_of(node.block) == group)
            if (const Node* const taking = graph.producer(node.inputs[1])) return taking->inputs.front();
    return std::nullopt;
}

}  // namespace

Result<std::vector<Borrowed>> borrowed(const Architecture& arch, const ModelGraph& graph) {
    std::vector<Borrowed> all;
    if (std::ranges::none_of(graph.layers, [](const LayerBlock& each) { return each.group.kind.borrows; })) return all;
    std::vector<std::optional<std::int64_t>> lender(graph.layers.size());
    std::array<std::optional<std::int64_t>, 2> own;  // the last with its own, without a window and with one
    // Where layers of a cycle lend, the second one shows that those like each other borrow of different ones.
    const LayerKinds kinds(arch);
    for (std::int64_t layer = 0; layer < std::min(arch.layers, 2 * pattern_length(arch)); ++layer) {
        const LayerKind kind = kinds[layer];
        std::optional<std::int64_t>& from = own[kind.windowed ? 1 : 0];
        if (kind.attention && !kind.borrows) from = layer;
        if (!kind.borrows) continue;
        const std::string of = "layer " + grouped(layer);
        if (!from)
            return Error{"no layer before " + of + " has keys and values to lend it", "borrowing_layers",
                         "let a layer of its kind before it have its own"};
        const std::size_t group = graph.group_of(kind);
        if (lender[group] && lender[group] != from)
            return Error{of + " borrows of another layer than those like it, which is not computed here",
                         "borrowing_layers", "let the last layers borrow, and no others"};
        if (lender[group]) continue;
        lender[group] = from;
        const std::size_t lending = graph.group_of(kinds[*from]);
        for (const Op reader : {Op::scores, Op::mix}) {
            const auto tensor = taken(graph, group, reader), lent = taken(graph, lending, reader);
            if (tensor && lent && graph.tensors[*tensor].role == Role::input) all.push_back({*tensor, *lent, *from});
        }
    }
    return all;
}

}  // namespace headcount
