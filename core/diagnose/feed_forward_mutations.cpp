// Mistakes about the feed-forward and the residual stream.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_activations(const GateRule& own, Mutations& all) {
    for (const ActivationInfo& other : activation_functions) {
        if (other.activation == own.activation || other.activation == Activation::xielu) continue;
        const bool none = other.activation == Activation::linear;
        all.push_back({"activation-" + std::string(other.key),
                       none ? "the feed-forward has no activation function, where the model has " +
                                  std::string(info(own.activation).label)
                            : "the activation function is " + std::string(other.label) + ", where the model has " +
                                  std::string(info(own.activation).label),
                       "activation", [from = own.activation, to = other.activation](Mutant& mutant) {
                           return change_each(mutant.model.graph.nodes, [&](Node& node) {
                               auto* const rule = std::get_if<GateRule>(&node.attributes);
                               if (!rule || rule->activation != from) return false;
                               rule->activation = to;
                               rule->clamped.reset();
                               return true;
                           });
                       }});
    }
}

// What becomes of a gate and of what it lets through.
void add_gates(Mutations& all) {
    const auto add = [&](const char* name, const char* says, std::function<void(Mutant&, TensorIndex gated)> change) {
        all.push_back({name, says, "gate", [change](Mutant& mutant) {
                           std::vector<TensorIndex> gated;
                           each_node(mutant.model.graph, Op::gate, [&](const Node& node) {
                               if (!node.rule<GateRule>().clamped) gated.push_back(node.output);
                           });
                           for (const TensorIndex each : gated) change(mutant, each);
                           return !gated.empty();
                       }});
    };
    const auto gate_of = [](Mutant& mutant, TensorIndex gated) -> Node& {
        return *std::ranges::find(mutant.model.graph.nodes, gated, &Node::output);
    };
    add("up-missing", "the activation of gate is not multiplied by up: up is left out",
        [gate_of](Mutant& mutant, TensorIndex gated) {
            Node& gate = gate_of(mutant, gated);
            gate.op = Op::activate;
            gate.inputs.resize(1);
        });
    add("activation-of-product", "the activation function is applied to gate times up, and not to gate alone",
        [gate_of](Mutant& mutant, TensorIndex gated) {
            Node& gate = gate_of(mutant, gated);
            Node behind = gate;
            std::get<GateRule>(gate.attributes).activation = Activation::linear;
            behind.op = Op::activate;
            behind.inputs.resize(1);
            mutant.stands_for[gated] = put_behind(mutant, gated, std::move(behind));
        });
    add("gate-by-up", "gate is what up is: both are made by up's matrix", [gate_of](Mutant& mutant, TensorIndex gated) {
        std::vector<TensorIndex>& inputs = gate_of(mutant, gated).inputs;
        inputs.front() = inputs.back();
    });
    add("up-by-gate", "up is what gate is: both are made by gate's matrix",
        [gate_of](Mutant& mutant, TensorIndex gated) {
            std::vector<TensorIndex>& inputs = gate_of(mutant, gated).inputs;
            inputs.back() = inputs.front();
        });
    add("gate-added", "the activation of gate and up are added, and not multiplied",
        [gate_of](Mutant& mutant, TensorIndex gated) {
            Node& gate = gate_of(mutant, gated);
            if (mutant.model.graph.within(gate.block, BlockKind::expert)) return;  // its rows are not all tokens'
            const TensorIndex up = gate.inputs.back();
            gate.op = Op::activate;
            gate.inputs.resize(1);
            Node sum = gate;
            sum.op = Op::sum;
            sum.inputs = {gated, up};
            sum.attributes = Scaling{};
            mutant.stands_for[gated] = put_behind(mutant, gated, std::move(sum));
        });
    add("activation-of-both", "the activation function is applied to up as well as to gate",
        [gate_of](Mutant& mutant, TensorIndex gated) {
            Node before = gate_of(mutant, gated);
            const TensorIndex up = before.inputs.back();
            before.op = Op::activate;
            before.inputs.resize(1);
            put_behind(mutant, up, std::move(before));
        });
}

// Where an activation function may stand: before the first product, or behind the second; and between them, too.
struct ActivationPlace {
    bool first = false, between = false;
};

bool activate_elsewhere(Mutant& mutant, const ActivationPlace& place) {
    ModelGraph& graph = mutant.model.graph;
    return change_each(std::vector(graph.nodes), [&](const Node& made) {
        const bool gated = made.op == Op::gate;
        if ((!gated && made.op != Op::activate) || graph.within(made.block, BlockKind::expert) ||
            graph.tensors[made.output].component != Component::feed_forward || made.rule<GateRule>().clamped)
            return false;
        const auto up = std::ranges::find(graph.nodes, made.inputs.front(), &Node::output);
        const auto down = std::ranges::find_if(
            graph.nodes, [&](const Node& node) { return node.op == Op::linear && node.inputs.front() == made.output; });
        if (down == graph.nodes.end() || up == graph.nodes.end() || up->op != Op::linear) return false;
        Node other = made;
        other.op = Op::activate;
        other.inputs.resize(1);
        const TensorIndex output = down->output, input = up->inputs.front();
        if (!place.between && gated) {
            const auto gate = std::ranges::find(graph.nodes, made.output, &Node::output);
            std::get<GateRule>(gate->attributes).activation = Activation::linear;
        } else if (!place.between) {
            leave_out(mutant, [&](const Node& node) { return node.output == made.output; });
        }
        if (place.first)
            put_before(mutant, input, std::move(other),
                       [block = up->block](const Node& node) { return node.op == Op::linear && node.block == block; });
        else
            mutant.stands_for[output] = put_behind(mutant, output, std::move(other));
        return true;
    });
}

void add_activation_places(Mutations& all) {
    const auto add = [&](const char* name, const char* says, ActivationPlace place) {
        all.push_back(
            {name, says, "activation", [place](Mutant& mutant) { return activate_elsewhere(mutant, place); }});
    };
    add("activation-behind", "the activation function stands behind the second product, and not before it", {});
    add("activation-first", "the activation function stands before the first product, and not behind it",
        {.first = true});
    add("activation-again", "the activation function stands behind the second product, too", {.between = true});
}

// The sums of the residual stream by the name of the sub-block that they stand in.
std::set<std::string> sums_of(const ModelGraph& graph) {
    std::set<std::string> names;
    each_node(graph, Op::add, [&](const Node& node) {
        if (graph.layer_of(node.block) && node.inputs.size() == 2) names.insert(graph.blocks[node.block].name);
    });
    return names;
}

void add_residual(const std::string& block, std::string name, std::string says, std::function<void(Node& sum)> change,
                  Mutations& all) {
    all.push_back({name + "-" + block, std::move(says), "residual " + block, [block, change](Mutant& mutant) {
                       ModelGraph& graph = mutant.model.graph;
                       return change_nodes(graph, Op::add, [&](Node& node) {
                           if (graph.blocks[node.block].name != block || node.inputs.size() != 2) return false;
                           change(node);
                           return true;
                       });
                   }});
}

// Where both sub-blocks are added in one sum, one of its three is left out.
void add_shared_sums(Mutations& all) {
    struct Left {
        const char *name, *says;
    };
    constexpr std::array<Left, 3> left{
        {{"residual-missing", "the residual is missing: what enters a layer is not added to what its parts make"},
         {"attention-missing", "what attention makes is not added: the sum is of the others alone"},
         {"feed-forward-missing", "what the feed-forward makes is not added: the sum is of the others alone"}}};
    for (std::size_t i = 0; i < left.size(); ++i)
        all.push_back({left[i].name, left[i].says, "residual", [i](Mutant& mutant) {
                           ModelGraph& graph = mutant.model.graph;
                           return change_nodes(graph, Op::add, [&](Node& node) {
                               if (!graph.layer_of(node.block) || node.inputs.size() != 3) return false;
                               if (node.rule<Scaling>().factor != 1) return false;
                               node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(i));
                               return true;
                           });
                       }});
}

void add_residuals(const ModelGraph& graph, Mutations& all) {
    for (const std::string& block : sums_of(graph)) {
        const std::string part = block == "feed_forward" ? "the feed-forward" : block;
        add_residual(
            block, "residual-missing", "the residual is missing around " + part + ": its output is not added",
            [](Node& sum) {
                sum.inputs.front() = sum.inputs.back();  // and nothing of the other
                auto& scaling = std::get<Scaling>(sum.attributes);
                scaling.whole *= std::exchange(scaling.factor, 0);
            },
            all);
        add_residual(
            block, "output-missing", "what " + part + " makes is not added: the residual stream goes on as it was",
            [](Node& sum) {
                sum.inputs.back() = sum.inputs.front();
                std::get<Scaling>(sum.attributes).factor = 0;
            },
            all);
        add_residual(
            block, "residual-twice", "the residual stream is added twice around " + part,
            [](Node& sum) { sum.inputs.insert(sum.inputs.begin(), sum.inputs.front()); }, all);
        add_residual(
            block, "output-twice", "the output of " + part + " is added twice",
            [](Node& sum) { sum.inputs.push_back(sum.inputs.back()); }, all);
        add_residual(
            block, "sum-halved", "the sum of the residual stream and " + part + " is halved: their mean is taken",
            [](Node& sum) { std::get<Scaling>(sum.attributes).whole *= 0.5; }, all);
        add_residual(
            block, "sum-by-root-2", "the sum of the residual stream and " + part + " is divided by √2",
            [](Node& sum) { std::get<Scaling>(sum.attributes).whole *= std::sqrt(0.5); }, all);
    }
}

// Where attention and the feed-forward of a sum read what one norm makes, the feed-forward gets a norm like it of its
// own.
bool norm_once_more(Mutant& mutant, const Node& sum) {
    ModelGraph& graph = mutant.model.graph;
    const auto shared = std::ranges::find_if(graph.nodes, [&](const Node& node) {
        return node.op == Op::norm && node.inputs.front() == sum.inputs.front() && node.block != sum.block;
    });
    if (shared == graph.nodes.end()) return false;
    Node own = *shared;
    const TensorIndex normed = own.output, stream = own.inputs.front();
    if (!put_before(mutant, normed, own,
                    [&](const Node& node) { return graph.is(node.block, BlockKind::feed_forward); }))
        return false;
    std::ranges::find(graph.nodes, static_cast<TensorIndex>(graph.tensors.size() - 1), &Node::output)->inputs = {
        stream};
    return true;
}

// y = x + attention(x), y + feed_forward(y), where the model adds both to x: the second norm reads the first sum.
bool one_behind_the_other(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (graph.nodes[i].op != Op::add || graph.nodes[i].inputs.size() != 3) continue;
        Node sum = graph.nodes[i];
        if (norm_once_more(mutant, sum)) ++i;
        const auto norm = std::ranges::find_if(graph.nodes, [&](const Node& node) {
            return node.op == Op::norm && node.block == sum.block && node.inputs.front() == sum.inputs.front();
        });
        const auto attended = std::ranges::find(graph.nodes, sum.inputs[1], &Node::output);
        if (norm == graph.nodes.end() || attended >= norm) continue;
        Tensor first = graph.tensors[sum.output];
        first.id += "_changed";
        const auto made = static_cast<TensorIndex>(graph.tensors.size());
        graph.tensors.push_back(std::move(first));
        graph.nodes[i].inputs = {made, sum.inputs[2]};
        norm->inputs.front() = made;
        sum.inputs.pop_back();
        sum.output = made;
        graph.nodes.insert(norm, std::move(sum));
        changed = true;
        ++i;
    }
    return changed;
}

// x + attention(x) + feed_forward(x): the second norm reads what the first does.
bool side_by_side(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (const Node& sum : std::vector(graph.nodes)) {
        if (sum.op != Op::add || !graph.layer_of(sum.block) || graph.is(sum.block, BlockKind::feed_forward)) continue;
        for (Node& node : graph.nodes)
            if (graph.is(node.block, BlockKind::feed_forward) && node.op == Op::norm &&
                node.inputs.front() == sum.output) {
                node.inputs.front() = sum.inputs.front();
                changed = true;
            }
    }
    return changed;
}

}  // namespace

void add_feed_forward_mutations(const Model& model, Mutations& all) {
    const Node* const gate = model.graph.first(Op::gate);
    const Node* const act = gate ? gate : model.graph.first(Op::activate);
    if (gate)
        all.push_back({"gate-and-up", "gate and up are exchanged: the activation function is applied to up", "gate",
                       [](Mutant& mutant) {
                           each_node(mutant.model.graph, Op::gate,
                                     [](Node& node) { std::swap(node.inputs[0], node.inputs[1]); });
                           return true;
                       }});
    if (gate) add_gates(all);
    if (act) add_activations(act->rule<GateRule>(), all);
    add_activation_places(all);
    add_residuals(model.graph, all);
    add_shared_sums(all);
    all.push_back({"residual-unscaled",
                   "what sub-blocks make is added as it is, where the model multiplies it by a factor first",
                   "residual", on_rules<Scaling>(Op::add, [](Scaling& scaling, const Node&) {
                       return std::exchange(scaling.factor, 1) != 1;
                   })});
    all.push_back({"side-by-side",
                   "the feed-forward reads what enters the layer, where it is to read the sum behind attention",
                   "side by side", side_by_side});
    all.push_back({"one-behind-the-other",
                   "the feed-forward reads the sum behind attention, where it is to read what enters the layer",
                   "side by side", one_behind_the_other});
}

}  // namespace headcount
