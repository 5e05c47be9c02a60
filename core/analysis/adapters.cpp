// Which layers have adapters, and what these consist of.
#include "core/analysis/adapters.hpp"

#include <algorithm>
#include <functional>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

const Tensor& first_of(const ModelGraph& graph, const StoredTensor& tensor) {
    return graph.tensors[tensor.parts.front()];
}

// A linear layer but the head that makes scores of tokens; of what stands in parameters of another kind of module, what
// PEFT knows by the names that it had as linear layers.
bool is_adapted_by_name(const ModelGraph& graph, const StoredTensor& tensor) {
    const Tensor& first = first_of(graph, tensor);
    return graph.peft.experts_by_name && !first.bias && !first.linear &&
           (of_experts(graph, tensor) || first.part == Part::router);
}

bool has_adapters(const ModelGraph& graph, const StoredTensor& tensor) {
    const Tensor& first = first_of(graph, tensor);
    // What reads no tokens has no head of theirs: scores of letters are classes.
    const bool scores_tokens = first.part == Part::output_head && !uses(first.shape, Symbol::classes) &&
                               std::ranges::any_of(graph.nodes, [](const Node& node) { return node.op == Op::embed; });
    return (first.linear && !scores_tokens) || is_adapted_by_name(graph, tensor);
}

// The names that PEFT knows of no linear layers.
std::vector<std::string> names_known(const ModelGraph& graph) {
    std::vector<std::string> names;
    for (const StoredTensor& tensor : graph.stored)
        if (is_adapted_by_name(graph, tensor)) names.push_back(module_of(tensor));
    return names;
}

bool is_query_or_value(const Tensor& part) { return part.part == Part::query || part.part == Part::value; }

class Choice {
  public:
    Choice(const ModelGraph& graph, const Adapters& adapters)
        : graph_(graph), adapters_(adapters), known_(names_known(graph)) {}

    bool takes(const StoredTensor& tensor) const {
        if (!has_adapters(graph_, tensor)) return false;
        const std::string name = module_of(tensor);
        // Linear layers that are called as the experts' once were are left out beside these.
        const bool hidden = !is_adapted_by_name(graph_, tensor) && contains(known_, name);
        if (adapters_.all) return !hidden;
        if (!adapters_.modules.empty()) return !hidden && contains(adapters_.modules, name);
        if (!graph_.peft.modules.empty()) return !hidden && contains(graph_.peft.modules, name);
        return std::ranges::any_of(tensor.parts,
                                   [&](TensorIndex part) { return is_query_or_value(graph_.tensors[part]); });
    }

    // Of a matrix whose parts are linear layers of their own.
    bool takes_part(const Tensor& part) const {
        return adapters_.all || !adapters_.modules.empty() || is_query_or_value(part);
    }

  private:
    const ModelGraph& graph_;
    const Adapters& adapters_;
    std::vector<std::string> known_;
};

// Gate and up of an expert are one matrix in what has all of them.
Expr outputs_of_experts(const ModelGraph& graph, const StoredTensor& tensor) {
    const Tensor& own = first_of(graph, tensor);
    std::vector<Expr> outputs;
    for (const Tensor& each : graph.tensors) {
        const bool beside = each.part == Part::expert_gate || each.part == Part::expert_up;
        if (each.block == own.block && !each.bias && each.role == Role::parameter && beside)
            outputs.push_back(each.shape[1]);
    }
    return own.part == Part::expert_down || own.part == Part::router ? own.shape[1] : sum_of(outputs);
}

// The narrow ways that a layer has beside matrices which layers share.
bool is_beside_shared(Part part) { return part >= Part::query_adapter_down && part <= Part::up_adapter; }

// Of a matrix that some layers share each of these has adapters of its own, as PEFT has them, and of the narrow ways
// beside it each of these has those of all; where all layers share one set of weights there is one module.
Expr copies_of(const ModelGraph& graph, const StoredTensor& tensor) {
    std::vector<Expr> layers;
    if (is_beside_shared(first_of(graph, tensor).part) && tensor.layer) {
        const std::optional<SharedUse>& own = graph.layers[*tensor.layer].group.kind.shared;
        for (const LayerBlock& each : graph.layers)
            if (own && each.group.kind.shared && each.group.kind.shared->set == own->set)
                layers.push_back(tensor.copies * each.group.count);
        return layers.empty() ? tensor.copies : sum_of(layers);
    }
    if (graph.tied_layers || !graph.first_sharing(tensor)) return tensor.copies;
    for (const Node& node : graph.nodes)
        if (contains(node.parameters, tensor.parts.front())) layers.push_back(graph.layers_with(node.block));
    return sum_of(layers);
}

// Of those that PEFT knows by name: gate and up go together, and what has all experts has no magnitudes.
std::optional<Error> wrong_experts(const ModelGraph& graph, const Adapters& adapters,
                                   const std::vector<Adapted>& found) {
    std::vector<std::string> together, given;
    bool any = false;
    for (const StoredTensor& tensor : graph.stored) {
        const Part part = first_of(graph, tensor).part;
        if (!is_adapted_by_name(graph, tensor) || (part != Part::expert_gate && part != Part::expert_up)) continue;
        together.push_back(module_of(tensor));
    }
    for (const Adapted& each : found) {
        if (!is_adapted_by_name(graph, graph.stored[each.stored])) continue;
        any = true;
        const std::string name = module_of(graph.stored[each.stored]);
        if (contains(together, name) && !contains(given, name)) given.push_back(name);
    }
    std::ranges::sort(together);
    together.erase(std::unique(together.begin(), together.end()), together.end());
    if (!given.empty() && given.size() < together.size())
        return Error{"PEFT adapts " + listed(together) + " of experts as one matrix", "targets",
                     "name all of them, or none"};
    if (any && adapters.magnitudes)
        return Error{"PEFT gives the experts of this type no magnitudes", "adapter",
                     "give lora, or name other layers as targets"};
    return std::nullopt;
}

}  // namespace

// Of "model.layers.{i}.self_attn.q_proj.weight".
std::string module_of(const StoredTensor& tensor) {
    const std::string path = tensor.name.substr(0, tensor.name.rfind('.'));
    return path.substr(path.rfind('.') + 1);
}

Adapters adapters_of(AdapterKind kind, std::optional<std::int64_t> rank, std::vector<std::string> modules) {
    Adapters adapters;
    adapters.rank = rank.value_or(adapters.rank);
    adapters.magnitudes = kind == AdapterKind::dora;
    if (kind == AdapterKind::qlora && modules.empty()) modules = {"all"};
    set_targets(adapters, std::move(modules));
    return adapters;
}

std::string targets_text(const Adapters& adapters) {
    return adapters.all ? "all" : listed(adapters.modules, std::identity(), ",");
}

Result<std::vector<std::string>> parse_targets(std::string_view text, std::string_view where) {
    const std::string_view all = text;
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        names.emplace_back(text.substr(0, comma));
        const bool name = !names.back().empty() && std::ranges::all_of(names.back(), [](char letter) {
            return letter == '_' || is_letter_or_digit(letter);
        });
        if (!name || comma + 1 == text.size())
            return Error{quote(all) + " names no layers", std::string(where), "give their names, or all"};
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return names;
}

void set_targets(Adapters& adapters, std::vector<std::string> modules) {
    adapters.all = modules == std::vector<std::string>{"all"};
    adapters.modules = adapters.all ? std::vector<std::string>() : std::move(modules);
}

std::optional<Formats> usual_weights(AdapterKind kind) {
    if (kind != AdapterKind::qlora) return std::nullopt;
    Formats formats = Precision::bf16;
    for (const WeightKind each : layer_kinds) formats.of(each) = Precision::nf4_double;
    return formats;
}

std::vector<Adapted> adapted(const ModelGraph& graph, const Adapters& adapters) {
    const Choice choice(graph, adapters);
    std::vector<Adapted> found;
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        const StoredTensor& tensor = graph.stored[i];
        if (!choice.takes(tensor)) continue;
        const bool outputs_first = tensor.kind != ModuleKind::conv1d;
        const Expr &inputs = tensor.shape[outputs_first ? 1 : 0], &outputs = tensor.shape[outputs_first ? 0 : 1];
        if (is_adapted_by_name(graph, tensor))
            found.push_back({i, tensor.parts.front(), inputs, outputs_of_experts(graph, tensor)});
        else if (!graph.peft.parts_apart || tensor.parts.size() == 1)
            found.push_back({i, tensor.parts.front(), inputs, outputs});
        else
            for (const TensorIndex part : tensor.parts)
                if (choice.takes_part(graph.tensors[part]))
                    found.push_back({i, part, inputs, graph.tensors[part].shape[1]});
    }
    return found;
}

std::optional<Error> wrong_adapters(const ModelGraph& graph, const Adapters& adapters) {
    if (adapters.rank < 1) return Error{"adapters have a rank of at least 1", "rank", "give at least 1"};
    std::vector<std::string> there;
    for (const StoredTensor& tensor : graph.stored)
        if (const std::string name = module_of(tensor); has_adapters(graph, tensor) && !contains(there, name))
            there.push_back(name);
    const auto give = [&](std::string_view behind) { return "give of " + listed(there) + std::string(behind); };
    const bool fused = graph.peft.fused_states && std::erase(there, "out_proj") > 0;
    if (fused && (adapters.all || contains(adapters.modules, "out_proj")))
        return Error{"PEFT gives out_proj of this type no adapter, since it is computed with the state", "targets",
                     give("")};
    for (const std::string& name : adapters.modules)
        if (!contains(there, name))
            return Error{"no linear layer is called " + quote(name), "targets", give(fused ? "" : ", or all")};
    const std::vector<Adapted> found = adapted(graph, adapters);
    if (found.empty())
        return Error{"no linear layer makes queries or values", "targets", "name the layers, or give all"};
    return wrong_experts(graph, adapters, found);
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
