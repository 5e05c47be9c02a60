// Mistakes about what stands before the layers and behind them, and about the layers as a list.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

void add_embedding_scales(const Model& model, const Node& embed, Mutations& all) {
    const double own = embed.rule<Scaling>().factor;
    const auto add = [&](std::string name, std::string says, double factor) {
        all.push_back({std::move(name), std::move(says), "embedding scale",
                       on_rules<Scaling>(Op::embed, [factor](Scaling& scaling, const Node&) {
                           return std::exchange(scaling.factor, factor) != factor;
                       })});
    };
    const double root = std::sqrt(static_cast<double>(model.architecture.dim));
    if (own != 1) add("embedding-unscaled", "embedded rows are not multiplied by " + factor_text(own), 1);
    if (std::abs(own - root) > 1e-9 * root)
        add("embedding-scaled", "embedded rows are multiplied by √d, which the model does not do", root);
}

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
    all.push_back(
        {"positions-from-1", "positions are counted from 1, where they begin at 0", "positions", [](Mutant& mutant) {
             bool changed = false;
             each_node(mutant.model.graph, Op::add_positions, [&](Node& node) {
                 auto& rows = std::get<PositionRows>(node.attributes);
                 const MatrixView table = mutant.model.weights.view(node.parameters.front());
                 if (rows.first + mutant.tokens < table.rows) changed = ++rows.first > 0;
             });
             return changed;
         }});
    all.push_back({"positions-all-first", "every token has the row of position 0 added: positions are not counted",
                   "positions", [](Mutant& mutant) {
                       const Node* const added = mutant.model.graph.first(Op::add_positions);
                       if (!added || !own_weights(mutant)) return false;
                       Weights& weights = mutant.model.weights;
                       const TensorIndex table = added->parameters.front();
                       const MatrixView rows = weights.view(table);
                       float* const cells = weights.floats(table, 0, 0);
                       const std::int64_t first = added->rule<PositionRows>().first;
                       for (std::int64_t row = 0; row < rows.rows; ++row)
                           for (std::int64_t i = 0; row != first && i < rows.columns; ++i)
                               cells[rows.offset(row, i)] = rows.at(first, i);
                       return true;
                   }});
}

// The last token, as it is read behind a cache, where another stands.
void add_cache_positions(Mutations& all) {
    struct Way {
        const char *name, *says;
        std::int64_t (*by)(std::int64_t tokens);  // how many positions further
    };
    constexpr Way ways[] = {
        {"cache-position-first",
         "the last token has position 0: what is read behind a cache is counted from the beginning",
         [](std::int64_t tokens) { return 1 - tokens; }},
        {"cache-position-one-more", "the last token stands one position further than it does",
         [](std::int64_t) { return std::int64_t{1}; }},
        {"cache-position-one-less", "the last token has the position of the token before it",
         [](std::int64_t) { return std::int64_t{-1}; }},
    };
    for (const Way& way : ways)
        all.push_back({way.name, way.says, "cache position", [by = way.by](Mutant& mutant) {
                           if (mutant.tokens < 2) return false;
                           const PositionShift shift{.from = mutant.tokens - 1, .by = by(mutant.tokens)};
                           bool changed = false;
                           for (Node& node : mutant.model.graph.nodes) {
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

bool change_logits(Mutant& mutant, const std::function<bool(LinearRule&)>& change) {
    Node& last = mutant.model.graph.nodes.back();
    auto* const rule = std::get_if<LinearRule>(&last.attributes);
    return rule && change(*rule);
}

void add_logits(Mutations& all) {
    all.push_back({"logits-unscaled", "logits are not multiplied by the model's factor", "logits", [](Mutant& mutant) {
                       return change_logits(mutant, [](LinearRule& rule) { return std::exchange(rule.scale, 1) != 1; });
                   }});
    all.push_back({"logits-uncapped", "logits are not capped", "logits", [](Mutant& mutant) {
                       return change_logits(mutant, [](LinearRule& rule) {
                           return std::exchange(rule.soft_cap, std::nullopt).has_value();
                       });
                   }});
}

// The head's weights are those of the embedding.
void add_tied_head(const Model& model, Mutations& all) {
    const Node* const embed = model.graph.first(Op::embed);
    if (!embed || embed->parameters.empty() || model.graph.tied_head || !has_head(model.architecture)) return;
    const Node& head = model.graph.nodes.back();
    if (head.op != Op::linear || head.parameters.empty()) return;
    const TensorIndex from = embed->parameters.front(), to = head.parameters.front();
    all.push_back({"head-tied", "the output head has the weights of the embedding, where the model has its own",
                   "output head", [from, to](Mutant& mutant) {
                       if (!own_weights(mutant)) return false;
                       Weights& weights = mutant.model.weights;
                       const MatrixView table = weights.view(from), own = weights.view(to);
                       float* const cells = weights.floats(to, 0, 0);
                       const bool turned = own.rows == table.columns && own.columns == table.rows;
                       if (!turned && (own.rows != table.rows || own.columns != table.columns)) return false;
                       for (std::int64_t row = 0; row < own.rows; ++row)
                           for (std::int64_t column = 0; column < own.columns; ++column)
                               cells[own.offset(row, column)] = turned ? table.at(column, row) : table.at(row, column);
                       return true;
                   }});
}

// exp of each over the sum of all, or its logarithm.
void soften_logits(std::span<float> logits, bool logarithm) {
    const double largest = static_cast<double>(*std::ranges::max_element(logits));
    double sum = 0;
    for (const float each : logits) sum += std::exp(static_cast<double>(each) - largest);
    for (float& each : logits) {
        const double less = static_cast<double>(each) - largest;
        each = static_cast<float>(logarithm ? less - std::log(sum) : std::exp(less) / sum);
    }
}

void add_softmaxes(Mutations& all) {
    for (const bool logarithm : {false, true})
        all.push_back({logarithm ? "logits-log-softmax" : "logits-softmax",
                       logarithm ? "what is written as logits are their log-softmax"
                                 : "what is written as logits are probabilities: their softmax",
                       "written logits", [logarithm](Mutant& mutant) {
                           mutant.logits = [logarithm](std::span<float> row) { soften_logits(row, logarithm); };
                           return has_head(mutant.model.architecture);
                       }});
}

// Every layer's weights are those of the first.
bool repeat_first_layer(Mutant& mutant) {
    const ModelGraph& graph = mutant.model.graph;
    if (graph.layers.size() != 1 || mutant.model.architecture.layers < 2 || !own_weights(mutant)) return false;
    Weights& weights = mutant.model.weights;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const auto index = static_cast<TensorIndex>(i);
        if (graph.tensors[i].role != Role::parameter || !graph.layer_of(graph.tensors[i].block)) continue;
        for (std::int64_t layer = 1; layer < mutant.model.architecture.layers; ++layer)
            for (std::int64_t copy = 0; copy < weights.copies(index); ++copy) {
                const MatrixView from = weights.view(index, 0, copy);
                float* const to = weights.floats(index, layer, copy);
                for (std::int64_t row = 0; row < from.rows; ++row)
                    for (std::int64_t column = 0; column < from.columns; ++column)
                        to[from.offset(row, column)] = from.at(row, column);
            }
    }
    return true;
}

}  // namespace

void add_end_mutations(const Model& model, Mutations& all) {
    if (const Node* const embed = model.graph.first(Op::embed)) add_embedding_scales(model, *embed, all);
    if (model.graph.first(Op::add_positions)) add_positions(all);
    if (model.graph.first(Op::add_positions) || model.graph.first(Op::rotate)) add_cache_positions(all);
    add_logits(all);
    add_tied_head(model, all);
    add_softmaxes(all);
    // What layers have of tokens by themselves is one table, as wide as there are layers.
    if (model.architecture.layers < 2 || model.architecture.layer.embedding) return;
    all.push_back({"layer-missing", "the last layer is not run", "layers", [](Mutant& mutant) {
                       return --mutant.model.architecture.layers > 0 && mutant.model.graph.layers.size() == 1;
                   }});
    all.push_back({"layers-alike", "all layers have the weights of the first: they are one and the same module",
                   "layers", repeat_first_layer});
}

}  // namespace headcount
