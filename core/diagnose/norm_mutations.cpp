// Mistakes about norms: what they compute, and where they stand.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_rule(Mutations& all, std::string name, std::string says, std::string about,
              std::function<bool(NormRule&)> change) {
    all.push_back({std::move(name), std::move(says), std::move(about),
                   on_rules<NormRule>(Op::norm, [change](NormRule& rule, const Node&) { return change(rule); })});
}

void add_epsilons(const NormRule& own, Mutations& all) {
    struct Epsilon {
        double value;
        const char* text;
    };
    for (const auto& [value, text] :
         {Epsilon{1e-5, "1e-5"}, Epsilon{1e-6, "1e-6"}, Epsilon{1e-8, "1e-8"}, Epsilon{1e-12, "1e-12"},
          Epsilon{1e-3, "1e-3"}, Epsilon{1e-4, "1e-4"}, Epsilon{1e-7, "1e-7"}, Epsilon{1e-2, "1e-2"}, Epsilon{0, "0"}})
        if (value != own.epsilon)
            add_rule(all, std::string("norm-epsilon-") + text,
                     std::string("the norms' epsilon is ") + text + ", where the model has " + factor_text(own.epsilon),
                     "norm epsilon", [epsilon = value](NormRule& rule) {
                         rule.epsilon = epsilon;
                         return true;
                     });
    add_rule(all, "norm-epsilon-outside", "the norms' epsilon is added to the root, and not under it", "norm root",
             [](NormRule& rule) { return rule.epsilon_outside = true; });
    add_rule(all, "norm-less-one",
             "the norms' variance is divided by d - 1, and not by d (torch.std and torch.var do so unless told not to)",
             "norm variance", [](NormRule& rule) { return rule.kind == NormKind::layer && (rule.less_one = true); });
    add_rule(all, "norm-standard-deviation",
             "the norms divide by torch.std(x) + epsilon: by d - 1 under the root, and with epsilon outside of it",
             "norm variance", [](NormRule& rule) {
                 return rule.kind == NormKind::layer && (rule.less_one = rule.epsilon_outside = true);
             });
}

bool norm_twice(Mutant& mutant, const std::string& name) {
    const ModelGraph& graph = mutant.model.graph;
    std::vector<Node> found;
    each_node(graph, Op::norm, [&](const Node& node) {
        if (local_name(graph, node.output) == name) found.push_back(node);
    });
    for (const Node& node : found) {
        const TensorIndex once = node.output;
        mutant.stands_for[once] = put_behind(mutant, once, node);
    }
    return !found.empty();
}

// Norms by the name that they have in a layer, each once.
std::vector<std::string> norm_names(const ModelGraph& graph) {
    std::vector<std::string> names;
    each_node(graph, Op::norm, [&](const Node& node) {
        const std::string name = local_name(graph, node.output);
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    });
    return names;
}

void add_missing(const ModelGraph& graph, Mutations& all) {
    for (const std::string& name : norm_names(graph)) {
        all.push_back({"twice-" + name, "the norm " + name + " is applied twice", name,
                       [name](Mutant& mutant) { return norm_twice(mutant, name); }});
        all.push_back({"missing-" + name, "the norm " + name + " is missing", name, [name](Mutant& mutant) {
                           return leave_out(mutant, [&](const Node& node) {
                               return node.op == Op::norm && local_name(mutant.model.graph, node.output) == name;
                           });
                       }});
    }
}

void add_parameters(Mutations& all) {
    for (const bool bias : {false, true})
        all.push_back({bias ? "norm-bias-missing" : "norm-weight-missing",
                       bias ? "the norms' biases are not added" : "the norms' weights are not multiplied with",
                       bias ? "norm bias" : "norm weight", [bias](Mutant& mutant) {
                           bool changed = false;
                           const auto& tensors = mutant.model.graph.tensors;
                           each_node(mutant.model.graph, Op::norm, [&](Node& node) {
                               changed =
                                   std::erase_if(node.parameters,
                                                 [&](TensorIndex each) { return tensors[each].bias == bias; }) > 0 ||
                                   changed;
                           });
                           return changed;
                       }});
}

// The node behind the sub-block of a norm that adds to what the norm reads.
std::vector<Node>::iterator sum_of(ModelGraph& graph, const Node& norm) {
    return std::ranges::find_if(graph.nodes, [&](const Node& node) {
        return node.op == Op::add && node.block == norm.block && node.inputs.front() == norm.inputs.front();
    });
}

// LN(x + f(x)) in the place of x + f(LN(x)).
bool put_after(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        Node norm = graph.nodes[i];
        if (norm.op != Op::norm) continue;
        const auto sum = sum_of(graph, norm);
        if (sum == graph.nodes.end() || sum - graph.nodes.begin() < static_cast<std::ptrdiff_t>(i)) continue;
        const TensorIndex normed = norm.output, stream = sum->output;
        redirect(graph, normed, norm.inputs.front());
        sum->output = norm.inputs.front() = normed;
        norm.output = stream;
        mutant.stands_for[normed] = stream;
        graph.nodes.insert(sum + 1, std::move(norm));
        graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
    }
    return changed;
}

// What is added to is what the norm made.
bool add_to_normed(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (const Node& norm : std::vector(graph.nodes)) {
        if (norm.op != Op::norm) continue;
        const auto sum = sum_of(graph, norm);
        if (sum == graph.nodes.end()) continue;
        sum->inputs.front() = norm.output;
        changed = true;
    }
    return changed;
}

// The weights of the first norm of a layer in the second.
bool share(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* first = nullptr;
    bool changed = false;
    each_node(graph, Op::norm, [&](Node& node) {
        if (sum_of(graph, node) == graph.nodes.end()) return;
        if (first && graph.layer_of(first->block) == graph.layer_of(node.block) && first->block != node.block) {
            node.parameters = first->parameters;
            changed = true;
        }
        first = &node;
    });
    return changed;
}

}  // namespace

void add_norm_mutations(const Model& model, Mutations& all) {
    const Node* const first = model.graph.first(Op::norm);
    if (!first) return;
    const auto& own = first->rule<NormRule>();
    const bool centred = own.kind == NormKind::layer;
    add_missing(model.graph, all);
    all.push_back({"norm-after", "the norms stand after the sums, norm(x + f(x)), where the model has x + f(norm(x))",
                   "norm place", put_after});
    all.push_back({"residual-of-normed",
                   "what a sub-block makes is added to what its norm made, and not to what the norm has read",
                   "residual", add_to_normed});
    add_rule(all, centred ? "norm-not-centred" : "norm-centred",
             centred ? "the norms are RMSNorm: the mean is not subtracted"
                     : "the norms are LayerNorm: the mean is subtracted, where the model has RMSNorm",
             "norm kind", [](NormRule& rule) {
                 if (rule.kind == NormKind::l2) return false;
                 rule.kind = rule.kind == NormKind::layer ? NormKind::rms : NormKind::layer;
                 return true;
             });
    add_rule(all, "norm-of-sum", "the norms divide by the root of the sum of squares, and not of their mean",
             "norm kind", [](NormRule& rule) {
                 if (rule.kind != NormKind::rms) return false;
                 rule.kind = NormKind::l2;
                 return true;
             });
    const bool more = own.offset != 0;
    add_rule(all, more ? "norm-offset-missing" : "norm-offset",
             more ? "the norms multiply by g, where the model multiplies by 1 + g"
                  : "the norms multiply by 1 + g, where the model multiplies by g",
             "norm offset", [](NormRule& rule) {
                 rule.offset = rule.offset != 0 ? 0 : 1;
                 return true;
             });
    add_rule(all, "norm-over-tokens", "the norms go over tokens, and not over a token's columns: along the wrong axis",
             "norm axis", [](NormRule& rule) { return !rule.group && (rule.over_rows = true); });
    add_epsilons(own, all);
    add_parameters(all);
    all.push_back({"norms-shared", "both norms of a layer have the weights of the first", "norm weight", share});
}

}  // namespace headcount
