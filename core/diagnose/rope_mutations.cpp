// Mistakes about rotary positions.
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

std::int64_t columns_of(const Model& model, const Expr& columns) {
    const Result<std::int64_t> value = evaluate(columns, bindings(model.architecture, Input{.tokens = 1}));
    return value ? *value : 1;
}

std::function<bool(Mutant&)> with_rope(const std::function<void(Rope&)>& change) {
    return on_rules<Rotation>(Op::rotate, [change](Rotation& rule, const Node&) {
        const Rope before = rule.rope;
        change(rule.rope);
        return !(rule.rope == before);
    });
}

std::string base_text(double base) { return grouped(std::llround(base)); }

void add_bases(const ModelGraph& graph, const Rope& rope, std::int64_t columns, std::int64_t dim, Mutations& all) {
    all.push_back({"rope-exponent",
                   "RoPE's angles are base^(-i/d_h), where they are base^(-2i/d_h): the exponent is half of what it "
                   "should be",
                   "rope angles", with_rope([](Rope& each) { each.base = std::sqrt(each.base); })});
    all.push_back({"rope-exponent-twice",
                   "RoPE's angles are base^(-4i/d_h), where they are base^(-2i/d_h): the exponent has the 2 twice",
                   "rope angles", with_rope([](Rope& each) { each.base *= each.base; })});
    if (const double share = static_cast<double>(columns) / static_cast<double>(dim); share != 1)
        all.push_back({"rope-exponent-of-width",
                       "RoPE's angles are base^(-2i/d) with the model's width d, where d_h, the head's, is meant",
                       "rope angles", with_rope([share](Rope& each) { each.base = std::pow(each.base, share); })});
    // Kinds of layers may have a base each.
    std::set<double> own;
    each_node(graph, Op::rotate, [&](const Node& node) { own.insert(node.rule<Rotation>().rope.base); });
    std::vector<double> others{10000, 500000, 1000000, 100000, 1000, 100};  // the likelier ones first
    std::erase_if(others, [&](double base) { return own.contains(base); });
    if (own.size() > 1) others.insert(others.begin(), own.begin(), own.end());
    for (const double base : others)
        all.push_back({"rope-base-" + std::to_string(std::llround(base)),
                       "RoPE has the base " + base_text(base) + (own.size() > 1 ? " in all layers" : "") +
                           ", where the model has " + listed(own, base_text, " and "),
                       "rope angles", with_rope([base](Rope& each) { each.base = base; })});
    if (own.size() == 2)
        all.push_back({"rope-bases-exchanged",
                       "layers have RoPE's base of the other kind of layers: " + listed(own, base_text, " and ") +
                           " are exchanged",
                       "rope angles",
                       with_rope([sum = *own.begin() + *own.rbegin()](Rope& each) { each.base = sum - each.base; })});
    if (rope.scaling != RopeScaling::none)
        all.push_back({"rope-unscaled", "RoPE's angles are not scaled for long contexts, where the model scales them",
                       "rope angles", with_rope([](Rope& each) {
                           each.scaling = RopeScaling::none;
                           each.attention_factor = 1;
                       })});
}

bool turns(const Mutant& mutant, const Node& node, Part part) {
    return node.op == Op::rotate && mutant.model.graph.tensors[node.output].part == part;
}

// The keys' turn, of values.
bool turn_values(Mutant& mutant) {
    std::vector<std::pair<TensorIndex, Node>> found;
    const ModelGraph& graph = mutant.model.graph;
    for (const Node& node : graph.nodes) {
        if (!turns(mutant, node, Part::key)) continue;
        for (const Node& other : graph.nodes)
            if (other.op == Op::linear && other.block == node.block && graph.tensors[other.output].part == Part::value)
                found.emplace_back(other.output, node);
    }
    for (auto& [values, node] : found) put_behind(mutant, values, std::move(node));
    return !found.empty();
}

void add_turns(bool halves, Mutations& all) {
    const auto add = [&](const char* name, std::string says, const char* about, Rotation::Turn turn) {
        all.push_back(
            {name, std::move(says), about, on_rules<Rotation>(Op::rotate, [turn](Rotation& rule, const Node&) {
                 return std::exchange(rule.turn, turn) != turn;
             })});
    };
    const char* const other = halves ? "2i and 2i + 1 have the same, as pairs of neighbours do"
                                     : "i and i + d_h/2 have the same, as halves do";
    add("rope-angles-crossed",
        std::string("RoPE's sines and cosines lie in the order of the other pairing: columns ") + other, "rope angles",
        Rotation::Turn::crossed);
    add("rope-without-minus",
        "RoPE adds the sine to both columns of a pair: the minus is missing, and nothing is turned", "rope sign",
        Rotation::Turn::added);
    add("rope-sines-exchanged", "RoPE's sines and cosines are exchanged", "rope sign", Rotation::Turn::exchanged);
}

// What queries and keys are turned by, and how often.
void add_angles(Mutations& all) {
    all.push_back({"rope-by-head",
                   "RoPE counts heads, and not tokens: head i is turned by position i, as where the axes of tokens and "
                   "heads are not yet exchanged",
                   "rope",
                   on_rules<Rotation>(Op::rotate, [](Rotation& rule, const Node&) { return rule.by_head = true; })});
    struct Twice {
        const char *name, *says;
        std::optional<Part> part;
    };
    for (const Twice& each :
         {Twice{"rope-twice", "RoPE is applied twice", {}},
          Twice{"rope-twice-on-keys", "RoPE is applied to keys twice, and to queries once", Part::key},
          Twice{"rope-twice-on-queries", "RoPE is applied to queries twice, and to keys once", Part::query}})
        all.push_back({each.name, each.says, "rope", [part = each.part](Mutant& mutant) {
                           std::vector<Node> found;
                           each_node(mutant.model.graph, Op::rotate, [&](const Node& node) {
                               if (!part || turns(mutant, node, *part)) found.push_back(node);
                           });
                           for (const Node& node : found)
                               mutant.stands_for[node.output] = put_behind(mutant, node.output, node);
                           return !found.empty();
                       }});
    all.push_back({"rope-inverse", "RoPE's angles grow with the column: base^(2i/d_h), where they are base^(-2i/d_h)",
                   "rope angles", with_rope([](Rope& each) { each.base = 1 / each.base; })});
}

}  // namespace

void add_rope_mutations(const Model& model, Mutations& all) {
    const Node* const first = model.graph.first(Op::rotate);
    if (!first) return;
    const auto& rule = first->rule<Rotation>();
    const bool halves = rule.rope.pairs == RopePairs::halves;
    all.push_back({halves ? "rope-neighbours" : "rope-halves",
                   halves ? "RoPE turns neighbouring columns (2i and 2i + 1), where the model turns halves (i and i + "
                            "d_h/2)"
                          : "RoPE turns halves (i and i + d_h/2), where the model turns neighbouring columns (2i and "
                            "2i + 1)",
                   "rope pairs", with_rope([](Rope& rope) {
                       rope.pairs = rope.pairs == RopePairs::halves ? RopePairs::neighbours : RopePairs::halves;
                   })});
    all.push_back(
        {"rope-none", "RoPE is not applied: neither queries nor keys are turned by position", "rope",
         [](Mutant& mutant) { return leave_out(mutant, [](const Node& node) { return node.op == Op::rotate; }); }});
    for (const bool keys : {true, false}) {
        const Part part = keys ? Part::key : Part::query;
        all.push_back({keys ? "rope-not-on-keys" : "rope-not-on-queries",
                       keys ? "RoPE turns queries alone, and not keys" : "RoPE turns keys alone, and not queries",
                       "rope", [part](Mutant& mutant) {
                           return leave_out(mutant, [&](const Node& node) { return turns(mutant, node, part); });
                       }});
    }
    all.push_back({"rope-on-values", "RoPE turns values too", "rope values", turn_values});
    all.push_back({"rope-backwards", "RoPE turns the other way round: the sign of the sine is exchanged", "rope sign",
                   with_rope([](Rope& rope) { rope.backwards = !rope.backwards; })});
    add_turns(halves, all);
    add_angles(all);
    add_bases(model.graph, rule.rope, columns_of(model, rule.columns), model.architecture.dim, all);
    if (rule.first == Expr(0) && columns_of(model, rule.columns) < columns_of(model, rule.head))
        all.push_back({"rope-all-columns",
                       "RoPE turns all of a head's columns, where the model turns the first " +
                           grouped(columns_of(model, rule.columns)),
                       "rope columns", on_rules<Rotation>(Op::rotate, [](Rotation& turned, const Node&) {
                           const bool some = turned.columns != turned.head;
                           turned.columns = turned.head;
                           return some;
                       })});
    if (const std::int64_t left = columns_of(model, rule.head) - columns_of(model, rule.columns);
        rule.first == Expr(0) && left > 0)
        all.push_back({"rope-last-columns", "RoPE turns the last of a head's columns, where the model turns the first",
                       "rope columns", on_rules<Rotation>(Op::rotate, [left](Rotation& turned, const Node&) {
                           const bool some = turned.columns != turned.head;
                           if (some) turned.first = left;
                           return some;
                       })});
    if (const std::int64_t half = columns_of(model, rule.head) / 2; rule.columns == rule.head && half % 2 == 0)
        all.push_back({"rope-half-of-columns",
                       "RoPE turns the first half of a head's columns, where the model turns all", "rope columns",
                       on_rules<Rotation>(Op::rotate, [half](Rotation& turned, const Node&) {
                           const bool whole = turned.columns == turned.head;
                           turned.columns = half;
                           return whole;
                       })});
    // With longrope each pair of a head has a divisor of its own.
    if (columns_of(model, rule.head) < model.architecture.dim && rule.rope.scaling != RopeScaling::longrope)
        all.push_back({"rope-whole-row", "RoPE turns the whole row of all heads at once, and not each head's columns",
                       "rope pairs", [](Mutant& mutant) {
                           return change_nodes(mutant.model.graph, Op::rotate, [&](Node& node) {
                               auto& turned = std::get<Rotation>(node.attributes);
                               turned.head = turned.columns = mutant.model.graph.tensors[node.output].shape[1];
                               turned.first = 0;
                               return true;
                           });
                       }});
    all.push_back(
        {"rope-from-1", "RoPE counts positions from 1, where they begin at 0", "rope",
         on_rules<Rotation>(Op::rotate, [](Rotation& turned, const Node&) { return ++turned.position > 0; })});
}

}  // namespace headcount
