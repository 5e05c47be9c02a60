// Formats of tensors by their kind, their name, and llama-quantize's recipes; and the bytes of all that.
#include "core/analysis/stored_weights.hpp"

#include <algorithm>

#include "core/analysis/parameters.hpp"
#include "core/analysis/recipes.hpp"
#include "core/arch/layers.hpp"

namespace headcount {
namespace {

// Filters, distances' biases and what a recurrence has for each column: two sides, but not multiplied as a matrix is.
bool is_matrix(const Tensor& tensor) {
    switch (tensor.part) {
        case Part::convolved_query:
        case Part::convolved_key:
        case Part::convolved_value:
        case Part::relative_bias:
        case Part::relative_rows:
        case Part::decay_rate:
        case Part::state_skip:
        case Part::rotary_table: return false;
        default: return tensor.shape.rank() > 1 && tensor.component != Component::norm && !is_sense(tensor.component);
    }
}

// Whether some format has what a whole matrix has once.
bool shares_by_matrix(const Formats& formats) {
    const auto shares = [](const Precision& each) {
        return layout(each).column_bits > 0 || layout(each).tensor_bits > 0;
    };
    return shares(formats.rest) ||
           std::ranges::any_of(formats.own, [&](const auto& each) { return each && shares(*each); });
}

// What stands beside the first matrix in one tensor has no further columns' numbers, and none of the tensor.
Precision behind_first(const Precision& precision) {
    Layout own = layout(precision);
    if (own.column_bits == 0 && own.tensor_bits == 0) return precision;
    own.column_bits = own.tensor_bits = 0;
    return {precision.numbers, own};
}

// By tensor of the graph, of parameters.
std::vector<std::vector<FormatRun>> named_runs(const Architecture& arch, const ModelGraph& graph,
                                               const Formats& formats) {
    std::vector<std::vector<FormatRun>> runs(graph.tensors.size());
    for (const StoredTensor& stored : graph.stored) {
        std::vector<const NamedFormat*> named;
        for (const NamedFormat& each : formats.named)
            if (each.tensor == stored.name) named.push_back(&each);
        const std::optional<std::size_t> group = stored.layer;
        const bool by_layer = std::ranges::any_of(named, [](const auto* each) { return !each->layers.empty(); });
        const std::vector<std::int64_t> layers =
            group && by_layer ? layers_of(arch, graph.layers[*group].group) : std::vector<std::int64_t>{0};
        const std::int64_t alike = group && !by_layer ? graph.layers[*group].group.count : 1;
        for (const TensorIndex part : stored.parts)
            for (const std::int64_t layer : layers) {
                const auto own = std::ranges::find_if(named, [&](const auto* each) { return each->contains(layer); });
                Precision format = own == named.end() ? formats.of(weight_kind(graph, part)) : (*own)->precision;
                if (part != stored.parts.front()) format = behind_first(format);
                if (runs[part].empty() || runs[part].back().precision != format) runs[part].push_back({format, 0});
                runs[part].back().layers += alike;
            }
    }
    return runs;
}

Expr bytes_of(const Tensor& tensor, const std::vector<FormatRun>& runs, const Expr& in_layer) {
    std::vector<Expr> terms;
    for (const FormatRun& run : runs) terms.push_back(Expr(run.layers) * in_layer * bytes_of_one(tensor, run));
    return sum_of(terms);
}

}  // namespace

bool is_table(const Tensor& tensor) {
    return tensor.part == Part::token_embedding || tensor.part == Part::position_embedding ||
           tensor.part == Part::token_type_embedding || tensor.part == Part::layer_embedding ||
           tensor.part == Part::idle_embedding;
}

std::vector<FormatRun> merged(const std::vector<FormatRun>& runs) {
    std::vector<FormatRun> once;
    for (const FormatRun& run : runs) {
        const auto same = std::ranges::find_if(
            once, [&](const FormatRun& each) { return each.precision == run.precision && each.cut == run.cut; });
        if (same == once.end())
            once.push_back(run);
        else
            same->layers += run.layers;
    }
    return once;
}

// Blocks lie along what is multiplied, or looked up, together.
Expr bytes_of_one(const Tensor& tensor, const FormatRun& run) {
    if (run.cut) return bytes_formula((*run.cut)[1], (*run.cut)[0], run.precision);
    if (!is_matrix(tensor)) return bytes_formula(element_count(tensor.shape), run.precision);
    const bool table = is_table(tensor);
    return bytes_formula(tensor.shape[table ? 1 : 0], tensor.shape[table ? 0 : 1], run.precision);
}

WeightKind weight_kind(const ModelGraph& graph, TensorIndex parameter) {
    const Tensor& tensor = graph.tensors[parameter];
    if (!is_matrix(tensor)) return WeightKind::norm;
    if (tensor.part == Part::router) return WeightKind::router;
    if (graph.within(tensor.block, BlockKind::expert)) return WeightKind::experts;
    switch (tensor.component) {
        case Component::embedding: return WeightKind::embedding;
        case Component::attention: return WeightKind::attention;
        case Component::feed_forward: return WeightKind::feed_forward;
        case Component::output: return WeightKind::output;
        case Component::recurrence: return WeightKind::recurrence;
        case Component::norm:
        case Component::tower:
        case Component::connector: break;
    }
    return WeightKind::norm;
}

StoredWeights::StoredWeights(const Architecture& arch, const ModelGraph& graph, const Formats& formats)
    : formats_(formats) {
    if (formats.recipe)
        runs_ = recipe_runs(arch, graph, *formats.recipe);
    else if (!formats.named.empty() || shares_by_matrix(formats))
        runs_ = named_runs(arch, graph, formats);
}

Precision StoredWeights::first(const ModelGraph& graph, TensorIndex parameter) const {
    // What follows a rule, as sinusoidal positions do, is in no file that a recipe makes.
    const bool chosen = !runs_.empty() && !runs_[parameter].empty();
    return chosen ? runs_[parameter].front().precision : formats_.of(weight_kind(graph, parameter));
}

std::vector<FormatRun> StoredWeights::runs(const ModelGraph& graph, TensorIndex parameter, std::int64_t layers) const {
    if (runs_.empty()) return {{first(graph, parameter), layers}};
    std::vector<FormatRun> found;
    for (FormatRun run : runs_[parameter]) {
        run.layers = std::min(run.layers, layers);
        if (run.layers == 0) break;
        if (!run.cut) layers -= run.layers;  // matrices that are cut have a run each, of all layers
        found.push_back(std::move(run));
    }
    return found;
}

Expr StoredWeights::bytes(const ModelGraph& graph, TensorIndex parameter, const Expr& layers,
                          const Expr& in_layer) const {
    const Tensor& tensor = graph.tensors[parameter];
    if (runs_.empty() || merged(runs_[parameter]).size() == 1) return layers * some(graph, parameter, in_layer);
    return bytes_of(tensor, merged(runs_[parameter]), in_layer);
}

Expr StoredWeights::of_first(const ModelGraph& graph, TensorIndex parameter, std::int64_t layers) const {
    const Tensor& tensor = graph.tensors[parameter];
    return bytes_of(tensor, merged(runs(graph, parameter, layers)), graph.copies_in_layer(tensor.block));
}

Expr StoredWeights::some(const ModelGraph& graph, TensorIndex parameter, const Expr& copies) const {
    const Tensor& tensor = graph.tensors[parameter];
    Expr one = bytes_of_one(tensor, {first(graph, parameter), 1});
    if (!runs_.empty() && runs_[parameter].size() > 1 && runs_[parameter].front().cut) {
        one = 0;
        for (const FormatRun& run : runs_[parameter]) one = one + bytes_of_one(tensor, run);
    }
    return copies * one;
}

Expr StoredWeights::rows(const ModelGraph& graph, TensorIndex table, const Expr& count) const {
    return bytes_formula(graph.tensors[table].shape[1], count, first(graph, table));
}

Expr StoredWeights::bytes(const ModelGraph& graph, const StoredTensor& tensor) const {
    std::vector<Expr> terms;
    for (const TensorIndex part : tensor.parts) {
        const BlockIndex block = graph.tensors[part].block;
        terms.push_back(bytes(graph, part, graph.layers_with(block), graph.copies_in_layer(block)));
    }
    return sum_of(terms);
}

Expr StoredWeights::total(const ModelGraph& graph, std::optional<Component> component) const {
    if (formats_.uniform())
        return bytes_formula(component ? component_formula(graph, *component) : total_formula(graph), formats_.rest);
    std::vector<Expr> terms;
    for (const StoredTensor& tensor : graph.stored)
        if (!component || tensor.component == *component) terms.push_back(bytes(graph, tensor));
    return sum_of(terms);
}

}  // namespace headcount
