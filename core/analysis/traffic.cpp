// What each operation computes and moves, as formulas.
#include "core/analysis/traffic.hpp"

#include <algorithm>

#include "core/analysis/memory.hpp"
#include "core/analysis/work.hpp"

namespace headcount {
Traffic::Traffic(const ModelGraph& graph, const WorkOptions& options)
    : graph_(graph), options_(options), each_(activation_precision(options.weights)) {
    const auto latent = [](const Tensor& tensor) { return tensor.part == Part::latent_up; };
    if (!std::any_of(graph.tensors.begin(), graph.tensors.end(), latent)) options_.absorbed = false;
}

std::optional<Expr> Traffic::flops(const Node& node, Pairs pairs) const {
    std::optional<Expr> one = absorbed(node) ? absorbed_flops(node, pairs) : work_formula(graph_, node, pairs);
    if (!one) return std::nullopt;
    return Expr(Symbol::batch) * graph_.runs(node.block) * *one;
}

// Keys and values are not made: queries of d_n are brought to the r_kv that the cache has, are compared and mixed
// there, and what comes of it is brought to d_v (DeepSeek-AI 2024, DeepSeek-V2, section 2.1.2). In the bottleneck's
// place among the operations stand both of these products with its weights.
bool Traffic::absorbed(const Node& node) const {
    if (!options_.absorbed) return false;
    if (node.op == Op::scores || node.op == Op::mix) return true;
    return node.op == Op::linear && graph_.tensors[node.parameters.front()].part == Part::latent_up;
}

Expr Traffic::absorbed_flops(const Node& node, Pairs pairs) const {
    const Expr two = Expr(2) * Symbol::tokens;
    if (node.op == Op::linear)
        return two * Symbol::heads * (Expr(Symbol::nope_dim) + Symbol::value_dim) * Symbol::kv_rank;
    const Expr columns = node.op == Op::scores ? Expr(Symbol::kv_rank) + Symbol::rope_dim : Expr(Symbol::kv_rank);
    const Tensor& scores = scores_of(graph_, node);
    return (pairs == Pairs::full ? two * scores.shape[1] : unmasked_twice(graph_, scores)) * columns;
}

// Scores stay on the chip, and so does the cache between being compared and being mixed.
Expr Traffic::absorbed_bytes(const Node& node) const {
    const BlockIndex layer = graph_.layers[*graph_.layer_of(node.block)].block;
    const Expr layers = Expr(Symbol::batch) * graph_.blocks[layer].repeat;
    const Expr heads = layers * Symbol::tokens * Symbol::heads;  // of all new tokens
    const Expr rank = Symbol::kv_rank;
    if (node.op == Op::mix) return bytes_formula(heads * rank, each_);
    const Expr both = rank + Symbol::rope_dim;
    if (node.op == Op::scores)
        return bytes_formula(heads * both, each_) +
               bytes_formula(layers * scores_of(graph_, node).shape[1] * both, options_.cache);
    const Expr in_and_out = Expr(Symbol::nope_dim) + rank + rank + Symbol::value_dim;
    return bytes_formula(heads * in_and_out, each_) + weights(node, node.parameters.front());
}

Expr Traffic::bytes(const Node& node) const {
    if (absorbed(node)) return absorbed_bytes(node);
    if (node.op == Op::append_cache || node.op == Op::keep_window) return cached(node);
    const bool shown = node.op == Op::take_head || node.op == Op::take_columns || node.op == Op::join_heads;
    if (shown || node.op == Op::masked_softmax) return 0;
    std::vector<Expr> terms;
    for (TensorIndex source : sources(node.inputs))
        if (!on_chip(source)) terms.push_back(read(node, source));
    for (TensorIndex parameter : node.parameters) terms.push_back(weights(node, parameter));
    if (node.op != Op::scores) terms.push_back(bytes_formula(numbers(node.output), each_));
    return sum_of(terms);
}

// Of all copies in the whole model, for the whole batch.
Expr Traffic::numbers(TensorIndex tensor) const {
    const Tensor& of = graph_.tensors[tensor];
    return Expr(Symbol::batch) * graph_.runs(of.block) * element_count(of.shape);
}

// What a view shows: itself where it is none, and where a head's output is put in its place among the others.
void Traffic::add_source(std::vector<TensorIndex>& found, TensorIndex tensor) const {
    const Node* producer = graph_.producer(tensor);
    const bool shown = producer && (producer->op == Op::take_head || producer->op == Op::take_columns ||
                                    producer->op == Op::join_heads);
    if (shown) {
        for (TensorIndex input : producer->inputs) add_source(found, input);
    } else if (std::find(found.begin(), found.end(), tensor) == found.end()) {
        found.push_back(tensor);
    }
}

std::vector<TensorIndex> Traffic::sources(const std::vector<TensorIndex>& inputs) const {
    std::vector<TensorIndex> found;
    for (TensorIndex input : inputs) add_source(found, input);
    return found;
}

// A head's scores and weights, where attention is fused.
bool Traffic::on_chip(TensorIndex tensor) const {
    const Node* producer = graph_.producer(tensor);
    return producer && (producer->op == Op::scores || producer->op == Op::masked_softmax);
}

bool Traffic::from_cache(TensorIndex tensor) const {
    const Node* producer = graph_.producer(tensor);
    return producer && (producer->op == Op::append_cache || producer->op == Op::keep_window);
}

Expr Traffic::read(const Node& node, TensorIndex source) const {
    const Tensor& tensor = graph_.tensors[source];
    if (tensor.role == Role::input) return 0;
    // Layers read what the one before them made, as often as there are layers.
    const std::optional<std::size_t> layer = graph_.layer_of(node.block);
    const Expr layers = layer ? graph_.blocks[graph_.layers[*layer].block].repeat : Expr(1);
    Expr all = Expr(Symbol::batch) * layers * graph_.runs_in_layer(tensor.block) * element_count(tensor.shape);
    // Each of a token's experts reads it again.
    if (in_expert(graph_, node.block) && !in_expert(graph_, tensor.block)) all = Expr(Symbol::experts_per_token) * all;
    return bytes_formula(all, from_cache(source) ? options_.cache : each_);
}

Expr Traffic::weights(const Node& node, TensorIndex parameter) const {
    const Tensor& tensor = graph_.tensors[parameter];
    // Of a table only the rows that are looked up.
    if (node.op == Op::embed || node.op == Op::add_positions)
        return bytes_formula(numbers(node.output), options_.weights);
    Expr copies = graph_.copies(tensor.block);
    if (in_expert(graph_, tensor.block)) {
        const BlockIndex layer = graph_.layers[*graph_.layer_of(tensor.block)].block;
        copies = graph_.blocks[layer].repeat *
                 min(Symbol::experts, Expr(Symbol::batch) * Symbol::tokens * Symbol::experts_per_token);
    }
    return copies * bytes_formula(element_count(tensor.shape), options_.weights);
}

// The new tokens' keys and values, read where they were made and written into the cache.
Expr Traffic::cached(const Node& node) const {
    if (graph_.tensors[node.output].role != Role::cache) return 0;
    TensorIndex made = node.inputs.front();
    while (from_cache(made)) made = graph_.producer(made)->inputs.front();
    std::vector<Expr> terms;
    for (TensorIndex source : sources({made})) terms.push_back(read(node, source));
    terms.push_back(bytes_formula(numbers(made), options_.cache));
    return sum_of(terms);
}

}  // namespace headcount
