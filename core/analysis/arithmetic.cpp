// Arithmetic and memory traffic of each operation, read off a graph.
#include "core/analysis/arithmetic.hpp"

#include <algorithm>

#include "core/analysis/largest.hpp"
#include "core/analysis/traffic.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t training_times = 3;  // forwards, and backwards to what was read and to the weights

Error too_much() {
    return {"the sum over all operations does not fit in 64 bits", "compute", "give fewer tokens or a smaller batch"};
}

bool add_to(std::int64_t& sum, std::int64_t term) {
    const std::optional<std::int64_t> result = checked_add(sum, term);
    if (result) sum = *result;
    return result.has_value();
}

Result<OperationWork> work_of(const ModelGraph& graph, std::size_t index, const Bindings& bindings,
                              const WorkOptions& options, const Traffic& traffic) {
    const Node& node = graph.nodes[index];
    OperationWork work;
    work.node = index;
    work.bytes_formula = traffic.bytes(node);
    const Expr causal = traffic.flops(node, Pairs::causal).value_or(0),
               full = traffic.flops(node, Pairs::full).value_or(0);
    work.flops_formula = options.pairs == Pairs::full ? full : causal;
    work.flops.pairs = options.pairs;
    for (const auto& [number, formula] : {std::pair<std::int64_t*, Expr>{&work.copies, graph.runs(node.block)},
                                          {&work.flops.full, full},
                                          {&work.flops.causal, causal},
                                          {&work.bytes, work.bytes_formula}}) {
        const Result<std::int64_t> value = evaluate(formula, bindings);
        if (!value) return within(graph.tensors[node.output].id, value.error());
        *number = *value;
    }
    return work;
}

Result<PassWork> sum_of_work(const ModelGraph& graph, const Bindings& bindings, const WorkOptions& options,
                             const Traffic& traffic) {
    PassWork pass;
    pass.flops.pairs = options.pairs;
    pass.absorbed = options.absorbed;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        Result<OperationWork> work = work_of(graph, i, bindings, options, traffic);
        if (!work) return work.error();
        if (work->flops.full == 0 && work->bytes == 0) continue;
        const bool fits = add_to(pass.flops.full, work->flops.full) && add_to(pass.flops.causal, work->flops.causal) &&
                          add_to(pass.bytes, work->bytes);
        if (!fits) return too_much();
        pass.operations.push_back(std::move(*work));
    }
    const std::int64_t times = options.trained ? training_times : 1;
    if (!checked_multiply(pass.flops.full, times) || !checked_multiply(pass.bytes, times)) return too_much();
    return pass;
}

}  // namespace

Result<PassWork> arithmetic(const ModelGraph& graph, const Bindings& bindings, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    Result<PassWork> found = sum_of_work(graph, bindings, options, traffic);
    if (found) return found;
    // A decoding step has one token, behind as many as there are.
    const std::int64_t cached = bindings[Symbol::cached].value_or(0);
    const Symbol searched = cached > 0 ? Symbol::cached : Symbol::tokens;
    const std::int64_t most = largest([&](std::int64_t number) {
        Bindings values = bindings;
        values.set(searched, number);
        return static_cast<bool>(sum_of_work(graph, values, options, traffic));
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
    work.flops.causal *= times;
    work.flops.full *= times;
    work.bytes *= times;
    for (OperationWork& each : work.operations) {
        each.flops.causal *= times;
        each.flops.full *= times;
        each.bytes *= times;
        each.flops_formula = Expr(times) * each.flops_formula;
        each.bytes_formula = Expr(times) * each.bytes_formula;
    }
    return work;
}

Expr flops_formula(const ModelGraph& graph, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    std::vector<Expr> terms;
    for (const Node& node : graph.nodes)
        if (std::optional<Expr> flops = traffic.flops(node, options.pairs)) terms.push_back(std::move(*flops));
    return options.trained ? Expr(training_times) * sum_of(terms) : sum_of(terms);
}

std::vector<OperationFormulas> operation_formulas(const ModelGraph& graph, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    std::vector<OperationFormulas> operations;
    for (const Node& node : graph.nodes)
        operations.push_back({traffic.flops(node, options.pairs).value_or(0), traffic.bytes(node)});
    return operations;
}

std::optional<Roof> roof_of(const Device& device, Precision precision, std::int64_t devices) {
    const std::optional<double> flops = peak_flops(device, precision);
    if (!flops || !device.bandwidth) return std::nullopt;
    const auto together = static_cast<double>(devices);
    return Roof{*flops * together, *device.bandwidth * together};
}

namespace {

double seconds_at(const Roof& roof, std::int64_t flops, std::int64_t bytes) {
    return std::max(static_cast<double>(flops) / roof.flops, static_cast<double>(bytes) / roof.bandwidth);
}

}  // namespace

double seconds_at(const Roof& roof, const OperationWork& work) {
    return seconds_at(roof, work.flops.counted(), work.bytes);
}

bool bound_by_memory(const Roof& roof, const OperationWork& work) {
    return static_cast<double>(work.bytes) / roof.bandwidth > static_cast<double>(work.flops.counted()) / roof.flops;
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
        seconds += seconds_at(roof, *flops, *bytes);
    }
    return seconds;
}

}  // namespace headcount
