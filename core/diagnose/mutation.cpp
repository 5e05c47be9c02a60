// The tools that mistakes are made with, and the list of them.
#include "core/diagnose/mutation.hpp"

#include <algorithm>
#include <utility>

#include "core/base/find.hpp"

namespace headcount {

Mutations mutations_of(const Model& model) {
    Mutations all;
    for (const auto add : {add_rope_mutations, add_attention_mutations, add_mask_mutations, add_distance_mutations,
                           add_head_mutations, add_norm_mutations, add_stream_mutations, add_feed_forward_mutations,
                           add_mixture_mutations, add_position_mutations, add_end_mutations, add_layer_mutations,
                           add_weight_mutations, add_projection_mutations})
        add(model, all);
    return all;
}

std::string local_name(const ModelGraph& graph, TensorIndex tensor) {
    const std::string& id = graph.tensors[tensor].id;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[tensor].block);
    return group ? id.substr(graph.blocks[graph.layers[*group].block].id.size() + 1) : id;
}

void redirect(ModelGraph& graph, TensorIndex from, TensorIndex to) {
    for (Node& node : graph.nodes) std::ranges::replace(node.inputs, from, to);
}

void exchange(Mutant& mutant, Node& first, Node& second) {
    std::swap(first.op, second.op);
    std::swap(first.attributes, second.attributes);
    std::swap(first.parameters, second.parameters);
    mutant.stands_for[first.output] = std::nullopt;
}

bool without_parameters(Mutant& mutant, Op op, const std::function<bool(const Node&)>& which) {
    return change_nodes(mutant.model.graph, op, [&](Node& node) {
        if (node.parameters.empty() || !which(node)) return false;
        node.parameters.clear();
        return true;
    });
}

bool leave_out(Mutant& mutant, const std::function<bool(const Node&)>& which) {
    ModelGraph& graph = mutant.model.graph;
    bool found = false;
    for (std::size_t i = 0; i < graph.nodes.size();) {
        const Node node = graph.nodes[i];
        if (!which(node)) {
            ++i;
            continue;
        }
        graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(i));
        redirect(graph, node.output, node.inputs.front());
        mutant.stands_for[node.output] = node.inputs.front();
        found = true;
    }
    return found;
}

TensorIndex put_behind(Mutant& mutant, TensorIndex tensor, Node node) {
    ModelGraph& graph = mutant.model.graph;
    const auto made = static_cast<TensorIndex>(graph.tensors.size());
    Tensor output = graph.tensors[tensor];
    output.id += "_changed";
    graph.tensors.push_back(std::move(output));
    redirect(graph, tensor, made);
    node.inputs.front() = tensor;
    node.output = made;
    const auto producer = std::ranges::find(graph.nodes, tensor, &Node::output);
    node.block = producer->block;
    graph.nodes.insert(producer + 1, std::move(node));
    return made;
}

Node norm_of_length(std::optional<Expr> group) {
    const NormRule rule{.kind = NormKind::l2, .epsilon = 0, .group = std::move(group)};
    return {.op = Op::norm, .block = {}, .inputs = {0}, .parameters = {}, .output = {}, .attributes = rule};
}

bool put_before(Mutant& mutant, TensorIndex tensor, Node node, const std::function<bool(const Node&)>& readers) {
    ModelGraph& graph = mutant.model.graph;
    const auto reads = [&](const Node& each) { return contains(each.inputs, tensor) && readers(each); };
    const auto first = std::ranges::find_if(graph.nodes, reads);
    if (first == graph.nodes.end()) return false;
    const auto made = static_cast<TensorIndex>(graph.tensors.size());
    Tensor output = graph.tensors[tensor];
    output.id += "_changed";
    output.block = node.block = first->block;
    graph.tensors.push_back(std::move(output));
    for (Node& each : graph.nodes)
        if (reads(each)) std::ranges::replace(each.inputs, tensor, made);
    node.inputs.front() = tensor;
    node.output = made;
    graph.nodes.insert(first, std::move(node));
    return true;
}

std::optional<TensorIndex> standing_for(const Mutant& mutant, TensorIndex tensor) {
    std::optional<TensorIndex> now = tensor;
    // Two that stand for each other would go on for ever.
    for (std::size_t steps = 0; now && steps < mutant.stands_for.size(); ++steps) {
        const auto found = mutant.stands_for.find(*now);
        if (found == mutant.stands_for.end()) break;
        now = found->second;
    }
    return now;
}

void write_down(const Mutant& mutant, std::span<float> logits, std::int64_t columns) {
    if (!mutant.logits) return;
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t row = 0; row + width <= logits.size(); row += width) mutant.logits(logits.subspan(row, width));
}

bool own_weights(Mutant& mutant) {
    if (mutant.own_weights) return true;
    Result<Weights> copy = mutant.model.weights.copied();
    if (!copy) return false;
    mutant.model.weights = *std::move(copy);
    return mutant.own_weights = true;
}

MatrixView first_copy(const Model& model, TensorIndex parameter) {
    MatrixView view;
    for (std::int64_t layer = 0; !view && layer < layers_with(model, parameter); ++layer)
        view = model.weights.view(parameter, layer);
    return view;
}

std::int64_t columns_of(const Model& model, TensorIndex tensor) {
    const Bindings values = bindings(model.architecture, Input{.tokens = 1});
    const Result<std::int64_t> columns = evaluate(model.graph.tensors[tensor].shape[1], values);
    return columns ? *columns : 0;
}

std::int64_t layers_with(const Model& model, TensorIndex tensor) {
    const std::optional<std::size_t> group = model.graph.layer_of(model.graph.tensors[tensor].block);
    return group ? stack_layers(model.architecture, model.graph.layers[*group].group.kind) : 1;
}

void change_in_layers(Mutant& mutant, TensorIndex tensor, const NodeChange& change) {
    for (std::int64_t layer = 0; layer < layers_with(mutant.model, tensor); ++layer) {
        mutant.changes.push_back(change);
        mutant.changes.back().tensor = tensor;
        mutant.changes.back().layer = layer;
    }
}

}  // namespace headcount
