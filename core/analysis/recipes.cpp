// Which tensors of a GGUF file llama-quantize's rules take for which, and how they are counted.
#include "core/analysis/recipes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/analysis/recipe_rules.hpp"
#include "core/arch/layers.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// Wherever it stands.
TensorUse use_of(Part part) {
    switch (part) {
        case Part::value: return TensorUse::value;
        case Part::gate:
        case Part::up:
        case Part::expert_gate:
        case Part::expert_up:
        case Part::shared_gate:
        case Part::shared_up: return TensorUse::up_or_gate;
        case Part::down:
        case Part::expert_down:
        case Part::shared_down: return TensorUse::down;
        case Part::output_head: return TensorUse::output;
        case Part::token_embedding:
        case Part::layer_embedding: return TensorUse::embedding;
        default: return TensorUse::other;
    }
}

// Of a recurrence that has them in tensors of their own, as softmax attention has.
TensorUse use_of_state(Part part) {
    if (part == Part::state_query) return TensorUse::query;
    return part == Part::state_key ? TensorUse::key : TensorUse::value;
}

// In what a checkpoint stores beside each other.
bool are_fused(const ModelGraph& graph, TensorIndex parameter, std::initializer_list<Part> with) {
    return std::ranges::any_of(graph.stored, [&](const StoredTensor& stored) {
        if (!contains(stored.parts, parameter)) return false;
        return std::ranges::all_of(with, [&](Part part) {
            return std::ranges::any_of(stored.parts,
                                       [&](TensorIndex each) { return graph.tensors[each].part == part; });
        });
    });
}

// A tensor of a layer that rules count, in the order of names: whether it reads what an encoder made, and which it is.
using Counted = std::pair<bool, Part>;

class Choosing {
  public:
    Choosing(const Architecture& arch, const ModelGraph& graph, Recipe recipe)
        : arch_(arch), graph_(graph), numbers_(bindings(arch, Input{})) {
        const std::int64_t keys = arch.layer.attention.latent ? arch.layer.attention.heads : kv_heads(arch);
        model_ = {.recipe = info(recipe).plain.value_or(recipe),
                  .importance = info(recipe).plain.has_value(),
                  .layers = arch.encoder ? arch.encoder->layers : arch.layers,
                  .queries_each = keys > 0 ? arch.layer.attention.heads / keys : 1,
                  .experts = arch.layer.mixture ? arch.layer.mixture->experts : 1,
                  .tied = std::ranges::none_of(graph.stored,
                                               [&](const StoredTensor& stored) {
                                                   return graph.tensors[stored.parts.front()].part == Part::output_head;
                                               }),
                  .known = arch.family->recipes};
        values_.resize(graph.layers.size());
        downs_.resize(graph.layers.size());
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const auto parameter = static_cast<TensorIndex>(i);
            const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
            if (graph.tensors[i].role != Role::parameter || !group || stays(parameter)) continue;
            const TensorUse use = use_in_layer(parameter);
            if (use == TensorUse::value) values_[*group].insert(counted_as(parameter));
            if (use == TensorUse::down) downs_[*group].insert(counted_as(parameter));
        }
        list_layers();
    }

    // In the order of its layers.
    std::vector<FormatRun> runs(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        const std::optional<std::size_t> group = graph_.layer_of(tensor.block);
        const std::int64_t all = group ? graph_.layers[*group].group.count : 1;
        if (tensor.part == Part::relative_bias) return {{Precision::fp16, all}};
        if (stays(parameter) || !group) return {{stays(parameter) ? Precision::fp32 : outside(tensor), all}};
        if (is_cut(tensor)) return of_latent_keys_and_values(all);
        const bool expert = weight_kind(graph_, parameter) == WeightKind::experts;
        const TensorUse use = use_in_layer(parameter);
        const Counted counted = counted_as(parameter);
        const std::int64_t values = values_of_all(), row = row_of(tensor);
        std::vector<std::optional<Precision>> chosen(layers_.size());
        std::int64_t before = 0;
        for (const FileLayer& each : layers_) {
            const std::set<Counted>& alike = use == TensorUse::value ? values_[each.group] : downs_[each.group];
            if (each.group == *group) {
                const auto own = std::distance(alike.begin(), alike.lower_bound(counted));
                chosen[each.at] = in_layer(model_, use, {each.layer, before + own, values, expert}, row);
            }
            before += static_cast<std::int64_t>(alike.size());
        }
        std::vector<FormatRun> found;
        for (const std::optional<Precision>& format : chosen) {
            if (!format) continue;
            if (found.empty() || found.back().precision != *format) found.push_back({*format, 0});
            ++found.back().layers;
        }
        return found;
    }

    // Of all layers' copies of a tensor, of which each layer has so many: nothing where no formula is known.
    std::optional<Expr> bytes(TensorIndex parameter, const Expr& in_layer) const {
        const Tensor& tensor = graph_.tensors[parameter];
        if (is_cut(tensor)) {
            std::vector<Expr> terms;
            for (const FormatRun& one : of_latent_keys_and_values(1)) terms.push_back(bytes_of_one(tensor, one));
            return graph_.layers_with(tensor.block) * in_layer * sum_of(terms);
        }
        if (graph_.layers.size() != 1 || arch_.encoder || graph_.layers_with(tensor.block) != Expr(Symbol::layers))
            return std::nullopt;
        std::vector<Expr> terms;
        for (const auto& [precision, counts] : counts_of(parameter)) {
            const std::optional<Expr> layers = formula_of(counts);
            if (!layers) return std::nullopt;
            terms.push_back(*layers * in_layer * bytes_of_one(tensor, {precision, 1}));
        }
        return sum_of(terms);
    }

    // In the same format in every layer, whatever their number, or outside of them.
    bool alike(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        return stays(parameter) || !graph_.layer_of(tensor.block) || tensor.part == Part::relative_bias;
    }

  private:
    static constexpr std::int64_t most_tried = 256, special = 80;  // layers

    // How many layers have each format, of 1, 2, ... layers.
    using Counts = std::array<std::int64_t, most_tried + 1>;
    std::map<Precision, Counts> counts_of(TensorIndex parameter) const {
        const TensorUse use = use_in_layer(parameter);
        const bool expert = weight_kind(graph_, parameter) == WeightKind::experts;
        const std::set<Counted>& alike = use == TensorUse::value ? values_.front() : downs_.front();
        const auto own = std::distance(alike.begin(), alike.lower_bound(counted_as(parameter)));
        const auto each = static_cast<std::int64_t>(alike.size()),
                   values = static_cast<std::int64_t>(values_.front().size());
        const std::int64_t row = row_of(graph_.tensors[parameter]);
        std::map<Precision, Counts> counts;
        RecipeModel model = model_;
        for (std::int64_t layers = 1; layers <= most_tried; ++layers) {
            model.layers = layers;
            for (std::int64_t layer = 0; layer < layers; ++layer) {
                const RecipePlace place{layer, layer * each + own, layers * values, expert};
                ++counts[in_layer(model, use, place, row)][static_cast<std::size_t>(layers)];
            }
        }
        return counts;
    }

    // The formula of L that gives these, of those that the rules are made of.
    std::optional<Expr> formula_of(const Counts& counts) const {
        const Expr all = Symbol::layers, eighth = all / 8, last = Expr(7) * all / 8, sixteenth = all / 16;
        const Expr more = eighth + (all - last) + (last - eighth) / 3;
        for (const Expr& some :
             {all, more, eighth, sixteenth, min(all, 4), min(all, 2), last - eighth, more - sixteenth})
            for (const Expr& formula : {some, all - some})
                if (gives(formula, counts)) return formula;
        return std::nullopt;
    }

    bool gives(const Expr& formula, const Counts& counts) const {
        const bool skips = model_.layers != special;  // of a 70B's layers others hold
        Bindings numbers;
        for (std::int64_t layers = 1; layers <= most_tried; ++layers) {
            numbers.set(Symbol::layers, layers);
            const Result<std::int64_t> count = evaluate(formula, numbers);
            const bool same = count && *count == counts[static_cast<std::size_t>(layers)];
            if (!same && !(skips && layers == special)) return false;
        }
        return true;
    }

    struct FileLayer {
        std::size_t at;      // among all in the order of the stacks, the encoder's last
        std::int64_t layer;  // in its stack
        std::size_t group;
    };

    // In the order in which llama-quantize goes through them: of two stacks by their names, layer 10 before layer 2.
    void list_layers() {
        const auto stack = [&](std::int64_t count, bool encoder) {
            const std::size_t first = layers_.size();
            const LayerKinds kinds(arch_, encoder);
            for (std::int64_t layer = 0; layer < count; ++layer)
                layers_.push_back({layers_.size(), layer, graph_.group_of(kinds[layer])});
            if (arch_.encoder)
                std::ranges::sort(std::span(layers_).subspan(first), {},
                                  [](const FileLayer& each) { return std::to_string(each.layer); });
        };
        stack(arch_.layers, false);
        if (arch_.encoder) stack(arch_.encoder->layers, true);
    }

    // Not made smaller: norms, routers, positions, and what has a single output.
    bool stays(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        const WeightKind kind = weight_kind(graph_, parameter);
        return kind == WeightKind::norm || kind == WeightKind::router || tensor.part == Part::position_embedding ||
               tensor.part == Part::token_type_embedding || tensor.shape[1] == Expr(1);
    }

    bool is_cut(const Tensor& tensor) const { return tensor.part == Part::latent_up && !model_.known.latent_whole; }

    // Attention in one tensor, of softmax or of a recurrence that has its own steps apart, counts as values, and a gate
    // beside queries as these; what comes out of a bottleneck has a name that no rule knows.
    TensorUse use_in_layer(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        const auto beside = [&](std::initializer_list<Part> parts) { return are_fused(graph_, parameter, parts); };
        switch (tensor.part) {
            case Part::query:
            case Part::key:
                if (beside({Part::query, Part::key, Part::value})) return TensorUse::value;
                if (tensor.part == Part::key) return TensorUse::key;
                return arch_.layer.attention.latent && arch_.layer.attention.latent->query_rank ? TensorUse::other
                                                                                                : TensorUse::query;
            case Part::attention_gate: return beside({Part::query}) ? TensorUse::query : TensorUse::other;
            case Part::state_query:
            case Part::state_key:
            case Part::state_value:
                if (beside({Part::state_query, Part::state_key, Part::state_value}))
                    return beside({Part::state_step}) ? TensorUse::other : TensorUse::value;
                return is_alone(parameter) ? use_of_state(tensor.part) : TensorUse::other;
            case Part::state_output:  // beside queries of its own it has attention's name
                return has_own_queries(tensor.block) ? TensorUse::attention_output : TensorUse::other;
            case Part::latent_up: return is_cut(tensor) ? TensorUse::other : TensorUse::value;
            case Part::attention_output:  // T5's has another name
                return arch_.encoder ? TensorUse::other : TensorUse::attention_output;
            default: return use_of(tensor.part);
        }
    }

    bool has_own_queries(BlockIndex block) const {
        const auto group = graph_.layer_of(block);
        return std::ranges::any_of(graph_.stored, [&](const StoredTensor& stored) {
            const Tensor& first = graph_.tensors[stored.parts.front()];
            return stored.parts.size() == 1 && first.part == Part::state_query && graph_.layer_of(first.block) == group;
        });
    }

    bool is_alone(TensorIndex parameter) const {
        return std::ranges::any_of(graph_.stored, [&](const StoredTensor& stored) {
            return stored.parts.size() == 1 && stored.parts.front() == parameter;
        });
    }

    // What is fused counts once.
    Counted counted_as(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        return {graph_.within(tensor.block, BlockKind::cross),
                use_in_layer(parameter) == TensorUse::value ? Part::value : tensor.part};
    }

    // A matrix of all heads' keys, whose rows are as long as one, and one of their values.
    std::vector<FormatRun> of_latent_keys_and_values(std::int64_t layers) const {
        std::vector<FormatRun> found;
        for (const Shape& matrix : {Shape{Expr(Symbol::heads) * Symbol::kv_rank, Symbol::nope_dim},
                                    Shape{Expr(Symbol::heads) * Symbol::value_dim, Symbol::kv_rank}})
            found.push_back({of_latent(model_, number(matrix[1])), layers, matrix});
        return found;
    }

    std::int64_t number(const Expr& side) const {
        const Result<std::int64_t> found = evaluate(side, numbers_);
        return found ? *found : 1;
    }

    std::int64_t row_of(const Tensor& tensor, bool table = false) const { return number(tensor.shape[table ? 1 : 0]); }

    std::int64_t values_of_all() const {
        return std::accumulate(layers_.begin(), layers_.end(), std::int64_t{0},
                               [&](std::int64_t sum, const auto& each) {
                                   return sum + static_cast<std::int64_t>(values_[each.group].size());
                               });
    }

    Precision outside(const Tensor& tensor) const {
        const TensorUse use = use_of(tensor.part);
        return outside_of_layers(model_, use, row_of(tensor, use == TensorUse::embedding));
    }

    const Architecture& arch_;
    const ModelGraph& graph_;
    Bindings numbers_;
    RecipeModel model_{};
    std::vector<FileLayer> layers_;
    std::vector<std::set<Counted>> values_, downs_;  // by group of layers
};

}  // namespace

std::vector<std::vector<FormatRun>> recipe_runs(const Architecture& arch, const ModelGraph& graph, Recipe recipe) {
    const Choosing choosing(arch, graph, recipe);
    std::vector<std::vector<FormatRun>> runs(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].role == Role::parameter) runs[i] = choosing.runs(static_cast<TensorIndex>(i));
    return runs;
}

RecipeBytes recipe_bytes(const Architecture& arch, const ModelGraph& graph, const Formats& formats,
                         std::optional<Component> component) {
    const StoredWeights weights(arch, graph, formats);
    RecipeBytes found;
    if (!formats.recipe) {
        found = {weights.total(graph, component), !formats.by_layer()};
        if (!found.follows) found.bytes = replaced(found.bytes, Symbol::layers, Expr(arch.layers));
        return found;
    }
    const Choosing choosing(arch, graph, *formats.recipe);
    std::vector<Expr> terms;
    for (const StoredTensor& stored : graph.stored)
        for (const TensorIndex part : stored.parts) {
            const BlockIndex block = graph.tensors[part].block;
            const Expr in_layer = graph.copies_in_layer(block);
            const bool alike = choosing.alike(part);
            const std::optional<Expr> bytes = alike ? std::nullopt : choosing.bytes(part, in_layer);
            found.follows = found.follows && (alike || bytes);
            if (component && stored.component != *component) continue;
            terms.push_back(bytes ? *bytes : weights.bytes(graph, part, graph.layers_with(block), in_layer));
        }
    found.bytes = sum_of(terms);
    // What is alike in all layers would follow, and the sum be that of no model.
    if (!found.follows) found.bytes = replaced(found.bytes, Symbol::layers, Expr(arch.layers));
    return found;
}

}  // namespace headcount
