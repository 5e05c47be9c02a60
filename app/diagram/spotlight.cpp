// Which tensors are lit, and which blocks for their sake.
#include "app/diagram/spotlight.hpp"

#include <algorithm>

namespace headcount {
namespace {

constexpr std::string_view prefix = "component.";

// "layer.attention" is of attention whatever kind of layers it is in, and so is all inside it.
bool within(const ModelGraph& graph, BlockIndex block, std::string_view name) {
    for (std::optional<BlockIndex> at = block; at; at = graph.blocks[*at].parent)
        if (graph.blocks[*at].name == name) return true;
    return false;
}

}  // namespace

bool belongs(const ModelGraph& graph, const Tensor& tensor, Component component) {
    switch (component) {
        case Component::attention:
        case Component::feed_forward:
            return within(graph, tensor.block, component_key(component));
        case Component::embedding:
            return (tensor.role == Role::parameter && tensor.component == component) || tensor.id == "embedded";
        case Component::output:
            return (tensor.role == Role::parameter && tensor.component == component) || tensor.id == "logits";
        case Component::norm:
            break;
    }
    return tensor.component == component;
}

Spotlight::Spotlight(const DiagramOf& of) : graph_(of.counted().graph) {
    if (!of.view.show.presenting) return;
    lit_.assign(graph_.tensors.size(), false);
    const WorkedStep* const step = of.step;
    const Subject& selection = of.shown.look.selection;
    if (step && !step->light.empty() && alike(selection, subject_from_key(step->select))) {
        for (const std::string& id : step->light) light_named(id);
    } else if (const auto* component = std::get_if<Component>(&selection)) {
        light_component(*component);
    } else if (!nothing(selection) && !std::holds_alternative<TotalSubject>(selection)) {
        for (std::size_t i = 0; i < lit_.size(); ++i)
            if (lights(selection, graph_.tensors[i])) lit_[i] = true;
        if (std::holds_alternative<TensorSubject>(selection))
            for (std::size_t i = 0; i < lit_.size(); ++i)
                if (lights(selection, graph_.tensors[i])) light_neighbours(static_cast<TensorIndex>(i));
    }
    // Nothing in it: there is no spotlight.
    everything_ = std::none_of(lit_.begin(), lit_.end(), [](bool lit) { return lit; });
}

void Spotlight::light_named(std::string_view id) {
    for (Component component : components)
        if (id.starts_with(prefix) && id.substr(prefix.size()) == component_key(component)) light_component(component);
    const Block* const block = id.empty() ? nullptr : graph_.find_block(id);
    for (std::size_t i = 0; i < lit_.size(); ++i) {
        const Tensor& tensor = graph_.tensors[i];
        if (tensor.id == id ||
            (block && graph_.inside(tensor.block, static_cast<BlockIndex>(block - graph_.blocks.data()))))
            lit_[i] = true;
    }
}

void Spotlight::light_component(Component component) {
    for (std::size_t i = 0; i < lit_.size(); ++i)
        if (belongs(graph_, graph_.tensors[i], component)) lit_[i] = true;
}

// What it is made from and what it makes.
void Spotlight::light_neighbours(TensorIndex tensor) {
    for (const Node& node : graph_.nodes) {
        const auto in = [&](const std::vector<TensorIndex>& tensors) {
            return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
        };
        if (node.output != tensor && !in(node.inputs) && !in(node.parameters)) continue;
        lit_[node.output] = true;
        for (TensorIndex each : node.parameters) lit_[each] = true;
        if (node.output == tensor || in(node.parameters))
            for (TensorIndex each : node.inputs) lit_[each] = true;
    }
}

bool Spotlight::holds_block(BlockIndex block) const {
    for (std::size_t i = 0; i < lit_.size(); ++i)
        if (lit_[i] && graph_.inside(graph_.tensors[i].block, block)) return true;
    return false;
}

bool Spotlight::holds(std::string_view id) const {
    if (everything_ || id.empty()) return true;
    if (id.starts_with(prefix)) {
        for (std::size_t i = 0; i < lit_.size(); ++i)
            for (Component component : components)
                if (lit_[i] && id.substr(prefix.size()) == component_key(component) &&
                    belongs(graph_, graph_.tensors[i], component))
                    return true;
        return false;
    }
    if (const Tensor* const tensor = graph_.find(id))
        return lit_[static_cast<std::size_t>(tensor - graph_.tensors.data())];
    const Block* const block = graph_.find_block(id);
    return !block || holds_block(static_cast<BlockIndex>(block - graph_.blocks.data()));
}

}  // namespace headcount
