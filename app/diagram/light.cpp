// Finds what the pointed thing reads and makes, what comes into a component and leaves it, and which tensors and blocks
// are in the spotlight.
#include "app/diagram/light.hpp"

#include <algorithm>

#include "app/parts/words.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

constexpr std::string_view prefix = "component.";

std::optional<Component> component_named(std::string_view id) {
    for (const Component component : components)
        if (id.starts_with(prefix) && id.substr(prefix.size()) == component_key(component)) return component;
    return std::nullopt;
}

// Whether it is in what mixes tokens: attention, or something with a state. Where a layer has both, they share its
// norm.
bool mixes(const ModelGraph& graph, const Tensor& tensor, Component component) {
    const bool recurrent = component == Component::recurrence;
    const LayerGroup* const group = group_of(graph, tensor.block);
    if (!recurrent && graph.within(tensor.block, BlockKind::cross)) return true;
    if (group && group->kind.shared && !graph.within(tensor.block, BlockKind::mixer))
        return tensor.component == component;
    if (!group || !graph.within(tensor.block, BlockKind::mixer)) return false;
    const bool both = group->kind.attention && group->kind.recurrent;
    return both ? tensor.component == component || tensor.component == Component::norm
                : group->kind.recurrent == recurrent;
}

// Whether a tensor is of a component: one of its parameters, or made inside of it.
bool belongs(const ModelGraph& graph, const Tensor& tensor, Component component) {
    const bool parameter = tensor.role == Role::parameter && tensor.component == component;
    switch (component) {
        case Component::attention: return mixes(graph, tensor, component);
        case Component::recurrence: return mixes(graph, tensor, component);
        case Component::feed_forward:
            return graph.within(tensor.block, BlockKind::feed_forward) ||
                   (group_of(graph, tensor.block) && tensor.component == component);
        case Component::embedding: return parameter || tensor.id == "embedded";
        case Component::output: return parameter || tensor.id == "logits" || tensor.id == "pooled";
        case Component::norm:
        case Component::tower:
        case Component::connector: break;
    }
    return tensor.component == component;
}

BlockIndex index_of(const ModelGraph& graph, const Block& block) {
    return static_cast<BlockIndex>(&block - graph.blocks.data());
}

bool contains(const std::vector<TensorIndex>& tensors, TensorIndex tensor) { return contains(tensors, tensor); }

const Tensor* pointed_tensor(const ModelGraph& graph, const Subject& subject) {
    const auto* pointed = std::get_if<TensorSubject>(&subject);
    return pointed ? graph.find(pointed->id) : nullptr;
}

bool lit(const ModelGraph& graph, const Subject& subject, std::string_view id) {
    if (nothing(subject)) return false;
    if (const auto* pointed = std::get_if<TensorSubject>(&subject)) return pointed->id == id;
    if (const auto* component = std::get_if<Component>(&subject); component && id.starts_with(prefix))
        return component_named(id) == *component;
    const Tensor* tensor = graph.find(id);
    return tensor && lights(subject, *tensor);
}

// Keys are the same ones before and after they are kept; one picture may show them in one form alone.
bool cached_together(const ModelGraph& graph, const Subject& subject, std::string_view id) {
    const Tensor* tensor = pointed_tensor(graph, subject);
    const Tensor* other = tensor && kept_in_cache(*tensor) ? graph.find(id) : nullptr;
    return other && kept_in_cache(*other) && other->role != Role::state && other->part == tensor->part;
}

}  // namespace

CanvasLight::CanvasLight(const DiagramOf& diagram, const Subject& hover)
    : graph_(diagram.counted().graph), selection_(diagram.shown.look.selection), hover_(hover) {
    if (const Tensor* tensor = pointed_tensor(graph_, hover_))
        add_beside(index_of(graph_, *tensor));
    else if (const auto* component = std::get_if<Component>(&hover_))
        add_ends(*component);
}

void CanvasLight::add_beside(TensorIndex tensor) {
    const auto add = [&](const std::vector<TensorIndex>& tensors) {
        near_.insert(near_.end(), tensors.begin(), tensors.end());
    };
    for (const Node& node : graph_.nodes) {
        const bool read = contains(node.inputs, tensor), multiplied = contains(node.parameters, tensor);
        if (read || multiplied) near_.push_back(node.output);
        if (node.output == tensor) add(node.parameters);
        if (node.output == tensor || multiplied) add(node.inputs);
    }
}

// The activations that come into a component and those that leave it, with what the last step makes those of: where a
// sub-block is added to the stream, that is what it adds.
void CanvasLight::add_ends(Component component) {
    const auto inside = [&](TensorIndex tensor) { return belongs(graph_, graph_.tensors[tensor], component); };
    std::vector<bool> leaves(graph_.tensors.size(), false);
    for (const Node& node : graph_.nodes)
        for (TensorIndex input : node.inputs) {
            if (inside(node.output) && !inside(input)) near_.push_back(input);
            if (!inside(node.output) && inside(input)) leaves[input] = true;
        }
    for (const Node& node : graph_.nodes) {
        if (!leaves[node.output]) continue;
        near_.push_back(node.output);
        near_.insert(near_.end(), node.inputs.begin(), node.inputs.end());
    }
}

Glow CanvasLight::glow(std::string_view id) const {
    if (lit(graph_, selection_, id)) return Glow::selected;
    const Glow pointed = by_pointer(id);
    return pointed == Glow::none && cached_together(graph_, selection_, id) ? Glow::near : pointed;
}

Glow CanvasLight::by_pointer(std::string_view id) const {
    if (lit(graph_, hover_, id)) return Glow::hovered;
    if (cached_together(graph_, hover_, id)) return Glow::near;
    const bool near = std::ranges::any_of(near_, [&](TensorIndex tensor) { return graph_.tensors[tensor].id == id; });
    return near ? Glow::near : Glow::none;
}

Spotlight::Spotlight(const DiagramOf& diagram) : graph_(diagram.counted().graph) {
    if (!presents_diagram(diagram.view)) return;
    lit_.assign(graph_.tensors.size(), false);
    const WorkedStep* const step = diagram.step;
    const Subject& selection = diagram.shown.look.selection;
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
    everything_ = std::ranges::none_of(lit_, [](bool lit) { return lit; });
}

void Spotlight::light_named(std::string_view id) {
    if (const std::optional<Component> component = component_named(id)) light_component(*component);
    const Block* const block = id.empty() ? nullptr : graph_.find_block(id);
    for (std::size_t i = 0; i < lit_.size(); ++i) {
        const Tensor& tensor = graph_.tensors[i];
        if (tensor.id == id || (block && graph_.inside(tensor.block, index_of(graph_, *block)))) lit_[i] = true;
    }
}

void Spotlight::light_component(Component component) {
    for (std::size_t i = 0; i < lit_.size(); ++i)
        if (belongs(graph_, graph_.tensors[i], component)) lit_[i] = true;
}

// What it is made from and what it makes.
void Spotlight::light_neighbours(TensorIndex tensor) {
    for (const Node& node : graph_.nodes) {
        const bool multiplied = contains(node.parameters, tensor);
        if (node.output != tensor && !multiplied && !contains(node.inputs, tensor)) continue;
        lit_[node.output] = true;
        for (TensorIndex each : node.parameters) lit_[each] = true;
        if (node.output == tensor || multiplied)
            for (TensorIndex each : node.inputs) lit_[each] = true;
    }
}

bool Spotlight::holds(std::string_view id) const {
    if (everything_ || id.empty()) return true;
    const auto any_lit = [&](auto is) {
        for (std::size_t i = 0; i < lit_.size(); ++i)
            if (lit_[i] && is(graph_.tensors[i])) return true;
        return false;
    };
    if (id.starts_with(prefix)) {
        const std::optional<Component> component = component_named(id);
        return component && any_lit([&](const Tensor& tensor) { return belongs(graph_, tensor, *component); });
    }
    if (const Tensor* const tensor = graph_.find(id)) return lit_[index_of(graph_, *tensor)];
    const Block* const block = graph_.find_block(id);
    return !block ||
           any_lit([&](const Tensor& tensor) { return graph_.inside(tensor.block, index_of(graph_, *block)); });
}

}  // namespace headcount
