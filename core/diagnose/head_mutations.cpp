// Mistakes about how rows are taken apart into heads, and put together again.
#include <algorithm>
#include <initializer_list>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

std::int64_t head_count(const Model& model, const Tensor& tensor) {
    const Bindings values = bindings(model.architecture, Input{.tokens = 1});
    const Result<std::int64_t> columns = evaluate(tensor.shape[1], values);
    const std::int64_t width = values[Symbol::head_dim].value_or(1);
    return columns && *columns % width == 0 ? *columns / width : 1;
}

bool makes(const ModelGraph& graph, const Node& node, std::initializer_list<Part> parts) {
    return node.op == Op::linear && std::ranges::find(parts, graph.tensors[node.output].part) != parts.end();
}

bool split_without_turn(Mutant& mutant) {
    bool changed = false;
    const ModelGraph& graph = mutant.model.graph;
    for (const Node& node : graph.nodes) {
        if (!makes(graph, node, {Part::query, Part::key, Part::value})) continue;
        const std::int64_t heads = head_count(mutant.model, graph.tensors[node.output]);
        // Theirs are heads already, ours rows of the same numbers.
        mutant.stands_for[node.output] = std::nullopt;
        change_in_layers(mutant, node.output, {.regrouping = Regrouping{.heads = heads}});
        changed = changed || heads > 1;
    }
    return changed;
}

bool join_without_turn(Mutant& mutant) {
    bool changed = false;
    const ModelGraph& graph = mutant.model.graph;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::join_heads) continue;
        const std::int64_t heads = head_count(mutant.model, graph.tensors[node.output]);
        change_in_layers(mutant, node.output, {.regrouping = Regrouping{.heads = heads, .back = true}});
        changed = changed || heads > 1;
    }
    return changed;
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
                   "head split", split_without_turn});
    all.push_back({"heads-joined-without-transpose",
                   "the heads' outputs (h, T, d_h) are reshaped to (T, h·d_h) without the exchange of their first two "
                   "axes",
                   "head join", join_without_turn});
    all.push_back({"heads-without-transpose",
                   "heads are taken apart and put together by reshaping alone: the exchange of the axes of tokens and "
                   "heads is missing both times",
                   "head split",
                   [](Mutant& mutant) { return split_without_turn(mutant) && join_without_turn(mutant); }});
}

}  // namespace headcount
