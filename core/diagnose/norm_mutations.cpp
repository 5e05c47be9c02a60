// Mistakes about norms: what they compute, and where they stand.
#include <algorithm>
#include <optional>
#include <utility>

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

// Whether it stands before a sub-block or behind its sum.
bool is_of_sub_block(const ModelGraph& graph, const Node& norm) {
    return std::ranges::any_of(graph.nodes, [&](const Node& node) {
        return node.op == Op::add && node.block == norm.block &&
               (node.inputs.front() == norm.inputs.front() || node.output == norm.inputs.front());
    });
}

// The weights of the first norm of a layer in the second.
bool share(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* first = nullptr;
    bool changed = false;
    each_node(graph, Op::norm, [&](Node& node) {
        if (!is_of_sub_block(graph, node)) return;
        if (first && graph.layer_of(first->block) == graph.layer_of(node.block) && first->block != node.block) {
            node.parameters = first->parameters;
            changed = true;
        }
        first = &node;
    });
    return changed;
}

// The norms of queries and of keys that follow each other.
template <class Change>
bool each_query_norm(Mutant& mutant, const Change& change) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    Node* queries = nullptr;
    each_node(graph, Op::norm, [&](Node& node) {
        const Part part = graph.tensors[node.output].part;
        if (part == Part::query_norm) queries = &node;
        if (part == Part::key_norm && queries) changed = change(*std::exchange(queries, nullptr), node) || changed;
    });
    return changed;
}

bool exchange_query_norms(Mutant& mutant) {
    return each_query_norm(mutant, [&](Node& queries, Node& keys) {
        if (queries.parameters.empty() || queries.parameters.size() != keys.parameters.size()) return false;
        const MatrixView own = first_copy(mutant.model, queries.parameters.front());
        const MatrixView other = first_copy(mutant.model, keys.parameters.front());
        if (own.rows != other.rows || own.columns != other.columns) return false;
        std::swap(queries.parameters, keys.parameters);
        return true;
    });
}

bool share_query_norms(Mutant& mutant) {
    return each_query_norm(mutant, [](Node& queries, Node& keys) {
        keys.parameters = queries.parameters;
        return !keys.parameters.empty();
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
            std::swap(first.op, second.op);
            std::swap(first.attributes, second.attributes);
            std::swap(first.parameters, second.parameters);
            mutant.stands_for[first.output] = std::nullopt;
            changed = true;
            break;
        }
    return changed;
}

void add_query_norms(const ModelGraph& graph, Mutations& all) {
    const auto normed = std::ranges::find_if(graph.nodes, [&](const Node& node) {
        return node.op == Op::norm && graph.tensors[node.output].part == Part::query_norm;
    });
    if (normed == graph.nodes.end()) return;
    all.push_back({"qk-norms-missing", "neither queries nor keys are normed", "query norm place", [](Mutant& mutant) {
                       const ModelGraph& own = mutant.model.graph;
                       return leave_out(mutant, [&](const Node& node) {
                           const Part part = own.tensors[node.output].part;
                           return node.op == Op::norm && (part == Part::query_norm || part == Part::key_norm);
                       });
                   }});
    all.push_back({"qk-norm-and-rope", "RoPE and the norms of queries and keys are applied in the other order",
                   "query norm place", exchange_with_turn});
    all.push_back({"qk-norms-exchanged", "the norm of queries has the keys' weights, and that of keys the queries'",
                   "query norm weight", exchange_query_norms});
    all.push_back({"qk-norms-shared", "the norm of keys has the weights of that of queries", "query norm weight",
                   share_query_norms});
    all.push_back({"qk-norm-by-head",
                   "queries and keys are normed head by head, where the model norms the whole row of all heads",
                   "query norm width", [](Mutant& mutant) {
                       return each_query_norm(mutant, [](Node& queries, Node& keys) {
                           for (Node* const each : {&queries, &keys}) {
                               auto& rule = std::get<NormRule>(each->attributes);
                               if (std::exchange(rule.group, Expr(Symbol::head_dim))) return false;
                           }
                           return true;
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
             "norm axis", [](NormRule& rule) { return !rule.group && (rule.over_rows = true); });
    add_epsilons(own, all);
    add_parameters(all);
    add_query_norms(model.graph, all);
    all.push_back({"norms-shared", "both norms of a layer have the weights of the first", "norm weight", share});
}

}  // namespace headcount
