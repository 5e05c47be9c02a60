// Mistakes about mixtures of experts.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_routing(Mutations& all, std::string name, std::string says, std::function<bool(Routing&)> change) {
    all.push_back({std::move(name), std::move(says), "routing",
                   on_rules<Routing>(Op::route, [change](Routing& rule, const Node&) { return change(rule); })});
}

void add_routings(const Routing& own, std::int64_t experts_per_token, Mutations& all) {
    struct Form {
        const char *name, *says;
        RouterScores scores;
        bool normalized;
    };
    constexpr Form forms[] = {
        {"router-not-normalised",
         "the router's softmax goes over all experts, and the chosen ones' weights are not divided by their sum",
         RouterScores::softmax, false},
        {"router-normalised",
         "the router's softmax goes over all experts, and the chosen ones' weights are divided by their sum",
         RouterScores::softmax, true},
        {"router-softmax-of-chosen", "the router's softmax goes over the chosen experts' scores alone",
         RouterScores::softmax_of_chosen, false},
        {"router-sigmoid", "the router's scores pass a sigmoid, and no softmax", RouterScores::sigmoid, false},
        {"router-sigmoid-normalised",
         "the router's scores pass a sigmoid, and no softmax, and the chosen ones' weights are divided by their sum",
         RouterScores::sigmoid, true},
        {"router-raw", "the router's scores weigh the chosen experts as they are: there is no softmax",
         RouterScores::none, false},
    };
    for (const Form& form : forms)
        add_routing(all, form.name, form.says, [scores = form.scores, normalized = form.normalized](Routing& rule) {
            rule.scores = scores;
            rule.normalized = normalized;
            return true;
        });
    add_routing(all, "router-over-tokens",
                "the router's softmax goes over tokens, and not over experts: along the wrong axis", [](Routing& rule) {
                    rule.normalized = rule.normalized || rule.scores == RouterScores::softmax_of_chosen;
                    rule.scores = RouterScores::softmax;
                    return rule.over_tokens = true;
                });
    add_routing(all, "router-worst", "the experts with the smallest scores are chosen: sorted in rising order",
                [](Routing& rule) { return rule.worst = true; });
    add_routing(all, "router-alike", "the chosen experts count alike: the router's weights are not used",
                [](Routing& rule) { return rule.alike = true; });
    add_routing(all, "router-ones",
                "the chosen experts' outputs are added up as they are: without the router's weights",
                [experts_per_token](Routing& rule) {
                    rule.alike = true;
                    rule.scaling = static_cast<double>(experts_per_token);
                    return experts_per_token > 1;
                });
    using Counted = Routing::Counted;
    for (const auto counted : {Counted::last_chosen, Counted::last_expert})
        all.push_back({counted == Counted::last_chosen ? "experts-last-chosen" : "experts-last",
                       std::string("of a token's experts the ") +
                           (counted == Counted::last_chosen ? "worst of the chosen" : "last in their order") +
                           " alone counts: what one makes takes the place of what was there (= in place of +=)",
                       "routing", on_rules<Routing>(Op::combine, [counted](Routing& rule, const Node&) {
                           rule.counted = counted;
                           return true;
                       })});
    if (own.scaling != 1)
        add_routing(all, "router-unscaled", "the experts' weights are not scaled",
                    [](Routing& rule) { return std::exchange(rule.scaling, 1.0) != 1; });
}

void add_counts(const Mixture& mixture, Mutations& all) {
    const std::int64_t own = mixture.experts_per_token;
    for (const std::int64_t count : {own - 1, own + 1, std::int64_t{1}, mixture.experts}) {
        const bool known = count == own || count < 1 || count > mixture.experts;
        const std::string name = "experts-" + std::to_string(count);
        if (known || contains(all, name, &Mutation::name)) continue;
        all.push_back(
            {name, "every token is sent to " + grouped(count) + " of the experts, where the model has " + grouped(own),
             "experts per token", [count](Mutant& mutant) {
                 mutant.model.architecture.layer.mixture->experts_per_token = count;
                 return true;
             }});
    }
}

bool weigh_input(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    std::optional<TensorIndex> routing;
    return change_each(graph.nodes, [&](Node& node) {
        if (node.op == Op::route) routing = node.output;
        const bool reads = node.op == Op::linear && graph.is(node.block, BlockKind::expert) &&
                           graph.tensors[node.inputs.front()].block != node.block;
        if (reads && routing) std::get<LinearRule>(node.attributes).weighed_by = routing;
        return node.op == Op::combine && !std::exchange(std::get<Routing>(node.attributes).on_input, true);
    });
}

// What each expert has is the next one's, and the last has the first one's.
bool take_next_experts(Mutant& mutant) {
    if (!own_weights(mutant)) return false;
    const ModelGraph& graph = mutant.model.graph;
    Weights& weights = mutant.model.weights;
    bool changed = false;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const auto index = static_cast<TensorIndex>(i);
        if (graph.tensors[i].role != Role::parameter || !graph.is(graph.tensors[i].block, BlockKind::expert)) continue;
        const std::int64_t experts = weights.copies(index);
        for (std::int64_t layer = 0; layer < layers_with(mutant.model, index); ++layer)
            for (std::int64_t expert = 0; expert + 1 < experts; ++expert) {
                const MatrixView own = weights.view(index, layer, expert),
                                 next = weights.view(index, layer, expert + 1);
                float* const cells = weights.floats(index, layer, expert);
                float* const others = weights.floats(index, layer, expert + 1);
                for (std::int64_t row = 0; own && next && row < own.rows; ++row)
                    for (std::int64_t column = 0; column < own.columns; ++column)
                        std::swap(cells[own.offset(row, column)], others[next.offset(row, column)]);
                changed = true;
            }
    }
    return changed;
}

}  // namespace

void add_mixture_mutations(const Model& model, Mutations& all) {
    const Node* const route = model.graph.first(Op::route);
    if (!route || !model.architecture.layer.mixture) return;
    add_routings(route->rule<Routing>(), model.architecture.layer.mixture->experts_per_token, all);
    add_counts(*model.architecture.layer.mixture, all);
    // What experts made, how much each counts, what the shared ones made, and their gate.
    const auto add_combined = [&](const char* name, const char* says, std::size_t left) {
        all.push_back({name, says, "shared expert", [left](Mutant& mutant) {
                           return change_nodes(mutant.model.graph, Op::combine, [&](Node& node) {
                               const std::size_t before = node.inputs.size();
                               node.inputs.resize(std::min(left, before));
                               return before > left;
                           });
                       }});
    };
    add_combined("shared-expert-missing", "the shared experts' output is not added", 2);
    add_combined("shared-expert-ungated", "the shared experts' output is added whole, without their gate", 3);
    all.push_back({"router-weighs-input", "the router's weights multiply what an expert reads, and not what it makes",
                   "router place", weigh_input});
    all.push_back({"shared-expert-gate-raw", "the shared experts' gate passes no sigmoid", "shared expert",
                   on_rules<Routing>(Op::combine, [](Routing& rule, const Node& node) {
                       return rule.shared_gate_raw = node.inputs.size() > 3;
                   })});
    all.push_back({"experts-from-1",
                   "experts are counted from 1: each token is sent to the expert behind the chosen one", "experts",
                   take_next_experts});
    all.push_back({"router-correction-missing", "the bias for balance is not added before experts are chosen",
                   "router correction", [](Mutant& mutant) {
                       return without_parameters(mutant, Op::route, [](const Node&) { return true; });
                   }});
}

}  // namespace headcount
