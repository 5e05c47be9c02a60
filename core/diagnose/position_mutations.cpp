// Mistakes about positions: the rows that are added for them, and where tokens stand.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_positions(Mutations& all) {
    all.push_back({"positions-none", "position embeddings are not added", "positions", [](Mutant& mutant) {
                       return leave_out(mutant, [](const Node& node) { return node.op == Op::add_positions; });
                   }});
    all.push_back({"positions-twice", "position embeddings are added twice", "positions", [](Mutant& mutant) {
                       const Node* const added = mutant.model.graph.first(Op::add_positions);
                       if (!added) return false;
                       const TensorIndex once = added->output;
                       const TensorIndex twice = put_behind(mutant, once, Node(*added));
                       mutant.stands_for[once] = twice;
                       return true;
                   }});
    for (const std::int64_t more : {1, 2})
        all.push_back({"positions-from-" + std::to_string(more),
                       more == 1
                           ? "positions are counted from 1, where they begin at 0"
                           : "positions begin two rows further down their table: behind the rows that RoBERTa and "
                             "BART leave free",
                       "positions", [more](Mutant& mutant) {
                           return change_nodes(mutant.model.graph, Op::add_positions, [&](Node& node) {
                               auto& rows = std::get<PositionRows>(node.attributes);
                               const MatrixView table = mutant.model.weights.view(node.parameters.front());
                               if (rows.row(mutant.tokens - 1) + more >= table.rows) return false;
                               rows.first += more;
                               return true;
                           });
                       }});
    all.push_back({"positions-from-0", "positions are counted from 0, where the model begins further down its table",
                   "positions", [](Mutant& mutant) {
                       return change_nodes(mutant.model.graph, Op::add_positions, [&](Node& node) {
                           return std::exchange(std::get<PositionRows>(node.attributes).first, 0) != 0;
                       });
                   }});
    all.push_back({"positions-of-encoder", "the decoder adds the rows of the encoder's positions, and not its own",
                   "position rows", [](Mutant& mutant) {
                       const ModelGraph& graph = mutant.model.graph;
                       std::vector<Node*> found;
                       each_node(mutant.model.graph, Op::add_positions, [&](Node& node) { found.push_back(&node); });
                       if (found.size() != 2 || !graph.of_source(found[0]->output) ||
                           found[0]->parameters == found[1]->parameters)
                           return false;
                       found[1]->parameters = found[0]->parameters;
                       return true;
                   }});
    all.push_back({"positions-all-first", "every token has the row of position 0 added: positions are not counted",
                   "positions", on_rules<PositionRows>(Op::add_positions, [](PositionRows& rows, const Node&) {
                       rows.shift = {.times = 0};
                       return true;
                   })});
}

// The paper's waves: of columns 2i and 2i + 1 the sine and the cosine of position / 10000^(2i/d) (Vaswani et al. 2017).
bool with_waves(Mutant& mutant) {
    if (!own_weights(mutant)) return false;
    return change_nodes(mutant.model.graph, Op::add_positions, [&](const Node& node) {
        const std::int64_t first = node.rule<PositionRows>().first;
        const MatrixView table = mutant.model.weights.view(node.parameters.front());
        float* const cells = mutant.model.weights.floats(node.parameters.front(), 0, 0);
        for (std::int64_t row = first; row < table.rows; ++row)
            for (std::int64_t column = 0; column < table.columns; ++column) {
                const auto pair = static_cast<double>(column / 2 * 2) / static_cast<double>(table.columns);
                const double angle = static_cast<double>(row - first) * std::pow(10000.0, -pair);
                cells[table.offset(row, column)] =
                    static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
            }
        return true;
    });
}

// What is added before the layers, in every layer.
bool add_in_layers(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* const found = graph.first(Op::add_positions);
    if (!found || graph.layers.size() != 1 || found->output != graph.before_layers(graph.stack_of(found->block)))
        return false;
    const Node added = *found;
    const TensorIndex stream = added.inputs.front();
    leave_out(mutant, [&](const Node& node) { return node.output == added.output; });
    const std::optional<std::size_t> layer = 0;
    const TensorIndex last = graph.last_of(0);
    if (!put_before(mutant, stream, added, [&](const Node& node) { return graph.layer_of(node.block) == layer; }))
        return false;
    return graph.last_of(0) == last;
}

// Positions are added to what the norm of embedded rows makes.
bool add_behind_norm(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* const found = graph.first(Op::add_positions);
    if (!found || graph.layers.empty()) return false;
    const TensorIndex stream = graph.before_layers(graph.stack_of(found->block));
    const auto norm = std::ranges::find(graph.nodes, stream, &Node::output);
    if (norm == graph.nodes.end() || norm->op != Op::norm) return false;
    const Node added = *found;
    leave_out(mutant, [&](const Node& node) { return node.output == added.output; });
    mutant.stands_for[stream] = put_behind(mutant, stream, added);
    return true;
}

void add_moved_positions(Mutations& all) {
    all.push_back({"positions-behind-norm", "positions are added behind the norm of embedded rows, and not before it",
                   "positions", add_behind_norm});

    all.push_back({"positions-waves",
                   "sines and cosines are added for positions, as in the first transformer, and not the trained rows",
                   "position rows", with_waves});
    all.push_back({"positions-scaled",
                   "the sum of embedded rows and positions is multiplied by √d, which the model does not do",
                   "embedding scale", [](Mutant& mutant) {
                       const double root = std::sqrt(static_cast<double>(mutant.model.architecture.dim));
                       return change_nodes(mutant.model.graph, Op::add_positions, [&](const Node& node) {
                           change_in_layers(
                               mutant, node.output,
                               {.columns = columns_of(mutant.model, node.output), .factor = static_cast<float>(root)});
                           return true;
                       });
                   }});
    all.push_back({"positions-in-layers", "positions are added again in every layer", "positions", add_in_layers});
}

// Where tokens stand: the last, as it is read behind a cache, or all.
void add_shifted_positions(Mutations& all) {
    struct Way {
        const char *name, *says;
        PositionShift (*shift)(std::int64_t tokens);
    };
    constexpr Way ways[] = {
        {"cache-position-first",
         "the last token has position 0: what is read behind a cache is counted from the beginning",
         [](std::int64_t tokens) { return PositionShift{.from = tokens - 1, .by = 1 - tokens}; }},
        {"cache-position-one-more", "the last token stands one position further than it does",
         [](std::int64_t tokens) { return PositionShift{.from = tokens - 1, .by = 1}; }},
        {"cache-position-one-less", "the last token has the position of the token before it",
         [](std::int64_t tokens) { return PositionShift{.from = tokens - 1, .by = -1}; }},
        {"positions-backwards", "positions are counted backwards: the last token has position 0",
         [](std::int64_t tokens) { return PositionShift{.by = tokens - 1, .times = -1}; }},
    };
    for (const Way& way : ways)
        all.push_back({way.name, way.says, "shifted positions", [of = way.shift](Mutant& mutant) {
                           if (mutant.tokens < 2) return false;
                           const PositionShift shift = of(mutant.tokens);
                           bool changed = false;
                           for (Node& node : mutant.model.graph.nodes) {
                               // What an encoder reads is of another length.
                               if (mutant.model.graph.of_source(node.output)) continue;
                               if (auto* const turned = std::get_if<Rotation>(&node.attributes))
                                   turned->shift = shift, changed = true;
                               auto* const rows = std::get_if<PositionRows>(&node.attributes);
                               if (!rows) continue;
                               rows->shift = shift, changed = true;
                               const MatrixView table = mutant.model.weights.view(node.parameters.front());
                               if (rows->row(mutant.tokens - 1) >= table.rows) return false;
                           }
                           return changed;
                       }});
}

}  // namespace

void add_position_mutations(const Model& model, Mutations& all) {
    if (model.graph.first(Op::add_positions)) add_positions(all), add_moved_positions(all);
    if (model.graph.first(Op::add_positions) || model.graph.first(Op::rotate)) add_shifted_positions(all);
}

}  // namespace headcount
