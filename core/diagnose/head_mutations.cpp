// Mistakes about how rows are taken apart into heads, and put together again.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

bool makes(const ModelGraph& graph, const Node& node, std::initializer_list<Part> parts) {
    return node.op == Op::linear && contains(parts, graph.tensors[node.output].part);
}

// Regroups what each of these nodes makes; true where one has several heads.
bool regroup(Mutant& mutant, const Node& node, Regrouping how) {
    const std::int64_t width = bindings(mutant.model.architecture, Input{.tokens = 1})[Symbol::head_dim].value_or(1);
    const std::int64_t columns = columns_of(mutant.model, node.output);
    how.heads = columns % width == 0 ? columns / width : 1;
    change_in_layers(mutant, node.output, {.regrouping = how});
    return how.heads > 1;
}

bool split_otherwise(Mutant& mutant, Regrouping::As as,
                     std::initializer_list<Part> parts = {Part::query, Part::key, Part::value}) {
    const ModelGraph& graph = mutant.model.graph;
    return change_each(graph.nodes, [&](const Node& node) {
        if (!makes(graph, node, parts)) return false;
        // Theirs are heads already, ours rows of the same numbers.
        mutant.stands_for[node.output] = std::nullopt;
        return regroup(mutant, node, {.as = as});
    });
}

bool join_otherwise(Mutant& mutant, Regrouping::As as) {
    return change_nodes(mutant.model.graph, Op::join_heads,
                        [&](const Node& node) { return regroup(mutant, node, {.as = as, .back = true}); });
}

// Another number of heads, which share the same columns. What each head has of its own would have to be more then.
bool count_heads(Mutant& mutant, std::int64_t count) {
    Model& model = mutant.model;
    Attention& own = model.architecture.layer.attention;
    const std::int64_t kv_heads = own.kv_heads.value_or(own.heads);
    const std::int64_t columns = bindings(model.architecture, Input{})[Symbol::head_dim].value_or(1) * own.heads;
    if (own.latent || own.full || own.sinks || own.rotary_dim) return false;
    if (columns % (2 * count) != 0 || kv_heads * count % own.heads != 0) return false;
    for (const Node& node : model.graph.nodes) {
        const auto* const norm = std::get_if<NormRule>(&node.attributes);
        const auto* const scores = std::get_if<ScoreRule>(&node.attributes);
        if ((norm && norm->group) || (scores && (scores->alibi || scores->relative))) return false;
    }
    own.kv_heads = kv_heads * count / own.heads;
    own.heads = count;
    own.head_dim = columns / count;
    each_node(model.graph, Op::scores, [&](Node& node) {
        auto& rule = std::get<ScoreRule>(node.attributes);
        if (rule.rooted) rule.factor = 1 / std::sqrt(static_cast<double>(*own.head_dim * rule.terms));
    });
    return true;
}

// What the scores' keys are, before they are remembered.
std::optional<TensorIndex> keys_of(const ModelGraph& graph, const Node& scores) {
    TensorIndex keys = scores.inputs[1];
    for (;;) {
        const auto made = std::ranges::find(graph.nodes, keys, &Node::output);
        const bool passes = made != graph.nodes.end() && (made->op == Op::take_head || made->op == Op::append_cache);
        if (!passes) return keys;
        if (made->inputs.size() > 1) return std::nullopt;  // of two parts
        keys = made->inputs.front();
    }
}

bool reshape_keys(Mutant& mutant) {
    const ModelGraph& graph = mutant.model.graph;
    std::set<TensorIndex> found;
    each_node(graph, Op::scores, [&](const Node& scores) {
        if (const std::optional<TensorIndex> keys = keys_of(graph, scores)) found.insert(*keys);
    });
    return change_each(found, [&](TensorIndex keys) {
        mutant.stands_for[keys] = std::nullopt;
        const auto made = std::ranges::find(graph.nodes, keys, &Node::output);
        if (made == graph.nodes.end()) return false;
        regroup(mutant, *made, {.as = Regrouping::As::turned});
        return true;
    });
}

// Queries and keys of all heads are divided by their lengths.
bool make_cosines(Mutant& mutant) {
    const ModelGraph& graph = mutant.model.graph;
    if (mutant.model.architecture.layer.attention.latent) return false;
    std::set<TensorIndex> found;
    each_node(graph, Op::scores, [&](const Node& scores) {
        const auto head = std::ranges::find(graph.nodes, scores.inputs.front(), &Node::output);
        if (head != graph.nodes.end() && head->op == Op::take_head) found.insert(head->inputs.front());
        if (const std::optional<TensorIndex> keys = keys_of(graph, scores)) found.insert(*keys);
    });
    for (const TensorIndex each : found) {
        if (!contains(graph.nodes, each, &Node::output)) continue;
        mutant.stands_for[each] = put_behind(mutant, each, norm_of_length(Expr(Symbol::head_dim)));
    }
    return !found.empty();
}

// Whether keys are turned or normed; else they are what their matrix makes.
bool are_changed_keys(const ModelGraph& graph) {
    return std::ranges::any_of(graph.nodes, [&](const Node& node) {
        return (node.op == Op::rotate && graph.tensors[node.output].part == Part::key) ||
               (node.op == Op::norm && graph.tensors[node.output].part == Part::key_norm);
    });
}

// What makes the scores' keys makes the values, too.
bool mix_keys(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    each_node(graph, Op::scores, [&](const Node& scores) {
        const auto keys = std::ranges::find(graph.nodes, scores.inputs[1], &Node::output);
        each_node(graph, Op::mix, [&](const Node& mix) {
            if (mix.block != scores.block || keys == graph.nodes.end() || keys->op != Op::take_head) return;
            const auto values = std::ranges::find(graph.nodes, mix.inputs.back(), &Node::output);
            if (values == graph.nodes.end() || values->op != Op::take_head) return;
            const auto kept = std::ranges::find(graph.nodes, values->inputs.front(), &Node::output);
            const auto kept_keys = std::ranges::find(graph.nodes, keys->inputs.front(), &Node::output);
            const bool cached = kept_keys != graph.nodes.end() && kept_keys->op == Op::append_cache;
            (cached ? *kept : *values).inputs = (cached ? *kept_keys : *keys).inputs;
            changed = true;
        });
    });
    return changed;
}

// Calls change(rule) for what takes a head's queries, keys or values: the scores read the first two, the mix the third.
template <class Change>
bool change_taken(ModelGraph& graph, Op reader, bool first, const Change& change) {
    std::set<TensorIndex> read;
    each_node(graph, reader, [&](const Node& node) { read.insert(node.inputs[first ? 0 : 1]); });
    return change_nodes(graph, Op::take_head, [&](Node& node) {
        return read.contains(node.output) && change(std::get<HeadRule>(node.attributes));
    });
}

bool take_in_turn(Mutant& mutant, bool keys) {
    return change_taken(mutant.model.graph, keys ? Op::scores : Op::mix, false,
                        [&](HeadRule& rule) { return rule.share != Expr(1) && (rule.in_turn = true); });
}

bool first_queries(Mutant& mutant) {
    return change_taken(mutant.model.graph, Op::scores, true, [&](HeadRule& rule) {
        return std::exchange(rule.share, Expr(Symbol::heads)) != Expr(Symbol::heads);
    });
}

void add_splits(Mutations& all) {
    struct Way {
        Regrouping::As as;
        const char *split, *split_says, *join, *join_says, *both, *both_says;
    };
    constexpr Way ways[] = {
        {Regrouping::As::heads_first, "heads-split-without-transpose",
         "queries, keys and values are reshaped to (h, T, d_h) in one step, where they are to be (T, h, d_h) with the "
         "first two axes exchanged then",
         "heads-joined-without-transpose",
         "the heads' outputs (h, T, d_h) are reshaped to (T, h·d_h) without the exchange of their first two axes",
         "heads-without-transpose",
         "heads are taken apart and put together by reshaping alone: the exchange of the axes of tokens and heads is "
         "missing both times"},
        {Regrouping::As::columns_first, "heads-split-by-columns",
         "queries, keys and values are reshaped to (T, d_h, h), where they are to be (T, h, d_h)",
         "heads-joined-by-columns",
         "the heads' outputs are put together as (T, d_h, h), where they are to be (T, h, d_h)", "heads-by-columns",
         "heads are taken apart and put together as (T, d_h, h), where they are to be (T, h, d_h)"}};
    struct One {
        Part part;
        const char *name, *says;
    };
    constexpr One ones[] = {
        {Part::query, "queries-split-without-transpose",
         "queries alone are reshaped to (h, T, d_h) in one step; keys and values are taken apart as they are to be"},
        {Part::key, "keys-split-without-transpose",
         "keys alone are reshaped to (h, T, d_h) in one step; queries and values are taken apart as they are to be"},
        {Part::value, "values-split-without-transpose",
         "values alone are reshaped to (h, T, d_h) in one step; queries and keys are taken apart as they are to be"}};
    for (const One& one : ones)
        all.push_back({one.name, one.says, "head split", [part = one.part](Mutant& mutant) {
                           return split_otherwise(mutant, Regrouping::As::heads_first, {part});
                       }});
    for (const Way& way : ways) {
        const Regrouping::As as = way.as;
        all.push_back(
            {way.split, way.split_says, "head split", [as](Mutant& mutant) { return split_otherwise(mutant, as); }});
        all.push_back(
            {way.join, way.join_says, "head join", [as](Mutant& mutant) { return join_otherwise(mutant, as); }});
        all.push_back({way.both, way.both_says, "head split",
                       [as](Mutant& mutant) { return split_otherwise(mutant, as) && join_otherwise(mutant, as); }});
    }
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
    for (const bool keys : {true, false})
        all.push_back({keys ? "key-heads-in-turn" : "value-heads-in-turn",
                       keys ? "query head i has the key head i mod h_kv, but the value head of the model"
                            : "query head i has the value head i mod h_kv, but the key head of the model",
                       "kv heads", [keys](Mutant& mutant) { return take_in_turn(mutant, keys); }});
    all.push_back({"query-heads-first", "all heads have the queries of the first, where the model gives each its own",
                   "query heads", first_queries});
    all.push_back({"kv-heads-first",
                   "all query heads have the first key/value head, where the model gives each its own (expand in place "
                   "of repeat_interleave)",
                   "kv heads", on_rules<HeadRule>(Op::take_head, [](HeadRule& rule, const Node&) {
                       return rule.share != Expr(1) && rule.share != std::exchange(rule.share, Symbol::heads);
                   })});
    if (are_changed_keys(model.graph))
        all.push_back(
            {"values-are-keys",
             "the weights mix the keys that they were made of, turned or normed as those are, and not the values",
             "values", mix_keys});
    add_splits(all);
    all.push_back({"scores-of-length-1",
                   "a head's queries and keys are divided by their lengths before the scores, which are cosines then",
                   "query norm place", make_cosines});
    all.push_back({"keys-reshaped",
                   "a head's keys (T, d_h) are reshaped to (d_h, T) where they are to be transposed for the scores",
                   "keys", reshape_keys});
    for (const std::int64_t count :
         {2 * model.architecture.layer.attention.heads, model.architecture.layer.attention.heads / 2, std::int64_t{1}})
        if (const std::string name = "heads-" + std::to_string(count);
            count > 0 && count != model.architecture.layer.attention.heads && !contains(all, name, &Mutation::name))
            all.push_back({name,
                           "there are " + grouped(count) + " heads, where the model has " +
                               grouped(model.architecture.layer.attention.heads),
                           "head count", [count](Mutant& mutant) { return count_heads(mutant, count); }});
}

}  // namespace headcount
