// Reads off the graph and the table of operations what is there for a moment in a step of training.
#include "core/analysis/memory_passing.hpp"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/adapter_work.hpp"
#include "core/analysis/storages.hpp"
#include "core/graph/choice.hpp"

namespace headcount {
namespace {

// The tensor that enters each stack of layers, and the one that leaves each kind of layers: the residual stream's.
std::set<TensorIndex> find_stream(const ModelGraph& graph, std::set<TensorIndex>& enters) {
    std::set<TensorIndex> leaves;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto layer = [&](std::size_t node) { return graph.layer_of(graph.nodes[node].block); };
        if (!layer(i)) continue;
        const bool same_stack =
            i > 0 && graph.stack_of(graph.nodes[i - 1].block) == graph.stack_of(graph.nodes[i].block);
        if (same_stack && !layer(i - 1)) enters.insert(graph.before_layers(graph.stack_of(graph.nodes[i].block)));
        if (i + 1 == graph.nodes.size() || layer(i + 1) != layer(i)) leaves.insert(graph.nodes[i].output);
    }
    return leaves;
}

Expr most_of(const std::vector<Expr>& all) {
    Expr most = 0;
    for (const Expr& each : all)
        if (each != most) most = most == Expr(0) ? each : max(most, each);
    return most;
}

}  // namespace

Expr passing_bytes(const ModelGraph& graph, std::int64_t each, bool scores, const AdapterGradients* adapters) {
    const bool comes_back = !adapters || adapters->come_back();
    const auto behind = [&](const Node& node) {
        if (const std::optional<std::size_t> layer = graph.layer_of(node.block)) return adapters->before(*layer);
        return comes_back ? AdapterGradients::some_adapter : AdapterGradients::no_adapter;
    };
    const Storages found = storages(graph, Purpose::training);
    std::vector<bool> kept(found.all.size(), false), changes(found.all.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        for (const TensorIndex read : adapters ? adapters->read_backwards(i, behind(node)) : read_in_backward(node))
            for (const std::size_t index : found.of[read]) kept[index] = true;
        for (const std::size_t index : found.of[node.output])
            if (!adapters || adapters->needs(i, behind(node))) changes[index] = true;
    }
    std::set<TensorIndex> enters;
    const std::set<TensorIndex> leaves = find_stream(graph, enters);
    Expr ahead = 0, back = 0;  // outside of layers
    std::vector<Expr> layers_ahead(graph.layers.size(), 0), layers_back(graph.layers.size(), 0);
    for (std::size_t i = 0; i < found.all.size(); ++i) {
        const Storage& storage = found.all[i];
        const Tensor& tensor = graph.tensors[storage.tensor];
        const bool on_chip = storage.of_scores && (!scores || graph.is(tensor.block, BlockKind::head));
        if (on_chip || storage.of_state || tensor.role == Role::state || leaves.contains(storage.tensor)) continue;
        const bool logits = storage.tensor == graph.nodes.back().output;
        const Expr bytes = Expr(logits ? 4 : each) * storage.elements;
        const std::optional<std::size_t> layer = graph.layer_of(tensor.block);
        Expr &forwards = layer ? layers_ahead[*layer] : ahead, &backwards = layer ? layers_back[*layer] : back;
        if (!kept[i] && !logits) forwards = forwards + bytes;
        const bool stream = comes_back && enters.contains(storage.tensor);
        if (changes[i] || stream) backwards = backwards + Expr(stream ? 2 : 1) * bytes;
    }
    // What borrowed keys and values change by comes together outside of the layers that borrow.
    std::set<std::pair<bool, Part>> lent;
    for (const Tensor& tensor : graph.tensors)
        if (const std::optional<std::size_t> layer = graph.layer_of(tensor.block);
            layer && tensor.role == Role::input && !takes_choice(tensor))
            if (lent.emplace(graph.layers[*layer].group.kind.windowed, tensor.part).second)
                back = back + Expr(each) * Symbol::batch * element_count(tensor.shape);
    // And what the first layer's values do, of which later ones take some.
    for (const Node& node : graph.nodes)
        if (graph.is_for_all_layers(node.output) && graph.layer_of(node.block))
            back = back + Expr(each) * Symbol::batch * element_count(graph.tensors[node.output].shape);
    return max(ahead + most_of(layers_ahead), back + most_of(layers_back));
}

namespace {

class Working {
  public:
    Working(const ModelGraph& graph, const Bindings& values) : graph_(graph), values_(values) {}

    Result<std::int64_t> bytes(std::int64_t threads) {
        for (const Node& node : graph_.nodes) see(node);
        for (const Tensor& tensor : graph_.tensors)
            if ((tensor.role == Role::parameter || tensor.role == Role::buffer) && !is_sense(tensor.component))
                for (std::size_t side = 0; side < tensor.shape.rank(); ++side)
                    widest_ = max(widest_, tensor.shape[side]);
        const Expr longest = graph_.has_encoder() ? max(Symbol::tokens, Symbol::source) : Expr(Symbol::tokens);
        constexpr std::int64_t rows_at_once = 24, padding = 512, line = 16;
        const Expr room =
            max(max(state_, Expr(rows_at_once) * widest_),
                Expr(10) * longest * head_ + Expr(5) * longest * longest + Expr(8) * ranges_ * (longest + head_));
        const Expr floats = left_ + right_ + Expr(2) * gathered_ + roots_ + raw_ + skips_ +
                            Expr(threads) * ceil_to(room + padding, line);
        return evaluate(Expr(4) * floats + lists_ + sorted_ + Expr(8) * tokens(), values_);
    }

  private:
    Expr tokens() const { return Expr(Symbol::batch) * Symbol::tokens; }
    Expr rows(TensorIndex tensor) const { return graph_.batch_of(tensor) * graph_.tensors[tensor].shape[0]; }
    const Expr& columns(TensorIndex tensor) const {
        const Shape& shape = graph_.tensors[tensor].shape;
        return shape[shape.rank() - 1];
    }
    // All heads' columns lie side by side.
    Expr all_columns(TensorIndex tensor) const {
        const BlockIndex block = graph_.tensors[tensor].block;
        return graph_.is(block, BlockKind::head) ? graph_.copies_in_layer(block) * columns(tensor) : columns(tensor);
    }

    void see(const Node& node) {
        const bool expert = graph_.is(graph_.tensors[node.output].block, BlockKind::expert);
        if (node.op == Op::linear) {
            const auto& rule = node.rule<LinearRule>();
            const TensorIndex matrix = node.parameters.front();
            const Expr made = rows(node.output) * columns(node.output);
            const Expr read = rows(node.output) * columns(node.inputs.front());
            right_ = max(right_, element_count(graph_.tensors[matrix].shape));
            if (rule.transposed) right_ = max(right_, made);
            if (!rule.transposed && graph_.tensors[matrix].role == Role::parameter) left_ = max(left_, read);
            if (rule.clip || rule.soft_cap) raw_ = max(raw_, made);
            if (expert && !graph_.is(graph_.tensors[node.inputs.front()].block, BlockKind::expert))
                gathered_ =
                    max(gathered_, rows(node.output) * Symbol::experts_per_token * columns(node.inputs.front()));
        } else if (node.op == Op::norm) {
            const auto& rule = node.rule<NormRule>();
            const TensorIndex in = node.inputs.front();
            const Expr groups = rule.group ? all_columns(in) / *rule.group : Expr(1);
            roots_ = max(roots_, Expr(2) * rows(in) * groups);
        } else if (node.op == Op::route) {
            const Expr chosen = rows(node.output) * Symbol::experts_per_token;
            const Expr layers = graph_.layers[*graph_.layer_of(node.block)].group.count;
            lists_ = lists_ + Expr(4) * layers * chosen;
            sorted_ = max(sorted_, Expr(16) * chosen + Expr(16) * (Expr(Symbol::experts) + 1));
        } else if (node.op == Op::take_head) {
            head_ = max(head_, columns(node.output));
            const Tensor& made = graph_.tensors[node.output];
            if (is_of_distances(made.part)) ranges_ = max(ranges_, made.shape[0]);
        } else if (node.op == Op::update_state) {
            const Tensor& state = graph_.tensors[node.output];
            skips_ = max(skips_, Expr(Symbol::batch) * graph_.blocks[state.block].repeat);
            state_ = max(state_, (Expr(Symbol::tokens) + 4) * element_count(state.shape) +
                                     Expr(8) * (state.shape[0] + state.shape[1]));
        }
    }

    const ModelGraph& graph_;
    const Bindings& values_;
    // Floats; of lists bytes.
    Expr left_ = 0, right_ = 0, gathered_ = 0, roots_ = 0, raw_ = 0, skips_ = 0, lists_ = 0, sorted_ = 0;
    Expr widest_ = 0, head_ = 0, state_ = 0, ranges_ = 0;
};

}  // namespace

Result<std::int64_t> working_bytes(const ModelGraph& graph, const Bindings& values, std::int64_t threads) {
    return Working(graph, values).bytes(threads);
}

}  // namespace headcount
