// What a family's models have besides: parameters that are stored and counted, and that no node reads.
#include <cassert>
#include <map>
#include <utility>

#include "core/arch/whole_senses.hpp"
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

Component component_of(Component component) {
    switch (place) {
        case Component::embedding: return Component::embedding;
        case Component::attention: return Component::attention;
        case Component::feed_forward: return Component::feed_forward;
        case Component::norm: return Component::norm;
        case Component::output: return Component::output;
        case Component::tower: return Component::tower;
        case Component::connector: return Component::connector;
    }
    return Component::output;
}

bool stands_in(const Extra& beside, const LayerGroup* layer) {
    if (beside.in_layers != (layer != nullptr)) return false;
    if (!layer) return true;
    const bool encoder = layer->kind.encoder;
    if (beside.stacks != Extra::Stacks::all && encoder != (beside.stacks == Extra::Stacks::encoder)) return false;
    return encoder || beside.layers.contains(layer->first);
}

void add_beside(GraphBuilder& builder, const Extra& beside) {
    builder.component = component_of(beside.component);
    const Part part = is_sense(builder.component) ? Part::sense : beside.part;
    const auto add = [&](const std::vector<Expr>& sides, std::string_view suffix) -> std::optional<TensorIndex> {
        if (sides.empty()) return std::nullopt;
        return builder.idle(beside.name + std::string(suffix),
                            {beside.name, part, beside.label, beside.symbol, Shape(sides), beside.meaning,
                             beside.buffer ? Role::buffer : Role::parameter});
    };
    const bool scalar = beside.weight.empty() && beside.bias.empty();
    if (const std::optional<TensorIndex> weight =
            add(scalar ? std::vector<Expr>{1} : beside.weight, beside.alone ? "" : ".weight")) {
        builder.graph.tensors[*weight].linear = beside.linear;
        builder.graph.tensors[*weight].scalar = scalar;
    }
    if (const std::optional<TensorIndex> bias = add(beside.bias, ".bias")) builder.graph.tensors[*bias].bias = true;
}

}  // namespace

void build_besides(GraphBuilder& builder, const LayerGroup* layer) {
    for (const Extra& beside : builder.besides)
        if (stands_in(beside, layer)) add_beside(builder, beside);
}

// Tensors in as many layers share a block, which no token of the text passes.
void build_senses(GraphBuilder& builder) {
    if (!builder.arch.whole) return;
    const Result<Senses> senses = senses_of(builder.arch);
    assert(senses && *senses);  // what can be wrong with it the file says, which was refused where it was read
    std::map<std::pair<Component, std::int64_t>, std::vector<const Extra*>> blocks;
    for (const Extra& each : **senses) blocks[{component_of(each.place), each.copies}].push_back(&each);
    for (const auto& [block, all] : blocks) {
        std::string name(component_key(block.first));
        if (block.second > 1) name += "_layers_" + std::to_string(block.second);
        builder.open(BlockKind::sense, name, block.second, 0);
        for (const Extra* each : all) add_beside(builder, *each);
        builder.close();
    }
}

}  // namespace headcount
