// Looks a tensor's format up; see the header.
#include "core/analysis/tensor_formats.hpp"

#include <algorithm>

#include "core/analysis/recipes.hpp"
#include "core/arch/layers.hpp"
#include "core/base/checked.hpp"

namespace headcount {

TensorFormats::TensorFormats(const CountedModel& model)
    : model_(model), weights_(model.architecture, model.graph, model.input.precision) {
    if (!model.input.precision.recipe) return;
    runs_ = recipe_runs(model.architecture, model.graph, *model.input.precision.recipe, RunOrder::of_layers);
    std::vector<std::int64_t> of_group(model.graph.layers.size());
    const auto rank = [&](std::int64_t layers, bool encoder, std::vector<std::int64_t>& before) {
        for (std::int64_t layer = 0; layer < layers; ++layer)
            before.push_back(of_group[model.graph.group_of(layer_kind(model.architecture, layer, encoder))]++);
    };
    rank(model.architecture.layers, false, before_);
    if (model.architecture.encoder) rank(model.architecture.encoder->layers, true, encoder_before_);
}

Precision TensorFormats::format_of(TensorIndex part, const TensorPlace& place) const {
    const ModelGraph& graph = model_.graph;
    if (runs_.empty()) return weights_.runs(graph, part, 1).front().precision;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[part].block);
    if (!group || !place.layer) return runs_[part].front().precision;
    const bool encoder = graph.layers[*group].group.kind.encoder;
    std::int64_t rank = (encoder ? encoder_before_ : before_)[static_cast<std::size_t>(*place.layer)];
    for (const FormatRun& run : runs_[part]) {
        if (rank < run.layers) return run.precision;
        rank -= run.layers;
    }
    return runs_[part].back().precision;
}

std::optional<StoredAs> TensorFormats::of(const ParameterRow& row, const TensorPlace& place) const {
    const ModelGraph& graph = model_.graph;
    const StoredTensor& tensor = graph.stored[row.stored];
    StoredAs stored;
    std::vector<Precision> said;
    for (const TensorIndex part : tensor.parts) {
        const Precision format = format_of(part, place);
        Formats formats(format);
        formats.of(weight_kind(graph, part)) = format;
        const Result<std::int64_t> copies = evaluate(graph.copies_in_layer(graph.tensors[part].block), model_.bindings);
        if (!copies) return std::nullopt;
        const StoredWeights as(model_.architecture, graph, formats);
        // A layer's experts, or its heads' norms, are tensors of their own.
        const std::int64_t alike = std::max<std::int64_t>(row.in_layer, 1);
        const Result<std::int64_t> bytes = evaluate(as.some(graph, part, *copies), model_.bindings);
        if (!bytes || !add_to(stored.bytes, *bytes / alike)) return std::nullopt;
        if (std::ranges::find(said, format) != said.end()) continue;
        said.push_back(format);
        stored.format += (stored.format.empty() ? "" : " + ") + std::string(info(format).key);
    }
    return stored;
}

}  // namespace headcount
