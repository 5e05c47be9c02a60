// Mistakes about scores and the softmax.
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_factor(Mutations& all, std::string name, std::string says,
                std::function<double(double before, const Mutant& mutant)> factor) {
    all.push_back({std::move(name), std::move(says), "score factor", [factor](Mutant& mutant) {
                       const auto change = [&](ScoreRule& rule, const Node&) {
                           const double before = rule.factor;
                           rule.factor = factor(before, mutant);
                           rule.rooted = false;
                           return std::abs(rule.factor - before) > 1e-9 * before;
                       };
                       return on_rules<ScoreRule>(Op::scores, change)(mutant);
                   }});
}

// What weights are made of, and what is made of them.
void add_softmaxes_of_scores(Mutations& all) {
    const auto add = [&](const char* name, const char* says, std::function<void(Mask&)> change) {
        all.push_back({name, says, "softmax", on_rules<Mask>(Op::masked_softmax, [change](Mask& mask, const Node&) {
                           change(mask);
                           return true;
                       })});
    };
    add("softmax-over-queries", "the softmax goes over queries, and not over keys: along the wrong axis",
        [](Mask& mask) { mask.sum = Mask::Sum::queries; });
    add("softmax-over-heads", "the softmax goes over heads, and not over keys: along the wrong axis",
        [](Mask& mask) { mask.sum = Mask::Sum::heads; });
    add("softmax-missing", "there is no softmax: the scores themselves are the weights",
        [](Mask& mask) { mask.sum = Mask::Sum::nothing; });
    add("softmax-twice", "the softmax is applied twice, the second time over masked keys too",
        [](Mask& mask) { mask.twice = true; });
    add("attention-between-heads",
        "a token's heads look at each other, where tokens are to: the axes of tokens and heads are not exchanged "
        "before the scores",
        [](Mask& mask) { mask.between_heads = mask.kind != Mask::Kind::cross; });
    add("weights-transposed", "values are multiplied by the weights' transpose: Aᵀ · V",
        [](Mask& mask) { mask.turned = true; });
    all.push_back({"scale-after-softmax",
                   "the weights are scaled behind the softmax, where the scores are to be before it", "score factor",
                   [](Mutant& mutant) {
                       const ModelGraph& graph = mutant.model.graph;
                       std::map<std::optional<BlockIndex>, double> factors;  // by what has the heads
                       const auto unscaled = [&](ScoreRule& rule, const Node& node) {
                           if (rule.factor == 1 || rule.by_layer || rule.temperature) return false;
                           factors[graph.blocks[node.block].parent] = std::exchange(rule.factor, 1.0);
                           return true;
                       };
                       if (!on_rules<ScoreRule>(Op::scores, unscaled)(mutant)) return false;
                       for (const Node& node : graph.nodes) {
                           if (node.op == Op::masked_softmax && factors.contains(graph.blocks[node.block].parent))
                               mutant.stands_for[node.output] = std::nullopt;
                           const auto factor = factors.find(node.block);
                           if (node.op == Op::join_heads && factor != factors.end())
                               change_in_layers(mutant, node.output,
                                                {.columns = columns_of(mutant.model, node.output),
                                                 .factor = static_cast<float>(factor->second)});
                       }
                       return true;
                   }});
}

// What scores are multiplied by.
void add_factors(const Model& model, const ScoreRule& rule, Mutations& all) {
    const double dim = static_cast<double>(model.architecture.dim);
    const auto columns = static_cast<double>(bindings(model.architecture, Input{})[Symbol::head_dim].value_or(1));
    const double row = columns * static_cast<double>(model.architecture.layer.attention.heads);
    const std::optional<double> own = rule.own_factor();
    const std::string right = own ? "where the model has the factor " + factor_text(*own) : "and not by √d_h";
    add_factor(all, "scores-unscaled",
               std::string("scores are not scaled") + (own ? ", " + right : ": 1/√d_h is missing"),
               [](double, const Mutant&) { return 1.0; });
    add_factor(all, "scores-scaled-twice",
               std::string("scores are scaled twice") + (own ? ", " + right : ": by 1/d_h, where the factor is 1/√d_h"),
               [](double factor, const Mutant&) { return factor * factor; });
    add_factor(all, "scores-by-width", "scores are divided by √d, the root of the model's width, " + right,
               [dim](double, const Mutant&) { return 1 / std::sqrt(dim); });
    if (row != dim)
        add_factor(all, "scores-by-row", "scores are divided by √(h·d_h), the root of all heads' columns, " + right,
                   [row](double, const Mutant&) { return 1 / std::sqrt(row); });
    const auto heads = static_cast<double>(model.architecture.layer.attention.heads);
    add_factor(all, "scores-by-heads", "scores are divided by √h, the root of the number of heads, " + right,
               [heads](double, const Mutant&) { return 1 / std::sqrt(heads); });
    if (row != dim)
        add_factor(all, "scores-by-share", "scores are divided by √(d/h), where a head has other columns than d/h",
                   [share = dim / heads](double, const Mutant&) { return 1 / std::sqrt(share); });
    add_factor(all, "scores-by-tokens", "scores are divided by √T, the root of the number of tokens, " + right,
               [](double, const Mutant& mutant) { return 1 / std::sqrt(static_cast<double>(mutant.tokens)); });
    add_factor(all, "scores-by-root", "scores are divided by √d_h, where the model has a factor of its own",
               [columns](double, const Mutant&) { return 1 / std::sqrt(columns); });
    add_factor(all, "scores-multiplied", "scores are multiplied by √d_h, " + (own ? right : "and not divided"),
               [columns](double, const Mutant&) { return std::sqrt(columns); });
    if (const auto& kv_heads = model.architecture.layer.attention.kv_heads;
        kv_heads && *kv_heads != model.architecture.layer.attention.heads)
        add_factor(all, "scores-by-kv-row",
                   "scores are divided by √(h_kv·d_h), the root of all key/value heads' columns, " + right,
                   [kv_row = columns * static_cast<double>(*kv_heads)](double, const Mutant&) {
                       return 1 / std::sqrt(kv_row);
                   });
    add_factor(all, "scores-by-half",
               "scores are divided by d_h/2: d_h ** 1/2 is half of d_h, and not its root, " + right,
               [columns](double, const Mutant&) { return 2 / columns; });
    add_factor(all, "scores-by-double",
               "scores are divided by 2·d_h: d_h ** -1/2 is half of 1/d_h, and not 1/√d_h, " + right,
               [columns](double, const Mutant&) { return 1 / (2 * columns); });
}

void add_caps(Mutations& all) {
    all.push_back({"score-cap-missing", "scores are not capped", "score cap",
                   on_rules<ScoreRule>(Op::scores, [](ScoreRule& rule, const Node&) {
                       return std::exchange(rule.soft_cap, std::nullopt).has_value();
                   })});
    all.push_back(
        {"score-cap-not-multiplied", "scores are tanh(s / c), where they are c · tanh(s / c)", "score cap",
         [](Mutant& mutant) {
             bool changed = false;
             each_node(mutant.model.graph, Op::scores, [&](const Node& node) {
                 const std::optional<double> cap = node.rule<ScoreRule>().soft_cap;
                 for (std::int64_t head = 0; cap && head < mutant.model.architecture.layer.attention.heads; ++head)
                     change_in_layers(mutant, node.output,
                                      {.copy = head, .columns = mutant.tokens, .factor = static_cast<float>(1 / *cap)});
                 changed = changed || cap;
             });
             return changed;
         }});
}

}  // namespace

void add_attention_mutations(const Model& model, Mutations& all) {
    const Node* const scores = model.graph.first(Op::scores);
    if (!scores) return;
    add_factors(model, scores->rule<ScoreRule>(), all);
    add_caps(all);
    if (model.graph.first(Op::masked_softmax)) add_softmaxes_of_scores(all);
}

}  // namespace headcount
