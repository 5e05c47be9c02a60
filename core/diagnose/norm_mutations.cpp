// Mistakes about norms: what they compute, and where they stand.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/find.hpp"
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
          Epsilon{1e-3, "1e-3"}, Epsilon{1e-4, "1e-4"}, Epsilon{1e-7, "1e-7"}, Epsilon{1e-2, "1e-2"},
          Epsilon{0.1, "0.1"}, Epsilon{1, "1"}, Epsilon{0, "0"}})
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

// All norms, or those of this name.
bool norm_twice(Mutant& mutant, const std::optional<std::string>& name) {
    const ModelGraph& graph = mutant.model.graph;
    std::vector<Node> found;
    each_node(graph, Op::norm, [&](const Node& node) {
        if (!name || local_name(graph, node.output) == *name) found.push_back(node);
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
        if (!contains(names, name)) names.push_back(name);
    });
    return names;
}

// What stands behind all layers, behind every one; or before them, too.
bool final_elsewhere(Mutant& mutant, bool in_layers) {
    ModelGraph& graph = mutant.model.graph;
    if (graph.layers.size() != 1) return false;
    const TensorIndex last = graph.last_of(0);
    const auto final = std::ranges::find_if(graph.nodes, [&](const Node& node) {
        return node.op == Op::norm && !graph.layer_of(node.block) && node.inputs.front() == last;
    });
    if (final == graph.nodes.end()) return false;
    const Node norm = *final;
    if (in_layers) leave_out(mutant, [&](const Node& node) { return node.output == norm.output; });
    const TensorIndex before = in_layers ? last : graph.before_layers(graph.stack_of(norm.block));
    mutant.stands_for[before] = put_behind(mutant, before, norm);
    return true;
}

void add_missing(const ModelGraph& graph, Mutations& all) {
    for (const std::string& name : norm_names(graph)) {
        all.push_back({"twice-" + name, "the norm " + name + " is applied twice", name,
                       [name](Mutant& mutant) { return norm_twice(mutant, name); }});
        all.push_back({"untrained-" + name,
                       "the norm " + name + " has no weights but 1 and no biases but 0: its own were not read", name,
                       [name](Mutant& mutant) {
                           return without_parameters(mutant, Op::norm, [&](const Node& node) {
                               return local_name(mutant.model.graph, node.output) == name;
                           });
                       }});
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
                           const auto& tensors = mutant.model.graph.tensors;
                           return change_nodes(mutant.model.graph, Op::norm, [&](Node& node) {
                               return std::erase_if(node.parameters,
                                                    [&](TensorIndex each) { return tensors[each].bias == bias; }) > 0;
                           });
                       }});
}

// Two norms of a layer with as many weights, by their names.
struct NormPair {
    std::string first, second;
    bool operator==(const NormPair&) const = default;
};

// Calls change(first, second) for the two in each kind of layers that has both.
template <class Change>
bool change_pairs_of_norms(ModelGraph& graph, const Change& change) {
    bool changed = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (std::size_t j = i + 1; j < graph.nodes.size(); ++j) {
            Node &first = graph.nodes[i], &second = graph.nodes[j];
            const auto layer = graph.layer_of(first.block);
            if (first.op == Op::norm && second.op == Op::norm && layer && layer == graph.layer_of(second.block))
                changed = change(first, second) || changed;
        }
    return changed;
}

void add_shared_weights(const Model& model, Mutations& all) {
    std::vector<NormPair> pairs;
    ModelGraph graph = model.graph;
    change_pairs_of_norms(graph, [&](const Node& first, const Node& second) {
        if (first.parameters.empty() || first.parameters.size() != second.parameters.size()) return false;
        const MatrixView own = first_copy(model, first.parameters.front());
        const MatrixView other = first_copy(model, second.parameters.front());
        NormPair pair{local_name(graph, first.output), local_name(graph, second.output)};
        if (own.rows == other.rows && own.columns == other.columns && !contains(pairs, pair))
            pairs.push_back(std::move(pair));
        return false;
    });
    const auto add = [&](std::string name, std::string says, const NormPair& pair,
                         std::function<void(Node & first, Node & second)> change) {
        all.push_back({std::move(name), std::move(says), "norm weight", [pair, change](Mutant& mutant) {
                           ModelGraph& own = mutant.model.graph;
                           return change_pairs_of_norms(own, [&](Node& first, Node& second) {
                               if (pair != NormPair{local_name(own, first.output), local_name(own, second.output)})
                                   return false;
                               change(first, second);
                               return true;
                           });
                       }});
    };
    for (const NormPair& pair : pairs) {
        add("weights-of-" + pair.first + "-in-" + pair.second,
            "the norm " + pair.second + " has the weights of " + pair.first, pair,
            [](Node& first, Node& second) { second.parameters = first.parameters; });
        add("weights-of-" + pair.second + "-in-" + pair.first,
            "the norm " + pair.first + " has the weights of " + pair.second, pair,
            [](Node& first, Node& second) { first.parameters = second.parameters; });
        add("weights-exchanged-" + pair.first + "-" + pair.second,
            "the norms " + pair.first + " and " + pair.second + " have each other's weights", pair,
            [](Node& first, Node& second) { std::swap(first.parameters, second.parameters); });
    }
}

// Changes each norm's weights and biases, column by column.
bool on_parameters(Mutant& mutant, void (*change)(float& weight, float& bias)) {
    if (!own_weights(mutant)) return false;
    Model& model = mutant.model;
    return change_nodes(model.graph, Op::norm, [&](const Node& node) {
        if (node.parameters.size() < 2) return false;
        for (std::int64_t layer = 0; layer < layers_with(model, node.output); ++layer) {
            const MatrixView own = model.weights.view(node.parameters[0], layer);
            const MatrixView other = model.weights.view(node.parameters[1], layer);
            float* const weights = model.weights.floats(node.parameters[0], layer, 0);
            float* const biases = model.weights.floats(node.parameters[1], layer, 0);
            for (std::int64_t i = 0; own && other && i < own.columns; ++i)
                change(weights[own.offset(0, i)], biases[other.offset(0, i)]);
        }
        return true;
    });
}

// What stands behind a norm of queries or keys, and turns what that makes, before it; or the other way round.
bool exchange_with_turn(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (std::size_t j = i + 1; j < graph.nodes.size(); ++j) {
            Node &first = graph.nodes[i], &second = graph.nodes[j];
            const bool both =
                (first.op == Op::norm && second.op == Op::rotate) || (first.op == Op::rotate && second.op == Op::norm);
            if (!both || second.inputs.front() != first.output) continue;
            exchange(mutant, first, second);
            changed = true;
            break;
        }
    return changed;
}

// Or of keys.
bool is_of_queries(const ModelGraph& graph, const Node& node) {
    const Part part = graph.tensors[node.output].part;
    return node.op == Op::norm && (part == Part::query_norm || part == Part::key_norm);
}

void add_query_norms(const ModelGraph& graph, Mutations& all) {
    if (std::ranges::none_of(graph.nodes, [&](const Node& node) { return is_of_queries(graph, node); })) return;
    all.push_back({"qk-norms-missing", "neither queries nor keys are normed", "query norm place", [](Mutant& mutant) {
                       const ModelGraph& own = mutant.model.graph;
                       return leave_out(mutant, [&](const Node& node) { return is_of_queries(own, node); });
                   }});
    all.push_back({"qk-norm-and-rope", "RoPE and the norms of queries and keys are applied in the other order",
                   "query norm place", exchange_with_turn});
    all.push_back({"qk-norm-by-head",
                   "queries and keys are normed head by head, where the model norms the whole row of all heads",
                   "query norm width", [](Mutant& mutant) {
                       return change_nodes(mutant.model.graph, Op::norm, [&](Node& node) {
                           if (!is_of_queries(mutant.model.graph, node)) return false;
                           auto& rule = std::get<NormRule>(node.attributes);
                           return !std::exchange(rule.group, Expr(Symbol::head_dim));
                       });
                   }});
}

}  // namespace

void add_norm_mutations(const Model& model, Mutations& all) {
    const Node* const first = model.graph.first(Op::norm);
    if (!first) return;
    const auto& own = first->rule<NormRule>();
    const bool centred = own.kind == NormKind::layer;
    add_missing(model.graph, all);
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
             "norm axis", [](NormRule& rule) {
                 rule.over = NormRule::Over::column;
                 return !rule.group;
             });
    add_rule(all, "norm-over-all", "the norms go over all numbers of all tokens at once, and not over each token's",
             "norm axis", [](NormRule& rule) {
                 rule.over = NormRule::Over::all;
                 return !rule.group;
             });
    add_rule(all, "norm-unrooted",
             centred ? "the norms divide by the variance, and not by its root"
                     : "the norms divide by the mean of squares, and not by its root",
             "norm root", [](NormRule& rule) { return rule.unrooted = true; });
    add_rule(all, "norm-multiplied",
             "the norms multiply by the root of the mean of squares, and do not divide by it (sqrt in place of rsqrt)",
             "norm root", [](NormRule& rule) { return rule.multiplied = true; });
    add_rule(all, "norm-mean-kept",
             centred
                 ? "the norms divide by the standard deviation, but the mean is not subtracted"
                 : "the norms divide by the standard deviation (x.var or x.std), and not by the root of the mean of "
                   "squares",
             "norm kind", [](NormRule& rule) {
                 if (rule.kind == NormKind::l2) return false;
                 rule.kind = NormKind::layer;
                 return rule.mean_kept = true;
             });
    all.push_back({"final-norm-in-layers", "the final norm stands behind every layer, and not behind the last alone",
                   "final norm", [](Mutant& mutant) { return final_elsewhere(mutant, true); }});
    all.push_back({"final-norm-before-layers", "the final norm stands before the layers, too", "final norm",
                   [](Mutant& mutant) { return final_elsewhere(mutant, false); }});
    all.push_back({"norms-twice", "every norm is applied twice", "norm kind",
                   [](Mutant& mutant) { return norm_twice(mutant, std::nullopt); }});
    add_epsilons(own, all);
    add_parameters(all);
    add_query_norms(model.graph, all);
    all.push_back(
        {"norm-weight-and-bias", "the norms' weights and biases are exchanged", "norm weight", [](Mutant& mutant) {
             return on_parameters(mutant, [](float& weight, float& bias) { std::swap(weight, bias); });
         }});
    all.push_back(
        {"norm-bias-inside", "the norms' biases are added before the weights are multiplied with", "norm weight",
         [](Mutant& mutant) { return on_parameters(mutant, [](float& weight, float& bias) { bias *= weight; }); }});
    if (first->parameters.size() > 1)
        all.push_back({"norms-untrained", "all norms have no weights but 1 and no biases but 0: theirs were not read",
                       "norm weight", [](Mutant& mutant) {
                           return without_parameters(mutant, Op::norm, [](const Node&) { return true; });
                       }});
    add_shared_weights(model, all);
}

}  // namespace headcount
