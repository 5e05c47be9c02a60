// Arithmetic and memory traffic of each operation, read off a graph.
#include "core/analysis/arithmetic.hpp"

#include <algorithm>

#include "core/analysis/adapter_work.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

constexpr std::int64_t training_times = 3;  // forwards, and backwards to what was read and to the weights

// What each operation computes and moves, as formulas over all copies and the whole batch: of the graph as it stands,
// and with latent attention absorbed.
class Traffic {
  public:
    Traffic(const ModelGraph& graph, const WorkOptions& options)
        : graph_(graph), options_(options), each_(activation_precision(options.weights.formats())) {
        const auto latent = [](const Tensor& tensor) { return tensor.part == Part::latent_up; };
        if (!std::ranges::any_of(graph.tensors, latent)) options_.absorbed = false;
        if (options_.adapters) adapted_ = adapted(graph, *options_.adapters);
    }

    // Whether training computes it a second time: of what is made of queries and keys, or of all that layers have.
    bool again(const Node& node) const {
        if (options_.trained == Recompute::full) return graph_.layer_of(node.block).has_value();
        return options_.trained == Recompute::selective && (node.op == Op::scores || node.op == Op::mix);
    }

    // How often what the forward pass does is done; and how often of these times a second time.
    Times times(const Node& node) const {
        if (!options_.trained) return {};
        const Times redone = times_again(node);
        if (!options_.gradients) return {training_times + redone.each, training_times + redone.first, 0};
        const Times back = options_.gradients->backwards(index_of(node));
        return {1 + back.each + redone.each, 1 + back.first + redone.first, back.first_layers};
    }
    Times times_again(const Node& node) const {
        if (!again(node)) return {0, 0, 0};
        return options_.gradients ? options_.gradients->in_layer(index_of(node)) : Times{};
    }

    // Beside the node's matrices.
    std::vector<AdapterPass> adapters(const Node& node) const {
        return adapters_at(graph_, index_of(node), adapted_, options_, options_.gradients.get());
    }

    // Floating-point operations, so often; 0 of what multiplies no matrices.
    Expr flops(const Node& node, Pairs pairs, const Times& often) const {
        const Expr all = flops(node, pairs, graph_.runs(node.block));
        if (often.alike()) return Expr(often.each) * all;
        return done(often, all, graph_.layers_with(node.block), flops(node, pairs, graph_.runs_in_layer(node.block)));
    }

    // Those that are needed of it.
    Expr least_flops(const Node& node, const Times& often) const {
        const Expr all = flops(node, options_.pairs, often);
        const bool logits = graph_.tensors[node.output].part == Part::output_head;
        return logits && options_.last_logits ? replaced(all, Symbol::tokens, 1) : all;
    }

    // Bytes, so often. Where layers have other formats the first ones are taken to be as large as any.
    Expr bytes(const Node& node, const Times& often, bool kept = false) const {
        const Expr all = bytes(node, kept);
        if (often.alike()) return Expr(often.each) * all;
        const Expr layers = graph_.layers_with(node.block);
        return done(often, all, layers, all / layers);
    }

  private:
    std::size_t index_of(const Node& node) const { return static_cast<std::size_t>(&node - graph_.nodes.data()); }

    // Of so many copies, once.
    Expr flops(const Node& node, Pairs pairs, const Expr& runs) const {
        if (graph_.made_before(node)) return 0;
        std::optional<Expr> one = absorbed(node) ? absorbed_flops(node, pairs) : work_formula(graph_, node, pairs);
        return one ? graph_.batch_of(node.output) * runs * *one : Expr(0);
    }

    // Bytes read and written once: inputs, weights and output once each; `kept` in weights, caches and states alone.
    Expr bytes(const Node& node, bool kept) const {
        if (graph_.made_before(node)) return 0;
        if (absorbed(node)) return absorbed_bytes(node, kept);
        const Moves moves = info(node.op).moves;
        if (moves == Moves::cache) return cached(node, kept);
        if (moves == Moves::nothing || node.op == Op::masked_softmax) return 0;
        std::vector<Expr> terms;
        if (moves == Moves::state) terms.push_back(bytes_formula(numbers(node.output), Precision::fp32));
        for (TensorIndex source : sources(node.inputs))
            if (!on_chip(source) && (!kept || is_kept(source))) terms.push_back(read(node, source));
        for (TensorIndex parameter : node.parameters) terms.push_back(weights(node, parameter));
        if (moves == Moves::state || (moves != Moves::on_chip && !kept))
            terms.push_back(bytes_formula(numbers(node.output), moves == Moves::state ? Precision::fp32 : each_));
        return sum_of(terms);
    }

    bool is_kept(TensorIndex source) const { return graph_.tensors[source].role == Role::state || from_cache(source); }

    // Keys and values are not made: queries of d_n are brought to the r_kv that the cache has, are compared and mixed
    // there, and what comes of it is brought to d_v (DeepSeek-AI 2024, DeepSeek-V2, section 2.1.2). In the bottleneck's
    // place among the operations stand both of these products with its weights.
    bool absorbed(const Node& node) const {
        if (!options_.absorbed) return false;
        if (node.op == Op::scores || node.op == Op::mix) return true;
        return node.op == Op::linear && graph_.tensors[node.parameters.front()].part == Part::latent_up;
    }

    Expr absorbed_flops(const Node& node, Pairs pairs) const {
        const Expr two = Expr(2) * Symbol::tokens;
        if (node.op == Op::linear)
            return two * Symbol::heads * (Expr(Symbol::nope_dim) + Symbol::value_dim) * Symbol::kv_rank;
        const Expr columns = node.op == Op::scores ? Expr(Symbol::kv_rank) + Symbol::rope_dim : Expr(Symbol::kv_rank);
        const Tensor& scores = scores_of(graph_, node);
        return (pairs == Pairs::full ? two * scores.shape[1] : unmasked_twice(graph_, scores)) * columns;
    }

    // Rows of the cache that are compared. Where each token chooses its own, T of them choose at most T times as many
    // as one does, and no fewer than one.
    Expr keys_read(const Node& scores, bool kept) const {
        const Expr& seen = scores_of(graph_, scores).shape[1];
        if (graph_.first(Op::masked_softmax, scores.block)->rule<Mask>().chosen == 0) return seen;
        return min(seen, kept ? Expr(Symbol::index_chosen) : Expr(Symbol::tokens) * Symbol::index_chosen);
    }

    // Scores stay on the chip, and so does the cache between being compared and being mixed.
    Expr absorbed_bytes(const Node& node, bool kept) const {
        const Expr layers = Expr(Symbol::batch) * graph_.layers_with(node.block);
        const Expr heads = kept ? Expr(0) : layers * Symbol::tokens * Symbol::heads;  // of all new tokens
        const Expr rank = Symbol::kv_rank;
        if (node.op == Op::mix) return bytes_formula(heads * rank, each_);
        const Expr both = rank + Symbol::rope_dim;
        if (node.op == Op::scores)
            return bytes_formula(heads * both, each_) +
                   bytes_formula(layers * keys_read(node, kept) * both, options_.cache);
        const Expr in_and_out = Expr(Symbol::nope_dim) + rank + rank + Symbol::value_dim;
        return bytes_formula(heads * in_and_out, each_) + weights(node, node.parameters.front());
    }

    // Of all copies in the whole model, for the whole batch.
    Expr numbers(TensorIndex tensor) const {
        const Tensor& of = graph_.tensors[tensor];
        return graph_.batch_of(tensor) * graph_.runs(of.block) * element_count(of.shape);
    }

    // What a view shows: itself where it is none, or shows some columns alone; and where a head's output is put in its
    // place among the others.
    void add_source(std::vector<TensorIndex>& found, TensorIndex tensor) const {
        const Node* producer = graph_.producer(tensor);
        if (producer && info(producer->op).moves == Moves::nothing && producer->op != Op::take_columns) {
            for (TensorIndex input : producer->inputs) add_source(found, input);
        } else if (!contains(found, tensor)) {
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
        return producer && info(producer->op).moves == Moves::on_chip;
    }

    bool from_cache(TensorIndex tensor) const {
        const Node* producer = graph_.producer(tensor);
        while (producer && producer->op == Op::take_columns) producer = graph_.producer(producer->inputs.front());
        return producer && info(producer->op).moves == Moves::cache;
    }

    Expr read(const Node& node, TensorIndex source) const {
        const Tensor& tensor = graph_.tensors[source];
        if (tensor.role == Role::input) return 0;
        // Layers read what the one before them made, as often as there are layers.
        Expr all = graph_.batch_of(source) * graph_.layers_with(node.block) * graph_.runs_in_layer(tensor.block) *
                   element_count(tensor.shape);
        // Each of a token's experts reads it again.
        if (graph_.is(node.block, BlockKind::expert) && !graph_.is(tensor.block, BlockKind::expert))
            all = Expr(Symbol::experts_per_token) * all;
        if (tensor.role == Role::state) return bytes_formula(all, Precision::fp32);
        return bytes_formula(all, from_cache(source) ? options_.cache : each_);
    }

    Expr weights(const Node& node, TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        // Of a table only the rows that are looked up.
        if (info(node.op).moves == Moves::rows) {
            const Tensor& made = graph_.tensors[node.output];
            return options_.weights.rows(graph_, parameter,
                                         Expr(Symbol::batch) * graph_.runs(made.block) * made.shape[0]);
        }
        // What all layers share, each of them reads again.
        const BlockIndex block = tensor.shared_in ? node.block : tensor.block;
        Expr in_layer = graph_.copies_in_layer(block);
        const bool some = graph_.is(tensor.block, BlockKind::expert);
        if (some) in_layer = Symbol::experts_read;
        const Expr all = options_.weights.bytes(graph_, parameter, graph_.layers_with(block), in_layer);
        return Expr(options_.readers) * (some ? all / parts_of_expert : all);
    }

    // The new tokens' keys and values, read where they were made and written into the cache.
    Expr cached(const Node& node, bool kept) const {
        const Role role = graph_.tensors[node.output].role;
        if (role == Role::state) return bytes_formula(numbers(node.output), options_.cache);
        if (role != Role::cache) return 0;
        TensorIndex made = node.inputs.front();
        while (from_cache(made)) made = graph_.producer(made)->inputs.front();
        std::vector<Expr> terms;
        for (TensorIndex source : sources({made}))
            if (!kept) terms.push_back(read(node, source));
        terms.push_back(bytes_formula(numbers(made), options_.cache));
        return sum_of(terms);
    }

    const ModelGraph& graph_;
    WorkOptions options_;
    Precision each_;
    std::vector<Adapted> adapted_;
};

Error too_much() {
    return {"the sum over all operations does not fit in 64 bits", "compute", "give fewer tokens or a smaller batch"};
}

// The numbers of an operation whose formulas are known.
std::optional<Error> fill(OperationWork& work, const ModelGraph& graph, const Bindings& bindings, const Expr& copies,
                          const Expr& causal, const Expr& full) {
    work.flops_formula = work.flops.pairs == Pairs::full ? full : causal;
    for (const auto& [number, formula] : {std::pair<std::int64_t*, Expr>{&work.copies, copies},
                                          {&work.flops.full, full},
                                          {&work.flops.causal, causal},
                                          {&work.bytes, work.bytes_formula}}) {
        const Result<std::int64_t> value = evaluate(formula, bindings);
        if (!value) return within(id_of(graph, work), value.error());
        *number = *value;
    }
    return std::nullopt;
}

// Of a node, and of the adapters beside it.
Result<std::vector<OperationWork>> works_of(const ModelGraph& graph, std::size_t index, const Bindings& bindings,
                                            const WorkOptions& options, const Traffic& traffic) {
    const Node& node = graph.nodes[index];
    const Times times = traffic.times(node);
    std::vector<OperationWork> works(1);
    OperationWork& own = works.front();
    own.node = index;
    own.flops.pairs = options.pairs;
    own.bytes_formula = traffic.bytes(node, times);
    if (std::optional<Error> error =
            fill(own, graph, bindings, graph.runs(node.block), traffic.flops(node, Pairs::causal, times),
                 traffic.flops(node, Pairs::full, times)))
        return *error;
    for (const AdapterPass& each : traffic.adapters(node)) {
        OperationWork work{.node = index, .adapter = module_of(graph.stored[each.adapted->stored]), .flops = {}};
        work.flops.pairs = options.pairs;
        work.bytes_formula = done(each, &AdapterStep::bytes);
        const Expr flops = done(each, &AdapterStep::flops);
        if (std::optional<Error> error = fill(work, graph, bindings, each.copies, flops, flops)) return *error;
        works.push_back(std::move(work));
    }
    return works;
}

// What training computes a second time, of all pairs; nothing where it does not fit in 64 bits.
std::optional<std::int64_t> done_again(const ModelGraph& graph, const Bindings& bindings, const Traffic& traffic) {
    std::int64_t sum = 0;
    for (const Node& node : graph.nodes) {
        if (!traffic.again(node)) continue;
        const Times again = traffic.times_again(node);
        std::vector<Expr> terms{traffic.flops(node, Pairs::full, again)};
        for (AdapterPass& each : traffic.adapters(node)) {
            for (AdapterStep& step : each.steps) step.times = again;
            terms.push_back(done(each, &AdapterStep::flops));
        }
        const Result<std::int64_t> flops = evaluate(sum_of(terms), bindings);
        if (!flops || !add_to(sum, *flops)) return std::nullopt;
    }
    return sum;
}

// Of every node once, as often as all of them are done; and besides those that are done again. Where nodes are done
// each in its own number of times, one by one.
template <class Amount>
Expr sum_over(const ModelGraph& graph, const Traffic& traffic, const WorkOptions& options, Expr AdapterStep::*beside,
              const Amount& amount) {
    std::vector<Expr> once, again;
    for (const Node& node : graph.nodes) {
        const Expr own = amount(node, options.gradients ? traffic.times(node) : Times{});
        once.push_back(own);
        for (const AdapterPass& each : traffic.adapters(node)) once.push_back(done(each, beside));
        if (!options.gradients && traffic.again(node)) again.push_back(own);
    }
    return Expr(options.trained && !options.gradients ? training_times : 1) * sum_of(once) + sum_of(again);
}

LeastFormulas least_of(const ModelGraph& graph, const Traffic& traffic, const WorkOptions& options) {
    return {sum_over(graph, traffic, options, &AdapterStep::flops,
                     [&](const Node& node, const Times& often) { return traffic.least_flops(node, often); }),
            sum_over(graph, traffic, options, &AdapterStep::kept,
                     [&](const Node& node, const Times& often) { return traffic.bytes(node, often, true); })};
}

Result<PassWork> sum_of_work(const ModelGraph& graph, const Bindings& bindings, const WorkOptions& options,
                             const Traffic& traffic) {
    PassWork pass;
    pass.flops.pairs = options.pairs;
    pass.absorbed = options.absorbed;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        Result<std::vector<OperationWork>> works = works_of(graph, i, bindings, options, traffic);
        if (!works) return works.error();
        for (OperationWork& work : *works) {
            if (work.flops.full == 0 && work.bytes == 0) continue;
            const bool fits = add_to(pass.flops.full, work.flops.full) &&
                              add_to(pass.flops.causal, work.flops.causal) && add_to(pass.bytes, work.bytes);
            if (!fits) return too_much();
            pass.operations.push_back(std::move(work));
        }
    }
    const LeastFormulas least = least_of(graph, traffic, options);
    const Result<std::int64_t> flops = evaluate(least.flops, bindings), bytes = evaluate(least.bytes, bindings);
    const std::optional<std::int64_t> again = done_again(graph, bindings, traffic);
    if (!flops || !bytes || !again) return too_much();
    pass.least = {*flops, *bytes};
    pass.again = *again;
    return pass;
}

}  // namespace

std::string label_of(const ModelGraph& graph, const OperationWork& work) {
    if (!work.adapter.empty()) return work.adapter + " adapter";
    return std::string(graph.tensors[graph.nodes[work.node].output].label);
}

std::string id_of(const ModelGraph& graph, const OperationWork& work) {
    return graph.tensors[graph.nodes[work.node].output].id +
           (work.adapter.empty() ? "" : "." + work.adapter + ".adapter");
}

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
        bind_experts_read(values);
        return static_cast<bool>(sum_of_work(graph, values, options, traffic));
    });
    Error error = found.error();
    if (most > 0)
        error.fix = "give at most " + grouped(cached > 0 ? most + bindings[Symbol::tokens].value_or(0) : most) +
                    " tokens" + (bindings[Symbol::batch].value_or(1) > 1 ? ", or a smaller batch" : "");
    return error;
}

Expr flops_formula(const ModelGraph& graph, const WorkOptions& options) {
    const Traffic traffic(graph, options);
    return sum_over(graph, traffic, options, &AdapterStep::flops,
                    [&](const Node& node, const Times& often) { return traffic.flops(node, options.pairs, often); });
}

LeastFormulas least_formulas(const ModelGraph& graph, const WorkOptions& options) {
    return least_of(graph, Traffic(graph, options), options);
}

}  // namespace headcount
