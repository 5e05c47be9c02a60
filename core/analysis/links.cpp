// What is sent between devices, read off the graph; see the header.
#include "core/analysis/links.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t weights_too = 3;  // the stage of ZeRO that divides them
constexpr std::int64_t parts_of_device = 1000, bits_of_byte = 8;

class Sent {
  public:
    Sent(const ModelGraph& graph, Phase phase, const Sharding& sharding, const Formats& weights,
         const std::optional<Adapters>& adapters)
        : graph_(graph),
          sharding_(sharding),
          training_(phase == Phase::training),
          weights_(weights),
          adapters_(adapters) {}

    // Bytes of one device.
    Expr tensor() const {
        const std::int64_t devices = sharding_.tensor;
        return each(Expr(2) * (devices - 1) * sums(), devices * sharding_.context * sharding_.pipeline, backwards());
    }

    Expr pipeline() const {
        const std::int64_t devices = sharding_.pipeline;
        const TensorIndex stream = graph_.last_of(graph_.layers.size() - 1);
        const Expr rows = Expr(Symbol::batch) * element_count(graph_.tensors[stream].shape);
        return each(Expr(devices - 1) * rows, devices * sharding_.context * sharding_.tensor, backwards());
    }

    Expr context() const {
        const std::int64_t devices = sharding_.context;
        const Expr kept = keys_and_values(), asked = queries_and_answers();
        return each(Expr(devices - 1) * (training_ ? kept : min(kept, asked)),
                    devices * sharding_.pipeline * sharding_.tensor, training_ ? 3 : 1);
    }

    Expr expert() const {
        std::vector<Expr> tokens;
        for (const Node& node : graph_.nodes)
            if (node.op == Op::route && !graph_.made_before(node))
                tokens.push_back(Expr(Symbol::batch) * graph_.runs(node.block) * graph_.tensors[node.output].shape[0]);
        const std::int64_t back = info(activation_precision(weights_)).bits,
                           there = std::min(back, info(weights_.of(WeightKind::experts)).bits);
        const Expr sent = sum_of(tokens) * Symbol::dim * Symbol::devices_reached / parts_of_device;
        return part_of(sent * (backwards() * (there + back)) / bits_of_byte,
                       sharding_.context * sharding_.pipeline * sharding_.tensor);
    }

    // Of an expert fewer devices have the same weights, where experts are divided.
    Expr data() const {
        const std::int64_t replicas = sharding_.replicas(), of_experts = replicas / sharding_.expert;
        std::vector<Expr> numbers;
        for (const Tensor& tensor : graph_.tensors) {
            if (tensor.role != Role::parameter) continue;
            const bool divided = graph_.is(tensor.block, BlockKind::expert);
            numbers.push_back(Expr((divided ? of_experts : replicas) - 1) * graph_.copies(tensor.block) *
                              element_count(tensor.shape));
        }
        const bool gathered = sharding_.zero == weights_too;
        const std::int64_t ways = gathered ? backwards() : 0, gradients = training_ ? (gathered ? 1 : 2) : 0,
                           parts = replicas * sharding_.tensor * sharding_.pipeline;
        if (!adapters_) return each(sum_of(numbers), parts, ways + gradients);
        const Expr beside = Expr(replicas - 1) * adapter_parameters(graph_, *adapters_),
                   sent = part_of(bytes_formula(Expr(ways + gradients) * beside, adapter_format), parts);
        return gathered ? each(sum_of(numbers), parts, ways) + sent : sent;
    }

  private:
    std::int64_t backwards() const { return training_ ? 2 : 1; }

    // Of numbers that so many devices send, so often.
    Expr each(const Expr& numbers, std::int64_t parts, std::int64_t times) const {
        return part_of(bytes_formula(Expr(times) * numbers, activation_precision(weights_)), parts);
    }

    // As often as the node runs, for the whole batch.
    Expr all_copies(const Node& node, TensorIndex tensor) const {
        return Expr(Symbol::batch) * graph_.runs(node.block) * element_count(graph_.tensors[tensor].shape);
    }

    Expr sums() const {
        std::vector<Expr> numbers;
        for (const Node& node : graph_.nodes)
            if (node.op == Op::add && graph_.layer_of(node.block) && !graph_.made_before(node))
                numbers.push_back(all_copies(node, node.output));
        return sum_of(numbers);
    }

    Expr keys_and_values() const {
        std::vector<Expr> numbers;
        for (const Tensor& tensor : graph_.tensors)
            if (tensor.role == Role::cache && uses(tensor.shape[0], Symbol::tokens) &&
                !uses(tensor.shape[0], Symbol::window))
                numbers.push_back(Expr(Symbol::batch) * graph_.copies(tensor.block) * element_count(tensor.shape));
        return sum_of(numbers);
    }

    Expr queries_and_answers() const {
        std::vector<Expr> numbers;
        for (const Node& node : graph_.nodes) {
            const bool asks = node.op == Op::scores, answers = node.op == Op::mix;
            if (!asks && !answers) continue;
            const std::optional<std::size_t> layer = graph_.layer_of(node.block);
            if (graph_.made_before(node) || (layer && graph_.layers[*layer].group.kind.windowed)) continue;
            numbers.push_back(all_copies(node, asks ? node.inputs.front() : node.output));
        }
        return sum_of(numbers);
    }

    const ModelGraph& graph_;
    const Sharding& sharding_;
    bool training_;
    const Formats& weights_;
    const std::optional<Adapters>& adapters_;
};

}  // namespace

Result<std::vector<LinkUse>> link_traffic(const Pass& pass, Phase phase, const Sharding& sharding,
                                          const Formats& weights, const std::optional<Adapters>& adapters) {
    struct Group {
        std::string_view key;
        std::int64_t devices;
        Expr (Sent::*bytes)() const;
    };
    const Sent sent(pass.graph, phase, sharding, weights, adapters);
    std::vector<LinkUse> links;
    std::int64_t total = 0;
    for (const Group& group :
         {Group{"tensor", sharding.tensor, &Sent::tensor}, Group{"pipeline", sharding.pipeline, &Sent::pipeline},
          Group{"context", sharding.context, &Sent::context}, Group{"expert", sharding.expert, &Sent::expert},
          Group{"data", phase == Phase::training || sharding.zero == weights_too ? sharding.replicas() : 1,
                &Sent::data}}) {
        if (group.devices == 1) continue;
        const Expr formula = (sent.*group.bytes)();
        const Result<std::int64_t> bytes = evaluate(formula, pass.bindings);
        if (!bytes) return bytes.error();
        if (!add_to(total, *bytes))
            return Error{"what is sent does not fit in 64 bits", std::string(group.key), "give fewer tokens"};
        links.push_back({group.key, group.devices, {formula, *bytes}});
    }
    return links;
}

std::optional<Error> wrong_context(const Sharding& sharding, const Architecture& arch, const Input& input) {
    if (sharding.context == 1) return std::nullopt;
    const std::int64_t tokens = bindings(arch, all_at_once(input))[Symbol::tokens].value_or(1);
    if (sharding.context <= tokens) return std::nullopt;
    return Error{grouped(tokens) + (tokens == 1 ? " token" : " tokens") + " cannot be divided among " +
                     grouped(sharding.context) + " devices",
                 "context", "give at most " + grouped(tokens) + ", or more tokens"};
}

std::int64_t sent_by_each(const std::vector<LinkUse>& links) {
    std::int64_t bytes = 0;
    for (const LinkUse& each : links) bytes += each.sent.bytes;
    return bytes;
}

namespace {

// How likely it is that all of k different ones of so many are others than these.
double missed(double k, double all, double these) {
    double likely = 1;
    for (double i = 0; i < k; ++i) likely *= std::max(0.0, all - these - i) / (all - i);
    return likely;
}

// How likely a device that holds so many of a mixture's experts has some that a token is sent to.
double reached(const Routing& routing, double experts, double used, double held) {
    const auto groups = static_cast<double>(routing.groups), of_group = experts / groups;
    const auto best = static_cast<double>(routing.groups_used);
    const double its = std::max(1.0, std::floor(held / of_group));  // groups of which it has some
    // Of the best groups one after the other, how likely it has so many.
    std::vector<double> has{1};
    for (double i = 0; i < best; ++i) {
        std::vector<double> next(has.size() + 1);
        for (std::size_t n = 0; n < has.size(); ++n) {
            const double one_more = std::max(0.0, its - static_cast<double>(n)) / (groups - i);
            next[n] += has[n] * (1 - one_more);
            next[n + 1] += has[n] * one_more;
        }
        has = std::move(next);
    }
    double likely = 0;
    for (std::size_t n = 1; n < has.size(); ++n)
        likely += has[n] * (1 - missed(used, best * of_group, static_cast<double>(n) * held / its));
    return likely;
}

void bind_devices_reached(Pass& pass, std::int64_t devices) {
    const Node* const router = pass.graph.first(Op::route);
    const auto number = [&](Symbol symbol) { return static_cast<double>(pass.bindings[symbol].value_or(1)); };
    const double experts = number(Symbol::experts), others = static_cast<double>(devices - 1),
                 to_one = router ? reached(router->rule<Routing>(), experts, number(Symbol::experts_per_token),
                                           experts / static_cast<double>(devices))
                                 : 0;
    pass.bindings.set(Symbol::devices_reached, std::llround(parts_of_device * others * to_one));
}

std::optional<Error> divide_experts(PassWork& work, const ModelGraph& graph, const Bindings& bindings,
                                    std::int64_t devices) {
    for (OperationWork& each : work.operations) {
        if (!graph.is(graph.nodes[each.node].block, BlockKind::expert)) continue;
        each.bytes_formula =
            part_of(replaced(each.bytes_formula, Symbol::batch, Expr(devices) * Symbol::batch), devices);
        const Result<std::int64_t> bytes = evaluate(each.bytes_formula, bindings);
        if (!bytes) return bytes.error();
        work.bytes += *bytes - each.bytes;
        work.least.bytes += *bytes - each.bytes;
        each.bytes = *bytes;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> divide_experts(Pass& pass, const Sharding& sharding) {
    const std::int64_t devices = sharding.expert;
    if (devices == 1) return std::nullopt;
    bind_experts_read(pass.bindings, static_cast<double>(devices) / static_cast<double>(sharding.context));
    bind_devices_reached(pass, devices);
    if (std::optional<Error> error = divide_experts(pass.work, pass.graph, pass.bindings, devices)) return error;
    if (pass.anew)
        if (std::optional<Error> error = divide_experts(*pass.anew, pass.graph, pass.bindings, devices)) return error;
    pass.seconds = pass.computing();
    return std::nullopt;
}

Result<Pass> device_pass_of(const Architecture& arch, const Input& input, Phase phase, const PassOptions& options) {
    Result<Pass> pass = pass_of(arch, input, phase, options);
    if (!pass) return pass;
    if (std::optional<Error> wrong = divide_experts(*pass, options.sharding)) return *wrong;
    Result<std::vector<LinkUse>> links =
        link_traffic(*pass, phase, options.sharding, input.precision, options.adapters);
    if (!links) return links.error();
    pass->links = *std::move(links);
    if (!options.link) return pass;
    pass->sending = static_cast<double>(sent_by_each(pass->links)) / *options.link;
    if (pass->seconds) pass->seconds = std::max(*pass->seconds, *pass->sending);
    return pass;
}

}  // namespace headcount
