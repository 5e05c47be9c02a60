// Mistakes about what reads the residual stream and what is added to it: norms that stand elsewhere, parts that read
// what is not normed, sums with what entered the layer.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/find.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

// Where the norm of a sub-block f stands.
enum class Stands {
    before,  // x + f(norm(x))
    within,  // x + norm(f(x))
    behind,  // norm(x + f(x))
};

// Of a norm and the sum of its sub-block, by where in the list of nodes they are.
struct NormedSum {
    std::size_t norm = 0, sum = 0;
    Stands stands = Stands::before;
};

// Whether it adds what one sub-block makes to the stream.
bool is_sum(const ModelGraph& graph, const Node& node) {
    return node.op == Op::add && node.inputs.size() == 2 && graph.layer_of(node.block);
}

std::optional<NormedSum> normed_sum(const ModelGraph& graph, std::size_t index) {
    const Node& norm = graph.nodes[index];
    const auto reads = [&](const Node& node, TensorIndex tensor) { return contains(node.inputs, tensor); };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& sum = graph.nodes[i];
        if (!is_sum(graph, sum) || graph.layer_of(sum.block) != graph.layer_of(norm.block)) continue;
        if (i > index && sum.block == norm.block && sum.inputs.front() == norm.inputs.front())
            return NormedSum{index, i, Stands::before};
        if (i > index && sum.inputs.back() == norm.output) return NormedSum{index, i, Stands::within};
        const bool alone =
            std::ranges::count_if(graph.nodes, [&](const Node& node) { return reads(node, sum.output); }) == 1;
        if (i < index && sum.output == norm.inputs.front() && alone) return NormedSum{index, i, Stands::behind};
    }
    return std::nullopt;
}

// Takes a norm out: the sub-block reads the stream, and the sum is of that and of what the sub-block makes. The tensor
// that is nobody's then.
TensorIndex take_out(ModelGraph& graph, const NormedSum& found) {
    const Node norm = graph.nodes[found.norm];
    Node& sum = graph.nodes[found.sum];
    TensorIndex left = norm.output;
    if (found.stands == Stands::behind)
        left = std::exchange(sum.output, norm.output);
    else
        redirect(graph, norm.output, norm.inputs.front());
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(found.norm));
    return left;
}

// Puts a norm beside a sum, with that tensor for what it makes; false where there is no such place.
bool put_in(Mutant& mutant, Node norm, TensorIndex made, TensorIndex summed, Stands stands) {
    ModelGraph& graph = mutant.model.graph;
    const auto sum = std::ranges::find(graph.nodes, summed, &Node::output);
    if (stands == Stands::behind) {
        norm.inputs.front() = sum->output = made;
        norm.output = summed;
        mutant.stands_for[made] = summed;
        graph.nodes.insert(sum + 1, std::move(norm));
        return true;
    }
    mutant.stands_for[made] = std::nullopt;
    norm.output = made;
    norm.inputs.front() = stands == Stands::within ? sum->inputs.back() : sum->inputs.front();
    if (stands == Stands::within) {
        sum->inputs.back() = made;
        graph.nodes.insert(sum, std::move(norm));
        return true;
    }
    // Of the sub-block itself: what an earlier one reads of the same stream stands before another sum.
    auto first = sum;
    const TensorIndex stream = norm.inputs.front();
    for (auto node = sum; node != graph.nodes.begin() && !is_sum(graph, *(node - 1));) {
        --node;
        if (graph.layer_of(node->block) != graph.layer_of(sum->block)) break;
        if (!contains(node->inputs, stream)) continue;
        if (node->op == Op::norm) return false;  // it has one there
        std::ranges::replace(node->inputs, stream, made);
        first = node;
    }
    if (first == sum) return false;
    graph.nodes.insert(first, std::move(norm));
    return true;
}

bool move_norms(Mutant& mutant, Stands from, Stands to) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    std::vector<TensorIndex> norms;
    each_node(graph, Op::norm, [&](const Node& node) { norms.push_back(node.output); });
    for (const TensorIndex each : norms) {
        const auto node = std::ranges::find(graph.nodes, each, &Node::output);
        if (node == graph.nodes.end() || node->op != Op::norm) continue;
        const auto found = normed_sum(graph, static_cast<std::size_t>(node - graph.nodes.begin()));
        if (!found || found->stands != from) continue;
        Node norm = *node;
        const TensorIndex summed = from == Stands::behind ? norm.output : graph.nodes[found->sum].output;
        const TensorIndex free = take_out(graph, *found);
        if (!put_in(mutant, std::move(norm), free, summed, to)) return false;
        changed = true;
    }
    return changed;
}

void add_norm_places(const ModelGraph& graph, Mutations& all) {
    struct Place {
        Stands stands;
        const char *name, *says, *own;
    };
    constexpr std::array places{
        Place{Stands::before, "norm-before", "the norms stand before what they norm for, x + f(norm(x))",
              "x + f(norm(x))"},
        Place{Stands::within, "norm-of-output", "the norms stand behind each sub-block, x + norm(f(x))",
              "x + norm(f(x))"},
        Place{Stands::behind, "norm-after", "the norms stand after the sums, norm(x + f(x))", "norm(x + f(x))"}};
    for (const Place& own : places) {
        bool found = false;
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const auto sum = graph.nodes[i].op == Op::norm ? normed_sum(graph, i) : std::nullopt;
            found = found || (sum && sum->stands == own.stands);
        }
        // Of a model that has both, those behind the sub-blocks alone.
        const char* const which = own.stands == Stands::within ? "output-" : "";
        for (const Place& other : places)
            if (found && other.stands != own.stands)
                all.push_back(
                    {std::string(which) + other.name, std::string(other.says) + ", where the model has " + own.own,
                     "norm place",
                     [from = own.stands, to = other.stands](Mutant& mutant) { return move_norms(mutant, from, to); }});
    }
}

// Every norm behind a sub-block is left out.
bool without_output_norms(Mutant& mutant) {
    const ModelGraph& graph = mutant.model.graph;
    std::vector<TensorIndex> found;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto sum = graph.nodes[i].op == Op::norm ? normed_sum(graph, i) : std::nullopt;
        if (sum && sum->stands == Stands::within) found.push_back(graph.nodes[i].output);
    }
    return leave_out(mutant, [&](const Node& node) { return contains(found, node.output); });
}

// Calls work(norm, sum) for each sub-block whose norm stands before it; for those with one sum, with their first norm.
template <class Work>
void each_normed_before(ModelGraph& graph, const Work& work) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto found = graph.nodes[i].op == Op::norm ? normed_sum(graph, i) : std::nullopt;
        if (found && found->stands == Stands::before) work(graph.nodes[i], graph.nodes[found->sum]);
    }
    for (Node& sum : graph.nodes) {
        if (sum.op != Op::add || sum.inputs.size() != 3 || !graph.layer_of(sum.block)) continue;
        const auto norm = std::ranges::find_if(graph.nodes, [&](const Node& node) {
            return node.op == Op::norm && node.inputs.front() == sum.inputs.front();
        });
        if (norm != graph.nodes.end()) work(*norm, sum);
    }
}

// What is added to is what the norm made: around one sub-block, or around all.
void add_residuals_of_normed(ModelGraph graph, Mutations& all) {
    std::set<std::string> names{""};
    each_normed_before(graph, [&](const Node&, const Node& sum) {
        if (sum.inputs.size() == 2) names.insert(graph.blocks[sum.block].name);
    });
    for (const std::string& name : names) {
        const std::string part = name.empty() ? "a sub-block" : name == "feed_forward" ? "the feed-forward" : name;
        all.push_back({"residual-of-normed" + (name.empty() ? name : "-" + name),
                       "what " + part + " makes is added to what its norm made, and not to what the norm has read",
                       "residual", [name](Mutant& mutant) {
                           bool changed = false;
                           ModelGraph& own = mutant.model.graph;
                           each_normed_before(own, [&](const Node& norm, Node& sum) {
                               if (!name.empty() && own.blocks[sum.block].name != name) return;
                               sum.inputs.front() = norm.output;
                               changed = true;
                           });
                           return changed;
                       }});
    }
}

// x + f(...), where the model adds to what the layer's first sum has made.
bool add_to_layer(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* first = nullptr;
    return change_each(graph.nodes, [&](Node& node) {
        if (!is_sum(graph, node)) return false;
        if (!first || graph.layer_of(first->block) != graph.layer_of(node.block)) {
            first = &node;
            return false;
        }
        node.inputs.front() = first->inputs.front();
        return true;
    });
}

// The feed-forward reads what attention makes, and not the sum with what that has read.
bool feed_attention(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (const Node& sum : std::vector(graph.nodes)) {
        if (sum.op != Op::add || !graph.layer_of(sum.block)) continue;
        const bool shared = sum.inputs.size() == 3;
        if (!shared && (!is_sum(graph, sum) || graph.is(sum.block, BlockKind::feed_forward))) continue;
        for (Node& node : graph.nodes) {
            if (!graph.is(node.block, BlockKind::feed_forward) || node.op == Op::add) continue;
            const auto read = std::ranges::find(graph.nodes, node.inputs.front(), &Node::output);
            const bool other = read == graph.nodes.end() || !graph.is(read->block, BlockKind::feed_forward);
            if (shared ? !other : node.inputs.front() != sum.output) continue;
            node.inputs.front() = shared ? sum.inputs[1] : sum.inputs.back();
            changed = true;
        }
    }
    return changed;
}

// Two neighbouring sub-blocks of a layer in the other order: the second one's nodes read the stream that the first
// one's have read, and stand before them.
bool exchange_parts(Mutant& mutant, const std::string& first, const std::string& second) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node own = graph.nodes[i];
        if (!is_sum(graph, own) || graph.blocks[own.block].name != first) continue;
        const auto other = std::ranges::find_if(graph.nodes, [&](const Node& node) {
            return is_sum(graph, node) && graph.blocks[node.block].name == second && node.inputs.front() == own.output;
        });
        if (other == graph.nodes.end()) continue;
        const TensorIndex stream = own.inputs.front(), between = own.output, last = other->output;
        const BlockIndex later = other->block;
        const auto is_of = [&](const Node& node, BlockIndex block) { return graph.inside(node.block, block); };
        for (Node& node : graph.nodes) {
            if (is_of(node, own.block)) std::ranges::replace(node.inputs, stream, between);
            if (is_of(node, later)) std::ranges::replace(node.inputs, between, stream);
        }
        other->output = between;
        graph.nodes[i].output = last;
        const auto begin = std::ranges::find_if(graph.nodes, [&](const Node& node) { return is_of(node, own.block); });
        const auto end = other + 1;
        std::stable_partition(begin, end, [&](const Node& node) { return is_of(node, later); });
        mutant.stands_for[between] = std::nullopt;
        changed = true;
        i = static_cast<std::size_t>(end - graph.nodes.begin()) - 1;
    }
    return changed;
}

void add_part_orders(Mutations& all) {
    all.push_back({"feed-forward-first", "the feed-forward stands before attention, and not behind it", "order",
                   [](Mutant& mutant) { return exchange_parts(mutant, "attention", "feed_forward"); }});
    all.push_back({"cross-first",
                   "attention to the other text stands before that to the layer's own, and not behind it", "order",
                   [](Mutant& mutant) { return exchange_parts(mutant, "attention", "cross_attention"); }});
}

// One of several that read what a norm makes reads what that norm has read.
void add_unnormed(const ModelGraph& graph, Mutations& all) {
    each_node(graph, Op::norm, [&](const Node& norm) {
        if (!graph.layer_of(norm.block)) return;
        std::vector<std::string> readers;
        for (const Node& node : graph.nodes)
            if (node.op == Op::linear && node.inputs.front() == norm.output)
                readers.push_back(local_name(graph, node.output));
        if (readers.size() < 2) return;
        for (const std::string& name : readers) {
            const std::string mistake = "unnormed-" + name;
            if (contains(all, mistake, &Mutation::name)) continue;
            all.push_back({mistake, name + " is made of what the norm before it reads, and not of what it makes",
                           "unnormed", [name](Mutant& mutant) {
                               ModelGraph& own = mutant.model.graph;
                               return change_each(own.nodes, [&](Node& node) {
                                   if (node.op != Op::linear || local_name(own, node.output) != name) return false;
                                   const auto before = std::ranges::find(own.nodes, node.inputs.front(), &Node::output);
                                   if (before == own.nodes.end() || before->op != Op::norm) return false;
                                   node.inputs.front() = before->inputs.front();
                                   return true;
                               });
                           }});
        }
    });
}

// Attention to the other text reads the encoder's embedded tokens.
bool attend_to_embedded(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    return change_each(graph.nodes, [&](Node& node) {
        if (node.op != Op::linear || !graph.within(node.block, BlockKind::cross)) return false;
        const TensorIndex read = node.inputs.front();
        if (!graph.of_source(read)) return false;
        node.inputs.front() = graph.before_layers(graph.stack_of(graph.tensors[read].block));
        return true;
    });
}

}  // namespace

void add_stream_mutations(const Model& model, Mutations& all) {
    add_norm_places(model.graph, all);
    all.push_back({"output-norms-missing",
                   "no norm stands behind the sub-blocks: attention and feed-forward are added "
                   "as they are",
                   "norm place", without_output_norms});
    add_residuals_of_normed(model.graph, all);
    all.push_back({"residual-of-layer",
                   "what the feed-forward makes is added to what entered the layer: what attention has added is lost",
                   "residual", add_to_layer});
    all.push_back({"feed-forward-of-attention",
                   "the feed-forward reads what attention makes alone, and not the stream that this is added to",
                   "side by side", feed_attention});
    all.push_back({"cross-of-embedded",
                   "attention to the other text reads its embedded tokens, and not what the encoder made of them",
                   "cross attention", attend_to_embedded});
    add_part_orders(all);
    add_unnormed(model.graph, all);
}

}  // namespace headcount
