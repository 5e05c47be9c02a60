// Mistakes about the layers as a list: which are run, and in which order.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

// Layers with the weights of others, by their number, as many as are named; or with those of one of their parts.
bool take_layers(Mutant& mutant, std::span<const std::int64_t> order, std::optional<Component> part = {}) {
    ModelGraph& graph = mutant.model.graph;
    Model& model = mutant.model;
    if (graph.layers.size() != 1) return false;
    bool changed = false;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        const bool stored = tensor.role == Role::parameter || tensor.role == Role::buffer;
        if (!stored || !graph.layer_of(tensor.block) || (part && tensor.component != *part)) continue;
        model.weights.take_layers(static_cast<TensorIndex>(i), order);
        changed = true;
    }
    model.architecture.layers = graph.layers.front().group.count = std::ssize(order);
    return changed;
}

void add_layers(std::int64_t layers, Mutations& all) {
    const auto add = [&](std::string name, std::string says, std::vector<std::int64_t> order) {
        all.push_back({std::move(name), std::move(says), "layers",
                       [order = std::move(order)](Mutant& mutant) { return take_layers(mutant, order); }});
    };
    std::vector<std::int64_t> own(static_cast<std::size_t>(layers));
    std::iota(own.begin(), own.end(), 0);
    add("layers-alike", "all layers have the weights of the first: they are one and the same module",
        std::vector<std::int64_t>(own.size(), 0));
    add("layers-alike-last",
        "all layers have the weights of the last: they are one and the same module, into which all were read",
        std::vector<std::int64_t>(own.size(), layers - 1));
    for (const Component part : {Component::attention, Component::feed_forward})
        for (const bool last : {false, true})
            all.push_back({std::string(component_key(part)) + (last ? "-alike-last" : "-alike"),
                           "the matrices of " +
                               std::string(part == Component::attention ? "attention" : "the feed-forward") +
                               " are those of the " + (last ? "last" : "first") +
                               " layer in all layers: they are one and the same module",
                           "layers",
                           [order = std::vector<std::int64_t>(own.size(), last ? layers - 1 : 0),
                            part](Mutant& mutant) { return take_layers(mutant, order, part); }});
    std::vector<std::int64_t> each_twice;
    for (const std::int64_t layer : own) each_twice.insert(each_twice.end(), {layer, layer});
    add("layers-each-twice", "every layer is run twice", std::move(each_twice));
    std::vector<std::int64_t> round = own, first_twice = own, last_twice = own;
    round.insert(round.end(), own.begin(), own.end());
    add("layers-twice", "all layers are run, and then all once more", std::move(round));
    first_twice.insert(first_twice.begin(), 0);
    add("layer-twice-first", "the first layer is run twice", std::move(first_twice));
    last_twice.push_back(layers - 1);
    add("layer-twice-last", "the last layer is run twice", std::move(last_twice));
    add("layers-backwards", "the layers are run in the other order: the last one first", {own.rbegin(), own.rend()});
    std::vector<std::int64_t> later = own;
    std::rotate(later.begin(), later.begin() + 1, later.end());
    if (layers > 2)
        add("layers-one-further", "every layer has the weights of the next one, and the last those of the first",
            later);
    std::vector<std::int64_t> by_name = own;
    std::ranges::sort(by_name, {}, [](std::int64_t layer) { return std::to_string(layer); });
    if (by_name != own)
        add("layers-by-name", "the layers are run in the order of their names as text: 0, 1, 10, 11, 2", by_name);
    constexpr std::int64_t most = 12;  // a run for each
    for (std::int64_t layer = 0; layer + 1 < std::min(layers, most + 1); ++layer) {
        std::vector<std::int64_t> others = own;
        others.erase(others.begin() + layer);
        add("layer-missing-" + std::to_string(layer), "layer " + std::to_string(layer) + ", counted from 0, is not run",
            std::move(others));
    }
    if (layers > 2) add("layers-first-alone", "the first layer alone is run", {0});  // of two it is one missing
    all.push_back({"layers-last-alone",
                   "every layer reads what the first one does, so that the last alone counts: what a layer makes is "
                   "not handed on",
                   "layers", [last = layers - 1](Mutant& mutant) {
                       const ModelGraph& graph = mutant.model.graph;
                       for (const Node& node : graph.nodes)  // of other layers, which are not run
                           if (graph.layer_of(node.block)) mutant.stands_for[node.output] = std::nullopt;
                       return take_layers(mutant, std::array{last});
                   }});
}

}  // namespace

void add_layer_mutations(const Model& model, Mutations& all) {
    // What layers have of tokens by themselves is one table, as wide as there are layers.
    if (model.architecture.layers < 2 || model.architecture.layer.embedding) return;
    all.push_back({"layer-missing", "the last layer is not run", "layers", [](Mutant& mutant) {
                       return --mutant.model.architecture.layers > 0 && mutant.model.graph.layers.size() == 1;
                   }});
    if (model.graph.layers.size() == 1) add_layers(model.architecture.layers, all);
}

}  // namespace headcount
