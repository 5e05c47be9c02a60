// Mistakes about what stands before the layers and behind them.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "core/base/text.hpp"
#include "core/diagnose/mutation.hpp"

namespace headcount {
namespace {

bool divide_embedded_by_length(Mutant& mutant) {
    const Node* const embed = mutant.model.graph.first(Op::embed);
    if (!embed) return false;
    const TensorIndex rows = embed->output;
    mutant.stands_for[rows] = put_behind(mutant, rows, norm_of_length());
    return true;
}

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
    const auto width = static_cast<double>(model.architecture.dim);
    const auto short_own = static_cast<double>(as_bfloat16(static_cast<float>(own)));
    if (std::abs(short_own - own) > 1e-9 * own)
        add("embedding-scale-rounded", "the factor of embedded rows is rounded to bfloat16: " + factor_text(short_own),
            short_own);
    all.push_back({"embedding-of-length-1", "embedded rows are divided by their length, so that each has the length 1",
                   "embedding scale", divide_embedded_by_length});
    add("embedding-scaled-by-width",
        "embedded rows are multiplied by d, " +
            std::string(own == root ? "where the factor is √d" : "which the model does not do"),
        width);
    if (std::abs(own - root) > 1e-9 * root)
        add("embedding-scaled", "embedded rows are multiplied by √d, which the model does not do", root);
}

// The norm of embedded rows reads them before anything is added to them.
bool norm_embedding_first(Mutant& mutant) {
    ModelGraph& graph = mutant.model.graph;
    const Node* const embed = graph.first(Op::embed);
    if (!embed || graph.layers.empty()) return false;
    const TensorIndex rows = embed->output;
    const TensorIndex stream = graph.before_layers(graph.stack_of(embed->block));
    const auto norm = std::ranges::find(graph.nodes, stream, &Node::output);
    if (norm == graph.nodes.end() || norm->op != Op::norm || norm->inputs.front() == rows) return false;
    const Node own = *norm;
    leave_out(mutant, [&](const Node& node) { return node.output == own.output; });
    put_behind(mutant, rows, own);
    return true;
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
    all.push_back({"logits-scaled-inversely",
                   "logits are divided by what the model multiplies them by, or the other way round", "logits",
                   [](Mutant& mutant) {
                       return change_logits(mutant, [](LinearRule& rule) {
                           rule.scale = 1 / rule.scale;
                           return rule.scale != 1;
                       });
                   }});
    for (const bool times : {true, false})
        all.push_back({times ? "logits-times-root" : "logits-by-root",
                       times ? "logits are multiplied by √d, as the embedding may be"
                             : "logits are divided by √d, which the model does not do",
                       "logits", [times](Mutant& mutant) {
                           const double root = std::sqrt(static_cast<double>(mutant.model.architecture.dim));
                           return change_logits(mutant, [&](LinearRule& rule) {
                               const double before = rule.scale;
                               rule.scale *= times ? root : 1 / root;
                               return std::abs(rule.scale - before) > 1e-9;
                           });
                       }});
    all.push_back({"logits-clamped", "logits are clamped at the cap, and not brought below it by tanh", "logits",
                   [](Mutant& mutant) {
                       return change_logits(mutant, [](LinearRule& rule) {
                           if (!rule.soft_cap || rule.scale != 1) return false;
                           rule.clip = std::exchange(rule.soft_cap, std::nullopt);
                           return true;
                       });
                   }});
    all.push_back({"logits-cap-not-multiplied", "logits are tanh(x / c), where they are c · tanh(x / c)", "logits",
                   [](Mutant& mutant) {
                       const auto* const rule = std::get_if<LinearRule>(&mutant.model.graph.nodes.back().attributes);
                       if (!rule || !rule->soft_cap) return false;
                       mutant.logits = [cap = static_cast<float>(*rule->soft_cap)](std::span<float> row) {
                           for (float& each : row) each /= cap;
                       };
                       return true;
                   }});
    all.push_back({"logits-uncapped", "logits are not capped", "logits", [](Mutant& mutant) {
                       return change_logits(mutant, [](LinearRule& rule) {
                           return std::exchange(rule.soft_cap, std::nullopt).has_value();
                       });
                   }});
}

// The head's weights are those of the embedding, or the embedding's those of the head.
void add_tied_head(const Model& model, Mutations& all) {
    const Node* const embed = model.graph.first(Op::embed);
    if (!embed || embed->parameters.empty() || model.graph.tied_head || !has_head(model.architecture)) return;
    const Node& head = model.graph.nodes.back();
    if (head.op != Op::linear || head.parameters.empty()) return;
    struct Tied {
        const char *name, *says;
        TensorIndex from, to;
    };
    const TensorIndex first = embed->parameters.front(), last = head.parameters.front();
    for (const Tied& each :
         {Tied{"head-tied", "the output head has the weights of the embedding, where the model has its own", first,
               last},
          Tied{"embedding-tied", "the embedding has the weights of the output head, where the model has its own", last,
               first}})
        all.push_back({each.name, each.says, "output head", [from = each.from, to = each.to](Mutant& mutant) {
                           if (!own_weights(mutant)) return false;
                           Weights& weights = mutant.model.weights;
                           const MatrixView table = weights.view(from), own = weights.view(to);
                           float* const cells = weights.floats(to, 0, 0);
                           const bool turned = own.rows == table.columns && own.columns == table.rows;
                           if (!turned && (own.rows != table.rows || own.columns != table.columns)) return false;
                           for (std::int64_t row = 0; row < own.rows; ++row)
                               for (std::int64_t column = 0; column < own.columns; ++column)
                                   cells[own.offset(row, column)] =
                                       turned ? table.at(column, row) : table.at(row, column);
                           return true;
                       }});
}

// What BERT does before its head.
void add_head_transforms(Mutations& all) {
    const auto add = [&](const char* name, const char* says, bool (*which)(Op op, Part part)) {
        all.push_back({name, says, "head transform", [which](Mutant& mutant) {
                           const ModelGraph& graph = mutant.model.graph;
                           return leave_out(mutant, [&](const Node& node) {
                               return which(node.op, graph.tensors[node.output].part);
                           });
                       }});
    };
    add("head-activation-missing", "the activation function before the output head is left out",
        [](Op op, Part part) { return op == Op::activate && part == Part::head_transform; });
    add("head-transform-missing", "the matrix, activation function and norm before the output head are left out",
        [](Op, Part part) { return part == Part::head_transform || part == Part::head_norm; });
    all.push_back({"head-norm-before-activation",
                   "the head's norm stands before its activation function, not behind it", "head transform",
                   [](Mutant& mutant) {
                       ModelGraph& graph = mutant.model.graph;
                       for (std::size_t i = 0; i + 1 < graph.nodes.size(); ++i) {
                           Node &first = graph.nodes[i], &second = graph.nodes[i + 1];
                           if (first.op != Op::activate || graph.tensors[first.output].part != Part::head_transform ||
                               second.op != Op::norm)
                               continue;
                           exchange(mutant, first, second);
                           return true;
                       }
                       return false;
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
    all.push_back(
        {"logits-sigmoid", "what is written as logits has passed a sigmoid", "written logits", [](Mutant& mutant) {
             mutant.logits = [](std::span<float> row) {
                 for (float& each : row) each = 1 / (1 + std::exp(-each));
             };
             return has_head(mutant.model.architecture);
         }});
}

void add_types(Mutations& all) {
    all.push_back({"types-none", "no row of the token types is added", "token types", [](Mutant& mutant) {
                       return leave_out(mutant, [](const Node& node) { return node.op == Op::add_types; });
                   }});
    all.push_back({"types-second", "every token has the second type, where the model is asked with the first",
                   "token types", [](Mutant& mutant) {
                       const Node* const added = mutant.model.graph.first(Op::add_types);
                       if (!added || !own_weights(mutant)) return false;
                       const MatrixView table = mutant.model.weights.view(added->parameters.front());
                       if (table.rows < 2) return false;
                       float* const cells = mutant.model.weights.floats(added->parameters.front(), 0, 0);
                       for (std::int64_t i = 0; i < table.columns; ++i) cells[table.offset(0, i)] = table.at(1, i);
                       return true;
                   }});
}

}  // namespace

void add_end_mutations(const Model& model, Mutations& all) {
    if (const Node* const embed = model.graph.first(Op::embed)) add_embedding_scales(model, *embed, all);
    all.push_back({"embedding-norm-first", "the norm of embedded rows stands before positions and types are added",
                   "embedding norm", norm_embedding_first});
    if (model.graph.first(Op::add_types)) add_types(all);
    add_logits(all);
    add_head_transforms(all);
    add_tied_head(model, all);
    add_softmaxes(all);
}

}  // namespace headcount
