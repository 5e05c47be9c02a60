// Mistakes about how rows are taken apart into heads, and put together again.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

bool makes(const ModelGraph& graph, const Node& node, std::initializer_list<Part> parts) {
    return node.op == Op::linear && std::ranges::find(parts, graph.tensors[node.output].part) != parts.end();
}

// Regroups what each of these nodes makes; true where one has several heads.
bool regroup(Mutant& mutant, const Node& node, Regrouping how) {
    const std::int64_t width = bindings(mutant.model.architecture, Input{.tokens = 1})[Symbol::head_dim].value_or(1);
    const std::int64_t columns = columns_of(mutant.model, node.output);
    how.heads = columns % width == 0 ? columns / width : 1;
    change_in_layers(mutant, node.output, {.regrouping = how});
    return how.heads > 1;
}

bool split_otherwise(Mutant& mutant, bool by_columns) {
    bool changed = false;
    const ModelGraph& graph = mutant.model.graph;
    for (const Node& node : graph.nodes) {
        if (!makes(graph, node, {Part::query, Part::key, Part::value})) continue;
        // Theirs are heads already, ours rows of the same numbers.
        mutant.stands_for[node.output] = std::nullopt;
        changed = regroup(mutant, node, {.by_columns = by_columns}) || changed;
    }
    return changed;
}

bool join_otherwise(Mutant& mutant, bool by_columns) {
    bool changed = false;
    each_node(mutant.model.graph, Op::join_heads, [&](const Node& node) {
        changed = regroup(mutant, node, {.back = true, .by_columns = by_columns}) || changed;
    });
    return changed;
}

// Twice as many heads, each half as wide, or half as many. What each head has of its own would have to be more then.
bool count_heads(Mutant& mutant, bool more) {
    Model& model = mutant.model;
    Attention& own = model.architecture.layer.attention;
    const std::int64_t heads = own.heads, kv_heads = own.kv_heads.value_or(heads);
    const std::int64_t width = bindings(model.architecture, Input{})[Symbol::head_dim].value_or(1);
    if (own.latent || own.full || own.sinks || own.rotary_dim) return false;
    if (more ? width % 4 != 0 : heads % 2 != 0 || kv_heads % 2 != 0) return false;
    for (const Node& node : model.graph.nodes) {
        const auto* const norm = std::get_if<NormRule>(&node.attributes);
        const auto* const scores = std::get_if<ScoreRule>(&node.attributes);
        if ((norm && norm->group) || (scores && (scores->alibi || scores->relative))) return false;
    }
    own.heads = more ? 2 * heads : heads / 2;
    own.kv_heads = more ? 2 * kv_heads : kv_heads / 2;
    own.head_dim = more ? width / 2 : 2 * width;
    each_node(model.graph, Op::scores, [&](Node& node) {
        auto& rule = std::get<ScoreRule>(node.attributes);
        if (rule.rooted) rule.factor = 1 / std::sqrt(static_cast<double>(*own.head_dim));
    });
    return true;
}

}  // namespace

void add_head_mutations(const Model& model, Mutations& all) {
    if (!model.graph.first(Op::join_heads)) return;
    all.push_back({"kv-heads-in-turn",
                   "query head i has the key/value head i mod h_kv, where the model gives each key/value head to "
                   "neighbouring query heads (repeat in place of repeat_interleave)",
                   "kv heads", on_rules<HeadRule>(Op::take_head, [](HeadRule& rule, const Node&) {
                       if (rule.share == Expr(1)) return false;
                       return rule.in_turn = true;
                   })});
    all.push_back({"heads-split-without-transpose",
                   "queries, keys and values are reshaped to (h, T, d_h) in one step, where they are to be (T, h, d_h) "
                   "with the first two axes exchanged then",
                   "head split", [](Mutant& mutant) { return split_otherwise(mutant, false); }});
    all.push_back({"heads-joined-without-transpose",
                   "the heads' outputs (h, T, d_h) are reshaped to (T, h·d_h) without the exchange of their first two "
                   "axes",
                   "head join", [](Mutant& mutant) { return join_otherwise(mutant, false); }});
    all.push_back({"heads-without-transpose",
                   "heads are taken apart and put together by reshaping alone: the exchange of the axes of tokens and "
                   "heads is missing both times",
                   "head split",
                   [](Mutant& mutant) { return split_otherwise(mutant, false) && join_otherwise(mutant, false); }});
    all.push_back({"heads-split-by-columns",
                   "queries, keys and values are reshaped to (T, d_h, h), where they are to be (T, h, d_h)",
                   "head split", [](Mutant& mutant) { return split_otherwise(mutant, true); }});
    all.push_back({"heads-joined-by-columns",
                   "the heads' outputs are put together as (T, d_h, h), where they are to be (T, h, d_h)", "head join",
                   [](Mutant& mutant) { return join_otherwise(mutant, true); }});
    all.push_back(
        {"heads-by-columns", "heads are taken apart and put together as (T, d_h, h), where they are to be (T, h, d_h)",
         "head split", [](Mutant& mutant) { return split_otherwise(mutant, true) && join_otherwise(mutant, true); }});
    all.push_back({"heads-twice-as-many", "there are twice as many heads, each half as wide", "head count",
                   [](Mutant& mutant) { return count_heads(mutant, true); }});
    all.push_back({"heads-half-as-many", "there are half as many heads, each twice as wide", "head count",
                   [](Mutant& mutant) { return count_heads(mutant, false); }});
}

}  // namespace headcount
