// Mistakes about the matrices that make queries, keys and values, and the one behind the heads.
#include <array>
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
            if (own.rows != other.rows || own.columns != other.columns) return false;
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

// Columns of a fused matrix are taken as if they lay another way: source(i, column) says which of queries, keys and
// values, and which of its columns, stands where the i-th's column is looked for. With all columns of one of them, and
// those of a head.
using FusedSource = std::pair<std::int64_t, std::int64_t> (*)(std::int64_t i, std::int64_t column, std::int64_t columns,
                                                              std::int64_t width);

// [Q | K | V] as h groups of one head's q, k and v.
std::pair<std::int64_t, std::int64_t> by_head(std::int64_t i, std::int64_t column, std::int64_t columns,
                                              std::int64_t width) {
    const std::int64_t place = (column / width * 3 + i) * width + column % width;
    return {place / columns, place % columns};
}

// h groups of one head's q, k and v as [Q | K | V].
std::pair<std::int64_t, std::int64_t> in_blocks(std::int64_t i, std::int64_t column, std::int64_t columns,
                                                std::int64_t width) {
    const std::int64_t place = i * columns + column, group = place / width;
    return {group % 3, group / 3 * width + place % width};
}

bool take_fused(Mutant& mutant, FusedSource source) {
    if (!own_weights(mutant)) return false;
    ModelGraph& graph = mutant.model.graph;
    Weights& weights = mutant.model.weights;
    const std::int64_t width = bindings(mutant.model.architecture, Input{.tokens = 1})[Symbol::head_dim].value_or(1);
    bool changed = false;
    for (std::size_t block = 0; block < graph.blocks.size(); ++block) {
        const auto nodes = projections(graph, static_cast<BlockIndex>(block));
        if (!nodes[0] || !nodes[1] || !nodes[2]) continue;
        const auto count = [&](std::size_t i) { return nodes[i]->parameters.size(); };
        if (count(1) != count(0) || count(2) != count(0)) return false;
        for (std::size_t which = 0; which < nodes[0]->parameters.size(); ++which)
            for (std::int64_t layer = 0; layer < layers_with(mutant.model, nodes[0]->parameters[which]); ++layer) {
                std::array<MatrixView, 3> parts;
                for (std::size_t i = 0; i < 3; ++i) parts[i] = weights.view(nodes[i]->parameters[which], layer);
                if (!parts[0]) continue;
                const std::int64_t rows = parts[0].rows, columns = parts[0].columns;
                const auto alike = [&](const MatrixView& each) { return each.rows == rows && each.columns == columns; };
                if (!alike(parts[1]) || !alike(parts[2]) || columns % width != 0) return false;
                std::array<std::vector<float>, 3> taken;
                for (std::size_t i = 0; i < 3; ++i)
                    for (std::int64_t row = 0; row < rows; ++row)
                        for (std::int64_t column = 0; column < columns; ++column) {
                            const auto from = source(static_cast<std::int64_t>(i), column, columns, width);
                            taken[i].push_back(parts[static_cast<std::size_t>(from.first)].at(row, from.second));
                        }
                for (std::size_t i = 0; i < 3; ++i) {
                    float* const cells = weights.floats(nodes[i]->parameters[which], layer, 0);
                    for (std::int64_t row = 0; row < rows; ++row)
                        for (std::int64_t column = 0; column < columns; ++column)
                            cells[parts[i].offset(row, column)] =
                                taken[i][static_cast<std::size_t>(row * columns + column)];
                }
                changed = true;
            }
    }
    mutant.takes_apart = mutant.takes_apart || changed;
    return changed;
}

}  // namespace

void add_projection_mutations(const Model& model, Mutations& all) {
    if (!model.graph.first(Op::scores)) return;
    add_orders(all);
    all.push_back({"fused-by-head",
                   "the fused matrix is taken apart head by head, (h, 3, d_h), where it holds all queries, all keys, "
                   "then all values: (3, h, d_h)",
                   "qkv order", [](Mutant& mutant) { return take_fused(mutant, by_head); }});
    all.push_back({"fused-in-blocks",
                   "the fused matrix is taken apart as all queries, all keys, then all values, (3, h, d_h), where it "
                   "holds them head by head: (h, 3, d_h)",
                   "qkv order", [](Mutant& mutant) { return take_fused(mutant, in_blocks); }});
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
