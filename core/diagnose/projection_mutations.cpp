// Mistakes about the matrices that make queries, keys and values, and the one behind the heads.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

bool is_square(const Mutant& mutant, const Node& product) {
    const MatrixView weights = first_copy(mutant.model, product.parameters.front());
    return weights && weights.rows == weights.columns;
}

// The products that make queries, keys and values in a block, in this order.
std::array<Node*, 3> projections(ModelGraph& graph, BlockIndex block) {
    std::array<Node*, 3> found{};
    each_node(graph, Op::linear, [&](Node& node) {
        if (node.block != block) return;
        const Part part = graph.tensors[node.output].part;
        if (part == Part::query) found[0] = &node;
        if (part == Part::key) found[1] = &node;
        if (part == Part::value) found[2] = &node;
    });
    return found;
}

// What one matrix makes of several parts lies one behind the other, or in groups that have some columns of each.
using PartColumn = std::pair<std::size_t, std::int64_t>;

std::int64_t place_in_blocks(const std::vector<std::int64_t>& columns, const PartColumn& of) {
    return std::accumulate(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(of.first), of.second);
}

PartColumn at_place_in_blocks(const std::vector<std::int64_t>& columns, std::int64_t place) {
    std::size_t part = 0;
    for (; place >= columns[part]; ++part) place -= columns[part];
    return {part, place};
}

struct FusedParts {
    std::vector<std::int64_t> columns, in_group;  // of each part
    std::int64_t group = 0;                       // columns of all parts in one group
};

// Where a part's column is taken from.
using FusedSource = std::function<PartColumn(const FusedParts& parts, const PartColumn& of)>;

// Taken for a matrix that has groups, where it has none.
PartColumn as_grouped(const FusedParts& parts, const PartColumn& of) {
    const auto [part, column] = of;
    const std::int64_t width = parts.in_group[part], before = column / width * parts.group;
    return at_place_in_blocks(parts.columns, before + place_in_blocks(parts.in_group, {part, column % width}));
}

// Taken for a matrix that has no groups, where it has.
PartColumn as_blocks(const FusedParts& parts, const PartColumn& of) {
    const std::int64_t place = place_in_blocks(parts.columns, of);
    const auto [part, column] = at_place_in_blocks(parts.in_group, place % parts.group);
    return {part, place / parts.group * parts.in_group[part] + column};
}

// False where the parts have no such groups.
bool take_fused(Mutant& mutant, const std::vector<const Node*>& nodes, std::int64_t groups, const FusedSource& source) {
    Weights& weights = mutant.model.weights;
    bool changed = false;
    for (std::size_t which = 0; which < nodes.front()->parameters.size(); ++which) {
        const TensorIndex first = nodes.front()->parameters[which];
        for (std::int64_t layer = 0; layer < layers_with(mutant.model, first); ++layer)
            for (std::int64_t copy = 0; copy < weights.copies(first); ++copy) {
                std::vector<MatrixView> views;
                FusedParts parts;
                for (const Node* const node : nodes) {
                    if (node->parameters.size() <= which) return false;
                    views.push_back(weights.view(node->parameters[which], layer, copy));
                    if (!views.back() || views.back().columns % groups != 0) return changed;
                    parts.columns.push_back(views.back().columns);
                    parts.in_group.push_back(views.back().columns / groups);
                    parts.group += parts.in_group.back();
                }
                std::vector<std::vector<float>> taken(nodes.size());
                for (std::size_t i = 0; i < nodes.size(); ++i)
                    for (std::int64_t row = 0; row < views[i].rows; ++row)
                        for (std::int64_t column = 0; column < views[i].columns; ++column) {
                            const auto [part, from] = source(parts, {i, column});
                            taken[i].push_back(views[part].at(row, from));
                        }
                for (std::size_t i = 0; i < nodes.size(); ++i) {
                    float* const cells = weights.floats(nodes[i]->parameters[which], layer, copy);
                    for (std::int64_t row = 0, at = 0; row < views[i].rows; ++row)
                        for (std::int64_t column = 0; column < views[i].columns; ++column)
                            cells[views[i].offset(row, column)] = taken[i][static_cast<std::size_t>(at++)];
                }
                changed = true;
            }
    }
    return changed;
}

// Queries, keys and values: a group has a key/value head with its queries.
bool take_fused_heads(Mutant& mutant, const FusedSource& source) {
    if (!own_weights(mutant)) return false;
    ModelGraph& graph = mutant.model.graph;
    const std::int64_t width = bindings(mutant.model.architecture, Input{.tokens = 1})[Symbol::head_dim].value_or(1);
    bool changed = false;
    for (std::size_t block = 0; block < graph.blocks.size(); ++block) {
        const auto [queries, keys, values] = projections(graph, static_cast<BlockIndex>(block));
        if (!queries || !keys || !values) continue;
        const std::int64_t groups = columns_of(mutant.model, keys->output) / width;
        changed = (groups > 0 && take_fused(mutant, {queries, keys, values}, groups, source)) || changed;
    }
    mutant.takes_apart = mutant.takes_apart || changed;
    return changed;
}

// Where not all are as wide: one behind the other in that order, as a matrix that makes all three is cut.
bool take_in_order(Mutant& mutant, const std::array<std::size_t, 3>& order) {
    if (std::set<std::size_t>(order.begin(), order.end()).size() != order.size()) return false;
    return take_fused_heads(mutant, [&](const FusedParts& parts, const PartColumn& of) {
        std::int64_t place = of.second;
        for (std::size_t other = 0; other < order.size(); ++other)
            if (order[other] < order[of.first]) place += parts.columns[other];
        return at_place_in_blocks(parts.columns, place);
    });
}

bool reorder(Mutant& mutant, const std::array<std::size_t, 3>& order) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (std::size_t block = 0; block < graph.blocks.size(); ++block) {
        const auto nodes = projections(graph, static_cast<BlockIndex>(block));
        if (!nodes[0] || !nodes[1] || !nodes[2]) continue;
        std::array<std::vector<TensorIndex>, 3> parameters;
        for (std::size_t i = 0; i < 3; ++i) parameters[i] = nodes[i]->parameters;
        for (std::size_t i = 0; i < 3; ++i) {
            const MatrixView own = first_copy(mutant.model, parameters[i].front());
            const MatrixView other = first_copy(mutant.model, parameters[order[i]].front());
            if (own.rows != other.rows || own.columns != other.columns) return take_in_order(mutant, order);
            nodes[i]->parameters = parameters[order[i]];
        }
        changed = true;
    }
    mutant.takes_apart = mutant.takes_apart || changed;
    return changed;
}

void add_orders(Mutations& all) {
    struct Order {
        const char* letters;
        std::array<std::size_t, 3> from;
    };
    constexpr Order orders[] = {
        {"qvk", {0, 2, 1}}, {"kqv", {1, 0, 2}}, {"vkq", {2, 1, 0}}, {"kvq", {2, 0, 1}}, {"vqk", {1, 2, 0}}};
    for (const Order& order : orders) {
        std::string letters;
        for (const char* each = order.letters; *each; ++each)
            letters += (letters.empty() ? "" : ", ") + std::string(1, *each);
        all.push_back({std::string("order-") + order.letters,
                       "the matrices of queries, keys and values are taken in the order " + letters, "qkv order",
                       [from = order.from](Mutant& mutant) { return reorder(mutant, from); }});
    }
    struct Shared {
        const char *name, *says;
        std::array<std::size_t, 3> from;
    };
    constexpr Shared shared[] = {{"keys-by-queries", "keys are made by the queries' matrix, as queries are", {0, 0, 2}},
                                 {"queries-by-keys", "queries are made by the keys' matrix, as keys are", {1, 1, 2}},
                                 {"values-by-keys", "values are made by the keys' matrix, as keys are", {0, 1, 1}},
                                 {"keys-by-values", "keys are made by the values' matrix, as values are", {0, 2, 2}}};
    for (const Shared& each : shared)
        all.push_back(
            {each.name, each.says, "qkv order", [from = each.from](Mutant& mutant) { return reorder(mutant, from); }});
}

// Gate and up: column by column.
bool take_fused_gates(Mutant& mutant, const FusedSource& source) {
    if (!own_weights(mutant)) return false;
    const ModelGraph& graph = mutant.model.graph;
    return change_nodes(graph, Op::gate, [&](const Node& gate) {
        std::vector<const Node*> made;
        for (const TensorIndex each : gate.inputs)
            for (const Node& node : graph.nodes)
                if (node.op == Op::linear && node.output == each) made.push_back(&node);
        if (made.size() != 2 || made[0]->parameters.size() != made[1]->parameters.size()) return false;
        const std::int64_t columns = first_copy(mutant.model, made[0]->parameters.front()).columns;
        return columns > 1 && take_fused(mutant, made, columns, source);
    });
}

// Attention to the other text has the matrices of that to its own.
bool attend_by_own_matrices(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    bool changed = false;
    for (Node& node : graph.nodes) {
        if (node.op != Op::linear || !graph.within(node.block, BlockKind::cross)) continue;
        const Tensor& made = graph.tensors[node.output];
        const auto own = std::ranges::find_if(graph.nodes, [&](const Node& each) {
            return each.op == Op::linear && graph.layer_of(each.block) == graph.layer_of(node.block) &&
                   !graph.within(each.block, BlockKind::cross) && graph.tensors[each.output].part == made.part;
        });
        if (own == graph.nodes.end()) continue;
        const MatrixView right = first_copy(mutant.model, node.parameters.front());
        const MatrixView wrong = first_copy(mutant.model, own->parameters.front());
        if (right.rows != wrong.rows || right.columns != wrong.columns) return false;
        node.parameters = own->parameters;
        changed = true;
    }
    return changed;
}

}  // namespace

void add_projection_mutations(const Model& model, Mutations& all) {
    if (!model.graph.first(Op::scores)) return;
    add_orders(all);
    const Attention& own = model.architecture.layer.attention;
    const bool shared = own.kv_heads.value_or(own.heads) != own.heads;
    const std::string by_head = shared ? "(h_kv, h/h_kv + 2, d_h)" : "(h, 3, d_h)";
    const std::string in_blocks = shared ? "(h + 2·h_kv, d_h)" : "(3, h, d_h)";
    all.push_back({"fused-by-head",
                   "the fused matrix is taken apart head by head, " + by_head +
                       ", where it holds all queries, all keys, then all values: " + in_blocks,
                   "qkv order", [](Mutant& mutant) { return take_fused_heads(mutant, as_grouped); }});
    all.push_back({"fused-in-blocks",
                   "the fused matrix is taken apart as all queries, all keys, then all values, " + in_blocks +
                       ", where it holds them head by head: " + by_head,
                   "qkv order", [](Mutant& mutant) { return take_fused_heads(mutant, as_blocks); }});
    all.push_back({"gate-up-in-turn",
                   "the fused matrix is taken apart as columns of gate and up in turn, where all of gate stand before "
                   "all of up",
                   "gate", [](Mutant& mutant) { return take_fused_gates(mutant, as_grouped); }});
    all.push_back({"gate-up-in-blocks",
                   "the fused matrix is taken apart as all columns of gate, then all of up, where they stand in turn",
                   "gate", [](Mutant& mutant) { return take_fused_gates(mutant, as_blocks); }});
    all.push_back({"cross-by-own-matrices",
                   "attention to the other text has the matrices of attention to its own, and not those of its own",
                   "cross attention", attend_by_own_matrices});
    struct Left {
        Part part;
        const char *name, *says;
    };
    constexpr Left left[] = {
        {Part::attention_output, "output-projection-missing", "the output projection of attention is left out"},
        {Part::query, "query-projection-missing", "queries are what attention reads: their matrix is left out"},
        {Part::key, "key-projection-missing", "keys are what attention reads: their matrix is left out"},
        {Part::value, "value-projection-missing", "values are what attention reads: their matrix is left out"}};
    for (const Left& each : left)
        all.push_back({each.name, each.says, each.name, [part = each.part](Mutant& mutant) {
                           const ModelGraph& graph = mutant.model.graph;
                           return leave_out(mutant, [&](const Node& node) {
                               return node.op == Op::linear && graph.tensors[node.output].part == part &&
                                      is_square(mutant, node);
                           });
                       }});
    struct Chained {
        const char *name, *says;
        std::size_t made, of;
    };
    constexpr Chained chained[] = {
        {"keys-of-queries", "keys are made of the queries, where both are made of what attention reads", 1, 0},
        {"values-of-keys", "values are made of the keys, where both are made of what attention reads", 2, 1},
        {"values-of-queries", "values are made of the queries, where both are made of what attention reads", 2, 0}};
    for (const Chained& each : chained)
        all.push_back({each.name, each.says, "qkv order", [made = each.made, of = each.of](Mutant& mutant) {
                           ModelGraph& graph = mutant.model.graph;
                           bool changed = false;
                           for (std::size_t block = 0; block < graph.blocks.size(); ++block) {
                               const auto nodes = projections(graph, static_cast<BlockIndex>(block));
                               if (!nodes[made] || !nodes[of] || nodes[made]->inputs != nodes[of]->inputs) continue;
                               if (!is_square(mutant, *nodes[made]) || !is_square(mutant, *nodes[of])) continue;
                               nodes[made]->inputs.front() = nodes[of]->output;
                               changed = true;
                           }
                           return changed;
                       }});
}

}  // namespace headcount
