// What a family's models have besides: parameters that are stored and counted, and that no node reads.
#include <utility>

#include "core/graph/builder.hpp"

namespace headcount {
namespace {

Component component_of(Extra::Place place) {
    switch (place) {
        case Extra::Place::embedding:
            return Component::embedding;
        case Extra::Place::attention:
            return Component::attention;
        case Extra::Place::feed_forward:
            return Component::feed_forward;
        case Extra::Place::norm:
            return Component::norm;
        case Extra::Place::output:
            return Component::output;
    }
    return Component::output;
}

Shape shape_of(const std::vector<Expr>& sides) {
    if (sides.size() == 1) return {sides[0]};
    if (sides.size() == 2) return {sides[0], sides[1]};
    if (sides.size() == 3) return {sides[0], sides[1], sides[2]};
    return {sides[0], sides[1], sides[2], sides[3]};
}

bool stands_in(const Extra& beside, const LayerGroup* layer) {
    if (beside.in_layers != (layer != nullptr)) return false;
    if (!layer) return true;
    const bool encoder = layer->kind.encoder;
    if (beside.stacks != Extra::Stacks::all && encoder != (beside.stacks == Extra::Stacks::encoder)) return false;
    return encoder || beside.layers.contains(layer->first);
}

}  // namespace

void build_besides(GraphBuilder& builder, const LayerGroup* layer) {
    const Architecture& arch = builder.arch;
    if (!arch.family->besides) return;
    for (const Extra& beside : arch.family->besides(arch)) {
        if (!stands_in(beside, layer)) continue;
        builder.component = component_of(beside.place);
        const auto add = [&](const std::vector<Expr>& sides, std::string_view suffix) -> std::optional<TensorIndex> {
            if (sides.empty()) return std::nullopt;
            return builder.idle(beside.name + std::string(suffix),
                                {beside.name, beside.part, beside.label, beside.symbol, shape_of(sides), beside.meaning,
                                 beside.buffer ? Role::buffer : Role::parameter});
        };
        add(beside.weight, beside.alone ? "" : ".weight");
        if (const std::optional<TensorIndex> bias = add(beside.bias, ".bias")) builder.graph.tensors[*bias].bias = true;
    }
}

}  // namespace headcount
