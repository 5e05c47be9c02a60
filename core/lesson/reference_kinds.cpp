// Says how many parameters a sub-block has where layers are not all alike: once for each number that there is.
#include <algorithm>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

// Layers with as many parameters in it.
struct Alike {
    std::int64_t parameters = 0, layers = 0;
    std::string label;  // of all of them; empty where they have none in common
};

void add(std::vector<Alike>& kinds, std::int64_t parameters, const LayerGroup& group) {
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const Alike& each) { return each.parameters == parameters; });
    if (found == kinds.end()) {
        kinds.push_back({parameters, group.count, group.label});
        return;
    }
    found->layers += group.count;
    if (found->label != group.label) found->label.clear();
}

std::string layers_in(const Alike& kind) {
    const std::string label = kind.label.empty() ? "" : kind.label + " ";
    return kind.layers == 1 ? "in one " + label + "layer"
                            : "in each of " + grouped(kind.layers) + " " + label + "layers";
}

}  // namespace

Result<std::string> count_by_kind(const Reference& asked, const CountedModel& model) {
    const ModelGraph& graph = model.graph;
    const Block* const block = asked.subject.empty() ? nullptr : graph.find_block(asked.subject);
    const std::optional<std::size_t> in =
        block ? graph.layer_of(static_cast<BlockIndex>(block - graph.blocks.data())) : std::nullopt;
    if (!in)
        return Error{"no layer of " + model.architecture.name + " has " + quote(asked.subject), "",
                     "name a block of a layer, such as layer.attention"};
    const std::string behind = block->id.substr(graph.blocks[graph.layers[*in].block].id.size());
    std::vector<Alike> kinds;
    std::int64_t layers = 0;
    for (const LayerBlock& layer : graph.layers) {
        layers += layer.group.count;
        const std::string there = graph.blocks[layer.block].id + behind;
        if (!contains(graph.blocks, there, &Block::id)) continue;
        Resolved counted;
        const Result<Expr> count = ask_graph({"count", there, {}, asked.without_norms}, model, counted);
        if (!count) return count.error();
        const Result<std::int64_t> number = evaluate(*count, model.bindings);
        if (!number) return number.error();
        add(kinds, *number, layer.group);
    }
    if (kinds.size() == 1 && kinds.front().layers == layers)
        return grouped(kinds.front().parameters) + " parameters " +
               (layers == 1 ? "in its one layer" : "in each layer");
    std::stable_sort(kinds.begin(), kinds.end(), [](const Alike& a, const Alike& b) { return a.layers > b.layers; });
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (i > 0) text += i + 1 == kinds.size() ? " and " : ", ";
        text += grouped(kinds[i].parameters) + (i == 0 ? " parameters " : " ") + layers_in(kinds[i]);
    }
    return text;
}

}  // namespace headcount
