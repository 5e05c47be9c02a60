// Arithmetic and memory traffic of each operation, read off a graph.
#include "core/analysis/arithmetic.hpp"

#include <algorithm>

#include "core/analysis/activations.hpp"
#include "core/analysis/largest.hpp"
#include "core/analysis/traffic.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

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

constexpr std::int64_t training_times = 3;  // forwards, and backwards to what was read and to the weights

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
    work.bytes_formula = traffic.bytes(node);
    const std::optional<Expr> flops = traffic.flops(node);
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
                             const Traffic& traffic, std::int64_t times) {
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
    if (!checked_multiply(pass.flops, times) || !checked_multiply(pass.bytes, times)) return too_much();
    return pass;
}

}  // namespace

Result<PassWork> arithmetic(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                            const WorkOptions& options) {
    const Traffic traffic(graph, options);
    const std::int64_t times = options.trained ? training_times : 1;
    Result<PassWork> found = sum_of_work(arch, graph, bindings, traffic, times);
    if (found) return found;
    // A decoding step has one token, behind as many as there are.
    const std::int64_t cached = bindings[Symbol::cached].value_or(0);
    const Symbol searched = cached > 0 ? Symbol::cached : Symbol::tokens;
    const std::int64_t most = largest([&](std::int64_t number) {
        Bindings values = bindings;
        values.set(searched, number);
        return static_cast<bool>(sum_of_work(arch, graph, values, traffic, times));
    });
    Error error = found.error();
    if (most > 0)
        error.fix =
            "give at most " + grouped(cached > 0 ? most + bindings[Symbol::tokens].value_or(0) : most) + " tokens";
    return error;
}

PassWork training_work(const PassWork& forward) {
    constexpr std::int64_t times = training_times;
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

Expr flops_formula(const ModelGraph& graph, bool absorbed) {
    WorkOptions options;
    options.absorbed = absorbed;
    const Traffic traffic(graph, options);
    std::vector<Expr> terms;
    for (const Node& node : graph.nodes)
        if (std::optional<Expr> flops = traffic.flops(node)) terms.push_back(std::move(*flops));
    return sum_of(terms);
}

std::vector<OperationFormulas> operation_formulas(const ModelGraph& graph, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    std::vector<OperationFormulas> operations;
    for (const Node& node : graph.nodes) operations.push_back({traffic.flops(node).value_or(0), traffic.bytes(node)});
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

Result<FastestPass> fastest_pass(const Architecture& arch, const ModelGraph& graph, const Bindings& bindings,
                                 WorkOptions options, const std::optional<Roof>& roof) {
    Result<PassWork> anew = arithmetic(arch, graph, bindings, options);
    if (!anew) return anew.error();
    if (!arch.layer.attention.latent) return FastestPass{std::move(*anew), std::nullopt};
    options.absorbed = true;
    Result<PassWork> absorbed = arithmetic(arch, graph, bindings, options);
    const auto cost = [&](const PassWork& pass) {
        return roof ? seconds_at(*roof, pass) : static_cast<double>(pass.flops);
    };
    if (!absorbed || cost(*absorbed) >= cost(*anew)) return FastestPass{std::move(*anew), std::nullopt};
    absorbed->absorbed = true;
    return FastestPass{std::move(*absorbed), std::move(*anew)};
}

}  // namespace headcount
