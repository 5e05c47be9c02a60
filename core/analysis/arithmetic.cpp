// Arithmetic and memory traffic of each operation, read off a graph.
#include "core/analysis/arithmetic.hpp"

#include <algorithm>

#include "core/analysis/activations.hpp"
#include "core/analysis/largest.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/work.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

bool in_expert(const ModelGraph& graph, BlockIndex block) {
    return graph.copies_in_layer(block) != graph.runs_in_layer(block);
}

// Which bytes an operation reads and writes.
class Traffic {
  public:
    Traffic(const ModelGraph& graph, const WorkOptions& options)
        : graph_(graph), options_(options), each_(activation_precision(options.weights)) {}

    Expr of(const Node& node) const {
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

  private:
    // Of all copies in the whole model, for the whole batch.
    Expr numbers(TensorIndex tensor) const {
        const Tensor& of = graph_.tensors[tensor];
        return Expr(Symbol::batch) * graph_.runs(of.block) * element_count(of.shape);
    }

    // What a view shows: itself where it is none, and where a head's output is put in its place among the others.
    void add_source(std::vector<TensorIndex>& found, TensorIndex tensor) const {
        const Node* producer = graph_.producer(tensor);
        const bool shown = producer && (producer->op == Op::take_head || producer->op == Op::take_columns ||
                                        producer->op == Op::join_heads);
        if (shown) {
            for (TensorIndex input : producer->inputs) add_source(found, input);
        } else if (std::find(found.begin(), found.end(), tensor) == found.end()) {
            found.push_back(tensor);
        }
    }

    std::vector<TensorIndex> sources(const std::vector<TensorIndex>& inputs) const {
        std::vector<TensorIndex> found;
        for (TensorIndex input : inputs) add_source(found, input);
        return found;
    }

    // A head's scores and weights, where attention is fused.
    bool on_chip(TensorIndex tensor) const {
        const Node* producer = graph_.producer(tensor);
        return producer && (producer->op == Op::scores || producer->op == Op::masked_softmax);
    }

    bool from_cache(TensorIndex tensor) const {
        const Node* producer = graph_.producer(tensor);
        return producer && (producer->op == Op::append_cache || producer->op == Op::keep_window);
    }

    Expr read(const Node& node, TensorIndex source) const {
        const Tensor& tensor = graph_.tensors[source];
        if (tensor.role == Role::input) return 0;
        // Layers read what the one before them made, as often as there are layers.
        const std::optional<std::size_t> layer = graph_.layer_of(node.block);
        const Expr layers = layer ? graph_.blocks[graph_.layers[*layer].block].repeat : Expr(1);
        Expr all = Expr(Symbol::batch) * layers * graph_.runs_in_layer(tensor.block) * element_count(tensor.shape);
        // Each of a token's experts reads it again.
        if (in_expert(graph_, node.block) && !in_expert(graph_, tensor.block))
            all = Expr(Symbol::experts_per_token) * all;
        return bytes_formula(all, from_cache(source) ? options_.cache : each_);
    }

    Expr weights(const Node& node, TensorIndex parameter) const {
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
    Expr cached(const Node& node) const {
        if (graph_.tensors[node.output].role != Role::cache) return 0;
        TensorIndex made = node.inputs.front();
        while (from_cache(made)) made = graph_.producer(made)->inputs.front();
        std::vector<Expr> terms;
        for (TensorIndex source : sources({made})) terms.push_back(read(node, source));
        terms.push_back(bytes_formula(numbers(made), options_.cache));
        return sum_of(terms);
    }

    const ModelGraph& graph_;
    const WorkOptions& options_;
    Precision each_;
};

// How many of a head's T × (P + T) scores are not masked, over all of them; nothing of other operations.
std::optional<std::int64_t> seen_pairs(const Architecture& arch, const ModelGraph& graph, const Node& node,
                                       const Bindings& bindings) {
    if (node.op != Op::scores && node.op != Op::mix) return std::nullopt;
    const Tensor& scores = graph.tensors[node.op == Op::scores ? node.output : node.inputs.front()];
    const std::int64_t rows = *evaluate(scores.shape[0], bindings), columns = *evaluate(scores.shape[1], bindings);
    Sight sight{.cached = bindings[Symbol::cached].value_or(0)};
    const std::optional<std::size_t> layer = graph.layer_of(node.block);
    if (layer && graph.layers[*layer].group.kind.windowed) {
        sight.window = bindings[Symbol::window];
        sight.chunked = arch.layer.attention.window->chunked;
    }
    return unmasked(ActivationRow{0, rows, columns, rows * columns, 0, 1, 1}, sight);
}

std::optional<Expr> flops_of(const ModelGraph& graph, const Node& node) {
    std::optional<Expr> one = work_formula(graph, node);
    if (!one) return std::nullopt;
    return Expr(Symbol::batch) * graph.runs(node.block) * *one;
}

Error too_much() {
    return {"the sum over all operations does not fit in 64 bits", "compute", "give fewer tokens or a smaller batch"};
}

bool add_to(std::int64_t& sum, std::int64_t term) {
    const std::optional<std::int64_t> result = checked_add(sum, term);
    if (result) sum = *result;
    return result.has_value();
}

Result<OperationWork> work_of(const Architecture& arch, const ModelGraph& graph, std::size_t index,
                              const Bindings& bindings, const Traffic& traffic) {
    const Node& node = graph.nodes[index];
    OperationWork work;
    work.node = index;
    work.bytes_formula = traffic.of(node);
    const std::optional<Expr> flops = flops_of(graph, node);
    if (flops) work.flops_formula = *flops;
    for (const auto& [number, formula] : {std::pair<std::int64_t*, Expr>{&work.copies, graph.runs(node.block)},
                                          {&work.flops, work.flops_formula},
                                          {&work.bytes, work.bytes_formula}}) {
        const Result<std::int64_t> value = evaluate(formula, bindings);
        if (!value) return within(graph.tensors[node.output].id, value.error());
        *number = *value;
    }
    work.flops_causal = work.flops;
    if (flops && work.flops > 0)
        if (const std::optional<std::int64_t> seen = seen_pairs(arch, graph, node, bindings)) {
            const Shape& scores = graph.tensors[node.op == Op::scores ? node.output : node.inputs.front()].shape;
            work.flops_causal = work.flops / *element_count(scores, bindings) * *seen;
        }
    return work;
}

Result<PassWork> sum_of_work(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                             const Traffic& traffic) {
    PassWork pass;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        Result<OperationWork> work = work_of(arch, graph, i, bindings, traffic);
        if (!work) return work.error();
        if (work->flops == 0 && work->bytes == 0) continue;
        const bool fits = add_to(pass.flops, work->flops) && add_to(pass.flops_causal, work->flops_causal) &&
                          add_to(pass.bytes, work->bytes);
        if (!fits) return too_much();
        pass.operations.push_back(std::move(*work));
    }
    return pass;
}

}  // namespace

Result<PassWork> arithmetic(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                            const WorkOptions& options) {
    const Traffic traffic(graph, options);
    Result<PassWork> found = sum_of_work(arch, graph, bindings, traffic);
    if (found) return found;
    const std::int64_t tokens = largest([&](std::int64_t number) {
        Bindings values = bindings;
        values.set(Symbol::tokens, number);
        return static_cast<bool>(sum_of_work(arch, graph, values, traffic));
    });
    Error error = found.error();
    if (tokens > 0) error.fix = "give at most " + grouped(tokens) + " tokens";
    return error;
}

std::optional<PassWork> training_work(const PassWork& forward) {
    constexpr std::int64_t times = 3;  // forwards, and backwards to what was read and to the weights
    if (!checked_multiply(forward.flops, times) || !checked_multiply(forward.bytes, times)) return std::nullopt;
    PassWork work = forward;
    work.flops *= times;
    work.flops_causal *= times;
    work.bytes *= times;
    for (OperationWork& each : work.operations) {
        each.flops *= times;
        each.flops_causal *= times;
        each.bytes *= times;
        each.flops_formula = Expr(times) * each.flops_formula;
        each.bytes_formula = Expr(times) * each.bytes_formula;
    }
    return work;
}

Expr flops_formula(const ModelGraph& graph) {
    std::vector<Expr> terms;
    for (const Node& node : graph.nodes)
        if (std::optional<Expr> flops = flops_of(graph, node)) terms.push_back(std::move(*flops));
    return sum_of(terms);
}

std::vector<OperationFormulas> operation_formulas(const ModelGraph& graph, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    std::vector<OperationFormulas> operations;
    for (const Node& node : graph.nodes) operations.push_back({flops_of(graph, node).value_or(0), traffic.of(node)});
    return operations;
}

std::optional<Roof> roof_of(const Device& device, Precision precision) {
    const std::optional<double> flops = peak_flops(device, precision);
    if (!flops || !device.bandwidth) return std::nullopt;
    return Roof{*flops, *device.bandwidth};
}

double seconds_at(const Roof& roof, const OperationWork& work) {
    return std::max(static_cast<double>(work.flops) / roof.flops, static_cast<double>(work.bytes) / roof.bandwidth);
}

bool bound_by_memory(const Roof& roof, const OperationWork& work) {
    return static_cast<double>(work.bytes) / roof.bandwidth > static_cast<double>(work.flops) / roof.flops;
}

double seconds_at(const Roof& roof, const PassWork& work) {
    double seconds = 0;
    for (const OperationWork& each : work.operations) seconds += seconds_at(roof, each);
    return seconds;
}

std::optional<double> seconds_at(const Roof& roof, const std::vector<OperationFormulas>& operations,
                                 const Bindings& bindings) {
    double seconds = 0;
    for (const OperationFormulas& each : operations) {
        const Result<std::int64_t> flops = evaluate(each.flops, bindings), bytes = evaluate(each.bytes, bindings);
        if (!flops || !bytes) return std::nullopt;
        OperationWork work;
        work.flops = *flops;
        work.bytes = *bytes;
        seconds += seconds_at(roof, work);
    }
    return seconds;
}

}  // namespace headcount
