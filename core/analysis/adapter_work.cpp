// Reads off the graph what adapters compute and where gradients go; see the header.
#include "core/analysis/adapter_work.hpp"

#include <algorithm>

#include "core/analysis/stored_weights.hpp"
#include "core/base/find.hpp"
#include "core/graph/ops.hpp"

namespace headcount {

Expr done(const Times& times, const Expr& all, const Expr& layers, const Expr& in_one) {
    if (times.alike()) return Expr(times.each) * all;
    return (Expr(times.each) * layers - Expr((times.each - times.first) * times.first_layers)) * in_one;
}

Expr done(const AdapterPass& pass, Expr AdapterStep::*amount) {
    std::vector<Expr> terms;
    for (const AdapterStep& step : pass.steps)
        terms.push_back(done(step.times, pass.layers * step.*amount, pass.layers, step.*amount));
    return sum_of(terms);
}

AdapterGradients::AdapterGradients(const Architecture& arch, const ModelGraph& graph, const Adapters& adapters)
    : graph_(graph), first_layers_(graph.layers.size()) {
    std::vector<bool> beside(graph.tensors.size());
    for (const Adapted& each : adapted(graph, adapters)) {
        const std::vector<TensorIndex>& parts = graph.stored[each.stored].parts;
        beside[each.part] = true;
        // Of a fused matrix B adds to what all of its parts make.
        if (!graph.peft.parts_apart)
            for (const TensorIndex part : parts) beside[part] = true;
    }
    std::vector<bool> read(graph.tensors.size()), on(graph.tensors.size());
    leads_.resize(graph.tensors.size());
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        leads_[node->output] = node->op != Op::choose && (!read[node->output] || on[node->output]);
        for (const TensorIndex each : node->inputs) read[each] = true, on[each] = on[each] || leads_[node->output];
    }
    for (const Behind behind : {no_adapter, some_adapter}) {
        needs_[behind].resize(graph.tensors.size());
        trains_[behind].resize(graph.layers.size());
    }
    for (const Node& node : graph.nodes)
        for (const Behind behind : {no_adapter, some_adapter}) {
            const bool needs =
                leads_[node.output] &&
                (std::ranges::any_of(node.parameters, [&](TensorIndex each) { return beside[each]; }) ||
                 std::ranges::any_of(node.inputs, [&](TensorIndex each) { return has(node, each, behind); }));
            needs_[behind][node.output] = needs;
            const std::optional<std::size_t> layer = graph.layer_of(node.block);
            if (needs && layer) trains_[behind][*layer] = true;
        }
    count_layers(arch);
}

// In the order of the nodes, so that what is made before is known.
bool AdapterGradients::has(const Node& node, TensorIndex input, Behind behind) const {
    if (!leads_[node.output]) return false;
    const Tensor& read = graph_.tensors[input];
    const std::optional<std::size_t> layer = graph_.layer_of(node.block), from = graph_.layer_of(read.block);
    // Keys and values that a layer borrows are of one before it.
    if (layer && read.role == Role::input) return behind == some_adapter;
    if (!graph_.reads_stream(node, input)) return needs_[layer && from == layer ? behind : some_adapter][input];
    if (!layer || graph_.reads_last_layer(node, input))
        return from ? leaves_stack(graph_.stack_of(read.block)) : needs_[some_adapter][input];
    return behind == some_adapter || enters_stack(graph_.stack_of(node.block));
}

bool AdapterGradients::leaves_stack(BlockIndex stack) const {
    if (enters_stack(stack)) return true;
    for (std::size_t i = 0; i < graph_.layers.size(); ++i)
        if (graph_.stack_of(graph_.layers[i].block) == stack && needs_[no_adapter][graph_.last_of(i)]) return true;
    return false;
}

void AdapterGradients::count_layers(const Architecture& arch) {
    for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
        const BlockIndex stack = graph_.stack_of(graph_.layers[i].block);
        if (enters_stack(stack)) continue;
        std::optional<std::int64_t> first;  // of the stack's layers, behind which there is an adapter
        for (std::size_t other = 0; other < graph_.layers.size(); ++other) {
            const LayerGroup& group = graph_.layers[other].group;
            const bool trains = needs_[no_adapter][graph_.last_of(other)];
            if (trains && graph_.stack_of(graph_.layers[other].block) == stack)
                first = std::min(first.value_or(group.first), group.first);
        }
        const std::vector<std::int64_t> layers = layers_of(arch, graph_.layers[i].group);
        first_layers_[i] = first ? std::ranges::count_if(layers, [&](std::int64_t layer) { return layer <= *first; })
                                 : graph_.layers[i].group.count;
    }
}

Times AdapterGradients::times(const Node& node, std::int64_t behind_some, std::int64_t behind_none) const {
    const std::optional<std::size_t> layer = graph_.layer_of(node.block);
    return {behind_some, behind_none, layer ? first_layers_[*layer] : 0};
}

Times AdapterGradients::backwards(std::size_t index) const {
    const Node& node = graph_.nodes[index];
    const auto count = [&](Behind behind) -> std::int64_t {
        const auto needing =
            std::ranges::count_if(node.inputs, [&](TensorIndex each) { return has(node, each, behind); });
        const bool by_parameter = !node.parameters.empty(), alone = node.inputs.size() == 1;
        return alone ? needing * (by_parameter ? 1 : 2) : std::min<std::int64_t>(needing, 2);
    };
    return times(node, count(some_adapter), count(no_adapter));
}

Times AdapterGradients::of_input(std::size_t index) const {
    const Node& node = graph_.nodes[index];
    return times(node, has(node, node.inputs.front(), some_adapter) ? 1 : 0,
                 has(node, node.inputs.front(), no_adapter) ? 1 : 0);
}

Times AdapterGradients::in_layer(std::size_t index) const {
    const Node& node = graph_.nodes[index];
    const std::optional<std::size_t> layer = graph_.layer_of(node.block);
    if (!layer) return {0, 0, 0};
    return times(node, trains_[some_adapter][*layer] ? 1 : 0, trains_[no_adapter][*layer] ? 1 : 0);
}

namespace {

// So many more than what is said of the gradients.
Times more(Times times, std::int64_t each) {
    times.each += each;
    times.first += each;
    return times;
}

Times sum(const Times& a, const Times& b) {
    return {a.each + b.each, a.first + b.first, std::max(a.first_layers, b.first_layers)};
}

class Beside {
  public:
    Beside(const ModelGraph& graph, std::size_t node, const WorkOptions& options, const AdapterGradients* gradients)
        : graph_(graph), index_(node), node_(graph.nodes[node]), options_(options), gradients_(gradients) {}

    AdapterPass of(const Adapted& adapted) const {
        const StoredTensor& stored = graph_.stored[adapted.stored];
        const bool expert = of_experts(graph_, stored);
        const Expr runs = expert ? graph_.runs_in_layer(node_.block) : stored.in_layer;
        const Expr layers = graph_.layers_with(node_.block);
        const Adapters& adapters = *options_.adapters;
        const Expr rank = adapters.rank,
                   rows = graph_.batch_of(node_.output) * runs * graph_.tensors[node_.output].shape[0];
        AdapterPass pass{&adapted, layers, layers * runs, {}};
        const Times again =
            options_.trained == Recompute::full && gradients_ ? gradients_->in_layer(index_) : Times{0, 0};
        const Times input = gradients_ ? gradients_->of_input(index_) : Times{};
        const bool absorbed = options_.absorbed && graph_.tensors[adapted.part].part == Part::latent_up;
        // Queries and what comes of them pass both, head by head: from d_n to the rank and on to the bottleneck, and
        // from there back to d_v.
        const Expr in = absorbed ? Expr(Symbol::heads) * (Expr(2) * Symbol::kv_rank) : adapted.inputs,
                   out =
                       absorbed ? Expr(Symbol::heads) * (Expr(Symbol::nope_dim) + Symbol::value_dim) : adapted.outputs;
        const auto step = [&](const Expr& side, const Expr& numbers, const Expr& moved, const Times& times) {
            const Expr weights = read(stored, expert, numbers * rank);
            pass.steps.push_back(
                {Expr(2) * rows * rank * side,
                 bytes_formula(rows * moved, activation_precision(options_.weights.formats())) + weights, weights,
                 times});
        };
        // Backwards each has the gradient of its own numbers, B that of A's output too, A that of its input.
        step(in, adapted.inputs, in + rank, sum(options_.trained ? more(input, 2) : Times{}, again));
        step(out, adapted.outputs, rank + Expr(2) * out,
             sum(Times{options_.trained ? 3 : 1, options_.trained ? 3 : 1}, again));
        if (adapters.magnitudes && options_.trained) {
            const Expr matrix = adapted.inputs * adapted.outputs;
            const Expr weights = options_.weights.some(graph_, adapted.part, stored.in_layer) +
                                 read(stored, expert, (adapted.inputs + adapted.outputs) * rank + adapted.outputs);
            pass.steps.push_back({Expr(2) * stored.in_layer * rank * matrix, weights, weights, more(again, 1)});
        }
        return pass;
    }

  private:
    // Of the adapters of one layer: of experts those that some token is sent to.
    Expr read(const StoredTensor& stored, bool expert, const Expr& numbers) const {
        const Expr copies = expert ? Expr(Symbol::experts_read) : stored.in_layer;
        const Expr bytes = Expr(options_.readers) * bytes_formula(copies * numbers, adapter_format);
        return expert ? bytes / parts_of_expert : bytes;
    }

    const ModelGraph& graph_;
    std::size_t index_;
    const Node& node_;
    const WorkOptions& options_;
    const AdapterGradients* gradients_;
};

}  // namespace

std::vector<AdapterPass> adapters_at(const ModelGraph& graph, std::size_t index, const std::vector<Adapted>& all,
                                     const WorkOptions& options, const AdapterGradients* gradients) {
    std::vector<AdapterPass> found;
    const Node& node = graph.nodes[index];
    if (graph.made_before(node)) return found;
    for (const Adapted& each : all)
        if (contains(node.parameters, each.part)) found.push_back(Beside(graph, index, options, gradients).of(each));
    return found;
}

std::optional<Multiplied> multiplied_adapters(const ModelGraph& graph, const Bindings& bindings,
                                              const Adapters& adapters) {
    std::vector<Expr> token, source;
    const std::vector<Adapted> all = adapted(graph, adapters);
    WorkOptions options;
    options.adapters = adapters;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const AdapterPass& each : adapters_at(graph, i, all, options, nullptr))
            (graph.of_source(graph.nodes[i].output) ? source : token)
                .push_back(each.copies * adapters.rank * (each.adapted->inputs + each.adapted->outputs));
    const Result<std::int64_t> of_token = evaluate(sum_of(token), bindings),
                               of_source = evaluate(sum_of(source), bindings);
    if (!of_token || !of_source) return std::nullopt;
    return Multiplied{*of_token, *of_source};
}

}  // namespace headcount
