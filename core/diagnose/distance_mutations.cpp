// Mistakes about what scores have added by how far tokens lie apart.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

// What scores are lowered by, token by token, each head by its slope.
void add_slopes(const ModelGraph& graph, Mutations& all) {
    const auto add = [&](const char* name, const char* says, std::function<void(std::optional<Alibi>&)> change) {
        all.push_back({name, says, "distances", on_rules<ScoreRule>(Op::scores, [change](ScoreRule& rule, const Node&) {
                           if (!rule.alibi) return false;
                           change(rule.alibi);
                           return true;
                       })});
    };
    const Node* const scores = graph.first(Op::scores);
    if (!scores->rule<ScoreRule>().alibi) return;
    add("alibi-none", "scores are not lowered by the distance between tokens: ALiBi is missing",
        [](std::optional<Alibi>& alibi) { alibi.reset(); });
    add("alibi-backwards", "ALiBi has the other sign: far tokens count more, and not less",
        [](std::optional<Alibi>& alibi) {
            for (double& slope : alibi->slopes) slope = -slope;
        });
    add("alibi-heads-backwards", "ALiBi's slopes are those of the heads in the other order",
        [](std::optional<Alibi>& alibi) { std::ranges::reverse(alibi->slopes); });
    add("alibi-alike", "ALiBi has the slope 1 in all heads, and not each head its own",
        [](std::optional<Alibi>& alibi) { std::ranges::fill(alibi->slopes, 1.0); });
    // 2^(-8/h) to the powers 1, 2, ..., h.
    add("alibi-from-1", "ALiBi's slopes begin at 1, and not at 2^(-8/h): heads are counted from 0",
        [](std::optional<Alibi>& alibi) {
            const auto heads = static_cast<double>(alibi->slopes.size());
            for (double& slope : alibi->slopes) slope *= std::exp2(8 / heads);
        });
    add("alibi-inverse", "ALiBi's slopes are 1, 1/2, 1/3, ..., and not powers of 2^(-8/h)",
        [](std::optional<Alibi>& alibi) {
            for (std::size_t head = 0; head < alibi->slopes.size(); ++head)
                alibi->slopes[head] = 1 / static_cast<double>(head + 1);
        });
    all.push_back({"alibi-scaled", "ALiBi is added before the scores are scaled, and scaled with them", "distances",
                   on_rules<ScoreRule>(Op::scores, [](ScoreRule& rule, const Node&) {
                       if (!rule.alibi || rule.factor == 1) return false;
                       for (double& slope : rule.alibi->slopes) slope *= rule.factor;
                       return true;
                   })});
}

// What is added to scores by how far tokens lie apart.
void add_distances(const ModelGraph& graph, Mutations& all) {
    const bool some = std::ranges::any_of(
        graph.nodes, [](const Node& node) { return node.op == Op::scores && node.rule<ScoreRule>().relative; });
    if (!some) return;
    const auto add = [&](const char* name, const char* says, std::function<bool(ScoreRule&)> change) {
        all.push_back({name, says, "distances", on_rules<ScoreRule>(Op::scores, [change](ScoreRule& rule, const Node&) {
                           return rule.relative && change(rule);
                       })});
    };
    add("distances-none", "nothing is added to the scores for the distance between tokens", [](ScoreRule& rule) {
        rule.relative.reset();
        return true;
    });
    for (const bool decoders : {true, false})
        add(decoders ? "distances-both-ways" : "distances-one-way",
            decoders ? "a decoder's distances are counted both ways, as an encoder's are"
                     : "an encoder's distances are counted one way, as a decoder's are",
            [decoders](ScoreRule& rule) {
                return !rule.relative->centred && std::exchange(rule.relative->both_ways, decoders) != decoders;
            });
    const auto counted = [&](bool both_ways) {
        return std::ranges::any_of(graph.nodes, [&](const Node& node) {
            return node.op == Op::scores && node.rule<ScoreRule>().relative &&
                   node.rule<ScoreRule>().relative->both_ways == both_ways;
        });
    };
    if (counted(true) && counted(false))
        add("distances-exchanged", "distances are counted one way where both are meant, and both ways where one is",
            [](ScoreRule& rule) {
                rule.relative->both_ways = !rule.relative->both_ways;
                return true;
            });
    add("distances-backwards", "distances are counted from the key to the query, and not from the query to the key",
        [](ScoreRule& rule) { return rule.relative->backwards = true; });
    add("distances-up-to-128", "distances are told apart up to 128 tokens, as T5 does, and not as far as the model",
        [](ScoreRule& rule) { return !rule.relative->centred && std::exchange(rule.relative->farthest, 128) != 128; });
    add("distances-first-layer", "the first layer alone adds something to the scores for the distance between tokens",
        [](ScoreRule& rule) { return rule.relative_once = true; });
}

}  // namespace

void add_distance_mutations(const Model& model, Mutations& all) {
    if (!model.graph.first(Op::scores)) return;
    add_slopes(model.graph, all);
    add_distances(model.graph, all);
}

}  // namespace headcount
