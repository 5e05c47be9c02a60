// The parts of a layer that can be changed, with how many heads and experts each has.
#include "core/arch/layers.hpp"
#include "core/runtime/changes.hpp"

namespace headcount {

std::vector<LayerPart> parts_of(const Architecture& arch, const ModelGraph& graph, ChangePlace::Stack stack,
                                std::int64_t layer) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    const auto number = [&](const Expr& expr) {
        const Result<std::int64_t> value = evaluate(expr, values);
        return value ? *value : 0;
    };
    const std::size_t group = graph.group_of(layer_kind(arch, layer, stack == ChangePlace::Stack::encoder));
    std::vector<LayerPart> parts;
    for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
        if (!graph.is_part(static_cast<BlockIndex>(i), graph.layers[group].block)) continue;
        LayerPart& part = parts.emplace_back(LayerPart{.block = static_cast<BlockIndex>(i)});
        if (const Node* const join = graph.first(Op::join_heads, part.block))
            part.heads = number(graph.blocks[graph.tensors[join->inputs.front()].block].repeat);
        if (graph.first(Op::combine, part.block)) part.experts = number(Symbol::experts);
    }
    return parts;
}

}  // namespace headcount
