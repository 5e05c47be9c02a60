// Finds whose keys and values a layer borrows.
#include "core/runtime/borrowed.hpp"

#include "core/base/text.hpp"

namespace headcount {
namespace {

// What the heads of these layers take keys (1) or values of.
TensorIndex taken(const ModelGraph& graph, std::size_t group, Op reader) {
    for (const Node& node : graph.nodes)
        if (node.op == reader && graph.layer_of(node.block) == group)
            return graph.producer(node.inputs[1])->inputs.front();
    return 0;
}

}  // namespace

Result<std::vector<Borrowed>> borrowed(const Architecture& arch, const ModelGraph& graph) {
    std::vector<Borrowed> all;
    std::vector<std::optional<std::int64_t>> lender(graph.layers.size());
    for (std::int64_t layer = 0; layer < arch.layers; ++layer) {
        const LayerKind kind = layer_kind(arch, layer);
        if (!kind.borrows) continue;
        std::int64_t from = layer - 1;
        for (; from >= 0; --from)
            if (const LayerKind other = layer_kind(arch, from);
                other.attention && !other.borrows && other.windowed == kind.windowed)
                break;
        const std::string of = "layer " + grouped(layer);
        if (from < 0)
            return Error{"no layer before " + of + " has keys and values to lend it", "borrowing_layers",
                         "let a layer of its kind before it have its own"};
        const std::size_t group = graph.group_of(kind);
        if (lender[group] && *lender[group] != from)
            return Error{of + " borrows of another layer than those like it, which is not computed here",
                         "borrowing_layers", "let the last layers borrow, and no others"};
        if (lender[group]) continue;
        lender[group] = from;
        const std::size_t own = graph.group_of(layer_kind(arch, from));
        for (const Op reader : {Op::scores, Op::mix})
            all.push_back({taken(graph, group, reader), taken(graph, own, reader), from});
    }
    return all;
}

}  // namespace headcount
