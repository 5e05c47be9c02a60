// Which layers have adapters, and what these consist of.
#include "core/analysis/adapters.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

bool is_linear(const ModelGraph& graph, const StoredTensor& tensor) {
    if (tensor.kind != ModuleKind::linear && tensor.kind != ModuleKind::conv1d) return false;
    return tensor.shape.rank() == 2 && graph.tensors[tensor.parts.front()].part != Part::output_head;
}

// "q_proj" of "model.layers.{i}.self_attn.q_proj.weight".
std::string module_of(const StoredTensor& tensor) {
    const std::string path = tensor.name.substr(0, tensor.name.rfind('.'));
    return path.substr(path.rfind('.') + 1);
}

bool makes_queries_or_values(const ModelGraph& graph, const StoredTensor& tensor) {
    return std::any_of(tensor.parts.begin(), tensor.parts.end(), [&](TensorIndex part) {
        return graph.tensors[part].part == Part::query || graph.tensors[part].part == Part::value;
    });
}

bool is_chosen(const ModelGraph& graph, const StoredTensor& tensor, const Adapters& adapters) {
    if (adapters.all) return true;
    if (adapters.modules.empty()) return makes_queries_or_values(graph, tensor);
    return std::find(adapters.modules.begin(), adapters.modules.end(), module_of(tensor)) != adapters.modules.end();
}

// Of a matrix that some layers share each of these has adapters of its own, as PEFT has them; where all layers share
// one set of weights there is one module.
Expr copies_of(const ModelGraph& graph, const StoredTensor& tensor) {
    if (graph.tied_layers || !graph.first_sharing(tensor)) return tensor.copies;
    std::vector<Expr> layers;
    for (const Node& node : graph.nodes)
        if (std::ranges::find(node.parameters, tensor.parts.front()) != node.parameters.end())
            layers.push_back(graph.layers_with(node.block));
    return sum_of(layers);
}

}  // namespace

Adapters adapters_of(AdapterKind kind, std::optional<std::int64_t> rank, std::vector<std::string> modules) {
    Adapters adapters;
    adapters.rank = rank.value_or(adapters.rank);
    adapters.magnitudes = kind == AdapterKind::dora;
    adapters.all = modules == std::vector<std::string>{"all"} || (kind == AdapterKind::qlora && modules.empty());
    if (!adapters.all) adapters.modules = std::move(modules);
    return adapters;
}

std::optional<Formats> usual_weights(AdapterKind kind) {
    if (kind != AdapterKind::qlora) return std::nullopt;
    Formats formats = Precision::bf16;
    for (const WeightKind each : layer_kinds) formats.of(each) = Precision::nf4_double;
    return formats;
}

std::vector<Adapted> adapted(const ModelGraph& graph, const Adapters& adapters) {
    std::vector<Adapted> found;
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        const StoredTensor& tensor = graph.stored[i];
        if (!is_linear(graph, tensor) || !is_chosen(graph, tensor, adapters)) continue;
        const bool outputs_first = tensor.kind == ModuleKind::linear;
        found.push_back({i, tensor.shape[outputs_first ? 1 : 0], tensor.shape[outputs_first ? 0 : 1]});
    }
    return found;
}

std::optional<Error> wrong_adapters(const ModelGraph& graph, const Adapters& adapters) {
    if (adapters.rank < 1) return Error{"adapters have a rank of at least 1", "rank", "give at least 1"};
    std::vector<std::string> there;
    for (const StoredTensor& tensor : graph.stored)
        if (const std::string name = module_of(tensor);
            is_linear(graph, tensor) && std::find(there.begin(), there.end(), name) == there.end())
            there.push_back(name);
    for (const std::string& name : adapters.modules)
        if (std::find(there.begin(), there.end(), name) == there.end())
            return Error{"no linear layer is called " + quote(name), "targets",
                         "give of " + listed(there, [](const std::string& each) { return each; }) + ", or all"};
    if (adapted(graph, adapters).empty())
        return Error{"no linear layer makes queries or values", "targets", "name the layers, or give all"};
    return std::nullopt;
}

bool of_experts(const ModelGraph& graph, const StoredTensor& tensor) {
    return graph.within(graph.tensors[tensor.parts.front()].block, BlockKind::expert);
}

std::vector<TrainedTensor> trained_tensors(const ModelGraph& graph, const std::optional<Adapters>& adapters) {
    std::vector<TrainedTensor> trained;
    if (!adapters) {
        for (std::size_t i = 0; i < graph.stored.size(); ++i) {
            const StoredTensor& tensor = graph.stored[i];
            trained.push_back({i, tensor.copies, tensor.shape,
                               tensor.layer && tensor.shape.rank() > 1 && tensor.component != Component::norm,
                               of_experts(graph, tensor)});
        }
        return trained;
    }
    for (const Adapted& each : adapted(graph, *adapters)) {
        const StoredTensor& tensor = graph.stored[each.stored];
        const Expr copies = copies_of(graph, tensor);
        const bool of_layer = tensor.layer.has_value(), chosen = of_experts(graph, tensor);
        trained.push_back({each.stored, copies, {adapters->rank, each.inputs}, of_layer, chosen});
        trained.push_back({each.stored, copies, {each.outputs, adapters->rank}, of_layer, chosen});
        if (adapters->magnitudes) trained.push_back({each.stored, copies, {each.outputs}, false, chosen});
    }
    return trained;
}

Expr adapter_parameters(const ModelGraph& graph, const Adapters& adapters) {
    std::vector<Expr> terms;
    for (const Adapted& each : adapted(graph, adapters)) {
        Expr one = Expr(adapters.rank) * (each.inputs + each.outputs);
        if (adapters.magnitudes) one = one + each.outputs;
        terms.push_back(copies_of(graph, graph.stored[each.stored]) * one);
    }
    return sum_of(terms);
}

}  // namespace headcount
