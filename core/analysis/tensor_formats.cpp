// Looks a tensor's format up; see the header.
#include "core/analysis/tensor_formats.hpp"

#include <algorithm>

#include "core/arch/layers.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"

namespace headcount {

TensorFormats::TensorFormats(const CountedModel& model)
    : model_(model), weights_(model.architecture, model.graph, model.input.precision) {
    if (!model.input.precision.by_layer()) return;
    std::vector<std::int64_t> of_group(model.graph.layers.size());
    const auto rank = [&](std::int64_t layers, bool encoder, std::vector<std::int64_t>& before) {
        const LayerKinds kinds(model.architecture, encoder);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            before.push_back(of_group[model.graph.group_of(kinds[layer])]++);
    };
    rank(model.architecture.layers, false, before_);
    if (model.architecture.encoder) rank(model.architecture.encoder->layers, true, encoder_before_);
}

std::vector<FormatRun> TensorFormats::runs_at(TensorIndex part, const TensorPlace& place) const {
    const ModelGraph& graph = model_.graph;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[part].block);
    const bool encoder = group && graph.layers[*group].group.kind.encoder;
    const std::vector<std::int64_t>& before = encoder ? encoder_before_ : before_;
    const bool ranked = group && place.layer && !before.empty();
    const std::vector<FormatRun> runs =
        weights_.runs(graph, part, ranked ? before[static_cast<std::size_t>(*place.layer)] + 1 : 1);
    if (runs.front().cut) return runs;
    return {runs.back()};
}

std::optional<StoredAs> TensorFormats::of(const ParameterRow& row, const TensorPlace& place) const {
    const ModelGraph& graph = model_.graph;
    const StoredTensor& tensor = graph.stored[row.stored];
    StoredAs stored;
    std::vector<Precision> said;
    for (const TensorIndex part : tensor.parts) {
        const Result<std::int64_t> copies = evaluate(graph.copies_in_layer(graph.tensors[part].block), model_.bindings);
        if (!copies) return std::nullopt;
        // A layer's experts, or its heads' norms, are tensors of their own.
        const std::int64_t alike = std::max<std::int64_t>(row.in_layer, 1);
        for (const FormatRun& run : runs_at(part, place)) {
            const Result<std::int64_t> bytes =
                evaluate(Expr(*copies) * bytes_of_one(graph.tensors[part], run), model_.bindings);
            if (!bytes || !add_to(stored.bytes, *bytes / alike)) return std::nullopt;
            if (contains(said, run.precision)) continue;
            said.push_back(run.precision);
            stored.format += (stored.format.empty() ? "" : " + ") + precision_text(run.precision);
        }
    }
    return stored;
}

}  // namespace headcount
