// Finds what the pointed thing reads and makes, and what comes into a component and leaves it.
#include "app/diagram/light.hpp"

#include <algorithm>

#include "app/diagram/spotlight.hpp"

namespace headcount {
namespace {

bool holds(const std::vector<TensorIndex>& tensors, TensorIndex tensor) {
    return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

const Tensor* pointed_tensor(const ModelGraph& graph, const Subject& subject) {
    const auto* pointed = std::get_if<TensorSubject>(&subject);
    return pointed ? graph.find(pointed->id) : nullptr;
}

bool lit(const ModelGraph& graph, const Subject& subject, std::string_view id) {
    if (nothing(subject)) return false;
    if (const auto* pointed = std::get_if<TensorSubject>(&subject)) return pointed->id == id;
    if (const auto* component = std::get_if<Component>(&subject); component && id.starts_with("component."))
        return id.substr(10) == component_key(*component);
    const Tensor* tensor = graph.find(id);
    return tensor && lights(subject, *tensor);
}

// Keys are the same ones before and after they are kept; one picture may show them in one form alone.
bool cached_together(const ModelGraph& graph, const Subject& subject, std::string_view id) {
    const Tensor* tensor = pointed_tensor(graph, subject);
    const Tensor* other = tensor && kept_in_cache(*tensor) ? graph.find(id) : nullptr;
    return other && kept_in_cache(*other) && other->part == tensor->part;
}

}  // namespace

CanvasLight::CanvasLight(const DiagramOf& of, const Subject& hover)
    : graph_(of.counted().graph), selection_(of.shown.look.selection), hover_(hover) {
    if (const Tensor* tensor = pointed_tensor(graph_, hover_))
        add_beside(static_cast<TensorIndex>(tensor - graph_.tensors.data()));
    else if (const auto* component = std::get_if<Component>(&hover_))
        add_ends(*component);
}

void CanvasLight::add_beside(TensorIndex tensor) {
    const auto add = [&](const std::vector<TensorIndex>& tensors) {
        near_.insert(near_.end(), tensors.begin(), tensors.end());
    };
    for (const Node& node : graph_.nodes) {
        const bool read = holds(node.inputs, tensor), multiplied = holds(node.parameters, tensor);
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
    const bool near =
        std::any_of(near_.begin(), near_.end(), [&](TensorIndex tensor) { return graph_.tensors[tensor].id == id; });
    return near ? Glow::near : Glow::none;
}

}  // namespace headcount
